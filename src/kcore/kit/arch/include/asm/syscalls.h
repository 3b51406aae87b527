/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_SYSCALLS_H
#define _ASM_SCHEDPROOF_SYSCALLS_H
#include <asm-generic/syscalls.h>
#endif
