// SPDX-License-Identifier: GPL-2.0-only
/* workload/rr_model_test.c - requests whose answers take what the costs say. */
#include "workload/rr.h"

#include "sim/fixture_script.h"
#include "workload/arrivals.h"
#include "workload/model.h"
#include "workload/model_figure.h"

#include <errno.h>

#include "check.h"

extern const struct workload workload_rr;

#define MS 1000000
#define S  (1000 * MS)

static void set_transports(struct script_world *world, uint64_t send_ns, uint64_t receive_ns)
{
	for (int i = 0; i < NR_SIM_TRANSPORTS; i++) {
		world->costs.send_ns[i] = send_ns;
		world->costs.receive_ns[i] = receive_ns;
	}
}

static struct run play(struct script_world *world, const struct rr_cfg *cfg)
{
	struct run run = { .workload = &workload_rr };
	struct error err = { 0 };

	script_boot(world);
	if (rr_model(&run, world->sim, cfg, &err))
		fail_msg("%s", err.text);
	script_world_release(world);
	return run;
}

/*
 * On one CPU. Who has just got it takes a message, 150, sends one, 100 + 200, wakes the other one, 300, asks for the next, 100, and waits: switch,
 * 1000. 1850, twice: 3700 from a request to its answer.
 */
static void test_rr_model_on_one_cpu(void **state)
{
	(void)state;
	for (int transport = RR_TCP; transport <= RR_UNIX; transport++) {
		const struct rr_cfg cfg = { .transport = transport,
					    .mode = transport % 2,
					    .pairs = 1,
					    .request_bytes = 10,
					    .response_bytes = 100,
					    .time_ns = 50 * MS,
					    .warmup_ns = 10 * MS,
					    .patience_ns = S };
		struct script_world world;
		struct run run;

		script_world_init(&world, 1, 1, 1, 1);
		set_transports(&world, 200, 150);
		world.costs.syscall_ns = 100;
		world.costs.wake_ns[SIM_SAME] = 300;
		world.costs.switch_ns = 1000;
		run = play(&world, &cfg);
		assert_near(metric(&run, "latency-p50"), 3700, 3700. / 512);
		assert_near(metric(&run, "transactions"), 1e9 / 3700, 30);
		assert_near(metric(&run, "same-cpu"), 100, 0);
		assert_near(metric(&run, "moves"), 0, 0);
		assert_null(result_metric(&run.result, "unserved"));
		result_release(&run.result);
	}
}

/* A send takes 1000 and nothing else anything, so a request 2000: in 2000 times its length the whole script is asked once. */
static void test_rr_model_of_tbench(void **state)
{
	struct rr_cfg cfg = { .flavor = RR_TBENCH,
			      .transport = RR_TCP,
			      .pairs = 1,
			      .request_bytes = 1,
			      .response_bytes = 1,
			      .patience_ns = S,
			      .seed = 1 };
	struct rr_script script;
	struct script_world world;
	struct run run;
	double payload = 0;

	(void)state;
	rr_script_init(&script, &cfg);
	for (size_t i = 0; i < script.nr; i++)
		payload += script.steps[i].payload;
	cfg.time_ns = 2000 * script.nr;
	script_world_init(&world, 1, 1, 1, 1);
	set_transports(&world, 1000, 0);
	run = play(&world, &cfg);
	assert_near(metric(&run, "transactions"), 500000, 1e-3);
	assert_near(metric(&run, "payload"), payload * 1e9 / (double)cfg.time_ns, 1);
	assert_non_null(result_note(&run.result, "operations"));
	rr_script_release(&script);
	result_release(&run.result);
}

/* To receive takes 5000: an answer comes 10000 after its request, which is due at a time and sent by a timer 1 later. */
static void test_rr_model_of_an_open_loop(void **state)
{
	const struct rr_cfg cfg = { .transport = RR_UDP,
				    .pairs = 2,
				    .request_bytes = 1,
				    .response_bytes = 1,
				    .time_ns = S,
				    .rate = 1000,
				    .arrivals = ARRIVALS_UNIFORM,
				    .patience_ns = S };
	struct script_world world;
	struct run run;

	(void)state;
	script_world_init(&world, 1, 1, 6, 1);
	set_transports(&world, 0, 5000);
	run = play(&world, &cfg);
	assert_near(metric(&run, "transactions"), 1000, 0);
	assert_near(metric(&run, "latency-p50"), 10001, 20);
	assert_near(metric(&run, "latency-max"), 10001, 0);
	assert_near(metric(&run, "fairness"), 100, 0);
	assert_near(metric(&run, "unserved"), 0, 0);
	result_release(&run.result);
}

/*
 * The same by one pair with one due each 5000: 2000 in 10 ms, of which half are answered, the last at the end. Number n, from 0 on, is due
 * at 5000 n and answered at 10000 (n + 1): the last one, 999, 10 ms - 999 x 5000 after that. The others wait to the end, the first of them, 1000,
 * for 5 ms.
 */
static void test_rr_model_that_cannot_serve_all(void **state)
{
	const struct rr_cfg cfg = { .transport = RR_UNIX,
				    .pairs = 1,
				    .request_bytes = 1,
				    .response_bytes = 1,
				    .time_ns = 10 * MS,
				    .rate = 200000,
				    .arrivals = ARRIVALS_UNIFORM,
				    .patience_ns = S };
	struct script_world world;
	struct run run;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	set_transports(&world, 0, 5000);
	run = play(&world, &cfg);
	assert_near(metric(&run, "transactions"), 100000, 0);
	assert_near(metric(&run, "unserved"), 1000, 0);
	assert_near(metric(&run, "latency-max"), 10 * MS - 999 * 5000, 0);
	result_release(&run.result);
}

static void test_rr_model_has_patience(void **state)
{
	const struct rr_cfg cfg = { .transport = RR_TCP,
				    .pairs = 1,
				    .request_bytes = 1,
				    .response_bytes = 1,
				    .time_ns = 10 * MS,
				    .patience_ns = 1000 };
	struct run run = { .workload = &workload_rr };
	struct error err = { 0 };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	set_transports(&world, 0, 5000);
	script_boot(&world);
	assert_int_equal(rr_model(&run, world.sim, &cfg, &err), -ETIMEDOUT);
	assert_string_equal(err.text, "client 0: nothing came for 1e-06 s");
	script_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rr_model_on_one_cpu),
		cmocka_unit_test(test_rr_model_of_tbench),
		cmocka_unit_test(test_rr_model_of_an_open_loop),
		cmocka_unit_test(test_rr_model_that_cannot_serve_all),
		cmocka_unit_test(test_rr_model_has_patience),
	};

	return cmocka_run_group_tests_name("workload/rr_model", tests, NULL, NULL);
}
