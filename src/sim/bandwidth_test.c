// SPDX-License-Identifier: GPL-2.0-only
#include "sim/bandwidth.h"

#include "sim/fixture_go.h"
#include "sim/fixture_script.h"

#include "check.h"

#define KIB 1024
#define MIB (KIB * UINT64_C(1024))

/* A MiB takes a task 102400 ns by itself, 9765.6 MiB/s; from the other node 204800. */
#define NEAR_NS UINT64_C(102400)
#define FAR_NS	UINT64_C(204800)

/* Of that bandwidth one task takes all; a MiB takes 1e9 / 9765 = 102406.6 ns then. */
#define ONE_STREAM UINT64_C(9765)
#define ONE_NS	   UINT64_C(102407)

/* Readings of each task, of a MiB each. */
#define ROUNDS UINT64_C(8)

/* Two nodes of four CPUs. */
static void boot(struct script_world *world, uint64_t controller, uint64_t link)
{
	script_world_init(world, 2, 1, 4, 1);
	world->costs.memory_ns_kib[SIM_NODE] = NEAR_NS / KIB;
	world->costs.memory_ns_kib[SIM_REMOTE] = FAR_NS / KIB;
	world->costs.memory_mib_s[SIM_NODE] = controller;
	world->costs.memory_mib_s[SIM_REMOTE] = link;
	script_boot(world);
}

/* struct reader - on @cpu, @rounds times a MiB of @node */
struct reader {
	struct script_op op[3];
	struct script script;
};

static void add_reader(struct script_world *world, struct reader *reader, uint32_t cpu,
		       int32_t node, uint64_t rounds)
{
	struct sim_memory *memory = sim_memory_new(world->sim, node, MIB);

	reader->op[0] = (struct script_op){ DO_TOUCH, memory, MIB };
	reader->op[1] = (struct script_op){ DO_AGAIN, NULL, rounds };
	reader->op[2] = (struct script_op){ DO_EXIT, NULL, 0 };
	reader->script = (struct script){ .op = reader->op };
	script_spawn(world->sim, "reader", &reader->script, UINT64_C(1) << cpu);
}

static uint64_t end_of(const struct reader *reader)
{
	return reader->script.at_ns[2];
}

static uint64_t waited(const struct script_world *world)
{
	struct sim_counts counts;

	sim_counts(world->sim, &counts);
	return counts.memory_wait_ns;
}

/* However much the controller has, one task reads at the price of one. */
static void test_bandwidth_one_task_is_no_faster_than_its_price(void **state)
{
	struct script_world world;
	struct reader a;

	(void)state;
	boot(&world, COSTS_MIB_S_MAX, COSTS_MIB_S_MAX);
	add_reader(&world, &a, 0, 0, ROUNDS);
	script_go(&world);
	assert_int_equal(end_of(&a), ROUNDS * NEAR_NS);
	assert_int_equal(waited(&world), 0);
	script_world_release(&world);
}

/* A controller of half of what a task could read: each MiB takes twice as long, 1e9 / 4882 ns. */
static void test_bandwidth_one_task_is_no_faster_than_the_controller(void **state)
{
	struct script_world world;
	struct reader a;

	(void)state;
	boot(&world, ONE_STREAM / 2, COSTS_MIB_S_MAX);
	add_reader(&world, &a, 0, 0, ROUNDS);
	script_go(&world);
	assert_int_equal(end_of(&a), ROUNDS * UINT64_C(204835));
	assert_int_equal(waited(&world), ROUNDS * (204835 - NEAR_NS));
	script_world_release(&world);
}

/*
 * Both have read their first MiB at the same time, and the second to have done so is behind the other. From then on each waits for the
 * other's: the controller is never idle, so all is through after 16 MiB, and the one that is through first is a MiB before.
 */
static void test_bandwidth_of_one_task_gives_two_half_each(void **state)
{
	struct script_world world;
	struct reader a, b;

	(void)state;
	boot(&world, ONE_STREAM, COSTS_MIB_S_MAX);
	add_reader(&world, &a, 0, 0, ROUNDS);
	add_reader(&world, &b, 1, 0, ROUNDS);
	script_go(&world);
	assert_int_equal(end_of(&b), 2 * ROUNDS * ONE_NS);
	assert_int_equal(end_of(&a), (2 * ROUNDS - 1) * ONE_NS);
	script_world_release(&world);
}

/* Four at the price of one each, and a controller of as much as four need: nobody waits, in whatever order they began. */
static void test_bandwidth_that_is_enough_lets_nobody_wait(void **state)
{
	struct script_world world;
	struct reader reader[4];

	(void)state;
	boot(&world, 4 * (ONE_STREAM + 1), COSTS_MIB_S_MAX);
	for (uint32_t i = 0; i < 4; i++)
		add_reader(&world, &reader[i], i, 0, ROUNDS);
	script_go(&world);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(end_of(&reader[i]), ROUNDS * NEAR_NS);
	assert_int_equal(waited(&world), 0);
	script_world_release(&world);
}

