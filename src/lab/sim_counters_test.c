// SPDX-License-Identifier: GPL-2.0-only
#include "lab/sim_run.h"

#include "base/mem.h"
#include "sched/model_core.h"
#include "sim/fixture_core.h"
#include "sim/sim.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

#define CPUS 8
#define BOOT 1000000

/* hackbench of two groups on two caches of two cores of two threads; exact costs */
static void run(struct result *result)
{
	static const char *const options[][2] = { { "groups", "2" },
						  { "fds", "4" },
						  { "loops", "20" } };
	const struct workload *workload = workload_find("hackbench");
	void *cfg = xcalloc(1, workload->cfg_size);
	struct fixture_machine machine;
	struct sim_ground ground = { .core = { .ops = &core_model, .about = (char *)"a core" },
				     .about_machine = (char *)"eight CPUs",
				     .about_costs = (char *)"defaults" };
	const struct sim_job job = {
		.ground = &ground, .workload = workload, .cfg = cfg, .seed = 1
	};
	struct strbuf text = { 0 };
	struct error err = { 0 };

	fixture_machine_init(&machine, 1, 2, 2, 2);
	ground.shape.of = machine.machine;
	costs_default(&ground.costs);
	opts_init(workload->opts, cfg);
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		assert_int_equal(opts_set(workload->opts, cfg, options[i][0], options[i][1], NULL),
				 0);
	assert_true(sim_run_here(&job, &text));
	if (result_read(result, text.s, strcspn(text.s, "\n"), &err))
		fail_msg("%s", err.text);
	strbuf_release(&text);
	opts_release(workload->opts, cfg);
	free(cfg);
	fixture_machine_release(&machine);
}

static double count(const struct result *result, const char *name)
{
	const struct value *value = result_counter(result, name);

	if (!value)
		fail_msg("no counter %s", name);
	return value->value;
}

static double migrations(const struct result *result, const char *name)
{
	char *whole = xasprintf("migrations-%s", name);
	double n = count(result, whole);

	free(whole);
	return n;
}

/* Each migration has a reason, of which there is more than one here, and a distance; each CPU is busy or idles at any time. */
static void test_sim_counters_add_up(void **state)
{
	struct result result = { 0 };
	double by_reason = 0, by_distance = 0;

	(void)state;
	run(&result);
	for (int r = 0; r < NR_CORE_REASONS; r++)
		by_reason += migrations(&result, trace_reason_name((enum core_reason)r));
	for (int d = SIM_SMT; d < NR_SIM_DISTANCES; d++)
		by_distance += migrations(&result, sim_distance_name((enum sim_distance)d));
	assert_near(by_reason, count(&result, "migrations"), 0);
	assert_near(by_distance, by_reason, 0);
	assert_true(migrations(&result, "fork") > 0 && migrations(&result, "fork") < by_reason);
	assert_near(count(&result, "busy-time") + count(&result, "idle-time"),
		    CPUS * (count(&result, "simulated-time") - BOOT), 0);
	/* 16 senders and receivers, and who forks them */
	assert_near(count(&result, "forked"), 17, 0);
	result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sim_counters_add_up),
	};

	return cmocka_run_group_tests_name("lab/sim_counters", tests, NULL, NULL);
}
