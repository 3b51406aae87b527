// SPDX-License-Identifier: GPL-2.0-only
/* sched/balance_test.c - periodic, new-idle and tickless balancing, on a machine that runs. */
#include "sched/lb_fixture.h"

static const char four[] = "arch x86\ncpus 4\nshare llc 0-3\nshare package 0-3\n";
static const char cores[] = "arch x86\ncpus 4\nshare threads 0-1 step 2 times 2\nshare llc 0-3\n"
			    "share package 0-3\n";

static const char *const k612[] = { "preset=k6.12", "newidle.random=off", NULL };

static void ticks(struct fixture *f, int n)
{
	while (n--)
		fixture_tick(f);
}

static uint32_t all_migrations(const struct fixture *f)
{
	uint32_t n = 0;

	for (int i = 0; i < NR_CORE_REASONS; i++)
		n += f->nr_migrations[i];
	return n;
}

/* Three hogs of one CPU that may go anywhere: idle CPUs get theirs from who balances for them. */
static void test_tickless_cpus_get_work(void **state)
{
	struct fixture *f = fixture_new(four, k612, false);
	struct fixture_task *t[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		t[i] = fixture_fork(f, 1, "1", 0);
	for (int i = 0; i < 3; i++)
		fixture_affinity(f, 1, t[i], "0-3");
	assert_int_equal(cpu_rq(f->m, 1)->nr_running, 3);
	ticks(f, 20);
	assert_int_equal(f->nr_migrations[CORE_MIGRATE_NOHZ], 2);
	for (uint32_t cpu = 0; cpu < 4; cpu++)
		assert_true(cpu_rq(f->m, cpu)->nr_running <= 1);
	assert_int_equal(all_migrations(f), 2 + f->nr_migrations[CORE_MIGRATE_FORK]);
	fixture_free(f);
}

/* A CPU whose task sleeps takes the one that waits elsewhere, at once. */
static void test_newidle_pulls(void **state)
{
	struct fixture *f = fixture_new(four, k612, false);
	struct fixture_task *waits;
	const struct domain_counts *counts;

	(void)state;
	fixture_fork(f, 0, "0", 0);
	fixture_fork(f, 0, "1", 0);
	waits = fixture_fork(f, 0, "1", 0);
	for (int i = 0; i < 10; i++)
		f->now += 100000;
	fixture_affinity(f, 0, waits, "0-1");
	f->now += 1000000;
	core_model.block(f->core, 0, false);
	fixture_settle(f, 0);
	assert_int_equal(waits->moves[CORE_MIGRATE_NEWIDLE], 1);
	assert_int_equal(waits->cpu, 0);
	assert_ptr_equal(f->curr[0], waits);
	counts = &cpu_rq(f->m, 0)->sd->counts;
	assert_int_equal(counts->lb[LB_NEWLY_IDLE].count, 1);
	assert_int_equal(counts->lb[LB_NEWLY_IDLE].gained, 1);
	fixture_free(f);
}

/* No second task anywhere: nobody looks. */
static void test_newidle_only_when_overloaded(void **state)
{
	struct fixture *f = fixture_new(four, k612, false);

	(void)state;
	fixture_fork(f, 0, "0", 0);
	fixture_fork(f, 0, "1", 0);
	f->now += 1000000;
	core_model.block(f->core, 0, false);
	fixture_settle(f, 0);
	assert_int_equal(cpu_rq(f->m, 0)->sd->counts.lb[LB_NEWLY_IDLE].count, 0);
	/* nor where the CPU idles for less than a pass takes */
	fixture_fork(f, 1, "1", 0);
	fixture_fork(f, 1, "0", 0);
	cpu_rq(f->m, 0)->sd->newidle.max_cost_ns = 400000;
	cpu_rq(f->m, 0)->avg_idle = 399999;
	f->now += 1000000;
	core_model.block(f->core, 0, false);
	fixture_settle(f, 0);
	assert_true(cpu_rq(f->m, 0)->rd->overloaded);
	assert_int_equal(cpu_rq(f->m, 0)->sd->counts.lb[LB_NEWLY_IDLE].count, 0);
	fixture_free(f);
}

static void do_nothing(struct rq *rq, void *data)
{
	(void)rq;
	*(bool *)data = true;
}

/* CPU 0's task sleeps while its stopper waits: up to 6.11 it doesn't look for work before the stopper has run, then it does. */
static void test_newidle_beside_a_stopper(void **state)
{
	static const char *const k611[] = { "preset=k6.12", "newidle.behind=all",
					    "newidle.random=off", NULL };
	static const char *const *const knobs[] = { k611, k612 };

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		struct fixture *f = fixture_new(four, knobs[i], false);
		struct rq *rq = cpu_rq(f->m, 0);
		struct stop_work work = { 0 };
		bool ran = false;

		fixture_fork(f, 0, "0", 0);
		fixture_fork(f, 0, "1", 0);
		fixture_fork(f, 0, "1", 0);
		f->now += 1000000;
		core_model.block(f->core, 0, false);
		stop_one_cpu(rq, &work, do_nothing, &ran);
		fixture_settle(f, 0);
		assert_true(ran);
		/* before the stopper in vain, since it is there, and after it to find none that may move */
		assert_int_equal(rq->sd->counts.lb[LB_NEWLY_IDLE].count, 1 + i);
		fixture_free(f);
	}
}

