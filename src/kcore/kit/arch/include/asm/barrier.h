/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_BARRIER_H
#define _ASM_SCHEDPROOF_BARRIER_H
#include <linux/compiler.h>
#define mb()  barrier()
#define rmb() barrier()
#define wmb() barrier()
#include <asm-generic/barrier.h>
#endif
