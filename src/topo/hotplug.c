// SPDX-License-Identifier: GPL-2.0-only
#include "topo/hotplug.h"

#include "topo/print.h"
#include "topo/threads.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct cset *first_up(const struct machine *m, const struct release *r)
{
	unsigned int *order = xcalloc(m->present->weight, sizeof(*order)), left = m->boot.maxcpus;
	struct cbits *bits = cbits_new(m->pool);
	const struct cset *set;

	bring_up_order(order, m, r, m->present);
	for (unsigned int i = 0; i < m->present->weight && left; i++, left--)
		cbits_set(bits, order[i]);
	set = cset_intern(m->pool, bits);
	cbits_free(bits);
	free(order);
	return set;
}

static const struct cset *boot_cpus(const struct machine *m, const struct release *r)
{
	const struct cset *up = m->online;

	for (unsigned int i = 0; i < m->boot.nr_offlined; i++)
		up = cset_or(m->pool, up, cset_single(m->pool, m->boot.offlined[i]));
	up = cset_and(m->pool, up, m->present);
	/* a recorded machine may show the outcome already */
	if (m->boot.maxcpus && up->weight > m->boot.maxcpus)
		up = cset_and(m->pool, up, first_up(m, r));
	/* the other threads come up once at most, and go before there are domains */
	if (m->boot.nosmt)
		up = cset_and(m->pool, up, threads_primary(m, r));
	return up->weight ? up : m->online;
}

static void log_null(struct hotplug *h, const struct cset *map)
{
	unsigned int cpu;

	h->nulled = cset_or(h->machine->pool, h->nulled, map);
	if (h->log)
		cset_for_each (cpu, map)
			print_dump_null(cpu, h->log);
}

static unsigned int wanted_maps(const struct cset ***maps, struct hotplug *h)
{
	struct cset_pool *pool = h->machine->pool;
	const struct cset *all = cset_and(pool, h->active, h->housekeeping);
	unsigned int n = 0;

	*maps = xcalloc(h->nr_partitions ? h->nr_partitions : 1, sizeof(**maps));
	for (unsigned int i = 0; i < h->nr_partitions; i++) {
		const struct cset *map = cset_and(pool, h->partition[i], all);

		if (map->weight)
			(*maps)[n++] = map;
	}
	if (!h->nr_partitions && all->weight)
		(*maps)[n++] = all;
	return n;
}

/* Takes the tree of an equal map out of the old ones. */
static struct domain_tree *take_equal(struct domain_tree **tree, unsigned int nr,
				      const struct cset *map)
{
	for (unsigned int i = 0; i < nr; i++) {
		struct domain_tree *found = tree[i];

		if (!found || found->map != map)
			continue;
		tree[i] = NULL;
		return found;
	}
	return NULL;
}

static struct domain_tree *build(struct hotplug *h, const struct cset *map, const struct cset *up)
{
	struct domain_tree *tree = domains_build(h->machine, &h->release, map, up);

	mask_ops_sum(&h->check, &tree->check);
	mask_ops_sum(&h->build, &tree->build);
	h->nulled = cset_andnot(h->machine->pool, h->nulled, map);
	if (h->log)
		print_dump(tree, h->log);
	return tree;
}

/* Maps that stay keep their domains; old ones go first, then new ones come. */
static void rebuild(struct hotplug *h, const struct cset *up)
{
	const struct cset **map;
	unsigned int nr = wanted_maps(&map, h);
	struct domain_tree **tree = xcalloc(nr ? nr : 1, sizeof(*tree));

	for (unsigned int i = 0; i < nr; i++)
		tree[i] = take_equal(h->tree, h->nr_trees, map[i]);
	for (unsigned int i = 0; i < h->nr_trees; i++) {
		if (!h->tree[i])
			continue;
		log_null(h, h->tree[i]->map);
		domain_tree_free(h->tree[i]);
	}
	for (unsigned int i = 0; i < nr; i++)
		if (!tree[i])
			tree[i] = build(h, map[i], up);
	free(h->tree);
	free(map);
	h->tree = tree;
	h->nr_trees = nr;
}

