// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model through its interface, on one CPU or a few: who gets how much, who preempts whom, what sleeps and moves. The
 * fixture looks after the invariants of the queues at each event: weighted lags sum up to 0, somebody is eligible.
 */
#include "sched/model_core.h"

#include "base/mem.h"
#include "check.h"
#include "sched/fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MS UINT64_C(1000000)

static const char *const cores[] = { "core=cfs", "core=eevdf66", "core=eevdf612" };

static struct fixture *boot(uint32_t nr_cpus, const char *knob)
{
	const char *const knobs[] = { knob, NULL };
	struct fixture *f = xcalloc(1, sizeof(*f));

	fixture_boot(f, nr_cpus, knobs);
	assert_non_null(f->core);
	return f;
}

static void end(struct fixture *f)
{
	fixture_release(f);
	free(f);
}

/* Of 10 s, by weight 3121 : 1024 : 335, to 1 %: a slice or two of it. */
static void test_shares_are_by_weight(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct fixture *f = boot(1, cores[i]);
		const struct fixture_task *a = fixture_nice(f, 0, -5), *b = fixture_nice(f, 0, 0),
					  *c = fixture_nice(f, 0, 5);

		fixture_run(f, 10000 * MS);
		assert_near((double)a->had_ns / 1e10, 3121.0 / 4480, 0.01);
		assert_near((double)b->had_ns / 1e10, 1024.0 / 4480, 0.01);
		assert_near((double)c->had_ns / 1e10, 335.0 / 4480, 0.01);
		end(f);
	}
}

static void test_the_account_is_the_time_had(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct fixture *f = boot(1, cores[i]);
		const struct fixture_task *a = fixture_nice(f, 0, 0), *b = fixture_nice(f, 0, 0);
		struct core_task_state one, other;

		fixture_run(f, 1000 * MS);
		core_model.task_state(f->core, a->core, &one);
		core_model.task_state(f->core, b->core, &other);
		assert_int_equal(one.runtime_ns + other.runtime_ns, 1000 * MS);
		assert_int_equal(one.runtime_ns, a->had_ns);
		end(f);
	}
}

/* Halves: 512, 256 ... each gets half of what is left of 1024. T-E-9. */
static void test_new_tasks_start_with_half_of_the_rest(void **state)
{
	static const uint64_t expected[] = { 512, 256, 128, 64, 32, 16, 8 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct fixture *f = boot(1, cores[i]);

		for (size_t k = 0; k < ARRAY_SIZE(expected); k++) {
			const struct fixture_task *t = fixture_nice(f, 0, 0);

			assert_int_equal(fixture_inner(t)->se.avg.util_avg, expected[k]);
		}
		end(f);
	}
}

/* A sleeper that computes a tenth of the time wakes up at once beside a hog: it has what it wants, 10 %. */
static void test_a_light_sleeper_gets_its_time(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct fixture *f = boot(1, cores[i]);
		const struct fixture_task *sleeper;

		fixture_nice(f, 0, 0);
		sleeper = fixture_task(f, 0, &(struct core_sched){ 0 }, MS / 2, 9 * MS / 2);
		fixture_run(f, 5000 * MS);
		assert_in_range(sleeper->had_ns, 400 * MS, 500 * MS);
		end(f);
	}
}

static void test_the_idle_policy_yields_to_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct fixture *f = boot(1, cores[i]);
		struct fixture_task *idle, *normal;

		normal = fixture_nice(f, 0, 0);
		idle = fixture_task(f, 0, &(struct core_sched){ .policy = CORE_IDLE }, 0, 0);
		fixture_block(f, 0);
		assert_ptr_equal(f->running[0], idle);
		fixture_run(f, MS);
		fixture_wake(f, 0, normal);
		assert_ptr_equal(f->running[0], normal);
		fixture_run(f, 10000 * MS);
		assert_near((double)idle->had_ns / (double)normal->had_ns, 3.0 / 1024, 0.002);
		end(f);
	}
}

/* A batch task that wakes up beside a hog waits for the next tick at least. */
static void test_batch_does_not_preempt(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct fixture *f = boot(1, cores[i]);
		struct fixture_task *hog, *batch;

		batch = fixture_task(f, 0, &(struct core_sched){ .policy = CORE_BATCH }, 0, 0);
		hog = fixture_nice(f, 0, 0);
		fixture_run(f, 100 * MS);
		while (f->running[0] != batch)
			fixture_run(f, MS);
		fixture_block(f, 0);
		fixture_run(f, 200 * MS);
		assert_ptr_equal(f->running[0], hog);
		fixture_wake(f, 0, batch);
		assert_ptr_equal(f->running[0], hog);
		end(f);
	}
}

