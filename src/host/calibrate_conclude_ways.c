// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_conclude_ways.c - memory of all runs together, by pair of nodes and by distance. */
#include "host/calibrate_nodes.h"

#include "base/mem.h"
#include "host/calibrate_raw.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#define NO_CPU	"none of the node's CPUs is measured on"
#define NOT_ALL "needs all CPUs of the node"
#define NO_TURN "has no turn in so few runs"
#define NO_ROOM                                                                                    \
	"too little of that memory is free, none may be used, or other programs kept the CPUs "    \
	"from it"
#define NO_WAY "no node was measured that reads there"

#define MOST_READ   "the most that a node's CPUs read there, as it has none"
#define MEDIAN_KIB  "median of pairs of nodes: reading 128 MiB in order"
#define MEDIAN_MIBS "median of pairs of nodes: all CPUs of one read 64 MiB each at once"

/* Of struct costs, the first of that kind. */
static size_t first_of(size_t kind)
{
	return kind == COSTS_PAIR_NS_KIB ? AT(memory_ns_kib) : AT(memory_mib_s);
}

static uint64_t whole(size_t kind, double x)
{
	const uint64_t value = (uint64_t)(x + 0.5);

	return kind == COSTS_PAIR_MIB_S && value < 1 ? 1 : value;
}

static const char *why_not(const struct calibrate_way *way, size_t kind)
{
	if (way->own)
		return NO_WAY;
	if (!way->reads)
		return NO_CPU;
	if (!way->has_turn)
		return NO_TURN;
	return kind == COSTS_PAIR_MIB_S && !way->all ? NOT_ALL : NO_ROOM;
}

/* All of a way's, of all runs. Return: how many. */
static size_t collect(double *x, const struct calibrate_ways *ways, const struct calibrate_way *way,
		      const struct calibrate_reading *reading, unsigned int runs, size_t kind)
{
	size_t n = 0;

	for (unsigned int run = 0; way->has_turn && run < runs; run++)
		for (size_t slot = 0; slot < ways->slots; slot++)
			if (calibrate_way_at(ways, run, slot) == way)
				x[n++] = reading[run * ways->slots + slot].value[kind];
	return n;
}

static void measure_up(struct calibrate_value *value, const double *x, size_t n)
{
	value->runs = calibrate_summarize(&value->median, &value->spread, x, n);
	value->measured = value->runs;
}

static void conclude_way(struct calibrate_memory *memory, const struct calibration *out,
			 const struct core_machine *machine, const struct calibrate_way *way)
{
	memory->from = calibrate_node_number(machine, way->from);
	memory->to = calibrate_node_number(machine, way->to);
	memory->reads = !way->own;
	for (size_t kind = 0; kind < NR_COSTS_PAIR_KINDS; kind++) {
		struct calibrate_value *value = &memory->value[kind];

		costs_pair_name(value->name, (enum costs_pair_kind)kind, memory->from, memory->to);
		value->method = out->value[first_of(kind) + SIM_NODE].method;
		value->why = why_not(way, kind);
	}
}

/* What was measured, not what it is called. */
static void adopt(struct calibrate_value *value, const struct calibrate_value *measured)
{
	value->measured = true;
	value->median = measured->median;
	value->spread = measured->spread;
	value->runs = measured->runs;
}

/* Of a node without CPUs, by what others read there. */
static void conclude_own(struct calibrate_memory *memory, const struct calibrate_ways *ways,
			 size_t own)
{
	struct calibrate_value *value = &memory[own].value[COSTS_PAIR_MIB_S];

	for (size_t i = 0; i < ways->nr; i++) {
		const struct calibrate_value *other = &memory[i].value[COSTS_PAIR_MIB_S];

		if (i == own || ways->way[i].to != ways->way[own].to || !other->measured ||
		    (value->measured && other->median <= value->median))
			continue;
		adopt(value, other);
	}
	value->method = MOST_READ;
}

