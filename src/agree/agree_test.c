// SPDX-License-Identifier: GPL-2.0-only
/* Two instances of the model: alike, or with one feature switched. */
#include "agree/run.h"

#include "check.h"
#include "sched/model_core.h"

#include <errno.h>
#include <string.h>

#define CPUS 4

struct bench {
	struct core_cpu cpu[CPUS];
	bool online[CPUS];
	uint32_t distance[1];
	struct core_machine machine;
	struct agree_setup setup;
};

static int open_model(void *ctx, const struct core_ops **ops, void **handle, struct error *err)
{
	(void)ctx;
	(void)err;
	*ops = &core_model;
	*handle = NULL;
	return 0;
}

static void close_model(void *ctx, void *handle)
{
	(void)ctx;
	(void)handle;
}

/* Two cores of two threads below one cache; @knob: of the second model, "" for none */
static void bench_init(struct bench *b, const char *const knobs[2][2], uint32_t nr_second)
{
	*b = (struct bench){ .distance = { 10 } };
	for (int i = 0; i < CPUS; i++) {
		b->cpu[i] = (struct core_cpu){ .core = i % 2, .cluster = i % 2, .capacity = 1024 };
		b->online[i] = true;
	}
	b->machine = (struct core_machine){ .nr_cpus = CPUS,
					    .nr_nodes = 1,
					    .cpu = b->cpu,
					    .online = b->online,
					    .distance = b->distance,
					    .reclaim_distance = 30 };
	b->setup = (struct agree_setup){
		.config = { .machine = &b->machine,
			    .ops = { NULL, &core_model },
			    .knobs = { knobs[0], knobs[1] },
			    .nr_knobs = { 1, nr_second },
			    .lags = true },
		.open = open_model,
		.close = close_model,
		.name = { "one", "other" },
	};
}

static const char *const alike[2][2] = { { "preset=k6.12" }, { "preset=k6.12" } };
static const char *const other_wake[2][2] = { { "preset=k6.12" },
					      { "preset=k6.12", "wake.affine_idle=off" } };
static const char *const other_slice[2][2] = { { "preset=k6.12" },
					       { "preset=k6.12", "base_slice_ns=900000" } };
static const char *const other_pelt[2][2] = { { "preset=k6.12" },
					      { "preset=k6.12", "util_est=off" } };

static void test_twins_agree_in_every_script(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, alike, 1);
	for (size_t i = 0; agree_script_at(i); i++) {
		struct agree_total total = { 0 };

		assert_int_equal(agree_many(&total, &b.setup, agree_script_at(i), 1, 2, 800, NULL),
				 0);
		assert_int_equal(total.runs, 2);
		assert_int_equal(total.clean, 2);
		assert_int_equal(total.seed, 0);
		assert_true(total.counts.compared[AGREE_PICK] > 0);
		assert_true(total.counts.compared[AGREE_PELT] > 0);
		assert_memory_equal(total.counts.compared, total.counts.agreed,
				    sizeof(total.counts.agreed));
		agree_total_release(&total);
	}
}

/* What each script is for was met with. */
static void test_scripts_make_their_decisions(void **state)
{
	static const struct {
		const char *script;
		enum agree_kind kind;
	} made[] = {
		{ "hackbench", AGREE_WAKE }, { "schbench", AGREE_WAKE },  { "hogs", AGREE_PREEMPT },
		{ "fork", AGREE_FORK },	     { "fork", AGREE_EXEC },	  { "hogs", AGREE_BALANCE },
		{ "waves", AGREE_BALANCE },  { "random", AGREE_BALANCE }, { "nice", AGREE_IPI },
		{ "random", AGREE_EXEC },    { "affinity", AGREE_WAKE },  { "hogs", AGREE_PASSES },
	};
	struct bench b;

	(void)state;
	bench_init(&b, alike, 1);
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		struct agree_total total = { 0 };

		assert_int_equal(agree_many(&total, &b.setup, agree_script_find(made[i].script), 7,
					    1, 1500, NULL),
				 0);
		assert_true(total.counts.compared[made[i].kind] > 0);
		agree_total_release(&total);
	}
}

