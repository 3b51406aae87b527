// SPDX-License-Identifier: GPL-2.0-only
/* topo/machine_lists.c - lines of a machine file that tell something of a list of CPUs, and of lists like it. */
#include "topo/machine_file.h"

#include "topo/text.h"

#include <errno.h>
#include <string.h>

int machine_repeat(struct machine_reader *r, char *const *word, unsigned int nr, long *step,
		   long *times)
{
	*step = 0;
	if (!nr)
		return 0;
	if ((nr != 2 && nr != 4) || strcmp(word[0], "step") ||
	    text_long(word[1], 1, MACHINE_MAX_CPUS, step) ||
	    (nr == 4 &&
	     (strcmp(word[2], "times") || text_long(word[3], 1, MACHINE_MAX_CPUS, times))))
		return machine_reader_bad(r, "not 'step S times N':", word[0]);
	return 0;
}

const struct cset *machine_shifted(struct machine_reader *r, const struct cset *set, long by)
{
	struct cbits *bits = cbits_new(r->m->pool);
	const struct cset *out;
	unsigned int cpu;

	cset_for_each (cpu, set)
		if (cpu + (unsigned long)by < r->m->nr_cpus)
			cbits_set(bits, cpu + (unsigned int)by);
	out = cset_intern(r->m->pool, bits);
	cbits_free(bits);
	return out;
}

int machine_repeated_list(struct machine_reader *r, char *const *word, unsigned int nr,
			  int (*use)(struct machine_reader *, const struct cset *, unsigned int),
			  unsigned int arg)
{
	const struct cset *set;
	long step, times = 1;
	int ret;

	ret = cset_parse(&set, r->m->pool, word[0], r->err);
	if (ret) {
		error_prefix(r->err, "line %u", r->line);
		return ret;
	}
	ret = machine_repeat(r, word + 1, nr - 1, &step, &times);
	/* the sets are apart, so they can't have more members than there are CPUs */
	if (!ret && (uint64_t)set->weight * (uint64_t)times > cset_pool_cpus(r->m->pool))
		ret = machine_reader_bad(r, "repeated beyond the machine's CPUs:", word[0]);
	for (long i = 0; i < times && !ret; i++)
		ret = use(r, machine_shifted(r, set, i * step), arg);
	return ret;
}

static int use_share(struct machine_reader *r, const struct cset *set, unsigned int share)
{
	return machine_reader_at(
		r, machine_tell_share(r->m, &r->told, (enum machine_share)share, set, set, r->err));
}

static int use_capacity(struct machine_reader *r, const struct cset *set, unsigned int capacity)
{
	unsigned int cpu;

	cset_for_each (cpu, set)
		r->m->cpu[cpu].capacity = capacity;
	return 0;
}

/* "share KIND LIST of CPUS": these see such a set, whatever the others in it see */
static int share_of(struct machine_reader *r, char *const *word, enum machine_share share)
{
	const struct cset *set, *cpus;
	int ret = cset_parse(&set, r->m->pool, word[0], r->err);

	if (!ret)
		ret = cset_parse(&cpus, r->m->pool, word[2], r->err);
	if (!ret)
		ret = machine_tell_share(r->m, &r->told, share, cpus, set, r->err);
	return machine_reader_at(r, ret);
}

/* "share KIND LIST [step S times N]" */
int machine_share_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	enum machine_share share;
	int ret;

	if (nr < 3)
		return machine_reader_bad(r, "not 'share KIND LIST':", word[0]);
	ret = machine_share_parse(&share, word[1], r->err);
	if (ret) {
		error_prefix(r->err, "line %u", r->line);
		return ret;
	}
	if (nr == 5 && !strcmp(word[3], "of"))
		return share_of(r, word + 2, share);
	return machine_repeated_list(r, word + 2, nr - 2, use_share, share);
}

/* "capacity N LIST [step S times N]" */
int machine_capacity_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	long n;

	if (nr < 3 || text_long(word[1], 1, CAPACITY_FULL, &n))
		return machine_reader_bad(r, "not 'capacity 1..1024 LIST':", word[0]);
	return machine_repeated_list(r, word + 2, nr - 2, use_capacity, (unsigned int)n);
}