/* Each has its own node's controller. */
static void test_bandwidth_nodes_do_not_disturb_each_other(void **state)
{
	struct script_world world;
	struct reader a, b;

	(void)state;
	boot(&world, ONE_STREAM, COSTS_MIB_S_MAX);
	add_reader(&world, &a, 0, 0, ROUNDS);
	add_reader(&world, &b, 4, 1, ROUNDS);
	script_go(&world);
	assert_int_equal(end_of(&a), ROUNDS * ONE_NS);
	assert_int_equal(end_of(&b), ROUNDS * ONE_NS);
	script_world_release(&world);
}

/*
 * The link from node 0 to 1 has as much as one far task takes, 1e9 / 4882 = 204834.1 ns a MiB. Two of node 0 that read of node 1 share it;
 * two that read the other way have a link of their own; one of node 0 that reads its own memory is not disturbed.
 */
static void test_bandwidth_of_a_link_is_shared_by_who_goes_that_way(void **state)
{
	const uint64_t piece = 204835;
	struct script_world world;
	struct reader a, b, back, near;

	(void)state;
	boot(&world, COSTS_MIB_S_MAX, ONE_STREAM / 2);
	add_reader(&world, &a, 0, 1, ROUNDS);
	add_reader(&world, &b, 1, 1, ROUNDS);
	add_reader(&world, &back, 4, 0, ROUNDS);
	add_reader(&world, &near, 2, 0, ROUNDS);
	script_go(&world);
	assert_int_equal(end_of(&a), (2 * ROUNDS - 1) * piece);
	assert_int_equal(end_of(&b), 2 * ROUNDS * piece);
	assert_int_equal(end_of(&back), ROUNDS * piece);
	/* the controller of node 0 takes a ns for each MiB that passes it */
	assert_in_range(end_of(&near), ROUNDS * NEAR_NS, ROUNDS * (NEAR_NS + 2));
	script_world_release(&world);
}

/* Three near and two far readers of node 0, of unequal pace and on CPUs that others share: 5 x 8 MiB take no less than they must. */
static void test_bandwidth_is_never_exceeded(void **state)
{
	static const struct script_op busy[] = { { DO_RUN, NULL, 300000 }, { DO_EXIT, NULL, 0 } };
	static const uint32_t cpus[] = { 0, 0, 1, 4, 5 };
	static const uint64_t mib_s[] = { 5000, 9765, 15000, 25000 };
	struct reader reader[5];

	(void)state;
	for (size_t n = 0; n < sizeof(mib_s) / sizeof(*mib_s); n++) {
		struct script other = { .op = busy };
		struct script_world world;
		uint64_t last = 0;

		boot(&world, mib_s[n], COSTS_MIB_S_MAX);
		script_spawn(world.sim, "busy", &other, 2);
		for (size_t i = 0; i < 5; i++)
			add_reader(&world, &reader[i], cpus[i], 0, ROUNDS);
		script_go(&world);
		for (size_t i = 0; i < 5; i++)
			last = end_of(&reader[i]) > last ? end_of(&reader[i]) : last;
		assert_true(last * mib_s[n] >= 5 * ROUNDS * UINT64_C(1000000000));
		/* where it is what all wait for, next to nothing of it is lost: less than two pieces of each */
		if (mib_s[n] == 5000)
			assert_true(last <= 5 * (ROUNDS + 2) * UINT64_C(200000));
		script_world_release(&world);
	}
}

/*
 * Two on CPU 0 take turns, so two of three run at any time, and there is enough for two. A piece that a switch cuts counts as read in the
 * last 102 us before its end: that may have its task wait then, for less than a piece in all of these 200 ms.
 */
static void test_bandwidth_is_not_kept_by_who_has_no_cpu(void **state)
{
	struct script_world world;
	struct reader a, b, c;

	(void)state;
	boot(&world, 2 * (ONE_STREAM + 1), COSTS_MIB_S_MAX);
	add_reader(&world, &a, 0, 0, 100 * ROUNDS);
	add_reader(&world, &b, 0, 0, 100 * ROUNDS);
	add_reader(&world, &c, 1, 0, 100 * ROUNDS);
	script_go(&world);
	assert_int_equal(end_of(&c), 100 * ROUNDS * NEAR_NS);
	assert_in_range(waited(&world), 0, NEAR_NS);
	script_world_release(&world);
}

/* By distance as elsewhere, without any limit; @pairs have their own. */
static void boot_with(struct script_world *world, const struct costs_pairs *pairs)
{
	script_world_init(world, 2, 1, 4, 1);
	world->costs.memory_ns_kib[SIM_NODE] = NEAR_NS / KIB;
	world->costs.memory_ns_kib[SIM_REMOTE] = FAR_NS / KIB;
	world->setup.pairs = pairs;
	script_boot(world);
}

/*
 * From node 0 to node 1 a MiB takes four times as long as by the distance, from node 1 to node 0 half as long again; own memory is what its
 * distance is but on node 1, where it takes twice as long.
 */
