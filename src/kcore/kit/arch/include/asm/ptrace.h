/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_PTRACE_H
#define _ASM_SCHEDPROOF_PTRACE_H
#ifndef __ASSEMBLY__
struct pt_regs {
	unsigned long ip, sp, flags;
};
#define user_mode(r)	       1
#define instruction_pointer(r) ((r)->ip)
#define user_stack_pointer(r)  ((r)->sp)
#define profile_pc(r)	       ((r)->ip)
#define instruction_pointer_set(r, v)                                                              \
	do {                                                                                       \
		(r)->ip = (v);                                                                     \
	} while (0)
#define frame_pointer(r)     0UL
#define regs_return_value(r) 0UL
#endif
#endif