/* Both threads of a core are busy, the other core idles: what runs is pushed, since nothing waits that could be pulled. */
static void test_running_task_is_pushed(void **state)
{
	struct fixture *f = fixture_new(cores, k612, false);
	struct fixture_task *t[2];
	uint32_t pushed = 0;

	(void)state;
	t[0] = fixture_fork(f, 0, "0", 0);
	t[1] = fixture_fork(f, 0, "1", 0);
	fixture_affinity(f, 0, t[0], "0-3");
	fixture_affinity(f, 0, t[1], "0-3");
	ticks(f, 60);
	assert_int_equal(f->nr_migrations[CORE_MIGRATE_ACTIVE], 1);
	assert_int_not_equal(t[0]->cpu / 2, t[1]->cpu / 2);
	for (uint32_t cpu = 0; cpu < 4; cpu++)
		for (struct sd *sd = cpu_rq(f->m, cpu)->sd; sd; sd = sd->parent)
			pushed += sd->counts.active_pushed;
	assert_int_equal(pushed, 1);
	fixture_free(f);
}

/* Two tasks of core {0,1} that may not leave CPU 0: the level above learns that affinity is why, and an even core stays even. */
static void test_pinned_tasks_mark_group(void **state)
{
	struct fixture *f = fixture_new(cores, k612, false);
	struct rq *rq = cpu_rq(f->m, 1);
	bool go_on = true;

	(void)state;
	for (int i = 0; i < 4; i++)
		fixture_fork(f, 2, "0", 0);
	f->m->cpu = 1;
	assert_int_equal(lb_pass(rq, rq->sd, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on), 0);
	assert_true(go_on);
	assert_true(sd_group(rq->sd->parent, 0)->imbalanced);
	/* all pinned is no failure, and the domain backs off, beyond its own limit even */
	assert_int_equal(rq->sd->nr_balance_failed, 0);
	assert_int_equal(rq->sd->balance_interval, 2 * rq->sd->min_interval);
	for (int i = 0; i < 12; i++)
		lb_pass(rq, rq->sd, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on);
	assert_int_equal(rq->sd->balance_interval, 512);
	fixture_free(f);
}

/* Balanced: the interval doubles up to twice the domain's CPUs; an imbalance takes it back. */
static void test_interval_backs_off(void **state)
{
	struct fixture *f = fixture_new(four, k612, false);
	struct rq *rq = cpu_rq(f->m, 0);
	struct fixture_task *t[2];
	bool go_on = true;

	(void)state;
	assert_int_equal(rq->sd->balance_interval, 4);
	f->m->cpu = 0;
	lb_pass(rq, rq->sd, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on);
	assert_int_equal(rq->sd->balance_interval, 8);
	lb_pass(rq, rq->sd, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on);
	assert_int_equal(rq->sd->balance_interval, 8);
	t[0] = fixture_fork(f, 1, "1", 0);
	t[1] = fixture_fork(f, 1, "1", 0);
	f->now += 2000000;
	fixture_affinity(f, 1, t[0], "0-3");
	fixture_affinity(f, 1, t[1], "0-3");
	f->m->cpu = 0;
	lb_pass(rq, rq->sd, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on);
	assert_int_equal(rq->sd->balance_interval, 4);
	fixture_free(f);
}

