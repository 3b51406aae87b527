// SPDX-License-Identifier: GPL-2.0-only
#include "topo/cost_scale.h"

#include "topo/grid.h"

#include "base/mem.h"

#include "check.h"

#include <errno.h>
#include <string.h>

static const struct grid socket = {
	.cpus = 240,
	.threads = 2,
	.llc = 60,
	.nodes = 4,
	.near = 21,
	.threads_last = true,
};

static void check_close(const struct mask_ops *a, const struct mask_ops *b, double share)
{
	for (unsigned int i = 0; i < NR_MASK_OPS; i++) {
		assert_near(a->count[i], b->count[i], share * (double)b->count[i] + 20);
		assert_near(a->words[i], b->words[i], share * (double)b->words[i] + 20);
	}
}

/* @samples of all transitions against every one of them; both end with the same CPUs up. */
static void compare_sampled(unsigned int samples, double share)
{
	struct machine *m = machine_grid(&socket);
	struct cost_run some, all;
	struct hotplug *a, *b;
	struct release r;

	release_preset(&r, 6, 14, ARCH_X86);
	a = hotplug_boot(m, &r);
	b = hotplug_boot(m, &r);
	assert_int_equal(cost_hotplug_sampled(&some, a, "half-offline", samples, NULL), 0);
	assert_int_equal(cost_hotplug(&all, b, "half-offline", NULL), 0);
	assert_int_equal(all.transitions, 120);
	assert_int_equal(some.transitions, 120);
	assert_ptr_equal(a->active, b->active);
	assert_int_equal(a->tree[0]->map->weight, 120);
	for (unsigned int how = 0; how < NR_SPAN_CHECKS; how++)
		check_close(&some.check[how], &all.check[how], share);
	check_close(&some.build, &all.build, share);
	/* and back */
	assert_int_equal(cost_hotplug_sampled(&some, a, "all-online", samples, NULL), 0);
	assert_int_equal(cost_hotplug(&all, b, "all-online", NULL), 0);
	assert_ptr_equal(a->active, m->online);
	check_close(&some.check[SPAN_PAIRWISE_HALF], &all.check[SPAN_PAIRWISE_HALF], share);
	hotplug_free(a);
	hotplug_free(b);
	machine_free(m);
}

static void test_cost_hotplug_sampled_is_exact_with_every_transition(void **state)
{
	(void)state;
	compare_sampled(1000, 0);
}

static void test_cost_hotplug_sampled_is_close_with_some(void **state)
{
	(void)state;
	compare_sampled(17, 0.005);
}

static void test_cost_hotplug_sampled_refuses_what_a_plan_refuses(void **state)
{
	struct machine *m = machine_grid(&socket);
	struct cost_run run;
	struct hotplug *h;
	struct release r;

	(void)state;
	release_preset(&r, 6, 14, ARCH_X86);
	h = hotplug_boot(m, &r);
	assert_int_equal(cost_hotplug_sampled(&run, h, "everything", 17, NULL), -EINVAL);
	/* nothing is offline, so there is nothing to do */
	assert_int_equal(cost_hotplug_sampled(&run, h, "all-online", 17, NULL), 0);
	assert_int_equal(run.transitions, 0);
	/* the last CPU stays */
	assert_int_equal(cost_hotplug_sampled(&run, h, "0-239", 17, NULL), -EBUSY);
	hotplug_free(h);
	machine_free(m);
}

/*
 * One rebuild of 2 nodes of 32 CPUs, two threads a core, one cache a node: levels SMT, CLS (the core), MC,
 * PKG and NODE (the node). pairwise_full makes N (N - 1) comparisons a level: 5 * 64 * 63; and
 * N (N - k) intersections: 2 * 64 * 62 + 3 * 64 * 32.
 */
static void test_cost_scale_counts_the_closed_form(void **state)
{
	struct grid grid = { .cpus = 64, .threads = 2, .llc = 32, .nodes = 2, .near = 20 };
	struct machine *m = machine_grid(&grid);
	struct scale scale;
	struct release r;

	(void)state;
	release_preset(&r, 6, 14, ARCH_X86);
	assert_int_equal(cost_scale(&scale, m, &r, 64, 256, NULL), 0);
	assert_int_equal(scale.nr, 3);
	assert_int_equal(scale.row[0].once.check[SPAN_PAIRWISE_FULL].count[OP_EQUAL], 5 * 64 * 63);
	assert_int_equal(scale.row[0].once.check[SPAN_PAIRWISE_FULL].count[OP_INTERSECTS],
			 2 * 64 * 62 + 3 * 64 * 32);
	/* four times the CPUs: as many more nodes */
	assert_int_equal(scale.row[2].cpus, 256);
	assert_int_equal(scale.row[2].nodes, 8);
	assert_int_equal(scale.row[2].half.transitions, 128);
	scale_release(&scale);
	machine_free(m);
}