static void conclude_ways(struct calibrate_memory *memory, const struct calibration *out,
			  const struct core_machine *machine, const struct calibrate_ways *ways,
			  const struct calibrate_reading *reading, unsigned int runs)
{
	double *x = xcalloc(runs + 1, sizeof(*x));

	for (size_t i = 0; i < ways->nr; i++) {
		conclude_way(&memory[i], out, machine, &ways->way[i]);
		for (size_t kind = 0; kind < NR_COSTS_PAIR_KINDS; kind++)
			measure_up(&memory[i].value[kind], x,
				   collect(x, ways, &ways->way[i], reading, runs, kind));
	}
	for (size_t i = 0; i < ways->nr; i++)
		if (ways->way[i].own)
			conclude_own(memory, ways, i);
	free(x);
}

static void take(struct calibration *out, size_t at, size_t kind,
		 const struct calibrate_value *value, const char *method)
{
	struct calibrate_value *own = &out->value[at];

	adopt(own, value);
	if (method)
		own->method = method;
	((uint64_t *)&out->costs)[at] = whole(kind, value->median);
}

static void conclude_distance(struct calibration *out, enum sim_distance distance, size_t kind,
			      const struct calibrate_memory *memory,
			      const struct calibrate_ways *ways)
{
	double *x = xcalloc(ways->nr + 1, sizeof(*x));
	struct calibrate_value value = { 0 };
	const char *why = NULL;
	unsigned int runs = 0;
	size_t n = 0;

	for (size_t i = 0; i < ways->nr; i++) {
		const struct calibrate_value *one = &memory[i].value[kind];

		if (!ways->way[i].classed || ways->way[i].distance != distance)
			continue;
		why = why ? why : one->why;
		if (!one->measured)
			continue;
		x[n++] = one->median;
		runs = one->runs > runs ? one->runs : runs;
		value = *one;
	}
	/* there is memory so far away, and it wasn't measured */
	if (!n && why && distance > SIM_NODE)
		out->value[first_of(kind) + distance].why = why;
	if (n > 1) {
		measure_up(&value, x, n);
		value.runs = runs;
	}
	/* within a node memory is all the same */
	for (size_t d = distance == SIM_NODE ? SIM_SAME : distance; n && d <= distance; d++)
		take(out, first_of(kind) + d, kind, &value,
		     n == 1			 ? NULL
		     : kind == COSTS_PAIR_NS_KIB ? MEDIAN_KIB
						 : MEDIAN_MIBS);
	free(x);
}

static void keep_pairs(struct calibration *out)
{
	for (size_t i = 0; i < out->nr_memory; i++)
		for (size_t kind = 0; kind < NR_COSTS_PAIR_KINDS; kind++) {
			const struct calibrate_value *value = &out->memory[i].value[kind];

			if (value->measured)
				costs_pairs_set(&out->pairs,
						&(struct costs_pair){
							.kind = (enum costs_pair_kind)kind,
							.from = out->memory[i].from,
							.to = out->memory[i].to,
							.value = whole(kind, value->median) });
		}
}

/* What those are worth that have no value of their own. */
static void set_by_distance(struct calibrate_memory *memory, const struct calibration *out,
			    const struct calibrate_ways *ways)
{
	for (size_t i = 0; i < ways->nr; i++)
		for (size_t kind = 0; kind < NR_COSTS_PAIR_KINDS; kind++)
			memory[i].by_distance[kind] =
				((const uint64_t *)&out
					 ->costs)[first_of(kind) + ways->way[i].distance];
}

void calibrate_conclude_ways(struct calibration *out, const struct core_machine *machine,
			     const struct calibrate_ways *ways,
			     const struct calibrate_reading *reading, unsigned int runs)
{
	struct calibrate_memory *memory = xcalloc(ways->nr + 1, sizeof(*memory));

	conclude_ways(memory, out, machine, ways, reading, runs);
	for (enum sim_distance d = SIM_NODE; d < NR_SIM_DISTANCES; d++)
		for (size_t kind = 0; kind < NR_COSTS_PAIR_KINDS; kind++)
			conclude_distance(out, d, kind, memory, ways);
	if (machine->nr_nodes == 1) {
		free(memory);
		return;
	}
	set_by_distance(memory, out, ways);
	out->memory = memory;
	out->nr_memory = ways->nr;
	keep_pairs(out);
}