/* A task that ran less than half a millisecond ago stays, until two passes have failed (cache_nice_tries is 1). */
static void test_cache_hot(void **state)
{
	struct fixture *f = fixture_new(four, k612, false);
	struct rq *rq = cpu_rq(f->m, 0);
	struct fixture_task *t[2];
	bool go_on = true;

	(void)state;
	t[0] = fixture_fork(f, 1, "1", 0);
	f->now += 3000000;
	t[1] = fixture_fork(f, 1, "1", 0);
	fixture_settle(f, 1);
	for (int i = 0; i < 2; i++)
		fixture_affinity(f, 1, t[i], "0-3");
	for (int i = 0; i < 2; i++)
		fixture_task(t[i])->se.exec_start = cpu_rq(f->m, 1)->clock_task;
	f->m->cpu = 0;
	for (uint32_t failed = 1; failed <= 2; failed++) {
		assert_int_equal(lb_pass(rq, rq->sd, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on), 0);
		assert_int_equal(rq->sd->nr_balance_failed, failed);
	}
	assert_int_equal(lb_pass(rq, rq->sd, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on), 1);
	assert_int_equal(rq->sd->counts.lb[LB_IDLE].hot_gained, 1);
	assert_int_equal(rq->sd->nr_balance_failed, 0);
	fixture_free(f);
}

/* What was found tells how far a wake-up may look: all 4 CPUs full, 0; idle, 4. */
static void test_pass_sets_idle_scan(void **state)
{
	struct fixture *f = fixture_new(four, k612, false);
	struct rq *rq = cpu_rq(f->m, 0);
	bool go_on = true;

	(void)state;
	f->m->cpu = 0;
	lb_pass(rq, rq->sd, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on);
	assert_int_equal(rq->llc_shared->nr_idle_scan, 4);
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		cpu_rq(f->m, cpu)->cfs.avg.util_avg = 1000;
		rq_changed(cpu_rq(f->m, cpu));
	}
	lb_pass(rq, rq->sd, LB_NEWLY_IDLE, CORE_MIGRATE_BALANCE, &go_on);
	assert_int_equal(rq->llc_shared->nr_idle_scan, 4);
	lb_pass(rq, rq->sd, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on);
	assert_int_equal(rq->llc_shared->nr_idle_scan, 0);
	fixture_free(f);
}

/* Who asks why is told of groups, the domain, queues and tasks; decisions are the same. */
static void test_why_changes_nothing(void **state)
{
	uint32_t moves[2];

	(void)state;
	for (int why = 0; why < 2; why++) {
		struct fixture *f = fixture_new(cores, k612, why);
		struct fixture_task *t[6];

		for (int i = 0; i < 6; i++)
			t[i] = fixture_fork(f, 1, "1", i - 3);
		for (int i = 0; i < 6; i++)
			fixture_affinity(f, 1, t[i], i % 2 ? "0-3" : "1-2");
		ticks(f, 100);
		moves[why] = all_migrations(f);
		assert_true(!f->whys == !why);
		fixture_free(f);
	}
	assert_true(moves[0] > 3);
	assert_int_equal(moves[0], moves[1]);
}

static const char nodes[] = "arch x86\ncpus 4\nshare llc 0-1 step 2 times 2\n"
			    "share package 0-1 step 2 times 2\nnode 0-1 ? 0-1 step 2\n"
			    "distance 0 10 20\ndistance 1 20 10\n";

/* Levels between nodes are balanced one CPU at a time. While the token is taken the level is left out, or, inner, not looked into. */
static void test_serialized_levels(void **state)
{
	struct fixture *f = fixture_new(nodes, k612, false);
	struct rq *rq = cpu_rq(f->m, 0);
	struct sd *numa = rq->sd_numa;
	bool go_on = true;

	(void)state;
	f->m->cpu = 0;
	f->now += 1000000000;
	f->m->balance->token_ns = f->now + 1;
	rebalance_domains(rq, LB_IDLE, CORE_MIGRATE_BALANCE);
	assert_int_equal(rq->sd->counts.lb[LB_IDLE].count, 1);
	assert_int_equal(numa->counts.lb[LB_IDLE].count, 0);
	core_model.knob(f->core, "lb.serialize", "inner");
	rebalance_domains(rq, LB_IDLE, CORE_MIGRATE_BALANCE);
	assert_int_equal(numa->counts.lb[LB_IDLE].balanced, 1);
	assert_int_equal(numa->counts.lb[LB_IDLE].nobusyg, 0);
	/* new-idle balancing asks for it only where it is told to */
	lb_pass(rq, numa, LB_NEWLY_IDLE, CORE_MIGRATE_NEWIDLE, &go_on);
	assert_int_equal(numa->counts.lb[LB_NEWLY_IDLE].nobusyg, 1);
	core_model.knob(f->core, "lb.serialize_newidle", "on");
	lb_pass(rq, numa, LB_NEWLY_IDLE, CORE_MIGRATE_NEWIDLE, &go_on);
	assert_int_equal(numa->counts.lb[LB_NEWLY_IDLE].nobusyg, 1);
	f->m->balance->token_ns = f->now;
	lb_pass(rq, numa, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on);
	assert_int_equal(numa->counts.lb[LB_IDLE].nobusyg, 1);
	fixture_free(f);
}

