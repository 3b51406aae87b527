// SPDX-License-Identifier: GPL-2.0-only
/* workload/oltp_simulate_test.c - a statement takes 1000 ns, and nothing else anything but where a test says so: 20000 a transaction. */
#include "workload/oltp.h"

#include "sim/fixture_script.h"
#include "workload/model.h"
#include "workload/model_figure.h"

#include <errno.h>

#include "check.h"

extern const struct workload workload_oltp;

#define MS 1000000

static int try(struct run *run, uint32_t cpus, const struct oltp_cfg *cfg, struct error *err)
{
	struct script_world world;
	int ret;

	*run = (struct run){ .workload = &workload_oltp };
	script_world_init(&world, 1, 1, cpus, 1);
	world.costs.work_unit_ps = 1000;
	script_boot(&world);
	ret = oltp_simulate(run, world.sim, cfg, err);
	script_world_release(&world);
	return ret;
}

static struct run play(uint32_t cpus, const struct oltp_cfg *cfg)
{
	struct error err = { 0 };
	struct run run;

	if (try(&run, cpus, cfg, &err))
		fail_msg("%s", err.text);
	return run;
}

static struct oltp_cfg config(uint64_t clients, uint64_t workers)
{
	return (struct oltp_cfg){ .clients = clients,
				  .workers = workers,
				  .time_ns = 20 * MS,
				  .statement_ns = 1000,
				  .rows = 1000,
				  .patience_ns = 1000 * MS };
}

/* One after the other on one CPU; the queue makes the second client wait for the first one's transaction. */
static void test_oltp_simulate_on_one_cpu(void **state)
{
	struct oltp_cfg cfg = config(1, 1);
	struct run run = play(1, &cfg);

	(void)state;
	assert_near(metric(&run, "transactions"), 50000, 0);
	assert_near(metric(&run, "latency-max"), 20000, 0);
	assert_near(metric(&run, "total"), 1000, 0);
	assert_near(metric(&run, "lock-waits"), 0, 0);
	result_release(&run.result);
	cfg.clients = 2;
	run = play(1, &cfg);
	assert_near(metric(&run, "transactions"), 50000, 50);
	assert_near(metric(&run, "latency-p50"), 40000, 80);
	assert_near(metric(&run, "fairness"), 100, 0.2);
	result_release(&run.result);
}

/* The log sleeps 100000 for each commit, and 1 of slack: 120001 a transaction, 166 of them end in 20 ms. */
static void test_oltp_simulate_log(void **state)
{
	struct oltp_cfg cfg = config(1, 1);
	struct run run;

	(void)state;
	cfg.flush_ns = 100000;
	run = play(1, &cfg);
	assert_near(metric(&run, "latency-max"), 120001, 0);
	assert_near(metric(&run, "transactions"), 166 * 50, 0);
	assert_near(metric(&run, "commits-per-flush"), 1, 0);
	result_release(&run.result);
}

/*
 * Many workers that all want the first rows, on CPUs of their own: they wait for each other's rows until the commits are safe, none for longer than
 * all others may take, and the log takes several at a time.
 */
static void test_oltp_simulate_locks(void **state)
{
	struct oltp_cfg cfg = config(8, 8);
	struct run run;

	(void)state;
	cfg.flush_ns = 50000;
	cfg.skew = 3;
	run = play(20, &cfg);
	assert_true(metric(&run, "lock-waits") > 0.3);
	assert_true(metric(&run, "lock-wait-p50") > 1000);
	assert_true(metric(&run, "lock-wait-p99") < 8 * 70000);
	assert_true(metric(&run, "commits-per-flush") >= 1);
	result_release(&run.result);
}

/* A pause of 2 ms each 5 ms: at 5, 10 and 15 ms of 20, so a transaction lasts 2 ms longer at most; the one under way ends its statement first. */
static void test_oltp_simulate_pauses(void **state)
{
	struct oltp_cfg cfg = config(1, 1);
	struct run run;

	(void)state;
	cfg.pause_ns = 2 * MS;
	cfg.pause_every_ns = 5 * MS;
	run = play(4, &cfg);
	assert_in_range((uint64_t)metric(&run, "latency-max"), 2 * MS + 19000, 2 * MS + 20000);
	assert_near(metric(&run, "transactions"), 50000 * 14 / 20., 200);
	result_release(&run.result);
}

/* Due each 100000 and done 20000 later, and the timer's slack of 1. */
static void test_oltp_simulate_open_loop(void **state)
{
	struct oltp_cfg cfg = config(1, 1);
	struct run run;

	(void)state;
	cfg.rate = 10000;
	cfg.arrivals = ARRIVALS_UNIFORM;
	run = play(1, &cfg);
	assert_near(metric(&run, "latency-max"), 20001, 0);
	assert_near(metric(&run, "transactions"), 10000, 0);
	assert_near(metric(&run, "unserved"), 0, 0);
	result_release(&run.result);
}

static void test_oltp_simulate_refuses(void **state)
{
	struct oltp_cfg cfg = config(1, 1);
	struct error err = { 0 };
	struct run run;

	(void)state;
	cfg.patience_ns = 1000;
	assert_int_equal(try(&run, 1, &cfg, &err), -ETIMEDOUT);
	assert_string_equal(err.text, "client 0: no transaction ended within 1e-06 s");
	cfg.url = (char *)"postgresql://a@/b";
	assert_int_equal(try(&run, 1, &cfg, &err), -EOPNOTSUPP);
	assert_string_equal(err.text, "url: PostgreSQL can't be simulated");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_oltp_simulate_on_one_cpu),
		cmocka_unit_test(test_oltp_simulate_log),
		cmocka_unit_test(test_oltp_simulate_locks),
		cmocka_unit_test(test_oltp_simulate_pauses),
		cmocka_unit_test(test_oltp_simulate_open_loop),
		cmocka_unit_test(test_oltp_simulate_refuses),
	};

	return cmocka_run_group_tests_name("workload/oltp_simulate", tests, NULL, NULL);
}
