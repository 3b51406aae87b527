// SPDX-License-Identifier: GPL-2.0-only
#include "sched/lb_fixture.h"
#include "sched/lb_sums.h"

/* 4 nodes in a row, of 2 cores with 2 threads: overlapping groups, SMT, and three levels above. */
static const char nodes_in_a_row[] = "arch x86\ncpus 16\nshare threads 0-1 step 2 times 8\n"
				     "share llc 0-3 step 4 times 4\n"
				     "share package 0-3 step 4 times 4\n"
				     "node 0-3 ? 0-3 step 4\n"
				     "distance 0 10 20 30 40\ndistance 1 20 10 20 30\n"
				     "distance 2 30 20 10 20\ndistance 3 40 30 20 10\n";

static const char big_and_little[] = "arch arm64\ncpus 8\ncapacity 446 0-3\n"
				     "share llc 0-3 step 4 times 2\nshare package 0-7\n";

static void check_group(struct model *m, const struct sgroup *g)
{
	struct lb_sums sums = { 0 };
	uint32_t cpu;

	if (g->weight == 1)
		return;
	cset_for_each (cpu, g->span) {
		const struct lb_sums one = lb_look(cpu_rq(m, cpu));

		lb_sums_add(&sums, &one);
	}
	assert_int_equal(sums.load, g->sums.load);
	assert_int_equal(sums.util, g->sums.util);
	assert_int_equal(sums.runnable, g->sums.runnable);
	assert_int_equal(sums.nr_running, g->sums.nr_running);
	assert_int_equal(sums.nr_fair, g->sums.nr_fair);
	assert_int_equal(sums.idle_cpus, g->sums.idle_cpus);
	assert_int_equal(sums.nr_over, g->sums.nr_over);
	assert_int_equal(sums.nr_odd, g->sums.nr_odd);
}

static void check_all(struct fixture *f)
{
	struct model *m = f->m;

	lb_sums_update(m, m->balance->domains);
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++)
		for (struct sd *sd = cpu_rq(m, cpu)->sd; sd; sd = sd->parent)
			for (uint32_t i = 0; i < sd->ring->nr; i++)
				check_group(m, sd_group(sd, i));
}

static void do_something(struct fixture *f, struct rng *rng)
{
	uint32_t cpu = (uint32_t)rng_below(rng, f->machine->nr_cpus);
	struct fixture_task *t;

	f->now += rng_below(rng, 300000);
	switch (rng_below(rng, 8)) {
	case 0:
		if (f->nr_tasks < 60)
			fixture_fork(f, cpu, rng_below(rng, 3) ? NULL : "1-3,5",
				     (int)rng_below(rng, 40) - 20);
		break;
	case 1:
	case 2:
		if (!f->curr[cpu])
			break;
		core_model.block(f->core, cpu, false);
		fixture_settle(f, cpu);
		break;
	case 3:
	case 4:
	case 5:
		if (!f->nr_tasks)
			break;
		t = &f->task[rng_below(rng, f->nr_tasks)];
		core_model.wake(f->core, cpu, t->core, rng_below(rng, 2));
		fixture_settle(f, cpu);
		break;
	default:
		fixture_tick(f);
	}
}

static void run(const char *machine, const char *preset)
{
	const char *knobs[] = { preset, NULL };
	struct fixture *f = fixture_new(machine, knobs, false);
	struct rng rng;
	uint32_t moves = 0;

	rng_seed(&rng, 7, machine, 0);
	for (int i = 0; i < 4000; i++) {
		do_something(f, &rng);
		check_all(f);
	}
	for (int i = 0; i < NR_CORE_REASONS; i++)
		moves += f->nr_migrations[i];
	assert_true(moves > 100); /* or the walk has shown nothing */
	fixture_free(f);
}

static void test_sums_overlapping_nodes(void **state)
{
	(void)state;
	run(nodes_in_a_row, "preset=k6.12");
	run(nodes_in_a_row, "preset=k6.1");
}

static void test_sums_asymmetric(void **state)
{
	(void)state;
	run(big_and_little, "preset=k6.19");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_overlapping_nodes),
		cmocka_unit_test(test_sums_asymmetric),
	};

	return cmocka_run_group_tests_name("sched/lb_sums", tests, NULL, NULL);
}