static void test_fifo_runs_alone_and_rr_in_turns(void **state)
{
	struct core_sched rr = { .policy = CORE_RR, .priority = 10 };
	struct core_sched fifo = { .policy = CORE_FIFO, .priority = 50 };
	struct fixture *f = boot(1, "core=eevdf612");
	struct fixture_task *fair, *a, *b, *top;

	(void)state;
	fair = fixture_nice(f, 0, -20);
	a = fixture_task(f, 0, &rr, 0, 0);
	b = fixture_task(f, 0, &rr, 0, 0);
	fixture_run(f, 1000 * MS);
	assert_int_equal(fair->had_ns, 0);
	assert_int_equal(a->had_ns, 500 * MS); /* five turns of 100 ms each */
	assert_int_equal(b->had_ns, 500 * MS);
	top = fixture_task(f, 0, &fifo, 0, 0);
	assert_ptr_equal(f->running[0], top);
	fixture_run(f, 1000 * MS);
	assert_int_equal(top->had_ns, 1000 * MS);
	fixture_block(f, 0);
	assert_true(f->running[0] == a || f->running[0] == b);
	end(f);
}

static void test_fifo_pushes_and_pulls(void **state)
{
	struct core_sched fifo = { .policy = CORE_FIFO, .priority = 50 };
	struct fixture *f = boot(2, "core=eevdf612");
	struct fixture_task *a, *b;

	(void)state;
	a = fixture_task(f, 0, &fifo, 0, 0);
	b = fixture_task(f, 0, &fifo, 0, 0);
	assert_ptr_equal(f->running[0], a);
	assert_ptr_equal(f->running[1], b); /* chosen at its start */
	fixture_task(f, 0, &fifo, 0, 0);    /* waits somewhere */
	fixture_run(f, 10 * MS);
	fixture_block(f, 1);
	assert_non_null(f->running[1]);
	assert_ptr_not_equal(f->running[1], b);
	end(f);
}

/* It had more than its share when it blocks, so it stays queued, uncounted, until it would be picked. */
static void test_a_sleeper_in_debt_stays_queued(void **state)
{
	struct fixture *f = boot(1, "core=eevdf612");
	struct fixture_task *a = fixture_nice(f, 0, 0), *b = fixture_nice(f, 0, 0);
	struct core_task_state s;
	struct core_rq_state rq;

	(void)state;
	assert_ptr_equal(f->running[0], a);
	fixture_run(f, MS / 2);
	fixture_block(f, 0);
	assert_ptr_equal(f->running[0], b);
	core_model.task_state(f->core, a->core, &s);
	assert_true(s.delayed && s.on_rq);
	core_model.rq_state(f->core, 0, &rq);
	assert_int_equal(rq.nr_running, 2);
	fixture_run(f, 20 * MS);
	core_model.task_state(f->core, a->core, &s);
	assert_true(!s.delayed && !s.on_rq);
	assert_int_equal(s.lag_ns, 0);
	assert_int_equal(b->had_ns, 20 * MS);
	end(f);
}

static void test_and_is_woken_up_where_it_is(void **state)
{
	struct fixture *f = boot(1, "core=eevdf612");
	struct fixture_task *a = fixture_nice(f, 0, 0), *b = fixture_nice(f, 0, 0);
	struct core_task_state s;

	(void)state;
	fixture_run(f, MS / 2);
	fixture_block(f, 0);
	fixture_wake(f, 0, a);
	core_model.task_state(f->core, a->core, &s);
	assert_true(!s.delayed && s.on_rq);
	fixture_run(f, 1000 * MS);
	assert_near((double)a->had_ns, (double)b->had_ns, 10e6);
	end(f);
}

/* Who yields goes behind the other, whose turn lasts its slice. */
static void test_yield_gives_way(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct fixture *f = boot(1, cores[i]);
		struct fixture_task *a = fixture_nice(f, 0, 0), *b = fixture_nice(f, 0, 0), *first;

		fixture_run(f, 100 * MS);
		first = f->running[0];
		core_model.yield(f->core, 0);
		core_model.settle(f->core, 0);
		core_model.yield(f->core, 0);
		core_model.settle(f->core, 0);
		fixture_run(f, 1000 * MS);
		assert_true(first == a || first == b);
		assert_near((double)a->had_ns, (double)b->had_ns, 10e6);
		end(f);
	}
}

