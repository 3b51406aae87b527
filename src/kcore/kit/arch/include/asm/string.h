/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_STRING_H
#define _ASM_SCHEDPROOF_STRING_H

#include <linux/types.h>

/* kernel/string.c of this architecture: the tree's generic ones go byte by byte */
#define __HAVE_ARCH_MEMCPY
extern void *memcpy(void *to, const void *from, size_t n);
#define __HAVE_ARCH_MEMMOVE
extern void *memmove(void *to, const void *from, size_t n);
#define __HAVE_ARCH_MEMSET
extern void *memset(void *to, int byte, size_t n);

#endif
