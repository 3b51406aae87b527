// SPDX-License-Identifier: GPL-2.0-only
#include "topo/threads.h"

#include "base/mem.h"

#include <stdlib.h>

static unsigned int largest_core(const struct machine *m)
{
	unsigned int cpu, max = 1;

	cset_for_each (cpu, m->possible)
		if (m->cpu[cpu].share[SHARE_THREADS]->weight > max)
			max = m->cpu[cpu].share[SHARE_THREADS]->weight;
	return max;
}

/*
 * AMD's older models number their cores anew in each node of a package, so that equal numbers say nothing
 * unless both CPUs miss threads.
 */
static bool numbers_tell(const struct machine *m, unsigned int a, unsigned int b)
{
	unsigned int max;

	if (m->vendor != VENDOR_AMD)
		return true;
	max = largest_core(m);
	return m->cpu[a].share[SHARE_THREADS]->weight < max &&
	       m->cpu[b].share[SHARE_THREADS]->weight < max;
}

bool threads_same_core(const struct machine *m, unsigned int a, unsigned int b)
{
	const struct machine_cpu *x = &m->cpu[a], *y = &m->cpu[b];

	if (cset_test(x->share[SHARE_THREADS], b))
		return true;
	return x->core >= 0 && x->core == y->core && x->package >= 0 && x->package == y->package &&
	       x->die == y->die && x->cluster == y->cluster && numbers_tell(m, a, b);
}

/* The smallest aligned power of two of CPU numbers that each set of threads lies in. */
static unsigned int power_block(const struct machine *m)
{
	unsigned int cpu, size = 1;

	cset_for_each (cpu, m->possible) {
		const struct cset *core = m->cpu[cpu].share[SHARE_THREADS];

		while (core->first / size != cset_last(core) / size)
			size *= 2;
	}
	return size;
}

unsigned int threads_per_core(const struct machine *m)
{
	return m->arch == ARCH_POWER ? power_block(m) : largest_core(m);
}

unsigned int thread_number(const struct machine *m, unsigned int per_core, unsigned int cpu)
{
	const struct cset *core = m->cpu[cpu].share[SHARE_THREADS];
	unsigned int i, n = 0;

	if (m->arch == ARCH_POWER)
		return cpu % per_core;
	for (i = core->first; i < cpu; i = cset_next(core, i + 1))
		n++;
	return n;
}

/* Threads of a core that nodes took apart have CPU numbers side by side. */
static unsigned int apic_thread(const struct machine *m, unsigned int cpu)
{
	unsigned int n = thread_number(m, 1, cpu), first = m->cpu[cpu].share[SHARE_THREADS]->first;

	for (; m->smt && first && threads_same_core(m, first, first - 1); first--)
		n++;
	return n;
}

/* The bits that tell a primary thread where a core has @threads. */
static unsigned int apic_mask(unsigned int threads, const struct release *r)
{
	unsigned int bits = 31 - (unsigned int)__builtin_clz(threads);

	return r->x86_thread_count_mask ? threads - 1 : (1u << bits) - 1;
}

static const struct cset *x86_primary(const struct machine *m, const struct release *r)
{
	unsigned int *thread = xcalloc(m->nr_cpus, sizeof(*thread)), cpu, threads = 1;
	struct cbits *bits = cbits_new(m->pool);
	const struct cset *set;

	cset_for_each (cpu, m->possible) {
		thread[cpu] = apic_thread(m, cpu);
		if (thread[cpu] >= threads)
			threads = thread[cpu] + 1;
	}
	cset_for_each (cpu, m->possible)
		if (!(thread[cpu] & apic_mask(threads, r)))
			cbits_set(bits, cpu);
	set = cset_intern(m->pool, bits);
	cbits_free(bits);
	free(thread);
	return set;
}

const struct cset *threads_primary(const struct machine *m, const struct release *r)
{
	unsigned int per_core = threads_per_core(m), cpu;
	struct cbits *bits;
	const struct cset *set;

	if (r->arch == ARCH_X86)
		return x86_primary(m, r);
	bits = cbits_new(m->pool);
	cset_for_each (cpu, m->possible)
		if (!thread_number(m, per_core, cpu))
			cbits_set(bits, cpu);
	set = cset_intern(m->pool, bits);
	cbits_free(bits);
	return set;
}

void bring_up_order(unsigned int *order, const struct machine *m, const struct release *r,
		    const struct cset *set)
{
	const struct cset *first = set;
	unsigned int cpu, n = 0;

	if (r->arch == ARCH_X86 && r->hotplug_primary_first)
		first = cset_and(m->pool, set, threads_primary(m, r));
	cset_for_each (cpu, first)
		order[n++] = cpu;
	cset_for_each (cpu, set)
		if (!cset_test(first, cpu))
			order[n++] = cpu;
}
