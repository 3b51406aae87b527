// SPDX-License-Identifier: GPL-2.0-only
/* topo/machine_file.c - our own machine format; the fact files of recorded boots are a part of it. */
#include "topo/source.h"

#include "topo/machine_short.h"
#include "topo/text.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 32

static const struct {
	const char *name;
	enum machine_share share;
} share_names[] = {
	{ "threads", SHARE_THREADS }, { "cluster", SHARE_CLUSTER },	{ "l2", SHARE_L2 },
	{ "llc", SHARE_LLC },	      { "coregroup", SHARE_COREGROUP }, { "die", SHARE_DIE },
	{ "package", SHARE_PACKAGE }, { "book", SHARE_BOOK },		{ "drawer", SHARE_DRAWER },
};

/* What a column of a CPU line holds. */
enum column {
	COL_CPU,
	COL_ONLINE,
	COL_PACKAGE,
	COL_DIE,
	COL_CLUSTER,
	COL_CORE,
	COL_NODE,
	COL_CAPACITY,
	COL_THREADS,
	COL_CLUSTER_CPUS,
	COL_PACKAGE_CPUS,
	COL_LLC_LEVEL,
	COL_LLC_CPUS,
	NR_COLUMNS,
};

static const char *const column_names[NR_COLUMNS] = {
	"cpu",	    "online",	"package",	   "die",	   "cluster",	   "core",
	"node",	    "capacity", "thread_siblings", "cluster_cpus", "package_cpus", "llc_level",
	"llc_cpus",
};

struct reader {
	struct machine *m;
	const struct source_opts *opts;
	struct cbits *online;
	bool any_cpu_line, online_given;
	bool *row_told;			 /* row_told[nr_nodes] of the distances */
	enum column column[MAX_COLUMNS]; /* what each word of a CPU line is */
	unsigned int line;
	struct error *err;
};

static int bad(struct reader *r, const char *what, const char *word)
{
	return error_set(r->err, EINVAL, "line %u: %s '%.60s'", r->line, what, word);
}

static unsigned int node_index(const struct machine *m, unsigned int id)
{
	for (unsigned int i = 0; i < m->nr_nodes; i++)
		if (m->node[i].id == id)
			return i;
	return m->nr_nodes;
}

static int set_share(struct reader *r, unsigned int cpu, enum machine_share share, const char *word)
{
	if (!strcmp(word, "?") || !strcmp(word, "-"))
		return 0;
	return cset_parse(&r->m->cpu[cpu].share[share], r->m->pool, word, r->err);
}

/* "?" and the kernel's "unknown" are -1. */
static int set_number(struct reader *r, int *number, const char *word)
{
	long n;

	if (!strcmp(word, "?") || !strcmp(word, "-"))
		return 0;
	if (text_long(word, -1, INT32_MAX, &n))
		return bad(r, "no number:", word);
	*number = n == 65535 ? -1 : (int)n;
	return 0;
}

static int set_node(struct reader *r, unsigned int cpu, const char *word)
{
	int id = -1, ret = set_number(r, &id, word);
	unsigned int i;

	if (ret || id < 0)
		return ret;
	i = node_index(r->m, (unsigned int)id);
	if (i == r->m->nr_nodes)
		return bad(r, "no such node:", word);
	r->m->cpu[cpu].node = i;
	return 0;
}

static int set_capacity(struct reader *r, unsigned int cpu, const char *word)
{
	int n = CAPACITY_FULL, ret = set_number(r, &n, word);

	if (!ret && (n < 1 || n > CAPACITY_FULL))
		return bad(r, "no capacity from 1 to 1024:", word);
	r->m->cpu[cpu].capacity = (unsigned int)n;
	return ret;
}

