/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host/calibrate_nodes.h - memory by pair of nodes: which pairs are measured in which run, and what follows from that: pure functions.
 *
 * A way is an ordered pair: from a node with CPUs to a node with memory. A run takes no more than CALIBRATE_WAYS_A_RUN of them, half
 * a second each; where there are more they take turns, so that each of those that are measured is so in CALIBRATE_WAYS_RUNS runs or
 * more. For how many ways that is too little time, those are chosen evenly among all, the nodes' own before.
 */
#ifndef HOST_CALIBRATE_NODES_H
#define HOST_CALIBRATE_NODES_H

#include "host/calibrate.h"

#define CALIBRATE_WAYS_A_RUN 16
#define CALIBRATE_WAYS_RUNS  3

/* So many have room in a file (base/ini_text.h), two values with their sources each. */
#define CALIBRATE_WAYS_MAX 2048

/* Of machines with more nodes the first so many are looked at. */
#define CALIBRATE_NODES_MAX 64

/**
 * struct calibrate_way - @from, @to: nodes as core/core.h counts them
 * @cpu:      of @from, the first that may be measured on
 * @reads:    there is one
 * @all:      all of @from's that are online may be measured on
 * @own:      @from is @to, and has no CPU: what follows from the others is its controller
 * @classed:  it is one of those that @distance stands for; not where @to has no CPU
 * @has_turn: it is measured
 */
struct calibrate_way {
	uint32_t from, to;
	unsigned int cpu;
	enum sim_distance distance;
	bool reads, all, own, classed, has_turn;
};

/**
 * struct calibrate_ways - way[nr], memory's node by node
 * @turn: turn[nr_turns], those that are measured; @slots: of them in a run
 */
struct calibrate_ways {
	struct calibrate_way *way;
	size_t nr;
	size_t *turn;
	size_t nr_turns;
	size_t slots;
};

/** calibrate_ways_init() - of a machine whose @cpus may be measured on, in that many runs; heap */
void calibrate_ways_init(struct calibrate_ways *ways, const struct core_machine *machine,
			 const struct cpumask *cpus, unsigned int runs);
void calibrate_ways_release(struct calibrate_ways *ways);

/** calibrate_way_at() - whose turn it is; @slot: below @slots. No two of a run are the same */
const struct calibrate_way *calibrate_way_at(const struct calibrate_ways *ways, unsigned int run,
					     size_t slot);

/** calibrate_ways_runs() - the fewest and the most runs that one which is measured is in; both 0 where none is */
void calibrate_ways_runs(const struct calibrate_ways *ways, unsigned int runs, unsigned int *least,
			 unsigned int *most);

/** calibrate_node_number() - the kernel's, of a node as core/core.h counts */
uint32_t calibrate_node_number(const struct core_machine *machine, uint32_t node);

/** struct calibrate_reading - of a way in a run, by enum costs_pair_kind; NaN: not measured */
struct calibrate_reading {
	double value[NR_COSTS_PAIR_KINDS];
};

/**
 * calibrate_conclude_ways() - all runs together: pairs of nodes, and what stands for distances
 * @out: what calibrate_conclude() made; filled: pairs, memory, and the values of memory by distance
 * @reading: reading[runs * ways->slots], a run's one after the other
 *
 * A pair is the median of its runs. A distance is the median of the pairs so far apart, and their spread among each other; where there is one,
 * that one. A machine of one node has no pairs, that node's value being all distances' up to it. The controller of a node without CPUs is taken to have the most that a
 * node's CPUs read of it.
 */
void calibrate_conclude_ways(struct calibration *out, const struct core_machine *machine,
			     const struct calibrate_ways *ways,
			     const struct calibrate_reading *reading, unsigned int runs);

#endif
