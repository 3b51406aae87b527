/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_HARDIRQ_H
#define _ASM_SCHEDPROOF_HARDIRQ_H
#include <asm-generic/hardirq.h>
#endif
