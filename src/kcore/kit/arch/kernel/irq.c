// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq.c - interrupts between CPUs, and softirqs
 *
 * Function calls and irq_work are the tree's own (kernel/smp.c, kernel/irq_work.c); what is here sends and receives their interrupts.
 */
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/smp.h>
#include "kit.h"

DEFINE_PER_CPU(struct pt_regs *, __irq_regs);
DEFINE_PER_CPU_ALIGNED(irq_cpustat_t, irq_stat);
#if __has_include(<linux/interrupt_rc.h>)
/* flags from before the outermost local_interrupt_disable() */
DEFINE_PER_CPU(unsigned long, local_interrupt_disable_state);
#endif

static void (*softirq_action[NR_SOFTIRQS])(struct softirq_action *);

/* What is sent in a boot is handled there, as all CPUs settle at its end. */
void kit_ipi_send(int cpu, enum core_ipi kind)
{
	if (!kit.booting)
		kit.host->ipi(kit.host->ctx, cpu, kind);
}

void arch_smp_send_reschedule(int cpu)
{
	kit_ipi_send(cpu, CORE_IPI_RESCHED);
}

#if !SINCE(6, 4)
void smp_send_reschedule(int cpu)
{
	kit_ipi_send(cpu, CORE_IPI_RESCHED);
}
#endif

void arch_send_call_function_single_ipi(int cpu)
{
	kit_ipi_send(cpu, CORE_IPI_CALL);
}

void arch_send_call_function_ipi_mask(const struct cpumask *mask)
{
	int cpu;

	for_each_cpu(cpu, mask) kit_ipi_send(cpu, CORE_IPI_CALL);
}

void arch_irq_work_raise(void)
{
	kit_ipi_send(raw_smp_processor_id(), CORE_IPI_WORK);
}

/* Function calls that wait for this CPU, as if their interrupt came now. */
void kit_calls_here(void)
{
	unsigned long flags = kit_irqflags;

	preempt_count_add(HARDIRQ_OFFSET);
	kit_irqflags = ARCH_IRQ_DISABLED;
	generic_smp_call_function_single_interrupt();
	kit_irqflags = flags;
	preempt_count_sub(HARDIRQ_OFFSET);
}

void kit_ipi(struct core *core, uint32_t cpu, enum core_ipi kind)
{
	kit_interrupt(cpu);
	if (kind == CORE_IPI_CALL)
		generic_smp_call_function_single_interrupt();
	else if (kind == CORE_IPI_WORK)
		irq_work_run();
	else
		scheduler_ipi();
	kit_interrupt_end();
}

#if SINCE(6, 11)
void open_softirq(int nr, void (*action)(void))
{
	softirq_action[nr] = (void (*)(struct softirq_action *))action;
}
#else
void open_softirq(int nr, void (*action)(struct softirq_action *))
{
	softirq_action[nr] = action;
}
#endif

void __raise_softirq_irqoff(unsigned int nr)
{
	or_softirq_pending(1U << nr);
}

void raise_softirq_irqoff(unsigned int nr)
{
	__raise_softirq_irqoff(nr);
}

void raise_softirq(unsigned int nr)
{
	__raise_softirq_irqoff(nr);
}

bool kit_softirq_pending(void)
{
	return local_softirq_pending();
}

/* As the balancer will decide: what was asked for counts if the CPU idled when the softirq was raised. */
static bool kicked(void)
{
#ifdef CONFIG_NO_HZ_COMMON
	return this_rq()->nohz_idle_balance && this_rq()->idle_balance;
#else
	return false;
#endif
}

void kit_softirqs(void)
{
	unsigned int pending;
	int nr;

	while ((pending = local_softirq_pending())) {
		set_softirq_pending(0);
		kit.kicked = kicked();
		preempt_count_add(SOFTIRQ_OFFSET);
		for (nr = 0; nr < NR_SOFTIRQS; nr++) {
			if ((pending >> nr & 1) && softirq_action[nr])
				softirq_action[nr](NULL);
		}
		preempt_count_sub(SOFTIRQ_OFFSET);
	}
}

/* kernel/smp.c calls it on an idle CPU that has had calls without an interrupt */
asmlinkage void do_softirq(void)
{
	kit_softirqs();
}

void __local_bh_enable_ip(unsigned long ip, unsigned int count)
{
	preempt_count_sub(count);
}

void irq_enter(void)
{
	preempt_count_add(HARDIRQ_OFFSET);
}

void irq_exit(void)
{
	preempt_count_sub(HARDIRQ_OFFSET);
}