static int set_column(struct reader *r, unsigned int cpu, enum column column, const char *word)
{
	struct machine_cpu *c = &r->m->cpu[cpu];
	int number = -1, ret;

	switch (column) {
	case COL_ONLINE:
		if (!strcmp(word, "1"))
			cbits_set(r->online, cpu);
		return 0;
	case COL_PACKAGE:
		return set_number(r, &c->package, word);
	case COL_DIE:
		return set_number(r, &c->die, word);
	case COL_CLUSTER:
		/* AMD's CPUs have no number here, in no release */
		if (!strcmp(word, "65535") && r->m->arch == ARCH_X86)
			r->m->vendor = VENDOR_AMD;
		return set_number(r, &c->cluster, word);
	case COL_CORE:
		return set_number(r, &c->core, word);
	case COL_NODE:
		return set_node(r, cpu, word);
	case COL_CAPACITY:
		return set_capacity(r, cpu, word);
	case COL_THREADS:
		return set_share(r, cpu, SHARE_THREADS, word);
	case COL_CLUSTER_CPUS:
		return set_share(r, cpu, SHARE_CLUSTER, word);
	case COL_PACKAGE_CPUS:
		return set_share(r, cpu, SHARE_PACKAGE, word);
	case COL_LLC_LEVEL:
		ret = *word == 'L' ? set_number(r, &number, word + 1) : 0;
		if (number > 0)
			c->llc_level = (unsigned int)number;
		return ret;
	case COL_LLC_CPUS:
		return set_share(r, cpu, SHARE_LLC, word);
	default:
		return 0;
	}
}

/* A line of numbers and lists: one CPU, columns in the order of column_names. */
static int cpu_line(struct reader *r, char *const *word, unsigned int nr)
{
	long cpu;
	int ret = 0;

	if (text_long(word[0], 0, r->m->nr_cpus - 1, &cpu))
		return bad(r, "no CPU number of this machine:", word[0]);
	r->any_cpu_line = true;
	for (unsigned int i = 1; i < nr && i < MAX_COLUMNS && !ret; i++)
		ret = set_column(r, (unsigned int)cpu, r->column[i], word[i]);
	return ret;
}

/* "# cpu online package ...": names the columns of the CPU lines below. Unknown ones are passed over. */
static int header_line(struct reader *r, char *const *word, unsigned int nr)
{
	for (unsigned int i = 0; i < MAX_COLUMNS; i++) {
		r->column[i] = NR_COLUMNS;
		for (unsigned int c = 0; c < NR_COLUMNS && i < nr; c++)
			if (!strcmp(word[i], column_names[c]))
				r->column[i] = (enum column)c;
	}
	return 0;
}

/* "[step S [times N]]" after a list: the list is repeated, S further each time; *@times stays if not told. */
static int repeat(struct reader *r, char *const *word, unsigned int nr, long *step, long *times)
{
	*step = 0;
	if (!nr)
		return 0;
	if ((nr != 2 && nr != 4) || strcmp(word[0], "step") ||
	    text_long(word[1], 1, MACHINE_MAX_CPUS, step) ||
	    (nr == 4 &&
	     (strcmp(word[2], "times") || text_long(word[3], 1, MACHINE_MAX_CPUS, times))))
		return bad(r, "not 'step S times N':", word[0]);
	return 0;
}

static const struct cset *shifted(struct reader *r, const struct cset *set, long by)
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

static int repeated_list(struct reader *r, char *const *word, unsigned int nr,
			 void (*use)(struct reader *, const struct cset *, unsigned int),
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
	ret = repeat(r, word + 1, nr - 1, &step, &times);
	/* the sets are apart, so they can't have more members than there are CPUs */
	if (!ret && (uint64_t)set->weight * (uint64_t)times > cset_pool_cpus(r->m->pool))
		ret = bad(r, "repeated beyond the machine's CPUs:", word[0]);
	for (long i = 0; i < times && !ret; i++)
		use(r, shifted(r, set, i * step), arg);
	return ret;
}

static void use_share(struct reader *r, const struct cset *set, unsigned int share)
{
	unsigned int cpu;

	cset_for_each (cpu, set)
		r->m->cpu[cpu].share[share] = set;
}

