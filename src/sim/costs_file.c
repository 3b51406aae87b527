// SPDX-License-Identifier: GPL-2.0-only
/* sim/costs_file.c - costs read from a file and written to one. */
#include "sim/costs.h"

#include "base/ini_text.h"
#include "base/mem.h"
#include "base/nearest.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#define SOURCE	   "source."
#define MAX_SOURCE 120

/* The longest time of anything: 1000 s. */
#define MAX_NS UINT64_C(1000000000000)

enum row_kind {
	ROW_ONE,
	ROW_BY_DISTANCE,
	ROW_BY_TRANSPORT,
	ROW_BY_BOTH, /* distances of the first transport, of the second ... */
	ROW_BY_DEPTH,
};

/* struct row - a value, or an array of them */
struct row {
	const char *name;
	size_t offset;
	enum row_kind kind;
	uint64_t min, max;
};

#define ROW(member, kind_, min_, max_)                                                             \
	{                                                                                          \
		.name = #member, .offset = offsetof(struct costs, member), .kind = (kind_),        \
		.min = (min_), .max = (max_),                                                      \
	}
#define ONE(member)	     ROW(member, ROW_ONE, 0, MAX_NS)
#define BY_DISTANCE(member)  ROW(member, ROW_BY_DISTANCE, 0, MAX_NS)
#define BY_TRANSPORT(member) ROW(member, ROW_BY_TRANSPORT, 0, MAX_NS)
#define BY_BOTH(member)	     ROW(member, ROW_BY_BOTH, 0, MAX_NS)
#define BY_DEPTH(member)     ROW(member, ROW_BY_DEPTH, 0, MAX_NS)
#define PACE(member)	     ROW(member, ROW_ONE, 1, MAX_NS)
#define SPEED(member)	     ROW(member, ROW_ONE, 1, 1024)

static const struct row rows[] = {
	ONE(switch_ns),
	ONE(switch_space_ns),
	ONE(switch_cold_ns),
	BY_DISTANCE(wake_ns),
	BY_DISTANCE(ipi_ns),
	ONE(ipi_send_ns),
	ONE(idle_exit_ns),
	BY_DEPTH(idle_deep_after_ns),
	BY_DEPTH(idle_deep_ns),
	ONE(interrupt_ns),
	BY_DISTANCE(cold_ns),
	SPEED(smt_speed),
	ONE(syscall_ns),
	BY_TRANSPORT(send_ns),
	BY_TRANSPORT(receive_ns),
	BY_TRANSPORT(message_cold_ns),
	PACE(messages_cold),
	ONE(copy_ns_kib),
	ONE(futex_wait_ns),
	ONE(futex_wake_ns),
	ONE(fork_ns),
	ONE(thread_ns),
	ONE(exec_ns),
	ONE(exit_ns),
	PACE(work_unit_ps),
	PACE(matrix_step_ps),
	ONE(io_ns),
	ONE(timer_slack_ns),
	ONE(tick_work_ns),
	ONE(core_step_ns),
	BY_DISTANCE(memory_ns_kib),
	ONE(hint_fault_ns),
	SPEED(freq_idle_perf),
	ONE(hotplug_off_ns),
	ONE(hotplug_on_ns),
	ROW(memory_mib_s, ROW_BY_DISTANCE, 1, COSTS_MIB_S_MAX),
	ONE(thread_exit_ns),
	ONE(fork_fault_ns),
	ONE(space_cold_ns),
	ROW(spaces_kept, ROW_ONE, 1, COSTS_SPACES_MAX),
	ROW(paging_shared, ROW_ONE, 0, 1024),
	BY_BOTH(message_far_ns),
};

#define NR_ROWS	  ARRAY_SIZE(rows)
#define NR_BOTH	  ((size_t)NR_SIM_TRANSPORTS * NR_SIM_DISTANCES)
#define MAX_PARTS NR_BOTH

static_assert(COSTS_DEPTHS <= MAX_PARTS, "all have room");

static size_t nr_parts(const struct row *row)
{
	switch (row->kind) {
	case ROW_BY_DISTANCE:
		return NR_SIM_DISTANCES;
	case ROW_BY_TRANSPORT:
		return NR_SIM_TRANSPORTS;
	case ROW_BY_BOTH:
		return NR_BOTH;
	case ROW_BY_DEPTH:
		return COSTS_DEPTHS;
	default:
		return 1;
	}
}

static uint64_t *part_at(struct costs *costs, const struct row *row, size_t i)
{
	return (uint64_t *)((char *)costs + row->offset) + i;
}

