/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_IRQFLAGS_H
#define _ASM_SCHEDPROOF_IRQFLAGS_H

#define ARCH_IRQ_DISABLED 1UL
#define ARCH_IRQ_ENABLED  0UL

extern unsigned long kit_irqflags;

static inline unsigned long arch_local_save_flags(void)
{
	return kit_irqflags;
}

static inline void arch_local_irq_restore(unsigned long flags)
{
	kit_irqflags = flags;
}

#include <asm-generic/irqflags.h>

#endif
