// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/models_test.c - every model, with the scheduler model for a core, on 4 and on 64 CPUs, while all invariants of sim/checks.h are
 * looked after: none is broken, and a second time brings the same bytes.
 */
#include "workload/workload.h"

#include "base/mem.h"
#include "sched/model_core.h"
#include "sim/fixture_script.h"
#include "trace/trace.h"
#include "workload/model.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* struct shape - of a machine */
struct shape {
	uint32_t nodes, llcs, cores, threads;
};

static const struct shape shapes[] = { { 1, 1, 2, 2 }, { 2, 2, 8, 2 } };

/* struct short_run - of a workload: "NAME=VALUE" of its options */
struct short_run {
	const char *workload;
	const char *options[8];
};

static const struct short_run short_runs[] = {
	{ "cpuload", { "ops=2000", "work=100", "tasks=10" } },
	{ "cpuload", { "ops=1000", "work=1000", "slice=4", "load=30", "tasks=12" } },
	{ "cpuload", { "ops=1000", "work=1000", "load=70", "pacing=stress-ng", "slice=2" } },
	{ "hackbench", { "groups=2", "loops=20" } },
	{ "hotplug", { "passes=2", "load=5" } },
	{ "hotplug", { "plan=smt", "passes=2", "load=70", "pause=1ms" } },
	{ "hotplug", { "plan=random", "steps=30", "passes=2", "discard=0", "load=12" } },
	{ "numa", { "size=8MiB", "rounds=5" } },
	{ "numa", { "test=numa02", "size=64MiB", "rounds=10", "first=0" } },
	{ "numa", { "test=perf-numa04", "size=4MiB", "thread-size=1MiB", "limit=20ms" } },
	{ "oltp",
	  { "time=100ms", "clients=20", "workers=6", "skew=2", "rows=200", "checkpoint-every=20ms",
	    "pause=1ms", "pause-every=15ms" } },
	{ "oltp", { "time=50ms", "rate=5000", "flush=0" } },
	{ "pipe", { "loops=500" } },
	{ "rr", { "time=20ms", "pairs=4" } },
	{ "rr", { "time=20ms", "pairs=3", "transport=udp", "rate=20000" } },
	{ "rr", { "time=20ms", "pairs=6", "flavor=tbench", "transport=unix", "mode=thread" } },
	{ "schbench", { "runtime=50ms", "messengers=2" } },
	{ "schbench", { "gen=B", "runtime=200ms", "warmup=0s", "threads=8" } },
	{ "schbench", { "gen=A", "runtime=200ms", "threads=4", "think=2ms", "work=units" } },
	{ "schbench", { "gen=C", "runtime=100ms", "warmup=10ms", "rps=2000", "think=1ms" } },
	{ "schbench", { "runtime=20ms", "pipe=4KiB", "threads=4" } },
	{ "schedlat", { "runtime=50ms", "tasks=4", "load=6", "idle=5" } },
	{ "schedlat",
	  { "runtime=50ms", "tasks=2", "load=8", "prio=50", "bind=each", "duty=40",
	    "load-nice=10" } },
	{ "unixbench", { "time=20ms", "copies=3" } },
};

static void *configure(const struct workload *workload, const struct short_run *s)
{
	void *cfg = xcalloc(1, workload->cfg_size);
	struct error err = { 0 };

	opts_init(workload->opts, cfg);
	for (size_t i = 0; i < ARRAY_SIZE(s->options) && s->options[i]; i++) {
		const char *value = strchr(s->options[i], '=') + 1;
		char *name = xstrndup(s->options[i], (size_t)(value - s->options[i] - 1));

		if (opts_set(workload->opts, cfg, name, value, &err))
			fail_msg("%s: %s", s->options[i], err.text);
		free(name);
	}
	if (workload->check && workload->check(cfg, &err))
		fail_msg("%s: %s", s->workload, err.text);
	return cfg;
}