/*
 * All but the isolated CPUs. One of them at least must be present and among those that come up when the
 * words are read, else the boot CPU isn't isolated. Only x86, POWER and s390 know by then who is present.
 */
static const struct cset *find_housekeeping(const struct machine *m, const struct release *r)
{
	const struct cset *keep = cset_andnot(m->pool, m->possible, m->boot.isolated);
	const struct cset *boot_cpu = cset_single(m->pool, m->possible->first);
	bool early = r->arch == ARCH_X86 || r->arch == ARCH_POWER || r->arch == ARCH_S390;
	uint32_t first = cset_and(m->pool, keep, early ? m->present : boot_cpu)->first;

	if (first == CSET_END || (m->boot.maxcpus && first >= m->boot.maxcpus))
		keep = cset_or(m->pool, keep, boot_cpu);
	return keep;
}

struct hotplug *hotplug_boot(const struct machine *m, const struct release *r)
{
	struct hotplug *h = xcalloc(1, sizeof(*h));

	h->machine = m;
	h->release = *r;
	h->active = boot_cpus(m, r);
	h->housekeeping = find_housekeeping(m, r);
	h->nulled = cset_empty(m->pool);
	rebuild(h, h->active);
	return h;
}

void hotplug_free(struct hotplug *h)
{
	if (!h)
		return;
	for (unsigned int i = 0; i < h->nr_trees; i++)
		domain_tree_free(h->tree[i]);
	free(h->tree);
	free(h->partition);
	free(h);
}

void hotplug_settle(struct hotplug *h)
{
	const struct machine_boot *boot = &h->machine->boot;

	for (unsigned int i = 0; i < boot->nr_offlined; i++)
		hotplug_offline(h, boot->offlined[i], NULL); /* one that isn't up stays so */
}

void hotplug_set_partitions(struct hotplug *h, const struct cset *const *set, unsigned int nr)
{
	h->partition = xreallocarray(h->partition, nr ? nr : 1, sizeof(*h->partition));
	memcpy(h->partition, set, nr * sizeof(*set));
	h->nr_partitions = nr;
	rebuild(h, h->active);
}

int hotplug_offline(struct hotplug *h, unsigned int cpu, struct error *err)
{
	struct cset_pool *pool = h->machine->pool;
	const struct cset *before = h->active;

	if (!cset_test(before, cpu))
		return error_set(err, EINVAL, "CPU %u is not online", cpu);
	if (before->weight == 1)
		return error_set(err, EBUSY, "CPU %u is the last one online", cpu);
	h->active = cset_andnot(pool, before, cset_single(pool, cpu));
	/* the NUMA masks are made anew without a node whose last CPU it was, so it never shows there */
	if (h->release.hotplug_sync &&
	    cset_intersects(h->machine->node[h->machine->cpu[cpu].node].cpus, h->active))
		rebuild(h, before);
	else
		rebuild(h, h->active);
	return 0;
}

int hotplug_online(struct hotplug *h, unsigned int cpu, struct error *err)
{
	struct cset_pool *pool = h->machine->pool;

	if (!cset_test(h->machine->present, cpu))
		return error_set(err, EINVAL, "there is no CPU %u", cpu);
	if (cset_test(h->active, cpu))
		return error_set(err, EINVAL, "CPU %u is online already", cpu);
	h->active = cset_or(pool, h->active, cset_single(pool, cpu));
	rebuild(h, h->active);
	return 0;
}

const struct domain_tree *hotplug_tree(const struct hotplug *h, unsigned int cpu)
{
	for (unsigned int i = 0; i < h->nr_trees; i++)
		if (cset_test(h->tree[i]->map, cpu))
			return h->tree[i];
	return NULL;
}

struct plan {
	unsigned int *cpu;
	bool *online;
	unsigned int nr;
};

