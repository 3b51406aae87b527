// SPDX-License-Identifier: GPL-2.0-only
/* topo/dump_read.c - the sched_verbose log read back: spans into siblings, nodes and distances. */
#include "topo/source.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NUMA 16

/* What the log tells of one CPU. Sets are of CPU numbers, as text in the log. */
struct logged {
	bool there;
	char *share[NR_SHARES];
	char *top;	      /* span of the highest level below NUMA */
	char *own;	      /* span of the first group of the lowest NUMA level: the node */
	char *numa[MAX_NUMA]; /* spans, upwards */
	unsigned int nr_numa;
	unsigned int capacity;
};

struct log {
	struct logged *cpu;
	unsigned int nr; /* 1 + the largest */
	unsigned int at; /* the CPU whose lines are read */
	bool in_cpu, first_numa, bottom, node_level;
	enum machine_arch arch;
};

static char *word_after(const char *line, const char *key)
{
	const char *at = strstr(line, key);

	return at ? xstrndup(at + strlen(key), strcspn(at + strlen(key), " \n")) : NULL;
}

static void keep(char **to, char *text)
{
	free(*to);
	*to = text;
}

static void clear_cpu(struct logged *c)
{
	for (unsigned int i = 0; i < NR_SHARES; i++)
		free(c->share[i]);
	for (unsigned int i = 0; i < c->nr_numa; i++)
		free(c->numa[i]);
	free(c->top);
	free(c->own);
	*c = (struct logged){ 0 };
}

static struct logged *cpu_of(struct log *log, unsigned int cpu)
{
	if (cpu >= log->nr) {
		log->cpu = xreallocarray(log->cpu, cpu + 1, sizeof(*log->cpu));
		memset(log->cpu + log->nr, 0, (cpu + 1 - log->nr) * sizeof(*log->cpu));
		log->nr = cpu + 1;
	}
	return &log->cpu[cpu];
}

static void level_line(struct log *log, const char *line)
{
	struct logged *c = &log->cpu[log->at];
	char *span = word_after(line, "span="), *level = word_after(line, "level=");

	log->bottom = strstr(line, "domain-0") != NULL;
	log->first_numa = false;
	if (!span || !level) {
		free(span);
		free(level);
		return;
	}
	if (!strcmp(level, "NUMA")) {
		log->first_numa = !c->nr_numa;
		if (c->nr_numa < MAX_NUMA)
			c->numa[c->nr_numa++] = xstrdup(span);
	} else {
		keep(&c->top, xstrdup(span));
	}
	log->node_level = log->node_level || !strcmp(level, "NODE");
	if (!strcmp(level, "SMT"))
		keep(&c->share[SHARE_THREADS], xstrdup(span));
	else if (!strcmp(level, "CLS"))
		keep(&c->share[SHARE_CLUSTER], xstrdup(span));
	else if (!strcmp(level, "CACHE"))
		keep(&c->share[SHARE_L2], xstrdup(span));
	else if (!strcmp(level, "MC"))
		keep(&c->share[log->arch == ARCH_POWER ? SHARE_COREGROUP : SHARE_LLC],
		     xstrdup(span));
	else if (!strcmp(level, "BOOK"))
		keep(&c->share[SHARE_BOOK], xstrdup(span));
	else if (!strcmp(level, "DRAWER"))
		keep(&c->share[SHARE_DRAWER], xstrdup(span));
	free(span);
	free(level);
}

/* Interrupts eat some of a CPU's capacity; below this share of 1024 it is taken for a smaller CPU. */
#define SMALL_CPU 870

static void groups_line(struct log *log, const char *line)
{
	struct logged *c = &log->cpu[log->at];
	const char *brace = strchr(line, '}'), *cap = strstr(line, " cap=");

	if (log->first_numa)
		keep(&c->own, word_after(line, "span="));
	if (!log->bottom || !brace || !cap || cap > brace)
		return;
	c->capacity = (unsigned int)strtoul(cap + 5, NULL, 10);
	if (c->capacity >= SMALL_CPU || !c->capacity)
		c->capacity = 0;
}

/* Return: false for a number beyond what is read. */
static bool dump_line(struct log *log, const char *line)
{
	const char *cpu = strstr(line, "CPU"), *attach = strstr(line, " attaching ");

	if (attach && cpu && cpu < attach) {
		unsigned long n = strtoul(cpu + 3, NULL, 10);

		if (n >= MACHINE_MAX_CPUS)
			return false;
		log->at = (unsigned int)n;
		clear_cpu(cpu_of(log, log->at));
		log->cpu[log->at].there = true;
		log->in_cpu = !strstr(attach, "NULL");
	} else if (log->in_cpu && strstr(line, "domain-")) {
		level_line(log, line);
	} else if (log->in_cpu && strstr(line, "groups:")) {
		groups_line(log, line);
	}
	return true;
}

