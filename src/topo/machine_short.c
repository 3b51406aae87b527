// SPDX-License-Identifier: GPL-2.0-only
#include "topo/machine_short.h"

#include "base/mem.h"

#include <stdlib.h>

/* Is @b the set @a, @step CPUs further? */
static bool is_shifted(const struct cset *a, const struct cset *b, uint32_t step)
{
	uint32_t x, y;

	if (a->weight != b->weight)
		return false;
	for (x = a->first, y = b->first; x != CSET_END;
	     x = cset_next(a, x + 1), y = cset_next(b, y + 1))
		if (y != x + step)
			return false;
	return true;
}

/* How many sets from @first on lie one *@step each behind the other; 1: the next doesn't. */
static unsigned int run_of_sets(const struct cset *const *set, unsigned int first, unsigned int nr,
				uint32_t *step)
{
	unsigned int n = 1;

	*step = 0;
	if (first + 1 < nr && set[first]->weight && set[first + 1]->weight &&
	    set[first + 1]->first > set[first]->first)
		*step = set[first + 1]->first - set[first]->first;
	while (*step && first + n < nr && is_shifted(set[first + n - 1], set[first + n], *step))
		n++;
	return n;
}

/* CPUs whose set of this kind is @set; @first is the smallest of them. */
static const struct cset *holders(const struct machine *m, enum machine_share share,
				  const struct cset *set, unsigned int first)
{
	struct cbits *bits = cbits_new(m->pool);
	const struct cset *held;
	unsigned int cpu;

	for (cpu = first; cpu != CSET_END; cpu = cset_next(m->possible, cpu + 1))
		if (m->cpu[cpu].share[share] == set)
			cbits_set(bits, cpu);
	held = cset_intern(m->pool, bits);
	cbits_free(bits);
	return held;
}

static void print_one_sided(const struct cset *set, const struct cset *held, const char *name,
			    struct strbuf *sb)
{
	strbuf_addf(sb, "share %s ", name);
	cset_print(set, sb);
	strbuf_addstr(sb, " of ");
	cset_print(held, sb);
	strbuf_addch(sb, '\n');
}

const struct cset *machine_next_share(const struct machine *m, enum machine_share share,
				      const struct cset **left, const struct cset **held)
{
	const struct cset *set = m->cpu[(*left)->first].share[share];

	/* a CPU by itself is quickly told */
	*held = set && set->weight == 1 && set->first == (*left)->first
			? set
			: holders(m, share, set, (*left)->first);
	*left = cset_andnot(m->pool, *left, *held);
	return set;
}

void machine_print_share(const struct machine *m, enum machine_share share, struct strbuf *sb)
{
	const char *name = machine_share_name(share);
	const struct cset **set = xcalloc(m->nr_cpus, sizeof(*set));
	const struct cset *left = m->possible, *held;
	unsigned int nr = 0, run;
	uint32_t step;

	while (left->weight) {
		const struct cset *one = machine_next_share(m, share, &left, &held);

		if (one && one != held)
			print_one_sided(one, held, name, sb);
		else if (one && (share != SHARE_THREADS || one->weight > 1))
			set[nr++] = one;
	}
	for (unsigned int i = 0; i < nr; i += run) {
		run = run_of_sets(set, i, nr, &step);
		strbuf_addf(sb, "share %s ", name);
		cset_print(set[i], sb);
		if (run > 1)
			strbuf_addf(sb, " step %u times %u", step, run);
		strbuf_addch(sb, '\n');
	}
	free(set);
}

/* How many nodes from @first on differ in nothing but their CPUs, which lie one *@step each further. */
static unsigned int run_of_nodes(const struct machine *m, const struct cset *const *cpus,
				 unsigned int first, uint32_t *step)
{
	unsigned int max = run_of_sets(cpus, first, m->nr_nodes, step), n = 1;
	const struct machine_node *node = &m->node[first];

	while (n < max && node[n].id == node->id + n && node[n].mem_kb == node->mem_kb &&
	       node[n].has_memory == node->has_memory)
		n++;
	return n;
}

static void print_node_lines(const struct machine *m, struct strbuf *sb)
{
	const struct cset **cpus = xcalloc(m->nr_nodes, sizeof(*cpus));
	unsigned int run;
	uint32_t step;

	for (unsigned int i = 0; i < m->nr_nodes; i++)
		cpus[i] = m->node[i].cpus;
	for (unsigned int i = 0; i < m->nr_nodes; i += run) {
		const struct machine_node *node = &m->node[i];

		run = run_of_nodes(m, cpus, i, &step);
		strbuf_addf(sb, "node %u", node->id);
		if (run > 1)
			strbuf_addf(sb, "-%u", node->id + run - 1);
		if (node->has_memory && !node->mem_kb)
			strbuf_addstr(sb, " ? ");
		else
			strbuf_addf(sb, " %llu ", (unsigned long long)node->mem_kb);
		cset_print(node->cpus, sb);
		strbuf_addstr(sb, node->cpus->weight ? "" : "-");
		if (run > 1)
			strbuf_addf(sb, " step %u", step);
		strbuf_addch(sb, '\n');
	}
	free(cpus);
}

/* Is the row of node @b that of @a, each 10 from itself? The entry of @a is known from row @b. */
static bool like_row(const struct machine *m, unsigned int a, unsigned int b)
{
	for (unsigned int to = 0; to < m->nr_nodes; to++)
		if (to != a && to != b && machine_distance(m, a, to) != machine_distance(m, b, to))
			return false;
	return machine_distance(m, a, a) == 10 && machine_distance(m, b, b) == 10 &&
	       machine_distance(m, a, b) == machine_distance(m, b, a);
}

static unsigned int run_of_rows(const struct machine *m, unsigned int first)
{
	unsigned int n = 1;

	while (first + n < m->nr_nodes && m->node[first + n].id == m->node[first].id + n &&
	       like_row(m, first, first + n) &&
	       machine_distance(m, first, first + n) == machine_distance(m, first, first + 1))
		n++;
	return n;
}

/* The row of several nodes: what one has for the next, it stands for itself too. */
static void print_row(const struct machine *m, unsigned int first, struct strbuf *sb)
{
	unsigned int to, times;

	for (to = 0; to < m->nr_nodes; to += times) {
		unsigned int d = machine_distance(m, first, to == first ? first + 1 : to);

		for (times = 1; to + times < m->nr_nodes; times++)
			if (d != machine_distance(m, first,
						  to + times == first ? first + 1 : to + times))
				break;
		strbuf_addf(sb, times > 1 ? " %ux%u" : " %u", d, times);
	}
}

static void print_distance_lines(const struct machine *m, struct strbuf *sb)
{
	unsigned int run;

	for (unsigned int i = 0; i < m->nr_nodes; i += run) {
		run = run_of_rows(m, i);
		strbuf_addf(sb, "distance %u", m->node[i].id);
		if (run > 1) {
			strbuf_addf(sb, "-%u", m->node[i].id + run - 1);
			print_row(m, i, sb);
		}
		for (unsigned int to = 0; run == 1 && to < m->nr_nodes; to++)
			strbuf_addf(sb, " %u", machine_distance(m, i, to));
		strbuf_addch(sb, '\n');
	}
}

void machine_print_nodes(const struct machine *m, struct strbuf *sb)
{
	print_node_lines(m, sb);
	print_distance_lines(m, sb);
}