static void test_a_change_of_niceness_changes_the_share(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct fixture *f = boot(1, cores[i]);
		struct fixture_task *a = fixture_nice(f, 0, 0), *b = fixture_nice(f, 0, 0);
		struct core_sched nice = { .nice = 5 };
		uint64_t before;

		fixture_run(f, 1000 * MS);
		assert_int_equal(core_model.set_sched(f->core, 0, b->core, &nice), 0);
		fixture_settle(f, 0);
		before = a->had_ns;
		fixture_run(f, 10000 * MS);
		assert_near((double)(a->had_ns - before) / 1e10, 1024.0 / 1359, 0.01);
		end(f);
	}
}

static void test_to_rt_and_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct fixture *f = boot(1, cores[i]);
		struct fixture_task *a = fixture_nice(f, 0, 0), *b = fixture_nice(f, 0, 0);
		struct core_sched fifo = { .policy = CORE_FIFO, .priority = 1 }, normal = { 0 };
		uint64_t before;

		fixture_run(f, 20 * MS);
		assert_int_equal(core_model.set_sched(f->core, 0, b->core, &fifo), 0);
		fixture_settle(f, 0);
		assert_ptr_equal(f->running[0], b);
		fixture_run(f, 100 * MS);
		assert_ptr_equal(f->running[0], b);
		assert_int_equal(core_model.set_sched(f->core, 0, b->core, &normal), 0);
		fixture_settle(f, 0);
		before = a->had_ns;
		fixture_run(f, 1000 * MS);
		assert_in_range(a->had_ns - before, 400 * MS, 700 * MS);
		end(f);
	}
}

static void test_affinity_moves_what_runs_waits_and_sleeps(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct fixture *f = boot(2, cores[i]);
		uint64_t second = 2, first = 1, none = 4;
		struct fixture_task *a, *b;

		f->affinity = first;
		a = fixture_nice(f, 0, 0);
		b = fixture_nice(f, 0, 0);
		fixture_run(f, 10 * MS);
		assert_int_equal(core_model.set_affinity(f->core, 0, a->core, &none), -EINVAL);
		assert_int_equal(core_model.set_affinity(f->core, 0, a->core, &second), 0);
		fixture_settle(f, 0);
		assert_ptr_equal(f->running[1], a);
		assert_ptr_equal(f->running[0], b);
		assert_int_equal(f->migrations[CORE_MIGRATE_AFFINITY], 1);
		fixture_block(f, 1);
		assert_int_equal(core_model.set_affinity(f->core, 0, a->core, &first), 0);
		fixture_settle(f, 0);
		fixture_wake(f, 0, a);
		assert_int_equal(fixture_inner(a)->cpu, 0);
		fixture_run(f, 1000 * MS);
		assert_true(a->had_ns > 400 * MS && b->had_ns > 400 * MS);
		end(f);
	}
}

static void test_a_remote_idle_cpu_wakes_the_task_itself(void **state)
{
	struct fixture *f = boot(2, "core=eevdf612");
	struct fixture_task *a, *b;

	(void)state;
	a = fixture_nice(f, 0, 0);
	b = fixture_nice(f, 1, 0);
	fixture_run(f, MS);
	fixture_block(f, 1);
	core_model.wake(f->core, 0, b->core, false);
	assert_int_equal(f->nr_ipis[CORE_IPI_CALL], 1);
	assert_null(f->running[1]);
	assert_true(cpu_rq(fixture_model(f), 1)->ttwu_pending);
	fixture_settle(f, 0);
	assert_ptr_equal(f->running[1], b);
	assert_ptr_equal(f->running[0], a);
	end(f);
}

static void test_without_the_queue_it_is_enqueued_from_afar(void **state)
{
	struct fixture *f = boot(2, "NO_TTWU_QUEUE");
	struct fixture_task *b;

	(void)state;
	fixture_nice(f, 0, 0);
	b = fixture_nice(f, 1, 0);
	fixture_run(f, MS);
	fixture_block(f, 1);
	f->nr_ipis[CORE_IPI_RESCHED] = 0;
	core_model.wake(f->core, 0, b->core, false);
	assert_int_equal(f->nr_ipis[CORE_IPI_CALL], 0);
	assert_int_equal(f->nr_ipis[CORE_IPI_RESCHED], 1);
	fixture_settle(f, 0);
	assert_ptr_equal(f->running[1], b);
	end(f);
}

