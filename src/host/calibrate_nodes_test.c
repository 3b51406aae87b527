// SPDX-License-Identifier: GPL-2.0-only
#include "host/calibrate_nodes.h"

#include "base/mem.h"
#include "host/calibrate_raw.h"
#include "topo/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* struct box - @nodes of two CPUs each, two of them a package; behind them @bare nodes without CPUs */
struct box {
	struct core_machine machine;
	struct core_cpu *cpu;
	bool *online;
	struct cpumask cpus;
};

static void box_init(struct box *box, uint32_t nodes, uint32_t bare)
{
	*box = (struct box){ 0 };
	box->cpu = xcalloc(2 * nodes, sizeof(*box->cpu));
	box->online = xcalloc(2 * nodes, sizeof(*box->online));
	for (uint32_t i = 0; i < 2 * nodes; i++) {
		box->cpu[i] =
			(struct core_cpu){ .node = (int32_t)i / 2, .package = (int32_t)i / 4 };
		box->online[i] = true;
		cpumask_set(&box->cpus, i);
	}
	box->machine = (struct core_machine){ .nr_cpus = 2 * nodes,
					      .nr_nodes = nodes + bare,
					      .cpu = box->cpu,
					      .online = box->online };
}

static void box_release(struct box *box)
{
	free(box->cpu);
	free(box->online);
	cpumask_release(&box->cpus);
}

static const struct calibrate_way *way_of(const struct calibrate_ways *ways, uint32_t from,
					  uint32_t to)
{
	for (size_t i = 0; i < ways->nr; i++)
		if (ways->way[i].from == from && ways->way[i].to == to)
			return &ways->way[i];
	return NULL;
}

/* Nodes 0 1 | 2 with CPUs 0 .. 5, and node 3 of memory; CPUs 2 and 5 may not be measured on, CPU 3 is offline. */
static void test_calibrate_ways_know_who_may_read(void **state)
{
	struct calibrate_ways ways;
	struct box box;

	(void)state;
	box_init(&box, 3, 1);
	box.online[3] = false;
	cpumask_clear(&box.cpus, 2);
	cpumask_clear(&box.cpus, 5);
	calibrate_ways_init(&ways, &box.machine, &box.cpus, 15);
	/* 3 x 4, and the controller of node 3 */
	assert_int_equal(ways.nr, 13);
	assert_int_equal(way_of(&ways, 0, 0)->distance, SIM_NODE);
	assert_int_equal(way_of(&ways, 0, 1)->distance, SIM_PACKAGE);
	assert_int_equal(way_of(&ways, 0, 2)->distance, SIM_REMOTE);
	assert_true(way_of(&ways, 0, 2)->classed);
	assert_true(way_of(&ways, 0, 0)->reads && way_of(&ways, 0, 0)->all);
	assert_int_equal(way_of(&ways, 0, 3)->distance, SIM_REMOTE);
	assert_false(way_of(&ways, 0, 3)->classed);
	/* node 1's one CPU that is online isn't there to be measured on */
	assert_false(way_of(&ways, 1, 0)->reads || way_of(&ways, 1, 0)->has_turn);
	/* one of node 2's is */
	assert_true(way_of(&ways, 2, 3)->reads && way_of(&ways, 2, 3)->has_turn);
	assert_false(way_of(&ways, 2, 3)->all);
	assert_int_equal(way_of(&ways, 2, 3)->cpu, 4);
	assert_true(way_of(&ways, 3, 3)->own);
	assert_false(way_of(&ways, 3, 3)->has_turn);
	assert_null(way_of(&ways, 3, 0));
	/* 8 ways, each in all runs */
	assert_int_equal(ways.nr_turns, 8);
	assert_int_equal(ways.slots, 8);
	calibrate_ways_release(&ways);
	box_release(&box);
}

/* What a source says of memory counts: a node without any is read by nobody, but its CPUs read. */
static void test_calibrate_ways_lead_to_memory(void **state)
{
	struct machine *m = machine_new(4);
	struct calibrate_ways ways;
	struct box box;

	(void)state;
	box_init(&box, 2, 0);
	machine_set_nodes(m, 2);
	m->node[0].id = 4;
	m->node[0].has_memory = true;
	m->node[1].id = 6;
	box.machine.source = m;
	calibrate_ways_init(&ways, &box.machine, &box.cpus, 1);
	assert_int_equal(ways.nr, 2);
	assert_non_null(way_of(&ways, 0, 0));
	assert_non_null(way_of(&ways, 1, 0));
	assert_int_equal(calibrate_node_number(&box.machine, 1), 6);
	calibrate_ways_release(&ways);
	box_release(&box);
	machine_free(m);
}

