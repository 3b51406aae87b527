/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_ELF_H
#define _ASM_SCHEDPROOF_ELF_H
#define ELF_CLASS	  ELFCLASS64
#define ELF_DATA	  ELFDATA2LSB
#define ELF_ARCH	  0xfeed
#define elf_check_arch(x) 1
#define ELF_EXEC_PAGESIZE 4096
#define ELF_ET_DYN_BASE	  0UL
#define ELF_HWCAP	  0
#define ELF_PLATFORM	  NULL
#define ELF_NGREG	  1
typedef unsigned long elf_greg_t;
typedef elf_greg_t elf_gregset_t[ELF_NGREG];
typedef unsigned long elf_fpregset_t;
#endif