static void use_capacity(struct reader *r, const struct cset *set, unsigned int capacity)
{
	unsigned int cpu;

	cset_for_each (cpu, set)
		r->m->cpu[cpu].capacity = capacity;
}

static void use_node(struct reader *r, const struct cset *set, unsigned int node)
{
	unsigned int cpu;

	cset_for_each (cpu, set)
		r->m->cpu[cpu].node = node;
}

/* "share KIND LIST of CPUS": these see such a set, whatever the others in it see */
static int share_of(struct reader *r, char *const *word, enum machine_share share)
{
	const struct cset *set, *cpus;
	unsigned int cpu;
	int ret = cset_parse(&set, r->m->pool, word[0], r->err);

	if (!ret)
		ret = cset_parse(&cpus, r->m->pool, word[2], r->err);
	if (ret)
		error_prefix(r->err, "line %u", r->line);
	else
		cset_for_each (cpu, cpus)
			r->m->cpu[cpu].share[share] = set;
	return ret;
}

/* "share KIND LIST [step S times N]" */
static int share_line(struct reader *r, char *const *word, unsigned int nr)
{
	struct nearest near;

	if (nr < 3)
		return bad(r, "not 'share KIND LIST':", word[0]);
	nearest_init(&near, word[1]);
	for (size_t i = 0; i < ARRAY_SIZE(share_names); i++) {
		nearest_offer(&near, share_names[i].name);
		if (strcmp(share_names[i].name, word[1]))
			continue;
		if (nr == 5 && !strcmp(word[3], "of"))
			return share_of(r, word + 2, share_names[i].share);
		return repeated_list(r, word + 2, nr - 2, use_share, share_names[i].share);
	}
	return error_set(r->err, EINVAL, "line %u: nothing to share is called '%.40s'%s%s%s",
			 r->line, word[1], near.best ? ": did you mean '" : "",
			 near.best ? near.best : "", near.best ? "'?" : "");
}

/* "capacity N LIST [step S times N]" */
static int capacity_line(struct reader *r, char *const *word, unsigned int nr)
{
	long n;

	if (nr < 3 || text_long(word[1], 1, CAPACITY_FULL, &n))
		return bad(r, "not 'capacity 1..1024 LIST':", word[0]);
	return repeated_list(r, word + 2, nr - 2, use_capacity, (unsigned int)n);
}

/* Node numbers: "3", or "0-7" for eight of them. */
static int node_range(const char *word, long *first, long *last)
{
	const char *dash = strchr(word, '-');
	char number[16];

	if (!dash) {
		if (text_long(word, 0, INT32_MAX, first))
			return -EINVAL;
		*last = *first;
		return 0;
	}
	if (dash - word >= (long)sizeof(number))
		return -EINVAL;
	memcpy(number, word, (size_t)(dash - word));
	number[dash - word] = '\0';
	if (text_long(number, 0, INT32_MAX, first) || text_long(dash + 1, 0, INT32_MAX, last))
		return -EINVAL;
	return *last < *first || *last - *first >= MACHINE_MAX_NODES ? -EINVAL : 0;
}

/* Nodes @first to @last: each has the CPUs of the one before, S further. */
static int spread_list(struct reader *r, char *const *word, unsigned int nr, long first, long last)
{
	const struct cset *set;
	long step, times = 0;
	int ret = cset_parse(&set, r->m->pool, word[0], r->err);

	if (ret) {
		error_prefix(r->err, "line %u", r->line);
		return ret;
	}
	ret = repeat(r, word + 1, nr - 1, &step, &times);
	if (!ret && (!step || times))
		return bad(r, "several nodes need 'step S' behind", word[0]);
	for (long id = first; id <= last && !ret; id++)
		use_node(r, shifted(r, set, (id - first) * step),
			 node_index(r->m, (unsigned int)id));
	return ret;
}

