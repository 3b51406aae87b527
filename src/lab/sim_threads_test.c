// SPDX-License-Identifier: GPL-2.0-only
/*
 * lab/sim_threads_test.c - replicates in threads of one process give the bytes that they give one after the other: whatever a run
 * changes is its own. schedproof makes them in processes (lab/sim_crew.h), where nothing shared could show; under the thread
 * sanitizer this shows it.
 */
#include "lab/sim_run.h"

#include "base/mem.h"
#include "sched/model_core.h"
#include "sim/fixture_core.h"

#include <pthread.h>
#include <stdlib.h>

#include "check.h"

#define RUNS 6

/* What is run, with two of its options. */
static const struct {
	const char *workload, *option[2][2];
} loads[] = {
	{ "hackbench", { { "groups", "2" }, { "loops", "20" } } },
	{ "pipe", { { "loops", "300" }, { "cpus", "free" } } },
	{ "schbench", { { "runtime", "20ms" }, { "warmup", "0" } } },
};

struct replicate {
	pthread_t thread;
	struct sim_job job;
	struct strbuf text;
};

static void *replicate(void *data)
{
	struct replicate *r = data;

	sim_run_here(&r->job, &r->text);
	return NULL;
}

/* By @ops, of @workload: seeds 1 .. RUNS / 2, each of them twice, at once. */
static void check_load(const struct core_ops *ops, const struct workload *workload, const void *cfg)
{
	struct fixture_machine machine;
	struct sim_ground ground = {
		.core = { .ops = ops, .about = (char *)"a core" },
		.about_machine = (char *)"eight CPUs",
		.about_costs = (char *)"defaults",
		.spread_ppm = 10000,
		.check = true,
	};
	struct replicate runs[RUNS] = { 0 };
	struct strbuf alone = { 0 };

	fixture_machine_init(&machine, 1, 2, 2, 2);
	ground.shape.of = machine.machine;
	costs_default(&ground.costs);
	for (size_t i = 0; i < RUNS; i++) {
		runs[i].job = (struct sim_job){
			.ground = &ground, .workload = workload, .cfg = cfg, .seed = i / 2 + 1
		};
		assert_int_equal(pthread_create(&runs[i].thread, NULL, replicate, &runs[i]), 0);
	}
	for (size_t i = 0; i < RUNS; i++)
		pthread_join(runs[i].thread, NULL);
	for (size_t i = 0; i < RUNS; i++) {
		strbuf_reset(&alone);
		assert_true(sim_run_here(&runs[i].job, &alone));
		assert_string_equal(runs[i].text.s, alone.s);
	}
	assert_string_not_equal(runs[0].text.s, runs[RUNS - 1].text.s);
	for (size_t i = 0; i < RUNS; i++)
		strbuf_release(&runs[i].text);
	strbuf_release(&alone);
	fixture_machine_release(&machine);
}

static void check_core(const struct core_ops *ops)
{
	for (size_t i = 0; i < ARRAY_SIZE(loads); i++) {
		const struct workload *workload = workload_find(loads[i].workload);
		void *cfg = xcalloc(1, workload->cfg_size);
		struct error err = { 0 };

		opts_init(workload->opts, cfg);
		for (size_t k = 0; k < 2; k++)
			if (opts_set(workload->opts, cfg, loads[i].option[k][0],
				     loads[i].option[k][1], &err))
				fail_msg("%s", err.text);
		check_load(ops, workload, cfg);
		opts_release(workload->opts, cfg);
		free(cfg);
	}
}

static void test_replicates_of_the_model_share_nothing(void **state)
{
	(void)state;
	check_core(&core_model);
}

static void test_replicates_of_another_core_share_nothing(void **state)
{
	(void)state;
	check_core(&fixture_core);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replicates_of_the_model_share_nothing),
		cmocka_unit_test(test_replicates_of_another_core_share_nothing),
	};

	return cmocka_run_group_tests_name("lab/sim_threads", tests, NULL, NULL);
}