static int read_log(struct log *log, const char *text, struct error *err)
{
	const char *line, *end;
	unsigned int seen = 0;

	for (line = text; line && *line; line = end ? end + 1 : NULL) {
		char *copy;
		bool ok;

		end = strchr(line, '\n');
		copy = xstrndup(line, end ? (size_t)(end - line) : strlen(line));
		ok = dump_line(log, copy);
		free(copy);
		if (!ok)
			return error_set(err, ERANGE, "a CPU number above %d",
					 MACHINE_MAX_CPUS - 1);
	}
	for (unsigned int i = 0; i < log->nr; i++)
		seen += log->cpu[i].there;
	return seen ? 0
		    : error_set(err, EINVAL, "no 'CPU0 attaching sched-domain(s):' in this log");
}

static int parse_or_single(const struct cset **set, struct machine *m, const char *text,
			   unsigned int cpu, struct error *err)
{
	if (!text) {
		*set = cset_single(m->pool, cpu);
		return 0;
	}
	return cset_parse(set, m->pool, text, err);
}

/* node_of[cpu]: number of the distinct node sets; NODE_NONE: no line */
#define NODE_NONE UINT32_MAX

static int find_nodes(const struct log *log, struct machine *m, const struct cset **node,
		      unsigned int *node_of, unsigned int *nr, struct error *err)
{
	unsigned int cpu, i;
	bool numa = false;
	int ret;

	for (cpu = 0; cpu < log->nr; cpu++)
		numa = numa || log->cpu[cpu].nr_numa;
	*nr = 0;
	for (cpu = 0; cpu < log->nr; cpu++) {
		const struct logged *c = &log->cpu[cpu];
		const struct cset *set = m->possible;

		node_of[cpu] = NODE_NONE;
		if (!c->there)
			continue;
		if (numa) {
			ret = parse_or_single(&set, m, c->own ? c->own : c->top, cpu, err);
			if (ret)
				return ret;
		}
		for (i = 0; i < *nr && node[i] != set; i++)
			;
		if (i == *nr && *nr == MACHINE_MAX_NODES)
			return error_set(err, EFBIG, "more than %d nodes", MACHINE_MAX_NODES);
		if (i == *nr)
			node[(*nr)++] = set;
		node_of[cpu] = i;
	}
	return 0;
}

/*
 * Which level of one node is which of another isn't told. They are matched so that a distance is the
 * same both ways: the k-th span of i that first reaches j and the k'-th of j that first reaches i are one
 * level. Levels of a node keep their order; the longest chain below gives each its number.
 */
struct match {
	unsigned int nr; /* nodes */
	unsigned int
		*reach; /* reach[i * nr + j]: 1.. of the span of i that first holds j; 0: none */
	unsigned int *class; /* class[i * (MAX_NUMA + 1) + k], union-find */
	unsigned int *rank;
};

static unsigned int find_class(struct match *f, unsigned int x)
{
	while (f->class[x] != x)
		x = f->class[x] = f->class[f->class[x]];
	return x;
}

static unsigned int slot(unsigned int node, unsigned int k)
{
	return node * (MAX_NUMA + 1) + k;
}

/* Raises ranks until every level of a node is above the one below. Return: false if it never ends. */
static bool rank_classes(struct match *f)
{
	bool changed = true;

	for (unsigned int round = 0; changed; round++) {
		if (round > MAX_NUMA * 4)
			return false;
		changed = false;
		for (unsigned int i = 0; i < f->nr; i++)
			for (unsigned int k = 1; k <= MAX_NUMA; k++) {
				unsigned int below = f->rank[find_class(f, slot(i, k - 1))];
				unsigned int *own = &f->rank[find_class(f, slot(i, k))];

				if (*own > below)
					continue;
				*own = below + 1;
				changed = true;
			}
	}
	return true;
}

static void match_levels(struct match *f, struct machine *m)
{
	unsigned int n = f->nr;

	for (unsigned int x = 0; x < n * (MAX_NUMA + 1); x++)
		f->class[x] = x;
	for (unsigned int i = 0; i < n; i++)
		for (unsigned int j = i + 1; j < n; j++)
			if (f->reach[i * n + j] && f->reach[j * n + i])
				f->class[find_class(f, slot(i, f->reach[i * n + j]))] =
					find_class(f, slot(j, f->reach[j * n + i]));
	if (!rank_classes(f)) {
		machine_note(
			m, "the levels of the nodes fit no symmetric distances: taken one by one");
		for (unsigned int x = 0; x < n * (MAX_NUMA + 1); x++) {
			f->class[x] = x;
			f->rank[x] = x % (MAX_NUMA + 1);
		}
	}
	for (unsigned int i = 0; n && i < n * n; i++) {
		unsigned int k = f->reach[i] ? f->reach[i] : MAX_NUMA;
		unsigned int rank = f->rank[find_class(f, slot(i / n, k))];
		unsigned int d = 10 + 10 * rank;

		/* level numbers are all that is known: ten apart, closer if there are many */
		if (i / n != i % n)
			m->distance[i] = d <= 255 ? d : 255;
	}
}

