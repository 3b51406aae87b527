// SPDX-License-Identifier: GPL-2.0-only
#include "sched/machine_of.h"

#include "base/mem.h"
#include "topo/source.h"

#include <assert.h>
#include <stdlib.h>

static int32_t number(const struct core_cpu *cpu, enum machine_share share)
{
	switch (share) {
	case SHARE_THREADS:
		return cpu->core;
	case SHARE_CLUSTER:
		return cpu->cluster;
	case SHARE_LLC:
		return cpu->llc;
	case SHARE_DIE:
		return cpu->die;
	default:
		return cpu->package;
	}
}

static void share_as(struct machine *m, const struct core_machine *from, enum machine_share share)
{
	long *key = xcalloc(from->nr_cpus, sizeof(*key));

	for (uint32_t cpu = 0; cpu < from->nr_cpus; cpu++)
		key[cpu] = number(&from->cpu[cpu], share);
	machine_share_by_key(m, share, key);
	free(key);
}

static const struct cset *online_of(struct machine *m, const struct core_machine *from)
{
	struct cbits *bits = cbits_new(m->pool);
	const struct cset *set;

	for (uint32_t cpu = 0; cpu < from->nr_cpus; cpu++) {
		if (from->online[cpu])
			cbits_set(bits, cpu);
	}
	set = cset_intern(m->pool, bits);
	cbits_free(bits);
	return set;
}

static struct machine *made_of_numbers(const struct core_machine *from)
{
	static const enum machine_share shares[] = { SHARE_THREADS, SHARE_CLUSTER, SHARE_LLC,
						     SHARE_DIE, SHARE_PACKAGE };
	struct machine *m = machine_new(from->nr_cpus);
	int ret;

	m->arch = ARCH_GENERIC;
	machine_set_nodes(m, from->nr_nodes);
	for (uint32_t i = 0; i < from->nr_nodes * from->nr_nodes; i++)
		m->distance[i] = from->distance[i];
	for (uint32_t cpu = 0; cpu < from->nr_cpus; cpu++) {
		m->cpu[cpu].node = (unsigned int)from->cpu[cpu].node;
		m->cpu[cpu].capacity = from->cpu[cpu].capacity;
	}
	for (size_t i = 0; i < ARRAY_SIZE(shares); i++)
		share_as(m, from, shares[i]);
	m->online = online_of(m, from);
	m->has_numa = from->nr_nodes > 1;
	m->reclaim_distance = from->reclaim_distance;
	ret = machine_finish(m, NULL);
	assert(!ret); /* some CPU is online, as the model has counted */
	(void)ret;
	return m;
}

static struct machine *copied(const struct machine *source)
{
	struct source_opts opts = { .release = &(struct release){ .arch = source->arch } };
	struct strbuf text = { 0 };
	struct machine *m = NULL;
	int ret;

	machine_file_print(source, &text);
	ret = machine_file_parse(&m, strbuf_str(&text), &opts, NULL);
	assert(!ret); /* what was printed reads back as the same machine */
	(void)ret;
	strbuf_release(&text);
	return m;
}

struct machine *machine_of_core(const struct core_machine *from)
{
	return from->source ? copied(from->source) : made_of_numbers(from);
}