/* "node ID MEMKB LIST [step S times N]", "node ID-ID MEMKB LIST step S" */
static int node_line(struct reader *r, char *const *word, unsigned int nr)
{
	long first, last, mem = 0;
	bool told;

	if (nr < 3 || node_range(word[1], &first, &last))
		return bad(r, "not 'node ID MEMKB CPUS':", word[0]);
	told = strcmp(word[2], "?") != 0;
	if (told && text_long(word[2], 0, INT64_MAX, &mem))
		return bad(r, "no memory in KB:", word[2]);
	for (long id = first; id <= last; id++) {
		struct machine_node *node = &r->m->node[node_index(r->m, (unsigned int)id)];

		node->mem_kb = (uint64_t)mem;
		node->has_memory = mem > 0 || !told;
	}
	if (nr < 4 || !strcmp(word[3], "-") || !strcmp(word[3], "?"))
		return 0;
	if (first != last)
		return spread_list(r, word + 3, nr - 3, first, last);
	return repeated_list(r, word + 3, nr - 3, use_node, node_index(r->m, (unsigned int)first));
}

/* "D" or "DxN", a distance N times over, into @row from *@n on; what is beyond the last node is only counted. */
static int add_distances(struct reader *r, const char *word, unsigned int *row, unsigned int *n)
{
	const char *x = strchr(word, 'x');
	char number[8] = "";
	long d, times = 1;

	if (x && x - word < (long)sizeof(number))
		memcpy(number, word, (size_t)(x - word));
	if (text_long(x ? number : word, 0, 255, &d) ||
	    (x && text_long(x + 1, 1, MACHINE_MAX_NODES, &times)))
		return bad(r, "no distance from 0 to 255:", word);
	for (long i = 0; i < times; i++, (*n)++)
		if (*n < r->m->nr_nodes)
			row[*n] = (unsigned int)d;
	return 0;
}

static int set_row(struct reader *r, long id, const unsigned int *row, unsigned int n, bool alone)
{
	struct machine *m = r->m;
	unsigned int from = node_index(m, (unsigned int)id);

	if (from == m->nr_nodes)
		return error_set(r->err, EINVAL, "line %u: there is no node %ld", r->line, id);
	if (r->row_told[from])
		return error_set(r->err, EINVAL, "line %u: a second row of node %ld", r->line, id);
	r->row_told[from] = true;
	if (n != m->nr_nodes)
		machine_note(m, "distance row of node %ld has %u entries for %u nodes", id, n,
			     m->nr_nodes);
	for (unsigned int to = 0; to < m->nr_nodes && to < n; to++)
		m->distance[from * m->nr_nodes + to] = !alone && to == from ? 10 : row[to];
	return 0;
}

/*
 * "distance ID D D D ...", columns in the order of the node lines; "distance ID-ID D D ..." is the row of
 * several nodes, each 10 from itself.
 */
static int distance_line(struct reader *r, char *const *word, unsigned int nr)
{
	unsigned int *row, n = 0;
	long first, last;
	int ret = 0;

	if (nr < 2 || node_range(word[1], &first, &last))
		return bad(r, "not 'distance NODE D D ...':", word[0]);
	row = xcalloc(r->m->nr_nodes, sizeof(*row));
	for (unsigned int i = 2; i < nr && !ret; i++)
		ret = add_distances(r, word[i], row, &n);
	for (long id = first; id <= last && !ret; id++)
		ret = set_row(r, id, row, n, first == last);
	free(row);
	return ret;
}

/* "L3 Unified 16384K LIST" */
static int cache_line(struct reader *r, char *const *word, unsigned int nr)
{
	const struct cset *cpus;
	long level, size = 0;
	char *end;
	int ret;

	if (nr < 4 || text_long(word[0] + 1, 1, 9, &level))
		return bad(r, "not 'L<level> TYPE SIZE CPUS':", word[0]);
	if (strcmp(word[2], "?")) {
		size = strtol(word[2], &end, 10);
		if (end == word[2] || size < 0)
			return bad(r, "no cache size:", word[2]);
	}
	ret = cset_parse(&cpus, r->m->pool, word[3], r->err);
	if (!ret && cpus->weight)
		machine_add_cache(r->m, (unsigned int)level, word[1][0], (uint64_t)size, cpus);
	return ret;
}