static void test_a_cpu_goes_and_comes_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct fixture *f = boot(2, cores[i]);
		struct fixture_task *a, *b;
		struct core_task_state s;

		f->affinity = 2;
		a = fixture_nice(f, 1, 0);
		b = fixture_nice(f, 1, 0);
		fixture_run(f, 10 * MS);
		assert_int_equal(core_model.cpu_down(f->core, 0, 1), 0);
		fixture_settle(f, 0);
		assert_null(f->running[1]);
		core_model.task_state(f->core, a->core, &s);
		assert_int_equal(s.cpu, 0);
		core_model.task_state(f->core, b->core, &s);
		assert_int_equal(s.cpu, 0);
		assert_int_equal(f->migrations[CORE_MIGRATE_HOTPLUG], 2);
		assert_int_equal(core_model.cpu_down(f->core, 0, 0), -EBUSY);
		assert_int_equal(core_model.cpu_down(f->core, 0, 1), -EINVAL);
		fixture_run(f, 1000 * MS);
		assert_near((double)a->had_ns, (double)b->had_ns, 20e6);
		assert_int_equal(core_model.cpu_up(f->core, 0, 1), 0);
		fixture_settle(f, 1);
		assert_int_equal(core_model.cpu_up(f->core, 0, 1), -EINVAL);
		end(f);
	}
}

/* RT tasks too; and it takes none from others on its way down. */
static void test_a_cpu_that_goes_leaves_rt_tasks_to_others(void **state)
{
	struct core_sched fifo = { .policy = CORE_FIFO, .priority = 50 };
	struct fixture *f = boot(3, "core=eevdf612");

	(void)state;
	for (int i = 0; i < 5; i++)
		fixture_task(f, 1, &fifo, 0, 0);
	assert_int_equal(core_model.cpu_down(f->core, 0, 1), 0);
	fixture_settle(f, 0);
	assert_null(f->running[1]);
	assert_non_null(f->running[0]);
	assert_non_null(f->running[2]);
	for (uint32_t i = 0; i < f->nr_tasks; i++)
		assert_int_not_equal(fixture_inner(&f->task[i])->cpu, 1);
	end(f);
}

static void test_exit_leaves_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		struct fixture *f = boot(1, cores[i]);
		struct fixture_task *a = fixture_nice(f, 0, 0), *b = fixture_nice(f, 0, 0);
		struct core_rq_state rq;

		fixture_run(f, 10 * MS);
		a = f->running[0];
		b = a == &f->task[0] ? &f->task[1] : &f->task[0];
		core_model.exit(f->core, 0);
		fixture_settle(f, 0);
		core_model.task_free(f->core, a->core);
		assert_ptr_equal(f->running[0], b);
		core_model.exit(f->core, 0);
		fixture_settle(f, 0);
		core_model.rq_state(f->core, 0, &rq);
		assert_int_equal(rq.nr_running, 0);
		assert_null(rq.curr);
		end(f);
	}
}

static void test_what_it_has_not_is_refused_with_words(void **state)
{
	struct fixture *f = boot(1, "preset=k6.12");
	struct fixture_task *a = fixture_nice(f, 0, 0);
	struct core_sched deadline = { .policy = CORE_DEADLINE };
	struct core_sched bad = { .policy = CORE_FIFO };

	(void)state;
	assert_int_equal(core_model.set_sched(f->core, 0, a->core, &deadline), -EOPNOTSUPP);
	assert_non_null(strstr(f->line, "deadline"));
	assert_int_equal(core_model.set_sched(f->core, 0, a->core, &bad), -EINVAL);
	assert_null(core_model.group_new(f->core, NULL, 100, 0, 0));
	assert_int_equal(f->warnings, 1);
	end(f);
}

