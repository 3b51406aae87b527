// SPDX-License-Identifier: GPL-2.0-only
/* Simulated runs in processes: what goes wrong in one is a failed run, and all come in the order in which they were started. */
#include "lab/sim_crew.h"

#include "base/mem.h"
#include "sim/fixture_core.h"
#include "workload/pipe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

#define LONG_NS UINT64_C(60000000000)

/* A ground of the fixture's core and machine: 1 node of 4 CPUs. */
struct ground {
	struct fixture_machine machine;
	struct sim_ground of;
	struct core_ops ops;
	char *knobs[1];
	const struct workload *pipe;
	struct pipe_cfg cfg;
};

static int set_up(void **state)
{
	struct ground *g = xcalloc(1, sizeof(*g));

	fixture_machine_init(&g->machine, 1, 1, 4, 1);
	g->ops = fixture_core;
	g->of = (struct sim_ground){
		.core = { .ops = &g->ops, .about = (char *)"fixture" },
		.about_machine = (char *)"four CPUs",
		.about_costs = (char *)"defaults",
		.shape.of = g->machine.machine,
		.spread_ppm = 10000,
	};
	costs_default(&g->of.costs);
	g->pipe = workload_find("pipe");
	opts_init(g->pipe->opts, &g->cfg);
	g->cfg.loops = 100;
	*state = g;
	return 0;
}

static int tear_down(void **state)
{
	struct ground *g = *state;

	opts_release(g->pipe->opts, &g->cfg);
	fixture_machine_release(&g->machine);
	free(g);
	return 0;
}

static struct sim_job job_of(const struct ground *g, uint64_t seed)
{
	return (struct sim_job){
		.ground = &g->of,
		.workload = g->pipe,
		.cfg = &g->cfg,
		.seed = seed,
		.timeout_ns = LONG_NS,
	};
}

/* One run of @job; @result is to be released. */
static void run_one(const struct sim_job *job, struct result *result, struct strbuf *breach)
{
	struct sim_crew *crew = sim_crew_new();

	*result = (struct result){ 0 };
	assert_int_equal(sim_crew_start(crew, job, NULL), 0);
	assert_int_equal(sim_crew_take(crew, NULL, result, breach, NULL), 0);
	sim_crew_free(crew);
}

static void set_knob(struct ground *g, const char *knob)
{
	g->knobs[0] = (char *)knob;
	g->of.knobs = g->knobs;
	g->of.nr_knobs = 1;
}

/* @reason holds @words */
static void check_failed(const struct ground *g, enum run_status status, const char *words)
{
	const struct sim_job job = job_of(g, 1);
	struct result result;

	run_one(&job, &result, NULL);
	assert_int_equal(result.status, status);
	if (!strstr(result.reason, words))
		fail_msg("'%s' is not in '%s'", words, result.reason);
	assert_string_equal(result.workload, "pipe");
	assert_int_equal(result.nr_metrics, 0);
	result_release(&result);
}

/* struct watcher - stops what would go on for hours when it has been told of it twice */
struct watcher {
	volatile sig_atomic_t stop;
	unsigned int told;
	uint64_t first_ns, last_ns;
};

static void watch(void *ctx, uint64_t simulated_ns)
{
	struct watcher *w = ctx;

	if (!w->told++)
		w->first_ns = simulated_ns;
	w->last_ns = simulated_ns;
	w->stop = w->told == 2;
}

static void test_watch_is_told_of_simulated_time(void **state)
{
	struct ground *g = *state;
	struct sim_crew *crew = sim_crew_new();
	struct sim_job job = job_of(g, 1);
	struct watcher watcher = { 0 };
	struct result result = { 0 };

	g->cfg.loops = 1000000000;
	sim_crew_watch(crew, watch, &watcher);
	assert_int_equal(sim_crew_start(crew, &job, NULL), 0);
	assert_int_equal(sim_crew_take(crew, &watcher.stop, &result, NULL, NULL), -EINTR);
	assert_int_equal(watcher.told, 2);
	assert_in_range(watcher.first_ns, 1, watcher.last_ns - 1);
	sim_crew_free(crew);
	result_release(&result);
}