static void play(struct strbuf *out, const struct short_run *s, const struct shape *shape)
{
	const struct workload *workload = workload_find(s->workload);
	struct run run = { .workload = workload, .limit_ns = UINT64_C(60000000000) };
	struct fixture_machine machine;
	struct error err = { 0 };
	struct costs costs;
	struct sim_setup setup = { .core = &core_model, .costs = &costs, .seed = 1, .check = true };
	struct sim *sim;
	void *cfg = configure(workload, s);

	costs_default(&costs);
	fixture_machine_init(&machine, shape->nodes, shape->llcs, shape->cores, shape->threads);
	setup.machine = &machine.machine;
	if (sim_new(&sim, &setup, &err))
		fail_msg("%s", err.text);
	if (workload->model(&run, sim, cfg, &err)) {
		/* longer than what fail_msg() takes */
		print_message("%s", sim_breach(sim) ? sim_breach(sim) : "");
		fail_msg("%s %s on %u CPUs: %s", s->workload, s->options[0],
			 machine.machine.nr_cpus, err.text);
	}
	result_write(&run.result, out);
	result_release(&run.result);
	sim_free(sim);
	fixture_machine_release(&machine);
	opts_release(workload->opts, cfg);
	free(cfg);
}

static void test_models_keep_the_invariants(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(short_runs); i++)
		for (size_t k = 0; k < ARRAY_SIZE(shapes); k++) {
			struct strbuf first = { 0 }, again = { 0 };

			play(&first, &short_runs[i], &shapes[k]);
			play(&again, &short_runs[i], &shapes[k]);
			assert_string_equal(first.s, again.s);
			strbuf_release(&first);
			strbuf_release(&again);
		}
}

/* struct listener - the highest frequency told of CPU 1 so far */
struct listener {
	struct trace_sink sink;
	int64_t most;
	int64_t now;
};

static void listen(struct trace_sink *sink, const struct trace_event *event)
{
	struct listener *l = (struct listener *)sink;

	if (event->kind != TRACE_FREQUENCY || event->cpu != 1)
		return;
	l->now = event->value;
	if (l->most < l->now)
		l->most = l->now;
}

/* After half of a second, within the other half, of a task that computes for 0.1 ms and waits for 0.4 ms. */
static int64_t highest_frequency(enum script_kind wait)
{
	static const char *const knobs[] = { "cpufreq.governor=schedutil", "rate_limit_us=1000" };
	const struct script_op ops[] = { { DO_RUN, NULL, 100000 },
					 { wait, NULL, 400000 },
					 { DO_AGAIN, NULL, 100000 },
					 { DO_EXIT } };
	struct listener l = { .sink.event = listen };
	struct script script = { .op = ops };
	struct script_world world;
	enum sim_end end;

	script_world_init(&world, 1, 1, 2, 1);
	world.setup.core = &core_model;
	world.setup.trace = &l.sink;
	world.setup.knobs = knobs;
	world.setup.nr_knobs = 2;
	world.setup.check = true;
	world.costs.freq_idle_perf = 1;
	script_boot(&world);
	script_spawn(world.sim, "reader", &script, 2);
	assert_int_equal(sim_go(world.sim, 500000000, &end, NULL), 0);
	l.most = l.now;
	assert_int_equal(sim_go(world.sim, 1000000000, &end, NULL), 0);
	script_world_release(&world);
	return l.most;
}

/*
 * With sleeps it is slowed until a quarter more than its utilisation is what it has: 64 of 1024, where 0.1 ms of work take 1.6 ms of
 * 2; utilisation rises with each burst. With waits for I/O schedutil's boost doubles at each, up to the highest frequency.
 */
static void test_models_waits_for_io_raise_the_frequency(void **state)
{
	(void)state;
	assert_in_range(highest_frequency(DO_SLEEP), 64, 200);
	assert_int_equal(highest_frequency(DO_IO), 1024);
}

/* None was forgotten above but those that need a file: rtapp and replay have tests of their own. */
static void test_models_are_all_here(void **state)
{
	const struct workload *workload;

	(void)state;
	for (size_t i = 0; (workload = workload_at(i)); i++) {
		bool here = !strcmp(workload->name, "rtapp") || !strcmp(workload->name, "replay");

		for (size_t k = 0; k < ARRAY_SIZE(short_runs); k++)
			here |= !strcmp(workload->name, short_runs[k].workload);
		if (here != (workload->model != NULL))
			fail_msg("%s", workload->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_models_keep_the_invariants),
		cmocka_unit_test(test_models_waits_for_io_raise_the_frequency),
		cmocka_unit_test(test_models_are_all_here),
	};

	return cmocka_run_group_tests_name("workload/models", tests, NULL, NULL);
}