static int mask_line(struct reader *r, char *const *word, unsigned int nr)
{
	const struct cset **set = word[0][0] == 'o'   ? &r->m->online
				  : word[0][2] == 'e' ? &r->m->present
						      : &r->m->possible;

	if (nr < 2)
		return bad(r, "no list behind", word[0]);
	r->online_given = r->online_given || word[0][0] == 'o';
	return cset_parse(set, r->m->pool, word[1], r->err);
}

static int flag_line(struct reader *r, char *const *word, unsigned int nr)
{
	struct machine *m = r->m;
	bool on = nr > 1 && !strcmp(word[1], "y");
	long n;

	if (!strcmp(word[0], "nodes_per_package") || !strcmp(word[0], "reclaim_distance")) {
		if (nr < 2 || text_long(word[1], 0, MACHINE_MAX_NODES, &n))
			return bad(r, "no number behind", word[0]);
		*(word[0][0] == 'n' ? &m->nodes_per_package : &m->reclaim_distance) =
			(unsigned int)n;
		return 0;
	}
	if (nr < 2 || (!on && strcmp(word[1], "n")))
		return bad(r, "neither y nor n behind", word[0]);
	if (!strcmp(word[0], "smt"))
		m->smt = on;
	else if (!strcmp(word[0], "itmt"))
		m->itmt = on;
	else
		m->average_remote = on;
	return 0;
}

static int vendor_line(struct reader *r, char *const *word, unsigned int nr)
{
	if (nr > 1 && !strcmp(word[1], "intel"))
		r->m->vendor = VENDOR_INTEL;
	else if (nr > 1 && !strcmp(word[1], "amd"))
		r->m->vendor = VENDOR_AMD;
	else
		return bad(r, "neither intel nor amd behind", word[0]);
	return 0;
}

static int name_line(struct reader *r, char *const *word, unsigned int nr)
{
	struct strbuf sb = { 0 };

	for (unsigned int i = 1; i < nr; i++)
		strbuf_addf(&sb, "%s%s", i > 1 ? " " : "", word[i]);
	free(r->m->name);
	r->m->name = xstrdup(strbuf_str(&sb));
	strbuf_release(&sb);
	return 0;
}

static int boot_line(struct reader *r, char *const *word, unsigned int nr)
{
	int ret = 0;

	for (unsigned int i = 1; i < nr && !ret; i++)
		ret = machine_set_boot(r->m, word[i], r->err);
	return ret;
}

/* Read before everything else, or told by other lines. */
static int skip_line(struct reader *r, char *const *word, unsigned int nr)
{
	(void)r;
	(void)word;
	(void)nr;
	return 0;
}

static const struct {
	const char *word;
	int (*read)(struct reader *r, char *const *word, unsigned int nr);
} keywords[] = {
	{ "node", node_line },
	{ "distance", distance_line },
	{ "share", share_line },
	{ "capacity", capacity_line },
	{ "possible", mask_line },
	{ "present", mask_line },
	{ "online", mask_line },
	{ "smt", flag_line },
	{ "itmt", flag_line },
	{ "average_remote", flag_line },
	{ "nodes_per_package", flag_line },
	{ "reclaim_distance", flag_line },
	{ "vendor", vendor_line },
	{ "name", name_line },
	{ "boot", boot_line },
	{ "cpu", header_line },
	{ "arch", skip_line },
	{ "cpus", skip_line },
	{ "nodes_possible", skip_line },
	{ "nodes_online", skip_line },
	{ "nodes_has_cpu", skip_line },
	{ "nodes_has_memory", skip_line },
	{ "nodes_has_normal_memory", skip_line },
};