static void test_run_has_figures_counters_and_notes(void **state)
{
	const struct ground *g = *state;
	const struct sim_job job = job_of(g, 4242);
	struct result result;

	run_one(&job, &result, NULL);
	assert_int_equal(result.status, RUN_OK);
	assert_true(result_metric(&result, "loop")->value > 0);
	/* 100 loops of two writes, each of which wakes the other side */
	assert_true(result_counter(&result, "wakeups")->value >= 200);
	assert_non_null(result_counter(&result, "migrations-newidle"));
	assert_non_null(result_counter(&result, "migrations-remote"));
	assert_null(result_counter(&result, "waited-idle-time"));
	assert_string_equal(result_note(&result, "seed"), "4242");
	assert_string_equal(result_note(&result, "machine"), "four CPUs");
	result_release(&result);
}

static void write_run(const struct ground *g, uint64_t seed, struct strbuf *text)
{
	const struct sim_job job = job_of(g, seed);
	struct result result;

	run_one(&job, &result, NULL);
	result_write(&result, text);
	result_release(&result);
}

static void test_seed_decides_every_byte(void **state)
{
	struct strbuf a = { 0 }, b = { 0 }, c = { 0 };

	write_run(*state, 1, &a);
	write_run(*state, 1, &b);
	write_run(*state, 2, &c);
	assert_string_equal(a.s, b.s);
	assert_string_not_equal(a.s, c.s);
	strbuf_release(&a);
	strbuf_release(&b);
	strbuf_release(&c);
}

/* The first one takes longest by far: 20,000 loops beside one. */
static void test_results_come_in_the_order_of_starts(void **state)
{
	struct ground *g = *state;
	struct sim_crew *crew = sim_crew_new();
	uint64_t started = 0, taken = 0;

	while (taken < 8) {
		struct result result = { 0 };
		char seed[8];

		while (started < 8 && sim_crew_room(crew)) {
			struct sim_job job = job_of(g, started);

			g->cfg.loops = started ? 1 : 20000;
			assert_int_equal(sim_crew_start(crew, &job, NULL), 0);
			started++;
		}
		assert_int_equal(sim_crew_take(crew, NULL, &result, NULL, NULL), 0);
		snprintf(seed, sizeof(seed), "%d", (int)taken++);
		assert_string_equal(result_note(&result, "seed"), seed);
		result_release(&result);
	}
	sim_crew_free(crew);
}

static struct core *crash(const struct core_config *config, const struct core_host *host)
{
	(void)config;
	host->print(host->ctx, "the core's last words");
	abort();
	return NULL;
}

static void test_crash_of_a_core_is_a_failed_run_with_its_words(void **state)
{
	struct ground *g = *state;

	g->ops.boot = crash;
	check_failed(g, RUN_FAILED, "killed by signal 6 (Aborted)");
	check_failed(g, RUN_FAILED, "the core's last words");
}

static struct core *never_boot(const struct core_config *config, const struct core_host *host)
{
	(void)config;
	while (host)
		pause();
	return NULL;
}

static void test_core_that_never_ends_is_killed(void **state)
{
	struct ground *g = *state;
	struct sim_job job = job_of(g, 1);
	struct result result;

	g->ops.boot = never_boot;
	job.timeout_ns = 50000000;
	run_one(&job, &result, NULL);
	assert_int_equal(result.status, RUN_HANG);
	assert_string_equal(result.reason,
			    "not done after 50 ms of this computer's time, nothing simulated");
	result_release(&result);
}

static void test_stop_is_seen_while_a_run_goes_on(void **state)
{
	struct ground *g = *state;
	struct sim_job job = job_of(g, 1);
	struct sim_crew *crew = sim_crew_new();
	const volatile sig_atomic_t stop = 1;
	struct result result = { 0 };

	g->ops.boot = never_boot;
	assert_int_equal(sim_crew_start(crew, &job, NULL), 0);
	assert_int_equal(sim_crew_take(crew, &stop, &result, NULL, NULL), -EINTR);
	/* kills it, or this would take a minute */
	sim_crew_free(crew);
	result_release(&result);
}