/* How often each way is measured: no two of a run are the same. */
static void count_turns(const struct calibrate_ways *ways, unsigned int runs, unsigned int *least,
			unsigned int *most)
{
	unsigned int *times = xcalloc(ways->nr, sizeof(*times));

	*least = runs;
	*most = 0;
	for (unsigned int run = 0; run < runs; run++)
		for (size_t a = 0; a < ways->slots; a++) {
			times[calibrate_way_at(ways, run, a) - ways->way]++;
			for (size_t b = 0; b < a; b++)
				assert_ptr_not_equal(calibrate_way_at(ways, run, a),
						     calibrate_way_at(ways, run, b));
		}
	for (size_t i = 0; i < ways->nr; i++) {
		assert_true(!times[i] == !ways->way[i].has_turn);
		if (!times[i])
			continue;
		*least = times[i] < *least ? times[i] : *least;
		*most = times[i] > *most ? times[i] : *most;
	}
	free(times);
}

static void test_calibrate_ways_take_turns(void **state)
{
	static const struct {
		uint32_t nodes;
		unsigned int runs;
		size_t turns; /* how many of the ways are measured */
		unsigned int least, most;
	} rows[] = {
		{ 1, 15, 1, 15, 15 },	 { 2, 15, 4, 15, 15 },	   { 4, 15, 16, 15, 15 },
		{ 5, 15, 25, 9, 10 },	 { 8, 15, 64, 3, 4 },	   { 16, 15, 80, 3, 3 },
		{ 16, 48, 256, 3, 3 },	 { 8, 1, 16, 1, 1 },	   { 8, 2, 16, 2, 2 },
		{ 32, 192, 1024, 3, 3 }, { 64, 1000, 2048, 7, 8 }, { 100, 15, 80, 3, 3 },
		{ 32, 5, 26, 3, 4 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct calibrate_ways ways;
		unsigned int least, most, told_least, told_most;
		struct box box;

		box_init(&box, rows[i].nodes, 0);
		calibrate_ways_init(&ways, &box.machine, &box.cpus, rows[i].runs);
		assert_int_equal(ways.nr_turns, rows[i].turns);
		assert_true(ways.slots <= CALIBRATE_WAYS_A_RUN);
		count_turns(&ways, rows[i].runs, &least, &most);
		assert_int_equal(least, rows[i].least);
		assert_int_equal(most, rows[i].most);
		calibrate_ways_runs(&ways, rows[i].runs, &told_least, &told_most);
		assert_int_equal(told_least, least);
		assert_int_equal(told_most, most);
		/* a node's own memory goes before all others' */
		for (size_t k = 0; k < ways.nr && rows[i].turns >= rows[i].nodes; k++)
			assert_true(ways.way[k].from != ways.way[k].to || ways.way[k].has_turn);
		calibrate_ways_release(&ways);
		box_release(&box);
	}
}

/* Made up: all differ, and in run r it is r more, or less. */
static double price(const struct calibrate_way *way, unsigned int run)
{
	return 100 + 10 * way->to + way->from + run;
}

static double bandwidth(const struct calibrate_way *way, unsigned int run)
{
	return 10000 - 1000 * (double)way->to - 100 * (double)way->from - run;
}

/* All that a calibration of @box would be; @lost: a way of which nothing could be measured */
static void conclude(struct calibration *out, const struct box *box, unsigned int runs,
		     const struct calibrate_way *lost)
{
	struct calibrate_raws *raws = xcalloc(runs, sizeof(*raws));
	struct calibrate_reading *reading;
	struct calibrate_ways ways;

	for (unsigned int run = 0; run < runs; run++)
		for (size_t i = 0; i < NR_CALIBRATE_RAWS; i++)
			raws[run].ns[i] = NAN;
	calibrate_ways_init(&ways, &box->machine, &box->cpus, runs);
	reading = xcalloc(runs * ways.slots + 1, sizeof(*reading));
	for (unsigned int run = 0; run < runs; run++)
		for (size_t slot = 0; slot < ways.slots; slot++) {
			const struct calibrate_way *way = calibrate_way_at(&ways, run, slot);
			double *value = reading[run * ways.slots + slot].value;
			const bool none = lost && lost->from == way->from && lost->to == way->to;

			value[COSTS_PAIR_NS_KIB] = none ? NAN : price(way, run);
			value[COSTS_PAIR_MIB_S] = none || !way->all ? NAN : bandwidth(way, run);
		}
	calibrate_conclude(out, raws, runs);
	calibrate_conclude_ways(out, &box->machine, &ways, reading, runs);
	calibrate_ways_release(&ways);
	free(reading);
	free(raws);
}

static uint64_t pair_of(const struct calibration *c, enum costs_pair_kind kind, uint32_t from,
			uint32_t to)
{
	for (size_t i = 0; i < c->pairs.nr; i++) {
		const struct costs_pair *pair = &c->pairs.pair[i];

		if (pair->kind == kind && pair->from == from && pair->to == to)
			return pair->value;
	}
	return UINT64_MAX;
}

/*
 * Nodes 0 1 | 2 3, three runs: of each pair the middle one, run 1. 0->1: 111. Own: 101, 112, 123, 134, of which the median is 117.5, and half the range of
 * the middle half of few is that of all, 16.5. Within a package: 0->1 111, 1->0 102, 2->3 133, 3->2 124: 117.5. Others: 0->2 121, 0->3 131, 1->2 122, 1->3 132, 2->0
 * 103, 2->1 113, 3->0 104, 3->1 114: 117.5.
 */
static void test_calibrate_conclude_ways_has_each_pair(void **state)
{
	const struct calibrate_value *value;
	struct calibration c;
	struct box box;

	(void)state;
	box_init(&box, 4, 0);
	conclude(&c, &box, 3, NULL);
	assert_int_equal(c.pairs.nr, 32);
	assert_int_equal(c.nr_memory, 16);
	assert_int_equal(pair_of(&c, COSTS_PAIR_NS_KIB, 0, 1), 111);
	assert_int_equal(pair_of(&c, COSTS_PAIR_NS_KIB, 1, 0), 102);
	assert_int_equal(pair_of(&c, COSTS_PAIR_NS_KIB, 3, 3), 134);
	assert_int_equal(pair_of(&c, COSTS_PAIR_MIB_S, 0, 3), 6999);
	assert_int_equal(pair_of(&c, COSTS_PAIR_MIB_S, 3, 0), 9699);
	value = calibration_value(&c, "memory_ns_kib.0->1");
	assert_true(value->measured);
	assert_int_equal(value->runs, 3);
	assert_near(value->median, 111, 1e-9);
	assert_near(value->spread, 1, 1e-9);
	assert_string_equal(value->method, "reading 128 MiB in order");
	for (size_t d = SIM_SAME; d < NR_SIM_DISTANCES; d++)
		assert_int_equal(c.costs.memory_ns_kib[d], 118);
	value = calibration_value(&c, "memory_ns_kib.llc");
	assert_true(value->measured);
	assert_near(value->median, 117.5, 1e-9);
	assert_int_equal(value->runs, 3);
	assert_non_null(strstr(value->method, "median of pairs of nodes"));
	calibration_release(&c);
	box_release(&box);
}

/* One pair a distance is that distance, as one node is: the median of its runs, and their spread. A machine of one node has no pairs. */
static void test_calibrate_conclude_ways_of_one_node(void **state)
{
	const struct calibrate_value *value;
	struct calibration c;
	struct costs usual;
	struct box box;

	(void)state;
	costs_default(&usual);
	box_init(&box, 1, 0);
	conclude(&c, &box, 5, NULL);
	assert_int_equal(c.pairs.nr, 0);
	assert_int_equal(c.nr_memory, 0);
	for (size_t d = SIM_SAME; d <= SIM_NODE; d++) {
		assert_int_equal(c.costs.memory_ns_kib[d], 102);
		assert_int_equal(c.costs.memory_mib_s[d], 9998);
	}
	value = calibration_value(&c, "memory_mib_s.node");
	assert_near(value->spread, 1, 1e-9);
	assert_int_equal(value->runs, 5);
	assert_null(strstr(value->method, "median"));
	assert_int_equal(c.costs.memory_mib_s[SIM_REMOTE], usual.memory_mib_s[SIM_REMOTE]);
	assert_string_equal(calibration_value(&c, "memory_mib_s.remote")->why,
			    "no memory so far away");
	assert_null(calibration_value(&c, "memory_ns_kib.0->0"));
	calibration_release(&c);
	box_release(&box);
}

/* Nodes 0 1 of a package, and 2 of memory: that is in no distance, and its controller has what node 0 reads of it, 8000 - 1, more than node 1. */
static void test_calibrate_conclude_ways_of_memory_alone(void **state)
{
	const struct calibrate_value *value;
	struct calibration c;
	struct costs usual;
	struct box box;

	(void)state;
	costs_default(&usual);
	box_init(&box, 2, 1);
	conclude(&c, &box, 3, NULL);
	assert_int_equal(pair_of(&c, COSTS_PAIR_NS_KIB, 1, 2), 122);
	assert_int_equal(pair_of(&c, COSTS_PAIR_MIB_S, 1, 2), 7899);
	assert_int_equal(pair_of(&c, COSTS_PAIR_MIB_S, 2, 2), 7999);
	assert_int_equal(pair_of(&c, COSTS_PAIR_NS_KIB, 2, 2), UINT64_MAX);
	value = calibration_value(&c, "memory_mib_s.2->2");
	assert_string_equal(value->method,
			    "the most that a node's CPUs read there, as it has none");
	assert_int_equal(value->runs, 3);
	assert_int_equal(c.costs.memory_ns_kib[SIM_REMOTE], usual.memory_ns_kib[SIM_REMOTE]);
	assert_int_equal(c.costs.memory_ns_kib[SIM_PACKAGE], 107); /* 102 and 111 */
	calibration_release(&c);
	box_release(&box);
}

/* What has no value says why, and what that of its distance is. */
static void test_calibrate_conclude_ways_says_why_not(void **state)
{
	static const struct calibrate_way lost = { .from = 0, .to = 3 };
	struct calibration c;
	struct box box;

	(void)state;
	box_init(&box, 4, 0);
	cpumask_clear(&box.cpus, 2);
	cpumask_clear(&box.cpus, 3);
	cpumask_clear(&box.cpus, 5);
	conclude(&c, &box, 3, &lost);
	assert_string_equal(calibration_value(&c, "memory_ns_kib.1->0")->why,
			    "none of the node's CPUs is measured on");
	assert_string_equal(calibration_value(&c, "memory_mib_s.1->1")->why,
			    "none of the node's CPUs is measured on");
	assert_true(calibration_value(&c, "memory_ns_kib.2->0")->measured);
	assert_string_equal(calibration_value(&c, "memory_mib_s.2->0")->why,
			    "needs all CPUs of the node");
	assert_non_null(strstr(calibration_value(&c, "memory_mib_s.0->3")->why,
			       "too little of that memory is free"));
	assert_int_equal(pair_of(&c, COSTS_PAIR_NS_KIB, 0, 3), UINT64_MAX);
	for (size_t i = 0; i < c.nr_memory; i++)
		if (c.memory[i].from == 0 && c.memory[i].to == 3)
			assert_int_equal(c.memory[i].by_distance[COSTS_PAIR_NS_KIB],
					 c.costs.memory_ns_kib[SIM_REMOTE]);
	calibration_release(&c);
	/* nor has a distance: of CPUs 1 and 4 alone there is no bandwidth */
	cpumask_clear(&box.cpus, 0);
	cpumask_clear(&box.cpus, 6);
	cpumask_clear(&box.cpus, 7);
	conclude(&c, &box, 3, NULL);
	assert_true(calibration_value(&c, "memory_ns_kib.remote")->measured);
	assert_false(calibration_value(&c, "memory_mib_s.remote")->measured);
	assert_string_equal(calibration_value(&c, "memory_mib_s.remote")->why,
			    "needs all CPUs of the node");
	calibration_release(&c);
	box_release(&box);
	box_init(&box, 8, 0);
	conclude(&c, &box, 1, NULL);
	assert_int_equal(c.pairs.nr, 2 * 16);
	assert_string_equal(calibration_value(&c, "memory_ns_kib.0->1")->why,
			    "has no turn in so few runs");
	calibration_release(&c);
	box_release(&box);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calibrate_ways_know_who_may_read),
		cmocka_unit_test(test_calibrate_ways_lead_to_memory),
		cmocka_unit_test(test_calibrate_ways_take_turns),
		cmocka_unit_test(test_calibrate_conclude_ways_has_each_pair),
		cmocka_unit_test(test_calibrate_conclude_ways_of_one_node),
		cmocka_unit_test(test_calibrate_conclude_ways_of_memory_alone),
		cmocka_unit_test(test_calibrate_conclude_ways_says_why_not),
	};

	return cmocka_run_group_tests_name("host/calibrate_nodes", tests, NULL, NULL);
}
