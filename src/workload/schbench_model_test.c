// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/schbench_model_test.c - on three CPUs: that of the main task, the message thread's and the worker's. Nothing takes any time but an interrupt
 * from one CPU to another, 5 us. The gate is opened at T; both threads run at T + 5 us. The worker asks to be woken; the message thread runs 5 us
 * later, and 5 us after that the worker.
 */
#include "workload/schbench.h"

#include "sim/fixture_script.h"
#include "workload/model.h"
#include "workload/model_figure.h"

#include <errno.h>

#include "check.h"

extern const struct workload workload_schbench;

#define US 1000
#define MS (1000 * US)
#define S  (1000 * MS)

static void init(struct script_world *world, uint32_t cpus)
{
	script_world_init(world, 1, 1, cpus, 1);
	world->costs.ipi_ns[SIM_LLC] = 5 * US;
	world->costs.work_unit_ps = 1000;
	world->costs.matrix_step_ps = 1000;
	for (int i = 0; i < NR_SIM_DISTANCES; i++)
		world->costs.memory_ns_kib[i] = 1000;
}

static struct run play_on(struct script_world *world, const struct schbench_cfg *cfg)
{
	struct run run = { .workload = &workload_schbench };
	struct error err = { 0 };

	script_boot(world);
	if (schbench_model(&run, world->sim, cfg, &err))
		fail_msg("%s", err.text);
	script_world_release(world);
	return run;
}

static struct run play(uint32_t cpus, const struct schbench_cfg *cfg)
{
	struct script_world world;

	init(&world, cpus);
	return play_on(&world, cfg);
}

/*
 * A request takes 10 ms, and 10 us to the next: they end at T + 15 us + 10 ms, and each 10.01 ms later: the ninth at 90.095, the tenth would at
 * 100.105 ms.
 */
static void test_schbench_model_of_generation_b(void **state)
{
	const struct schbench_cfg cfg = { .gen = GEN_B,
					  .messengers = 1,
					  .threads = 1,
					  .runtime_ns = 100 * MS,
					  .warmup = (char *)"0s",
					  .think_ns = 10 * MS };
	struct run run = play(3, &cfg);

	(void)state;
	assert_near(metric(&run, "wakeup-max"), 5 * US, 0);
	assert_near(metric(&run, "wakeup-p50"), 5 * US, 10);
	assert_near(metric(&run, "request-max"), 10 * MS, 0);
	assert_near(metric(&run, "response-max"), 5 * US, 0);
	assert_near(metric(&run, "rps"), 90, 1e-9);
	assert_near(metric(&run, "unfinished"), 1, 0);
	assert_near(metric(&run, "message-delay"), 5 * US, 0);
	assert_near(metric(&run, "worker-delay"), 5 * US, 0);
	assert_int_equal(run.stop_ns - run.start_ns, 100 * MS);
	result_release(&run.result);
}

/* 10 ms before the first request: the first ends at T + 20.015 ms, the eighth at 90.085. */
static void test_schbench_model_of_generation_a(void **state)
{
	const struct schbench_cfg cfg = { .gen = GEN_A,
					  .messengers = 1,
					  .threads = 1,
					  .runtime_ns = 100 * MS,
					  .think_ns = 10 * MS };
	struct run run = play(3, &cfg);

	(void)state;
	assert_near(metric(&run, "rps"), 80, 1e-9);
	result_release(&run.result);
}

/*
 * Matrices of 100 rows: 10^6 steps of 1 ns a product, five of these, after a nap of 100 us. Ends at T + 15 us + 5.1 ms, and each 5.11 ms
 * later: the 19th at 97.095 ms.
 */
static void test_schbench_model_of_generation_d(void **state)
{
	struct schbench_cfg cfg = { .gen = GEN_D,
				    .messengers = 1,
				    .threads = 1,
				    .runtime_ns = 100 * MS,
				    .nap_ns = 100 * US,
				    .operations = 5,
				    .footprint_bytes = 3 * 8 * 100 * 100,
				    .lock = true };
	struct run run = play(3, &cfg);

	(void)state;
	assert_near(metric(&run, "wakeup-max"), 5 * US, 0);
	assert_near(metric(&run, "request-max"), 5100 * US, 0);
	assert_near(metric(&run, "work"), 5 * MS, 0);
	assert_near(metric(&run, "rps"), 190, 1e-9);
	result_release(&run.result);

	cfg.calibrate = true; /* the nap is no part of it */
	run = play(3, &cfg);
	assert_near(metric(&run, "request-max"), 5 * MS, 0);
	result_release(&run.result);
}

/*
 * Two workers on one CPU, that changes each ms. Who has the CPU's lock has it also while the other one spins for it: half of the time is
 * lost, and 5 ms of work last 9 or 10.
 */
static void test_schbench_model_locks(void **state)
{
	struct schbench_cfg cfg = { .gen = GEN_D,
				    .messengers = 1,
				    .threads = 2,
				    .runtime_ns = S,
				    .operations = 5,
				    .footprint_bytes = 3 * 8 * 100 * 100 };
	struct run run = play(1, &cfg);

	(void)state;
	assert_in_range((uint64_t)metric(&run, "rps"), 198, 200);
	result_release(&run.result);
	cfg.lock = true;
	run = play(1, &cfg);
	assert_in_range((uint64_t)metric(&run, "rps"), 100, 112);
	result_release(&run.result);
}

/*
 * The worker asks, the message thread runs 5 us later, thinks 2 ms, sleeps 8 to 10 and wakes the worker, which runs 5 us later and works 1 ms: 12.01 ms
 * on average. 833 sleeps deviate by 0.58 ms / 29, so the rate by 0.14.
 */