static void test_core_that_fails_says_so(void **state)
{
	struct ground *g = *state;

	set_knob(g, "FAULT=boot");
	check_failed(g, RUN_FAILED, "fixture core");
}

/* Its third wake-up is lost: both tasks wait, which is found when nothing can happen any more. */
static void test_deadlock_ends_with_a_diagnosis(void **state)
{
	struct ground *g = *state;

	set_knob(g, "FAULT=lose");
	check_failed(g, RUN_FAILED, "its core has lost it");
}

static void test_breach_comes_with_what_leads_to_it(void **state)
{
	struct ground *g = *state;
	struct strbuf breach = { 0 };
	struct result result;
	struct sim_job job = job_of(g, 1);

	set_knob(g, "FAULT=lose");
	g->of.check = true;
	run_one(&job, &result, &breach);
	assert_int_equal(result.status, RUN_FAILED);
	assert_non_null(strchr(strbuf_str(&breach), '\n'));
	assert_non_null(result_counter(&result, "waited-idle-time"));
	result_release(&result);
	strbuf_release(&breach);
}

static void test_check_refuses_an_unknown_knob(void **state)
{
	struct ground *g = *state;
	const struct point *which;
	struct error err = { 0 };

	assert_int_equal(sim_check(&g->of, NULL, 0, NULL, &which, &err), 0);
	set_knob(g, "NOSUCH=1");
	assert_int_equal(sim_check(&g->of, NULL, 0, NULL, &which, &err), -EINVAL);
	assert_true(*err.text);
	assert_null(which);
}

/* What goes on for hours is only set up. */
static void test_check_refuses_a_point_that_the_machine_has_not(void **state)
{
	struct ground *g = *state;
	struct pipe_cfg bad = g->cfg;
	const struct point points[] = {
		{ .label = (char *)"first", .workload = g->pipe, .cfg = &g->cfg },
		{ .label = (char *)"second", .workload = g->pipe, .cfg = &bad },
	};
	const struct point *which;
	struct error err = { 0 };

	g->cfg.loops = 1000000000;
	bad.cpus = (char *)"4-99";
	assert_int_equal(sim_check(&g->of, points, 1, NULL, &which, &err), 0);
	assert_null(which);
	assert_int_equal(sim_check(&g->of, points, 2, NULL, &which, &err), -EINVAL);
	assert_ptr_equal(which, &points[1]);
	assert_string_equal(err.text, "second: cpus: none of them is online");
}

static void test_trace_format_by_ending(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_non_null(sim_trace_format("a.pftrace", 4, &err));
	assert_ptr_equal(sim_trace_format("a.pftrace", 4, &err),
			 sim_trace_format("b.perfetto-trace", 4, &err));
	assert_ptr_equal(sim_trace_format("a.txt", 4, &err), sim_trace_format("b.ftrace", 4, &err));
	assert_non_null(sim_trace_format("a.jsonl", 4, &err));
	assert_null(sim_trace_format(".jsonl", 4, &err));
	assert_null(sim_trace_format("a.json", 4, &err));
	assert_int_equal(err.code, EINVAL);
	assert_null(sim_trace_format("a.pftrace", 8192, &err));
	assert_int_equal(err.code, ERANGE);
	assert_non_null(sim_trace_format("a.jsonl", 8192, &err));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_run_has_figures_counters_and_notes),
		CASE(test_seed_decides_every_byte),
		CASE(test_results_come_in_the_order_of_starts),
		CASE(test_crash_of_a_core_is_a_failed_run_with_its_words),
		CASE(test_core_that_never_ends_is_killed),
		CASE(test_stop_is_seen_while_a_run_goes_on),
		CASE(test_core_that_fails_says_so),
		CASE(test_deadlock_ends_with_a_diagnosis),
		CASE(test_breach_comes_with_what_leads_to_it),
		CASE(test_watch_is_told_of_simulated_time),
		CASE(test_check_refuses_an_unknown_knob),
		CASE(test_check_refuses_a_point_that_the_machine_has_not),
		CASE(test_trace_format_by_ending),
	};

	return cmocka_run_group_tests_name("lab/sim_crew", tests, NULL, NULL);
}
