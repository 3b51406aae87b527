/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_SMP_H
#define _ASM_SCHEDPROOF_SMP_H
#include <linux/cpumask.h>
extern int kit_cpu;
#define raw_smp_processor_id() kit_cpu
#define __smp_processor_id()   kit_cpu
extern void arch_send_call_function_single_ipi(int cpu);
extern void arch_send_call_function_ipi_mask(const struct cpumask *mask);
#endif
