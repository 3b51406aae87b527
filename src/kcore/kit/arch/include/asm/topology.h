/* SPDX-License-Identifier: GPL-2.0-only */
/* All that the kernel is told of the machine: kernel/machine.c, from a struct core_machine. */
#ifndef _ASM_SCHEDPROOF_TOPOLOGY_H
#define _ASM_SCHEDPROOF_TOPOLOGY_H

#include <linux/types.h>

struct cpumask;

extern const struct cpumask *kit_smt_mask(int cpu);
extern const struct cpumask *kit_cluster_mask(int cpu);
extern const struct cpumask *kit_llc_mask(int cpu);
extern const struct cpumask *kit_package_mask(int cpu);
extern const struct cpumask *kit_node_mask(int node);
extern int kit_cpu_node(int cpu);
extern int kit_cpu_package(int cpu);
extern int kit_cpu_die(int cpu);
extern int kit_cpu_cluster(int cpu);
extern int kit_cpu_core(int cpu);
extern int kit_distance(int from, int to);
extern unsigned long kit_cpu_capacity(int cpu);
extern unsigned long kit_freq_capacity(int cpu);

#define cpu_to_node(cpu)		  kit_cpu_node(cpu)
#define cpumask_of_node(node)		  kit_node_mask(node)
#define node_distance(from, to)		  kit_distance(from, to)
#define topology_physical_package_id(cpu) kit_cpu_package(cpu)
#define topology_die_id(cpu)		  kit_cpu_die(cpu)
#define topology_cluster_id(cpu)	  kit_cpu_cluster(cpu)
#define topology_core_id(cpu)		  kit_cpu_core(cpu)
#define topology_sibling_cpumask(cpu)	  kit_smt_mask(cpu)
#define topology_cluster_cpumask(cpu)	  kit_cluster_mask(cpu)
#define topology_core_cpumask(cpu)	  kit_package_mask(cpu)
#define arch_scale_cpu_capacity		  kit_cpu_capacity
#define arch_scale_freq_capacity	  kit_freq_capacity
#define arch_scale_freq_invariant()	  true

#include <asm-generic/topology.h>

extern const struct cpumask *cpu_coregroup_mask(int cpu);
extern const struct cpumask *cpu_clustergroup_mask(int cpu);

#endif