static void find_first(struct agree_total *total, struct bench *b, const char *const knobs[2][2],
		       const char *script)
{
	bench_init(b, knobs, 2);
	assert_int_equal(agree_many(total, &b->setup, agree_script_find(script), 1, 5, 1500, NULL),
			 0);
	assert_int_equal(total->runs, 5);
	assert_true(total->seed > 0);
	/* a run ends with its first difference: each is counted once */
	for (int i = 0; i < NR_AGREE_KINDS; i++)
		assert_int_equal(total->counts.compared[i] - total->counts.agreed[i],
				 total->ended[i]);
}

/* Without WA_IDLE a waker's idle CPU isn't taken for that reason: the CPU chosen is what differs first. */
static void test_another_placement_is_named(void **state)
{
	struct agree_total total = { 0 };
	struct bench b;

	(void)state;
	find_first(&total, &b, other_wake, "waves");
	assert_int_equal(total.first_kind, AGREE_WAKE);
	agree_total_release(&total);
}

/* A new task's deadline is the first thing that a slice is in. */
static void test_another_slice_is_named(void **state)
{
	struct agree_total total = { 0 };
	struct bench b;

	(void)state;
	find_first(&total, &b, other_slice, "hogs");
	assert_int_equal(total.first_kind, AGREE_ENTITY);
	assert_int_equal(total.clean, 0);
	agree_total_release(&total);
}

/* Nothing remembers the utilisation of a task that went to sleep: its util_est differs. */
static void test_another_average_is_named(void **state)
{
	struct agree_total total = { 0 };
	struct bench b;

	(void)state;
	find_first(&total, &b, other_pelt, "waves");
	assert_int_equal(total.first_kind, AGREE_PELT);
	agree_total_release(&total);
}

/* Whatever was written gives the same difference when it is given back, also through its text. */
static void test_a_script_can_be_given_back(void **state)
{
	struct agree_total total = { 0 };
	struct agree_outcome out = { 0 };
	struct agree_ops again = { 0 };
	struct strbuf sb = { 0 };
	struct bench b;

	(void)state;
	find_first(&total, &b, other_wake, "random");
	agree_ops_print(&total.first, &sb);
	assert_int_equal(agree_ops_parse(&again, strbuf_str(&sb), NULL), 0);
	assert_int_equal(agree_replay(&out, &b.setup, &again, true, NULL), 0);
	assert_true(out.differs);
	assert_int_equal(out.kind, total.first_kind);
	if (out.kind == AGREE_WAKE)
		assert_non_null(strstr(strbuf_str(&out.text), "what other looked at"));
	strbuf_release(&sb);
	agree_outcome_release(&out);
	agree_ops_release(&again);
	agree_total_release(&total);
}

/* A slice shows with one event, the fork of a task: no script is shorter. */
static void test_a_script_shrinks_to_one_event(void **state)
{
	struct agree_total total = { 0 };
	struct bench b;

	(void)state;
	find_first(&total, &b, other_slice, "hogs");
	assert_int_equal(agree_shrink(&total.first, &b.setup, AGREE_ENTITY, 60000000000, NULL), 0);
	assert_int_equal(total.first.nr, 1);
	assert_int_equal(total.first.op[0].kind, AGREE_OP_FORK);
	agree_total_release(&total);
}

/* What shrinking leaves still shows the same, and without any one of its events it doesn't. */
static void test_what_is_left_is_needed(void **state)
{
	struct agree_total total = { 0 };
	struct bench b;

	(void)state;
	find_first(&total, &b, other_wake, "waves");
	assert_int_equal(agree_shrink(&total.first, &b.setup, AGREE_WAKE, 60000000000, NULL), 0);
	assert_true(total.first.nr >= 2);
	for (size_t i = 0; i <= total.first.nr; i++) {
		struct agree_ops part = { .end_ns = total.first.end_ns };
		struct agree_outcome out = { 0 };

		for (size_t j = 0; j < total.first.nr; j++)
			if (j != i)
				agree_ops_add(&part, &total.first.op[j]);
		assert_int_equal(agree_replay(&out, &b.setup, &part, false, NULL), 0);
		assert_int_equal(out.differs && out.kind == AGREE_WAKE, i == total.first.nr);
		agree_outcome_release(&out);
		agree_ops_release(&part);
	}
	agree_total_release(&total);
}

/* Faults, one a core: each is of both alike, so that they agree, and what must always hold alone can tell. */
static void lose_wakes(struct core *core, uint32_t cpu, struct core_task *task, bool sync)
{
	(void)core;
	(void)cpu;
	(void)task;
	(void)sync;
}