/* "wake_ns.llc"; of depths "idle_deep_ns", "idle_deep_ns.2" */
static void part_name(char name[COSTS_NAME_MAX], const struct row *row, size_t i)
{
	switch (row->kind) {
	case ROW_BY_DISTANCE:
		snprintf(name, COSTS_NAME_MAX, "%s.%s", row->name,
			 sim_distance_name((enum sim_distance)i));
		break;
	case ROW_BY_TRANSPORT:
		snprintf(name, COSTS_NAME_MAX, "%s.%s", row->name,
			 sim_transport_name((enum sim_transport)i));
		break;
	case ROW_BY_BOTH:
		snprintf(name, COSTS_NAME_MAX, "%s.%s.%s", row->name,
			 sim_transport_name((enum sim_transport)(i / NR_SIM_DISTANCES)),
			 sim_distance_name((enum sim_distance)(i % NR_SIM_DISTANCES)));
		break;
	default:
		if (i)
			snprintf(name, COSTS_NAME_MAX, "%s.%zu", row->name, i + 1);
		else
			snprintf(name, COSTS_NAME_MAX, "%s", row->name);
	}
}

void costs_name(char name[COSTS_NAME_MAX], size_t i)
{
	const struct row *row = rows;

	assert(i < COSTS_VALUES);
	for (; i >= nr_parts(row); row++)
		i -= nr_parts(row);
	part_name(name, row, i);
}

static const struct row *row_of(enum costs_pair_kind kind)
{
	const struct row *row = rows;

	while (strcmp(row->name, costs_pair_kind_name(kind)) != 0)
		row++;
	return row;
}

/* Which value @name is; false: none. */
static bool find(const char *name, size_t *row, size_t *part, struct nearest *nearest)
{
	char known[COSTS_NAME_MAX];

	for (*row = 0; *row < NR_ROWS; ++*row)
		for (*part = 0; *part < nr_parts(&rows[*row]); ++*part) {
			part_name(known, &rows[*row], *part);
			if (!strcmp(name, known))
				return true;
			/* the nearest is kept by its address, and those of one row are alike enough */
			nearest_offer(nearest, rows[*row].name);
		}
	return false;
}

/* struct reading - which values the file has */
struct reading {
	const char *path;
	struct costs costs;
	struct costs_pairs pairs;
	bool given[NR_ROWS][MAX_PARTS];
	struct error *err;
};

static int unknown(const struct reading *r, const struct ini_key *key,
		   const struct nearest *nearest)
{
	static const char *const parts[] = {
		[ROW_BY_DISTANCE] = "llc",
		[ROW_BY_TRANSPORT] = "pipe",
		[ROW_BY_BOTH] = "pipe.llc",
	};
	const struct row *row = rows;

	while (row < rows + NR_ROWS && strcmp(row->name, nearest->name))
		row++;
	if (row < rows + NR_ROWS)
		return error_set(r->err, EINVAL,
				 "%s:%u: '%s' needs one of its parts behind a dot, as '%s.%s'",
				 r->path, key->line, nearest->name, row->name, parts[row->kind]);
	return error_set(r->err, EINVAL, "%s:%u: no cost is called '%.40s'%s%s%s", r->path,
			 key->line, nearest->name, nearest->best ? ", did you mean '" : "",
			 nearest->best ? nearest->best : "", nearest->best ? "'?" : "");
}

static int parse_number(uint64_t *value, const char *text)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return *end ? -EINVAL : -errno;
}

static int read_value(const struct reading *r, const struct ini_key *key, const struct row *row,
		      uint64_t *value)
{
	const int ret = parse_number(value, key->value);

	if (ret == -EINVAL)
		return error_set(r->err, EINVAL, "%s:%u: %s: '%.40s' is no whole number", r->path,
				 key->line, key->name, key->value);
	if (ret || *value < row->min || *value > row->max)
		return error_set(r->err, ERANGE,
				 "%s:%u: %s: %.40s is not in %" PRIu64 " .. %" PRIu64, r->path,
				 key->line, key->name, key->value, row->min, row->max);
	return 0;
}

/* "memory_ns_kib.0": whatever a digit begins is meant as nodes. Return: the part behind the dot; NULL: it is nothing of that kind. */
static const char *find_pair(const char *name, enum costs_pair_kind *kind)
{
	for (*kind = 0; *kind < NR_COSTS_PAIR_KINDS; ++*kind) {
		const char *known = costs_pair_kind_name(*kind);
		const size_t n = strlen(known);

		if (!strncmp(name, known, n) && name[n] == '.' &&
		    isdigit((unsigned char)name[n + 1]))
			return name + n + 1;
	}
	return NULL;
}

static int read_pair(struct reading *r, const struct ini_key *key, enum costs_pair_kind kind,
		     const char *part, bool source)
{
	struct costs_pair pair = { .kind = kind, .line = key->line };
	int ret;

	if (!costs_pair_parse(&pair.from, &pair.to, part))
		return error_set(r->err, EINVAL,
				 "%s:%u: %s: '%.40s' is no pair of nodes, as '0->2' is: CPUs of "
				 "node 0, memory of node 2",
				 r->path, key->line, costs_pair_kind_name(kind), part);
	if (source)
		return 0;
	ret = read_value(r, key, row_of(kind), &pair.value);
	if (!ret)
		costs_pairs_set(&r->pairs, &pair);
	return ret;
}