/*
 * Two hogs in node 0, none in node 1 (imb_numa_nr is 1 there, for a node's cache is the node): the pair is let be as long as the
 * other node would have no more than that; with three a task goes.
 */
static void test_numa_allowance_in_a_pass(void **state)
{
	struct fixture *f = fixture_new(nodes, k612, false);
	struct fixture_task *t[3];
	struct rq *rq = cpu_rq(f->m, 2);
	bool go_on = true;

	(void)state;
	assert_int_equal(rq->sd_numa->imb_numa_nr, 1);
	for (int i = 0; i < 3; i++)
		t[i] = fixture_fork(f, 0, i ? "1" : "0", 0);
	core_model.block(f->core, 1, false);
	fixture_settle(f, 1);
	f->now += 2000000;
	for (int i = 0; i < 3; i++)
		fixture_affinity(f, 0, t[i], "0-3");
	f->m->cpu = 2;
	assert_int_equal(lb_pass(rq, rq->sd_numa, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on), 0);
	assert_true(go_on);
	assert_int_equal(rq->sd_numa->counts.lb[LB_IDLE].nobusyg, 1);
	fixture_free(f);
}

static void add(struct strbuf *text, uint32_t times, const char *word)
{
	while (times--)
		strbuf_addf(text, " %s", word);
}

/* A pass that found balance, of CPU 0 idle, in each layout: 8 or 11 counters a kind, idle or busy first, then 12. */
static void test_schedstat_layouts(void **state)
{
	static const char *const versions[] = { "15", "16", "17" };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct fixture *f = fixture_new(four, k612, false);
		struct rq *rq = cpu_rq(f->m, 0);
		struct strbuf text = { 0 }, expect = { 0 };
		uint32_t n = i == 2 ? 11 : 8;
		bool go_on = true;

		f->m->cpu = 0;
		lb_pass(rq, rq->sd, LB_IDLE, CORE_MIGRATE_BALANCE, &go_on);
		core_model.knob(f->core, "schedstat.version", versions[i]);
		balance_schedstat(rq, &text);
		strbuf_addstr(&expect, i == 2 ? "domain0 MC f" : "domain0 f");
		add(&expect, i ? n : 0, "0");
		add(&expect, 2, "1"); /* count, balanced */
		add(&expect, n - 3, "0");
		add(&expect, 1, "1"); /* nobusyg */
		add(&expect, i ? n : 2 * n, "0");
		add(&expect, 12, "0");
		strbuf_addch(&expect, '\n');
		assert_string_equal(strbuf_str(&text), strbuf_str(&expect));
		strbuf_release(&text);
		strbuf_release(&expect);
		fixture_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tickless_cpus_get_work),
		cmocka_unit_test(test_newidle_pulls),
		cmocka_unit_test(test_newidle_only_when_overloaded),
		cmocka_unit_test(test_newidle_beside_a_stopper),
		cmocka_unit_test(test_running_task_is_pushed),
		cmocka_unit_test(test_pinned_tasks_mark_group),
		cmocka_unit_test(test_interval_backs_off),
		cmocka_unit_test(test_cache_hot),
		cmocka_unit_test(test_pass_sets_idle_scan),
		cmocka_unit_test(test_why_changes_nothing),
		cmocka_unit_test(test_serialized_levels),
		cmocka_unit_test(test_numa_allowance_in_a_pass),
		cmocka_unit_test(test_schedstat_layouts),
	};

	return cmocka_run_group_tests_name("sched/balance", tests, NULL, NULL);
}