static void plan_add(struct plan *p, unsigned int cpu, bool online)
{
	p->cpu[p->nr] = cpu;
	p->online[p->nr++] = online;
}

static bool core_is_up(const struct hotplug *h, unsigned int per_core, unsigned int cpu)
{
	unsigned int first = cpu - cpu % per_core;
	struct cset_pool *pool = h->machine->pool;

	return cset_intersects(cset_range(pool, first, first + per_core - 1), h->active);
}

/*
 * What the kernel does when a number of threads is written to its SMT control: all CPUs in the order of
 * their numbers, those of too high a thread number down, the others up. POWER brings up no thread of a
 * core that is down as a whole.
 */
static void plan_smt(struct plan *p, const struct hotplug *h, unsigned int threads)
{
	const struct machine *m = h->machine;
	const struct cset *primary = threads_primary(m, &h->release);
	unsigned int per_core = threads_per_core(m), cpu;

	cset_for_each (cpu, m->present) {
		bool wanted = cset_test(primary, cpu) || thread_number(m, per_core, cpu) < threads;

		if (wanted == cset_test(h->active, cpu) ||
		    (wanted && m->arch == ARCH_POWER && !core_is_up(h, per_core, cpu)))
			continue;
		plan_add(p, cpu, wanted);
	}
}

/* Only POWER's kernel knows states between one thread a core and all. */
static int plan_threads(struct plan *p, const struct hotplug *h, const char *word,
			struct error *err)
{
	unsigned int max = threads_per_core(h->machine);
	char *end;
	unsigned long n = strtoul(word + 4, &end, 10);

	if (end == word + 4 || *end || n < 1 || n > max)
		return error_set(err, EINVAL, "'%.40s': a core has 1 to %u threads", word, max);
	if (h->machine->arch != ARCH_POWER && n != 1 && n != max)
		return error_set(err, EINVAL, "'%.40s': %s knows smt=1 and smt=%u only", word,
				 machine_arch_name(h->machine->arch), max);
	plan_smt(p, h, (unsigned int)n);
	return 0;
}

static int plan_list(struct plan *p, const struct hotplug *h, const char *word, struct error *err)
{
	const struct cset *set;
	unsigned int cpu;
	int ret = machine_cpus(&set, h->machine, word, err);

	if (ret) {
		error_prefix(err, "no half-offline, all-online, smt-off, smt=N, nor a list");
		return ret;
	}
	cset_for_each (cpu, set)
		plan_add(p, cpu, false);
	return 0;
}

static int plan_word(struct plan *p, const struct hotplug *h, const char *word, struct error *err)
{
	const struct machine *m = h->machine;
	unsigned int cpu, seen = 0;

	if (!strcmp(word, "half-offline")) {
		cset_for_each (cpu, h->active)
			if (seen++ >= h->active->weight / 2)
				plan_add(p, cpu, false);
	} else if (!strcmp(word, "all-online")) {
		cset_for_each (cpu, m->present)
			if (!cset_test(h->active, cpu))
				plan_add(p, cpu, true);
	} else if (!strcmp(word, "smt-off")) {
		plan_smt(p, h, 1);
	} else if (!strncmp(word, "smt=", 4)) {
		return plan_threads(p, h, word, err);
	} else {
		return plan_list(p, h, word, err);
	}
	return 0;
}

int hotplug_plan(unsigned int **cpu, bool **online, unsigned int *nr, const struct hotplug *h,
		 const char *word, struct error *err)
{
	struct plan p = {
		.cpu = xcalloc(h->machine->nr_cpus, sizeof(*p.cpu)),
		.online = xcalloc(h->machine->nr_cpus, sizeof(*p.online)),
	};
	int ret = plan_word(&p, h, word, err);

	if (ret) {
		free(p.cpu);
		free(p.online);
		return ret;
	}
	*cpu = p.cpu;
	*online = p.online;
	*nr = p.nr;
	return 0;
}