static int read_key(struct reading *r, const struct ini_key *key)
{
	const bool source = !strncmp(key->name, SOURCE, strlen(SOURCE));
	enum costs_pair_kind kind;
	struct nearest nearest;
	const char *nodes;
	size_t row, part;
	uint64_t value = 0;
	int ret;

	nearest_init(&nearest, key->name + (source ? strlen(SOURCE) : 0));
	nodes = find_pair(nearest.name, &kind);
	if (nodes)
		return read_pair(r, key, kind, nodes, source);
	if (!find(nearest.name, &row, &part, &nearest))
		return unknown(r, key, &nearest);
	if (source)
		return 0;
	ret = read_value(r, key, &rows[row], &value);
	if (ret)
		return ret;
	*part_at(&r->costs, &rows[row], part) = value;
	r->given[row][part] = true;
	return 0;
}

/* What a file has for one distance holds for the farther ones, up to the next that it has; of a transport each for itself. */
static void fill_distances(struct reading *r)
{
	for (size_t row = 0; row < NR_ROWS; row++) {
		bool nearer = false;

		if (rows[row].kind != ROW_BY_DISTANCE && rows[row].kind != ROW_BY_BOTH)
			continue;
		for (size_t i = 0; i < nr_parts(&rows[row]); i++) {
			nearer = nearer && i % NR_SIM_DISTANCES;
			if (nearer && !r->given[row][i])
				*part_at(&r->costs, &rows[row], i) =
					*part_at(&r->costs, &rows[row], i - 1);
			nearer = nearer || r->given[row][i];
		}
	}
}

static int read_sections(struct reading *r, const struct ini_text *ini)
{
	if (!ini->nr_sections)
		return error_set(r->err, EINVAL, "%s: there is no [costs] in it", r->path);
	for (size_t i = 0; i < ini->nr_sections; i++) {
		const struct ini_section *section = &ini->sections[i];
		int ret = 0;

		if (strcmp(section->name, "costs") || i)
			return error_set(r->err, EINVAL,
					 "%s:%u: [%s]: a file of costs has one section, [costs]",
					 r->path, section->line, section->name);
		for (size_t k = 0; !ret && k < section->nr_keys; k++)
			ret = read_key(r, &section->keys[k]);
		if (ret)
			return ret;
	}
	return 0;
}

int costs_parse(struct costs *costs, struct costs_pairs *pairs, const char *path, const char *text,
		size_t n, struct error *err)
{
	struct reading reading = { .path = path, .costs = *costs, .err = err };
	struct ini_text ini;
	int ret = ini_text_parse(&ini, path, text, n, err);

	if (ret)
		return ret;
	costs_pairs_copy(&reading.pairs, pairs);
	ret = read_sections(&reading, &ini);
	ini_text_release(&ini);
	if (ret) {
		costs_pairs_release(&reading.pairs);
		return ret;
	}
	fill_distances(&reading);
	costs_pairs_release(pairs);
	*costs = reading.costs;
	*pairs = reading.pairs;
	return 0;
}

/* struct printing - where, and with what words */
struct printing {
	const char *(*source)(void *ctx, const char *name);
	void *ctx;
	struct strbuf *sb;
};

static void print_value(const struct printing *p, const char *name, uint64_t value)
{
	const char *words = p->source ? p->source(p->ctx, name) : NULL;

	strbuf_addf(p->sb, "%s = %" PRIu64 "\n", name, value);
	if (words)
		strbuf_addf(p->sb, SOURCE "%s = %.*s\n", name, MAX_SOURCE, words);
}

/* Those of a row. */
static void print_pairs(const struct printing *p, const struct row *row,
			const struct costs_pairs *pairs)
{
	char name[COSTS_NAME_MAX];

	for (size_t i = 0; i < pairs->nr; i++) {
		const struct costs_pair *pair = &pairs->pair[i];

		if (row != row_of(pair->kind))
			continue;
		costs_pair_name(name, pair->kind, pair->from, pair->to);
		print_value(p, name, pair->value);
	}
}

void costs_print(const struct costs *costs, const struct costs_pairs *pairs,
		 const char *(*source)(void *ctx, const char *name), void *ctx, struct strbuf *sb)
{
	const struct printing printing = { source, ctx, sb };
	struct costs copy = *costs;
	char name[COSTS_NAME_MAX];

	strbuf_addstr(sb, "[costs]\n");
	for (size_t row = 0; row < NR_ROWS; row++) {
		for (size_t i = 0; i < nr_parts(&rows[row]); i++) {
			part_name(name, &rows[row], i);
			print_value(&printing, name, *part_at(&copy, &rows[row], i));
		}
		print_pairs(&printing, &rows[row], pairs);
	}
}