static void test_knobs_at_boot(void **state)
{
	const char *const knobs[] = { "base_slice_ns=2000000", "preset=k6.1", "hz=1000",
				      "wake.cluster=mainline", NULL };
	struct fixture f = { 0 };
	const struct model *m;

	(void)state;
	fixture_boot(&f, 4, knobs);
	m = fixture_model(&f);
	assert_int_equal(m->features.core, CORE_CFS);
	assert_int_equal(m->features.wake_cluster, CLUSTER_MAINLINE);
	assert_int_equal(m->tunables.base_slice_ns, 2000000);
	assert_int_equal(m->tunables.latency_ns, 18000000); /* 6 ms * (1 + log2 4) */
	assert_int_equal(core_model.tick_ns(f.core), 1000000);
	assert_int_equal(core_model.knob(f.core, "core", "eevdf612"), -EINVAL);
	assert_int_equal(core_model.knob(f.core, "NO_WA_BIAS", ""), 0);
	assert_int_equal(core_model.knob(f.core, "features", "NO_WA_IDLE WA_BIAS"), 0);
	assert_int_equal(m->features.wa_idle, 0);
	assert_int_equal(m->features.wa_bias, 1);
	assert_int_equal(core_model.knob(f.core, "migration_cost_ns", "1"), 0);
	assert_int_equal(m->tunables.migration_cost_ns, 1);
	assert_int_equal(core_model.knob(f.core, "no_such", "1"), -ENOENT);
	fixture_release(&f);
}

static void test_a_wrong_knob_refuses_to_boot(void **state)
{
	const char *const knobs[] = { "presett=k6.1", NULL };
	const char *const old[] = { "preset=k4.4", NULL };
	const char *const none[] = { "preset=k6.20", NULL };
	struct fixture f = { 0 };

	(void)state;
	fixture_boot(&f, 1, knobs);
	assert_null(f.core);
	assert_int_equal(f.warnings, 1);
	fixture_boot(&f, 1, old);
	assert_null(f.core);
	assert_int_equal(f.warnings, 2);
	fixture_boot(&f, 1, none);
	assert_null(f.core);
	assert_int_equal(f.warnings, 3);
}

/* Each knob that is named takes the value it has been given. */
static void test_all_knobs_have_names(void **state)
{
	struct fixture *f = boot(1, "core=eevdf612");
	uint32_t n = 0;

	(void)state;
	while (core_model.knob_at(f->core, n))
		n++;
	assert_true(n > 60);
	end(f);
}

static void count_why(void *ctx, const struct core_why *why)
{
	struct fixture *f = ctx;

	f->whys++;
	assert_non_null(why->decision);
	assert_non_null(why->outcome);
	assert_true(why->nr_values <= CORE_WHY_VALUES);
}

static void test_reasons_are_told_to_who_asks(void **state)
{
	struct fixture *f = boot(1, "core=eevdf612");

	(void)state;
	fixture_nice(f, 0, 0);
	fixture_nice(f, 0, 0);
	assert_int_equal(f->whys, 0);
	f->host.why = count_why;
	fixture_run(f, 100 * MS);
	assert_true(f->whys > 10);
	end(f);
}

/* What is promised for large machines; a queue of FIFO tasks may come besides. */
static void test_sizes(void **state)
{
	(void)state;
	assert_true(sizeof(struct task) <= 1024);
	assert_true(sizeof(struct rq) + 100 * sizeof(struct link) <= 8192);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares_are_by_weight),
		cmocka_unit_test(test_the_account_is_the_time_had),
		cmocka_unit_test(test_new_tasks_start_with_half_of_the_rest),
		cmocka_unit_test(test_a_light_sleeper_gets_its_time),
		cmocka_unit_test(test_the_idle_policy_yields_to_all),
		cmocka_unit_test(test_batch_does_not_preempt),
		cmocka_unit_test(test_fifo_runs_alone_and_rr_in_turns),
		cmocka_unit_test(test_fifo_pushes_and_pulls),
		cmocka_unit_test(test_a_sleeper_in_debt_stays_queued),
		cmocka_unit_test(test_and_is_woken_up_where_it_is),
		cmocka_unit_test(test_yield_gives_way),
		cmocka_unit_test(test_a_change_of_niceness_changes_the_share),
		cmocka_unit_test(test_to_rt_and_back),
		cmocka_unit_test(test_affinity_moves_what_runs_waits_and_sleeps),
		cmocka_unit_test(test_a_remote_idle_cpu_wakes_the_task_itself),
		cmocka_unit_test(test_without_the_queue_it_is_enqueued_from_afar),
		cmocka_unit_test(test_a_cpu_goes_and_comes_back),
		cmocka_unit_test(test_a_cpu_that_goes_leaves_rt_tasks_to_others),
		cmocka_unit_test(test_exit_leaves_nothing),
		cmocka_unit_test(test_what_it_has_not_is_refused_with_words),
		cmocka_unit_test(test_knobs_at_boot),
		cmocka_unit_test(test_a_wrong_knob_refuses_to_boot),
		cmocka_unit_test(test_all_knobs_have_names),
		cmocka_unit_test(test_reasons_are_told_to_who_asks),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