static void add_a_tenth(const struct core *core, const struct core_task *task,
			struct core_task_state *state)
{
	core_model.task_state(core, task, state);
	state->runtime_ns += state->runtime_ns / 10;
}

static void double_util(const struct core *core, const struct core_task *task,
			struct core_task_state *state)
{
	core_model.task_state(core, task, state);
	state->util_avg *= 2;
}

static void other_cpu(const struct core *core, const struct core_task *task,
		      struct core_task_state *state)
{
	core_model.task_state(core, task, state);
	state->cpu = (state->cpu + 1) % CPUS;
}

static void far_vruntime(const struct core *core, const struct core_task *task,
			 struct core_task_state *state)
{
	core_model.task_state(core, task, state);
	state->vruntime += UINT64_C(100000000000);
}

static void one_more(const struct core *core, uint32_t cpu, struct core_rq_state *state)
{
	core_model.rq_state(core, cpu, state);
	state->nr_fair++;
}

static int open_faulty(void *ctx, const struct core_ops **ops, void **handle, struct error *err)
{
	(void)err;
	*ops = ctx;
	*handle = NULL;
	return 0;
}

static void test_what_must_always_hold_is_checked(void **state)
{
	static const struct {
		const char *words;
		void (*wake)(struct core *core, uint32_t cpu, struct core_task *task, bool sync);
		void (*task_state)(const struct core *core, const struct core_task *task,
				   struct core_task_state *state);
		void (*rq_state)(const struct core *core, uint32_t cpu,
				 struct core_rq_state *state);
	} faults[] = {
		{ "is on no queue", .wake = lose_wakes },
		{ "and its runtime is", .task_state = add_a_tenth },
		{ "averages of", .task_state = double_util },
		{ "by what was told", .task_state = other_cpu },
		{ "the vruntime of", .task_state = far_vruntime },
		{ "fair tasks", .rq_state = one_more },
	};
	struct bench b;

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct core_ops ops = core_model;
		struct agree_total total = { 0 };

		if (faults[i].wake)
			ops.wake = faults[i].wake;
		if (faults[i].task_state)
			ops.task_state = faults[i].task_state;
		if (faults[i].rq_state)
			ops.rq_state = faults[i].rq_state;
		bench_init(&b, alike, 1);
		b.setup.config.ops[1] = &ops;
		b.setup.open = open_faulty;
		b.setup.ctx = &ops;
		assert_int_equal(
			agree_many(&total, &b.setup, agree_script_find("random"), 1, 1, 1500, NULL),
			0);
		assert_int_equal(total.failed, 1);
		assert_non_null(strstr(strbuf_str(&total.failure), faults[i].words));
		agree_total_release(&total);
	}
}

static void test_a_core_that_does_not_boot_is_an_error(void **state)
{
	static const char *const bad[2][2] = { { "preset=k6.12" }, { "preset=k0.1" } };
	struct agree_total total = { 0 };
	struct error err = { 0 };
	struct bench b;

	(void)state;
	bench_init(&b, bad, 1);
	assert_int_equal(agree_many(&total, &b.setup, agree_script_at(0), 1, 1, 10, &err), -EIO);
	assert_non_null(strstr(err.text, "k0.1"));
	agree_total_release(&total);
}

static void test_stop_is_obeyed(void **state)
{
	static const volatile sig_atomic_t stop = 2;
	struct agree_total total = { 0 };
	struct bench b;

	(void)state;
	bench_init(&b, alike, 1);
	b.setup.stop = &stop;
	assert_int_equal(agree_many(&total, &b.setup, agree_script_at(0), 1, 1, 10, NULL), -EINTR);
	assert_int_equal(total.runs, 0);
	agree_total_release(&total);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_twins_agree_in_every_script),
		cmocka_unit_test(test_scripts_make_their_decisions),
		cmocka_unit_test(test_another_placement_is_named),
		cmocka_unit_test(test_another_slice_is_named),
		cmocka_unit_test(test_another_average_is_named),
		cmocka_unit_test(test_a_script_can_be_given_back),
		cmocka_unit_test(test_a_script_shrinks_to_one_event),
		cmocka_unit_test(test_what_is_left_is_needed),
		cmocka_unit_test(test_what_must_always_hold_is_checked),
		cmocka_unit_test(test_a_core_that_does_not_boot_is_an_error),
		cmocka_unit_test(test_stop_is_obeyed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