static int keyword_line(struct reader *r, char *const *word, unsigned int nr)
{
	struct nearest near;

	if (word[0][0] == 'L' && word[0][1] >= '1' && word[0][1] <= '9')
		return cache_line(r, word, nr);
	if (word[0][0] >= '0' && word[0][0] <= '9')
		return cpu_line(r, word, nr);
	nearest_init(&near, word[0]);
	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++) {
		nearest_offer(&near, keywords[i].word);
		if (!strcmp(keywords[i].word, word[0]))
			return keywords[i].read(r, word, nr);
	}
	return error_set(r->err, EINVAL, "line %u: unknown word '%.40s'%s%s%s", r->line, word[0],
			 near.best ? ": did you mean '" : "", near.best ? near.best : "",
			 near.best ? "'?" : "");
}

/* What must be known before a machine can be made. */
struct sizes {
	unsigned int nr_cpus;
	unsigned int *node_id;
	unsigned int nr_nodes;
	enum machine_arch arch;
	unsigned int line;
	struct error *err;
};

static int see_cpus(struct sizes *s, const char *list)
{
	struct cpumask mask = { 0 };
	unsigned int cpu;
	int ret = cpumask_parse(&mask, list, s->err);

	if (ret)
		error_prefix(s->err, "line %u", s->line);
	else
		cpumask_for_each (cpu, &mask)
			if (cpu >= s->nr_cpus)
				s->nr_cpus = cpu + 1;
	cpumask_release(&mask);
	return ret;
}

static int see_node(struct sizes *s, long id)
{
	for (unsigned int i = 0; i < s->nr_nodes; i++)
		if (s->node_id[i] == (unsigned int)id)
			return error_set(s->err, EINVAL, "line %u: a second node %ld", s->line, id);
	if (s->nr_nodes == MACHINE_MAX_NODES)
		return error_set(s->err, EFBIG, "more than %d nodes", MACHINE_MAX_NODES);
	s->node_id = xreallocarray(s->node_id, s->nr_nodes + 1, sizeof(*s->node_id));
	s->node_id[s->nr_nodes++] = (unsigned int)id;
	return 0;
}

static int see_nodes(struct sizes *s, const char *word)
{
	long id, last;
	int ret = 0;

	if (node_range(word, &id, &last))
		return error_set(s->err, EINVAL, "line %u: no node number '%.40s'", s->line, word);
	for (; id <= last && !ret; id++)
		ret = see_node(s, id);
	return ret;
}

static int see_line(struct sizes *s, char *const *word, unsigned int nr)
{
	long n;

	if (!strcmp(word[0], "possible") && nr > 1)
		return see_cpus(s, word[1]);
	if (!strcmp(word[0], "node") && nr > 1)
		return see_nodes(s, word[1]);
	if (!strcmp(word[0], "arch") && nr > 1)
		return machine_arch_parse(&s->arch, word[1], s->err);
	if (!strcmp(word[0], "cpus") && nr > 1) {
		if (text_long(word[1], 1, MACHINE_MAX_CPUS, &n))
			return error_set(s->err, EINVAL, "line %u: no number of CPUs from 1 to %d",
					 s->line, MACHINE_MAX_CPUS);
		if ((unsigned int)n > s->nr_cpus)
			s->nr_cpus = (unsigned int)n;
		return 0;
	}
	if (word[0][0] >= '0' && word[0][0] <= '9')
		return see_cpus(s, word[0]);
	return 0;
}

static int each_line(const char *text, int (*use)(void *, char *const *, unsigned int),
		     unsigned int *line, void *arg)
{
	char *copy = xstrdup(text), *at = copy, *next;
	int ret = 0;

	for (*line = 1; at && !ret; at = next, (*line)++) {
		char *word[MACHINE_MAX_NODES + 8];
		unsigned int nr;

		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		/* this comment is more than that */
		if (!strncmp(at, "# cpu ", 6))
			at += 2;
		nr = text_words(at, word, ARRAY_SIZE(word));
		if (nr)
			ret = use(arg, word, nr);
	}
	free(copy);
	return ret;
}

static int use_see(void *arg, char *const *word, unsigned int nr)
{
	return see_line(arg, word, nr);
}

