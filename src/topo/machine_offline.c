// SPDX-License-Identifier: GPL-2.0-only
/* topo/machine_offline.c - what CPUs that are offline and tell nothing are taken to share. */
#include "topo/machine.h"

/* Does every known set of the kind lie in an aligned block of @size CPU numbers? */
static bool fits(const struct machine *m, enum machine_share share, unsigned int size)
{
	unsigned int cpu;

	cset_for_each (cpu, m->online) {
		const struct cset *set = m->cpu[cpu].share[share];

		if (set && set->weight && set->first / size != cset_last(set) / size)
			return false;
	}
	return true;
}

/* Does each block hold one set at most? */
static bool one_set_a_block(const struct machine *m, enum machine_share share, unsigned int size)
{
	const struct cset *last = NULL;
	unsigned int cpu, block = CSET_END;

	cset_for_each (cpu, m->online) {
		const struct cset *set = m->cpu[cpu].share[share];

		if (!set || (cpu / size == block && set != last))
			return false;
		block = cpu / size;
		last = set;
	}
	return true;
}

/* The size of the blocks that the sets of a kind lie in, one each: a power of two, or the widest set; 0: none. */
static unsigned int block_size(const struct machine *m, enum machine_share share)
{
	unsigned int cpu, widest = 0, size = 1;

	cset_for_each (cpu, m->online) {
		const struct cset *set = m->cpu[cpu].share[share];

		if (set && set->weight && cset_last(set) - set->first >= widest)
			widest = cset_last(set) - set->first + 1;
	}
	if (!widest)
		return 0;
	while (!fits(m, share, size))
		size *= 2;
	if (one_set_a_block(m, share, size))
		return size;
	return fits(m, share, widest) && one_set_a_block(m, share, widest) ? widest : 0;
}

/*
 * The size of blocks of CPU numbers that the packages' own numbers count: a power of two if one does, else
 * the smallest that does; 0: none.
 */
static unsigned int package_size(const struct machine *m)
{
	unsigned int low = 1, high = m->nr_cpus, size, cpu;

	cset_for_each (cpu, m->online) {
		int package = m->cpu[cpu].package;

		if (package < 0)
			return 0;
		/* package * size <= cpu < (package + 1) * size */
		if (cpu / ((unsigned int)package + 1) + 1 > low)
			low = cpu / ((unsigned int)package + 1) + 1;
		if (package && cpu / (unsigned int)package < high)
			high = cpu / (unsigned int)package;
	}
	for (size = 1; size < low; size *= 2)
		;
	return size <= high ? size : low <= high ? low : 0;
}

static bool complete_blocks(struct machine *m, enum machine_share share, const struct cset *silent)
{
	unsigned int size = share == SHARE_PACKAGE ? package_size(m) : 0, cpu;
	bool changed = false;

	if (!size || !one_set_a_block(m, share, size))
		size = block_size(m, share);
	if (!size)
		return false;
	cset_for_each (cpu, m->present) {
		unsigned int first = cpu / size * size, end = first + size - 1;
		const struct cset *block;

		if (end >= m->nr_cpus)
			end = m->nr_cpus - 1;
		block = cset_and(m->pool, cset_range(m->pool, first, end), m->present);
		if (!cset_intersects(block, silent))
			continue;
		m->cpu[cpu].share[share] = block;
		changed = true;
	}
	return changed;
}

/* A list may name CPUs that are offline: they share what the one that tells it does. */
static bool complete_named(struct machine *m, enum machine_share share, const struct cset *silent)
{
	bool changed = false;
	unsigned int cpu, other;

	cset_for_each (cpu, m->online) {
		const struct cset *set = m->cpu[cpu].share[share];

		if (!set || !cset_intersects(set, silent))
			continue;
		cset_for_each (other, set) {
			if (!cset_test(silent, other))
				continue;
			m->cpu[other].share[share] = set;
			changed = true;
		}
	}
	return changed;
}

void machine_guess_offline(struct machine *m)
{
	const struct cset *silent = cset_andnot(m->pool, m->present, m->online);
	struct strbuf list = { 0 };
	bool changed = false;
	unsigned int cpu;

	cset_for_each (cpu, silent)
		for (unsigned int s = 0; s < NR_SHARES; s++)
			if (m->cpu[cpu].share[s])
				silent = cset_andnot(m->pool, silent, cset_single(m->pool, cpu));
	if (!silent->weight || !m->online->weight)
		return;
	/* the pattern is that of the mended sets, so that a machine written and read again gives the same */
	machine_mend_shares(m, cset_and(m->pool, m->online, m->possible));
	for (unsigned int s = 0; s < NR_SHARES; s++)
		changed = complete_blocks(m, (enum machine_share)s, silent) ||
			  complete_named(m, (enum machine_share)s, silent) || changed;
	cset_print(silent, &list);
	if (changed)
		machine_note(
			m, "CPUs %.80s are offline and tell nothing: taken to go on like the rest",
			strbuf_str(&list));
	strbuf_release(&list);
}