static void test_schbench_model_pauses(void **state)
{
	const struct schbench_cfg cfg = { .gen = GEN_C,
					  .messengers = 1,
					  .threads = 1,
					  .runtime_ns = 10 * (uint64_t)S,
					  .think_ns = MS,
					  .message_think_ns = 2 * MS,
					  .sleep_ns = 8 * MS };
	struct run run = play(3, &cfg);

	(void)state;
	assert_near(metric(&run, "rps"), 1e3 / 12.01, 0.5);
	assert_near(metric(&run, "rps-p50"), 83, 1);
	result_release(&run.result);
}

/* Each 100 ms one comes by itself, and is 1 ms of work. */
static void test_schbench_model_with_rps(void **state)
{
	const struct schbench_cfg cfg = { .gen = GEN_D,
					  .messengers = 1,
					  .threads = 1,
					  .runtime_ns = 2 * (uint64_t)S,
					  .work = WORK_UNITS,
					  .think_ns = MS,
					  .rps = 10,
					  .arrivals = REQUESTS_UNIFORM };
	struct run run = play(3, &cfg);

	(void)state;
	assert_near(metric(&run, "wakeup-max"), 5 * US, 0);
	assert_near(metric(&run, "response-max"), 5 * US, 0);
	assert_near(metric(&run, "request-max"), MS, 0);
	assert_near(metric(&run, "rps"), 10, 0);
	assert_near(metric(&run, "rps-p20"), 10, 0);
	assert_near(metric(&run, "goal-rps"), 10, 0);
	assert_near(metric(&run, "dropped"), 0, 0);
	assert_near(metric(&run, "queue-max"), 1, 0);
	assert_near(metric(&run, "work-unit"), 1, 0);
	assert_near(metric(&run, "unfinished"), 0, 0);
	result_release(&run.result);
}

/* 20 at once, of which 8 find room: they begin 5 us, 1005 us, ... 7005 us later. */
static void test_schbench_model_drops_requests(void **state)
{
	const struct schbench_cfg cfg = { .gen = GEN_D,
					  .messengers = 1,
					  .threads = 1,
					  .runtime_ns = S,
					  .work = WORK_UNITS,
					  .think_ns = MS,
					  .rps = 20,
					  .queue = 8 };
	struct run run = play(3, &cfg);

	(void)state;
	assert_near(metric(&run, "dropped"), 12, 0);
	assert_near(metric(&run, "queue-max"), 8, 0);
	assert_near(metric(&run, "rps"), 8, 0);
	assert_near(metric(&run, "wakeup-max"), 7005 * US, 0);
	result_release(&run.result);
}

/* 1 ms of work a request, three CPUs: a fifth of them is busy by 600 a second. */
static void test_schbench_model_finds_rps(void **state)
{
	const struct schbench_cfg cfg = { .gen = GEN_D,
					  .messengers = 1,
					  .threads = 1,
					  .runtime_ns = S,
					  .work = WORK_UNITS,
					  .think_ns = MS,
					  .auto_rps = 20,
					  .arrivals = REQUESTS_UNIFORM };
	struct run run = play(3, &cfg);

	(void)state;
	assert_in_range((uint64_t)metric(&run, "goal-rps"), 540, 660);
	assert_near(metric(&run, "busy"), 20, 2);
	assert_near(metric(&run, "rps"), metric(&run, "goal-rps"), 1);
	result_release(&run.result);
}

/* 4 KiB at 1 us a KiB: the message thread writes them after it has decided to wake, the worker before it asks. */
static void test_schbench_model_pipe(void **state)
{
	const struct schbench_cfg cfg = { .gen = GEN_D,
					  .messengers = 1,
					  .threads = 1,
					  .runtime_ns = 100 * MS,
					  .pipe_bytes = 4096 };
	struct run run = play(3, &cfg);

	(void)state;
	assert_near(metric(&run, "wakeup-max"), 9 * US, 0);
	/* 4 + 5 + 4 + 5 us a hop */
	assert_near(metric(&run, "rps"), 1e6 / 18, 20);
	result_release(&run.result);
}

/* The first CPU for the message thread, the two others for the workers, which never have to wait for it. */
static void test_schbench_model_apart(void **state)
{
	struct schbench_cfg cfg = { .gen = GEN_D,
				    .messengers = 1,
				    .threads = 2,
				    .runtime_ns = 100 * MS,
				    .operations = 1,
				    .footprint_bytes = 3 * 8 * 100 * 100,
				    .message_cpus = (char *)"auto" };
	struct run run = play(4, &cfg);
	struct error err = { 0 };
	struct script_world world;

	(void)state;
	assert_near(metric(&run, "request-max"), MS, 0);
	result_release(&run.result);
	init(&world, 1);
	script_boot(&world);
	run = (struct run){ .workload = &workload_schbench };
	assert_int_equal(schbench_model(&run, world.sim, &cfg, &err), -EOPNOTSUPP);
	assert_string_equal(err.text, "message-cpus: auto needs a CPU more than message threads");
	script_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_schbench_model_of_generation_a),
		cmocka_unit_test(test_schbench_model_of_generation_b),
		cmocka_unit_test(test_schbench_model_of_generation_d),
		cmocka_unit_test(test_schbench_model_locks),
		cmocka_unit_test(test_schbench_model_pauses),
		cmocka_unit_test(test_schbench_model_with_rps),
		cmocka_unit_test(test_schbench_model_drops_requests),
		cmocka_unit_test(test_schbench_model_finds_rps),
		cmocka_unit_test(test_schbench_model_pipe),
		cmocka_unit_test(test_schbench_model_apart),
	};

	return cmocka_run_group_tests_name("workload/schbench_model", tests, NULL, NULL);
}