static int use_keyword(void *arg, char *const *word, unsigned int nr)
{
	return keyword_line(arg, word, nr);
}

/* x86: from the numbers of the clusters (L2 caches) it shows that each core has room for more threads. */
static bool gaps_between_cores(const struct machine *m)
{
	unsigned int cpu, gap = 0, cores = 0;
	int last = -1;

	cset_for_each (cpu, m->online) {
		const struct machine_cpu *c = &m->cpu[cpu];

		if (c->cluster < 0 || c->cluster == last || !c->share[SHARE_CLUSTER] ||
		    c->share[SHARE_CLUSTER]->weight > 1)
			continue;
		if (last >= 0 && c->cluster > last &&
		    (!gap || (unsigned int)(c->cluster - last) < gap))
			gap = (unsigned int)(c->cluster - last);
		last = c->cluster;
		cores++;
	}
	return cores > 1 && gap > 1;
}

/* x86: two CPUs with one core number, but no siblings: they are in different nodes. */
static bool split_cores(const struct machine *m)
{
	unsigned int cpu, other;

	cset_for_each (cpu, m->online) {
		const struct machine_cpu *c = &m->cpu[cpu];

		other = cset_next(m->online, cpu + 1);
		if (other != CSET_END && c->core >= 0 && m->cpu[other].core == c->core &&
		    m->cpu[other].package == c->package && m->cpu[other].die == c->die &&
		    m->cpu[other].cluster == c->cluster && c->cluster >= 0)
			return true;
	}
	return false;
}

static void guess_smt(struct machine *m)
{
	if (m->arch == ARCH_X86 && !m->smt && (split_cores(m) || gaps_between_cores(m)))
		m->smt = true;
}

static struct machine *make_machine(const struct sizes *s)
{
	struct machine *m = machine_new(s->nr_cpus);

	m->arch = s->arch;
	m->has_numa = s->nr_nodes > 0;
	if (!s->nr_nodes)
		return m;
	machine_set_nodes(m, s->nr_nodes);
	for (unsigned int i = 0; i < s->nr_nodes; i++)
		m->node[i].id = s->node_id[i];
	return m;
}

int machine_file_parse(struct machine **m, const char *text, const struct source_opts *opts,
		       struct error *err)
{
	struct sizes s = { .arch = opts->release->arch, .err = err };
	struct reader r = { .opts = opts, .err = err };
	int ret = each_line(text, use_see, &s.line, &s);

	if (!ret && !s.nr_cpus)
		ret = error_set(err, EINVAL, "no CPU in this machine");
	if (ret)
		goto out;
	if (opts->arch_known)
		s.arch = opts->release->arch;
	r.m = make_machine(&s);
	r.row_told = xcalloc(r.m->nr_nodes, sizeof(*r.row_told));
	for (unsigned int i = 0; i < MAX_COLUMNS; i++)
		r.column[i] = i < NR_COLUMNS ? (enum column)i : NR_COLUMNS;
	r.online = cbits_new(r.m->pool);
	ret = each_line(text, use_keyword, &r.line, &r);
	if (!ret && r.any_cpu_line && !r.online_given)
		r.m->online = cset_intern(r.m->pool, r.online);
	if (!ret) {
		guess_smt(r.m);
		r.m->present = cset_and(r.m->pool, r.m->present, r.m->possible);
		machine_guess_offline(r.m);
		ret = machine_finish(r.m, err);
	}
	cbits_free(r.online);
	free(r.row_told);
	if (ret)
		machine_free(r.m);
	else
		*m = r.m;
out:
	free(s.node_id);
	return ret;
}

static void print_mask(const char *name, const struct cset *set, struct strbuf *sb)
{
	strbuf_addf(sb, "%s ", name);
	cset_print(set, sb);
	strbuf_addch(sb, '\n');
}

static void print_isolated(const struct cset *set, struct strbuf *sb)
{
	strbuf_addstr(sb, "boot isolcpus=");
	cset_print(set, sb);
	strbuf_addch(sb, '\n');
}