static int set_distances(const struct log *log, struct machine *m, const unsigned int *node_of,
			 struct error *err)
{
	unsigned int n = m->nr_nodes, cpu;
	struct match f = {
		.nr = n,
		.reach = xcalloc((size_t)n * n, sizeof(*f.reach)),
		.class = xcalloc((size_t)n * (MAX_NUMA + 1), sizeof(*f.class)),
		.rank = xcalloc((size_t)n * (MAX_NUMA + 1), sizeof(*f.rank)),
	};
	int ret = 0;

	for (cpu = 0; cpu < log->nr && !ret; cpu++) {
		const struct logged *c = &log->cpu[cpu];

		for (unsigned int k = 0; k < c->nr_numa && !ret; k++) {
			const struct cset *span;
			unsigned int other;

			ret = cset_parse(&span, m->pool, c->numa[k], err);
			if (ret || node_of[cpu] == NODE_NONE)
				break;
			cset_for_each (other, span) {
				unsigned int j = node_of[other];

				if (j != NODE_NONE && !f.reach[node_of[cpu] * n + j])
					f.reach[node_of[cpu] * n + j] = k + 1;
			}
		}
	}
	if (!ret)
		match_levels(&f, m);
	free(f.reach);
	free(f.class);
	free(f.rank);
	return ret;
}

static int set_shares(const struct log *log, struct machine *m, struct error *err)
{
	struct cbits *bits = cbits_new(m->pool);
	int ret = 0;

	for (unsigned int cpu = 0; cpu < log->nr && !ret; cpu++) {
		const struct logged *c = &log->cpu[cpu];

		if (!c->there)
			continue;
		cbits_set(bits, cpu);
		for (unsigned int s = 0; s < NR_SHARES && !ret; s++)
			if (c->share[s])
				ret = cset_parse(&m->cpu[cpu].share[s], m->pool, c->share[s], err);
		if (c->capacity)
			m->cpu[cpu].capacity = c->capacity;
	}
	m->possible = m->present = m->online = cset_intern(m->pool, bits);
	cbits_free(bits);
	return ret;
}

/* What a level that was dropped as equal to another would have shown. */
static void fill_shares(const struct log *log, struct machine *m)
{
	unsigned int cpu;

	/* NODE only shows where packages hold several nodes */
	m->nodes_per_package = log->node_level ? 2 : 0;

	cset_for_each (cpu, m->possible) {
		struct machine_cpu *c = &m->cpu[cpu];
		const struct cset *lower =
			c->share[SHARE_CLUSTER] ? c->share[SHARE_CLUSTER] : c->share[SHARE_THREADS];

		if (log->node_level)
			c->share[SHARE_PACKAGE] = m->possible;
		if (!c->share[SHARE_LLC])
			c->share[SHARE_LLC] = lower ? lower : cset_single(m->pool, cpu);
	}
}

static int make_machine(struct machine **out, const struct log *log, const struct source_opts *opts,
			struct error *err)
{
	struct machine *m = machine_new(log->nr);
	const struct cset **node = xcalloc(MACHINE_MAX_NODES, sizeof(*node));
	unsigned int *node_of = xcalloc(log->nr, sizeof(*node_of)), nr;
	int ret;

	m->arch = opts->release->arch;
	ret = set_shares(log, m, err);
	if (!ret)
		ret = find_nodes(log, m, node, node_of, &nr, err);
	if (!ret) {
		machine_set_nodes(m, nr);
		m->has_numa = nr > 1;
		for (unsigned int cpu = 0; cpu < log->nr; cpu++)
			m->cpu[cpu].node = node_of[cpu] == NODE_NONE ? 0 : node_of[cpu];
		ret = set_distances(log, m, node_of, err);
	}
	if (!ret) {
		fill_shares(log, m);
		machine_note(m,
			     "read back from a log: packages, real distances and what was dropped "
			     "as of no use are not in it");
		ret = machine_finish(m, err);
	}
	free(node);
	free(node_of);
	if (ret)
		machine_free(m);
	else
		*out = m;
	return ret;
}

int dump_parse(struct machine **m, const char *text, const struct source_opts *opts,
	       struct error *err)
{
	struct log log = { .arch = opts->release->arch };
	int ret = read_log(&log, text, err);

	if (!ret)
		ret = make_machine(m, &log, opts, err);
	for (unsigned int i = 0; i < log.nr; i++)
		clear_cpu(&log.cpu[i]);
	free(log.cpu);
	return ret;
}