static void test_bandwidth_pairs_have_their_own_price(void **state)
{
	struct costs_pair pair[] = {
		{ .from = 0, .to = 1, .value = 4 * FAR_NS / KIB },
		{ .from = 1, .to = 0, .value = 3 * FAR_NS / 2 / KIB },
		{ .from = 1, .to = 1, .value = 2 * NEAR_NS / KIB },
	};
	const struct costs_pairs pairs = { pair, 3 };
	struct script_world world;
	struct reader there, back, near, own;

	(void)state;
	boot_with(&world, &pairs);
	add_reader(&world, &there, 0, 1, ROUNDS);
	add_reader(&world, &back, 4, 0, ROUNDS);
	add_reader(&world, &near, 1, 0, ROUNDS);
	add_reader(&world, &own, 5, 1, ROUNDS);
	script_go(&world);
	assert_in_range(end_of(&there), ROUNDS * 4 * FAR_NS, ROUNDS * (4 * FAR_NS + 4));
	assert_in_range(end_of(&back), ROUNDS * 3 * FAR_NS / 2, ROUNDS * (3 * FAR_NS / 2 + 4));
	assert_in_range(end_of(&near), ROUNDS * NEAR_NS, ROUNDS * (NEAR_NS + 4));
	assert_in_range(end_of(&own), ROUNDS * 2 * NEAR_NS, ROUNDS * (2 * NEAR_NS + 4));
	script_world_release(&world);
}

/*
 * The link from node 0 to 1 has half of what a far task reads, 1e9 / 2441 = 409668.2 ns a MiB; the way back has what all want. Node 1's controller has
 * half of what a near task reads, 1e9 / 4882 = 204834.1; node 0's has enough. Two of node 0 share the link, which is the narrower one.
 */
static void test_bandwidth_pairs_have_their_own_links(void **state)
{
	struct costs_pair pair[] = {
		{ COSTS_PAIR_MIB_S, 0, 1, 0, ONE_STREAM / 4 },
		{ COSTS_PAIR_MIB_S, 1, 1, 0, ONE_STREAM / 2 },
	};
	const struct costs_pairs pairs = { pair, 2 };
	struct script_world world;
	struct reader a, b, back, own;

	(void)state;
	boot_with(&world, &pairs);
	add_reader(&world, &a, 0, 1, ROUNDS);
	add_reader(&world, &b, 1, 1, ROUNDS);
	add_reader(&world, &back, 4, 0, ROUNDS);
	script_go(&world);
	assert_int_equal(end_of(&b), 2 * ROUNDS * UINT64_C(409669));
	assert_int_equal(end_of(&a), (2 * ROUNDS - 1) * UINT64_C(409669));
	assert_in_range(end_of(&back), ROUNDS * FAR_NS, ROUNDS * (FAR_NS + 4));
	script_world_release(&world);
	boot_with(&world, &pairs);
	add_reader(&world, &own, 4, 1, ROUNDS);
	add_reader(&world, &back, 5, 0, ROUNDS);
	script_go(&world);
	assert_int_equal(end_of(&own), ROUNDS * UINT64_C(204835));
	assert_in_range(end_of(&back), ROUNDS * FAR_NS, ROUNDS * (FAR_NS + 4));
	script_world_release(&world);
}

/* The same again gives the same times. */
static void test_bandwidth_is_the_same_again(void **state)
{
	uint64_t end[2][4];

	(void)state;
	for (int run = 0; run < 2; run++) {
		struct script_world world;
		struct reader reader[4];

		boot(&world, ONE_STREAM * 3 / 2, ONE_STREAM / 2);
		for (uint32_t i = 0; i < 4; i++)
			add_reader(&world, &reader[i], 2 * i, i == 1, ROUNDS + i);
		script_go(&world);
		for (uint32_t i = 0; i < 4; i++)
			end[run][i] = end_of(&reader[i]);
		script_world_release(&world);
	}
	assert_memory_equal(end[0], end[1], sizeof(end[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bandwidth_one_task_is_no_faster_than_its_price),
		cmocka_unit_test(test_bandwidth_one_task_is_no_faster_than_the_controller),
		cmocka_unit_test(test_bandwidth_of_one_task_gives_two_half_each),
		cmocka_unit_test(test_bandwidth_that_is_enough_lets_nobody_wait),
		cmocka_unit_test(test_bandwidth_nodes_do_not_disturb_each_other),
		cmocka_unit_test(test_bandwidth_of_a_link_is_shared_by_who_goes_that_way),
		cmocka_unit_test(test_bandwidth_is_never_exceeded),
		cmocka_unit_test(test_bandwidth_is_not_kept_by_who_has_no_cpu),
		cmocka_unit_test(test_bandwidth_pairs_have_their_own_price),
		cmocka_unit_test(test_bandwidth_pairs_have_their_own_links),
		cmocka_unit_test(test_bandwidth_is_the_same_again),
	};

	return cmocka_run_group_tests_name("sim/bandwidth", tests, NULL, NULL);
}