static void print_boot(const struct machine *m, struct strbuf *sb)
{
	const struct machine_boot *b = &m->boot;

	if (b->isolated->weight)
		print_isolated(b->isolated, sb);
	if (b->maxcpus)
		strbuf_addf(sb, "boot maxcpus=%u\n", b->maxcpus);
	if (b->relax_level >= 0)
		strbuf_addf(sb, "boot relax_domain_level=%d\n", b->relax_level);
	for (unsigned int i = 0; i < b->nr_offlined; i++)
		strbuf_addf(sb, "%s%u%s", i ? "," : "boot offline=", b->offlined[i],
			    i + 1 == b->nr_offlined ? "\n" : "");
}

static void print_cpu_numbers(const struct machine *m, struct strbuf *sb)
{
	unsigned int cpu;

	strbuf_addstr(sb, "# cpu online package die cluster core\n");
	cset_for_each (cpu, m->possible) {
		const struct machine_cpu *c = &m->cpu[cpu];

		if (c->package < 0 && c->die < 0 && c->cluster < 0 && c->core < 0)
			continue;
		strbuf_addf(sb, "%u %d %d %d %d %d\n", cpu, cset_test(m->online, cpu), c->package,
			    c->die, c->cluster, c->core);
	}
}

static void print_capacities(const struct machine *m, struct strbuf *sb)
{
	unsigned int cpu, first = CSET_END, last = CSET_END;

	/* runs of equal capacity */
	for (cpu = m->possible->first;; cpu = cset_next(m->possible, cpu + 1)) {
		if (first != CSET_END &&
		    (cpu == CSET_END || m->cpu[cpu].capacity != m->cpu[first].capacity ||
		     cpu != last + 1)) {
			if (m->cpu[first].capacity != CAPACITY_FULL)
				strbuf_addf(sb, "capacity %u %u-%u\n", m->cpu[first].capacity,
					    first, last);
			first = CSET_END;
		}
		if (cpu == CSET_END)
			break;
		if (first == CSET_END)
			first = cpu;
		last = cpu;
	}
}

void machine_file_print(const struct machine *m, struct strbuf *sb)
{
	if (m->name)
		strbuf_addf(sb, "name %s\n", m->name);
	strbuf_addf(sb, "arch %s\ncpus %u\n", machine_arch_name(m->arch), m->nr_cpus);
	if (m->vendor != VENDOR_UNKNOWN)
		strbuf_addf(sb, "vendor %s\n", m->vendor == VENDOR_AMD ? "amd" : "intel");
	print_mask("possible", m->possible, sb);
	print_mask("present", m->present, sb);
	print_mask("online", m->online, sb);
	if (m->smt)
		strbuf_addstr(sb, "smt y\n");
	if (m->itmt)
		strbuf_addstr(sb, "itmt y\n");
	if (m->average_remote)
		strbuf_addstr(sb, "average_remote y\n");
	if (m->nodes_per_package)
		strbuf_addf(sb, "nodes_per_package %u\n", m->nodes_per_package);
	if (m->reclaim_distance)
		strbuf_addf(sb, "reclaim_distance %u\n", m->reclaim_distance);
	print_cpu_numbers(m, sb);
	for (size_t i = 0; i < ARRAY_SIZE(share_names); i++)
		machine_print_share(m, share_names[i].share, share_names[i].name, sb);
	print_capacities(m, sb);
	machine_print_nodes(m, sb);
	for (unsigned int i = 0; i < m->nr_caches; i++) {
		const struct machine_cache *c = &m->cache[i];

		strbuf_addf(sb, "L%u %s %lluK ", c->level,
			    c->type == 'D'   ? "Data"
			    : c->type == 'I' ? "Instruction"
					     : "Unified",
			    (unsigned long long)c->size_kb);
		cset_print(c->cpus, sb);
		strbuf_addch(sb, '\n');
	}
	print_boot(m, sb);
}
