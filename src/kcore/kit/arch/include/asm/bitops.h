/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_BITOPS_H
#define _ASM_SCHEDPROOF_BITOPS_H
#include <linux/compiler.h>
#include <asm/barrier.h>
#include <asm-generic/bitops.h>
#endif