static void test_cost_scale_prints_every_size_and_curve(void **state)
{
	struct machine *m = machine_grid(&socket);
	struct cost_model model = { 0 };
	struct strbuf sb = { 0 };
	struct error err = { 0 };
	struct scale scale;
	struct release r;

	(void)state;
	release_preset(&r, 6, 14, ARCH_X86);
	assert_int_equal(cost_scale(&scale, m, &r, 16, 64, &err), 0);
	cost_scale_print(&scale, NULL, &sb);
	assert_non_null(strstr(strbuf_str(&sb), "mask words touched"));
	assert_non_null(strstr(strbuf_str(&sb), "linear_idset"));
	assert_non_null(strstr(strbuf_str(&sb), "\n    64  ."));
	/* at no price at all there is nothing to plot, and no growth */
	strbuf_reset(&sb);
	cost_scale_print(&scale, &model, &sb);
	assert_null(strstr(strbuf_str(&sb), "logarithmic"));
	assert_null(strstr(strbuf_str(&sb), "CPUs^"));
	scale_release(&scale);
	strbuf_release(&sb);
	assert_int_equal(cost_scale(&scale, m, &r, 128, 64, &err), -EINVAL);
	assert_int_equal(cost_scale(&scale, m, &r, 1, 64, &err), -EINVAL);
	machine_free(m);
}

static void test_cost_scale_parse_takes_a_range_or_one_size(void **state)
{
	static const char *const bad[] = { "",	       "64..",	   "..64", "1..64", "64..32",
					   "64..8193", "64...128", "x",	   "64 128" };
	unsigned int from = 7, to = 7;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(cost_scale_parse(&from, &to, bad[i], NULL), -EINVAL);
	assert_int_equal(from, 7);
	assert_int_equal(cost_scale_parse(&from, &to, "64..8192", NULL), 0);
	assert_true(from == 64 && to == 8192);
	assert_int_equal(cost_scale_parse(&from, &to, "960", NULL), 0);
	assert_true(from == 960 && to == 960);
}

static void test_grid_like_is_like(void **state)
{
	struct grid grid = { .cpus = 384,
			     .threads = 2,
			     .llc = 16,
			     .nodes = 8,
			     .near_nodes = 4,
			     .near = 12,
			     .far = 32,
			     .threads_last = true };
	struct machine *m = machine_grid(&grid), *other;
	struct grid like;

	(void)state;
	grid_like(&like, m, 384);
	assert_int_equal(like.cpus, 384);
	assert_int_equal(like.threads, 2);
	assert_int_equal(like.llc, 16);
	assert_int_equal(like.nodes, 8);
	assert_int_equal(like.near_nodes, 4);
	assert_int_equal(like.near, 12);
	assert_int_equal(like.far, 32);
	assert_true(like.threads_last);
	/* less than a node of 48 */
	grid_like(&like, m, 12);
	assert_int_equal(like.nodes, 1);
	other = machine_grid(&like);
	assert_int_equal(other->nr_nodes, 1);
	assert_int_equal(other->cpu[6].share[SHARE_THREADS]->first, 0);
	machine_free(other);
	/* more nodes than there may be, or than there are cores */
	like = (struct grid){ .cpus = 8192, .threads = 1, .nodes = 4096, .near = 20 };
	other = machine_grid(&like);
	assert_int_equal(other->nr_nodes, 1024);
	machine_free(other);
	like = (struct grid){ .cpus = 5, .threads = 2, .llc = 1, .nodes = 9, .near = 20 };
	other = machine_grid(&like);
	assert_int_equal(other->nr_nodes, 3);
	assert_int_equal(other->cpu[4].share[SHARE_THREADS]->weight, 1);
	machine_free(other);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cost_hotplug_sampled_is_exact_with_every_transition),
		cmocka_unit_test(test_cost_hotplug_sampled_is_close_with_some),
		cmocka_unit_test(test_cost_hotplug_sampled_refuses_what_a_plan_refuses),
		cmocka_unit_test(test_cost_scale_counts_the_closed_form),
		cmocka_unit_test(test_cost_scale_prints_every_size_and_curve),
		cmocka_unit_test(test_cost_scale_parse_takes_a_range_or_one_size),
		cmocka_unit_test(test_grid_like_is_like),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
