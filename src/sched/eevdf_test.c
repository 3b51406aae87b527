// SPDX-License-Identifier: GPL-2.0-only
/* Rows T-F-3 to T-F-10 of the specification: small queues whose averages can be had by hand. */
#include "sched/eevdf.h"

#include "check.h"
#include "sched/fair.h"
#include "sched/fixture.h"

#include <stdlib.h>
#include <string.h>

#define MS UINT64_C(1000000)

/** struct queue - a runqueue with @n entities, all of them waiting */
struct queue {
	struct model model;
	struct rq rq;
	struct root_domain rd;
	struct task task[4];
	size_t n;
};

static struct queue *queue_new(void)
{
	struct queue *q = aligned_alloc(_Alignof(struct queue), sizeof(*q));

	assert_non_null(q);
	memset(q, 0, sizeof(*q));
	features_default(&q->model.features);
	q->model.rq = &q->rq;
	q->model.tick_ns = 4 * MS;
	q->model.tunables.base_slice_ns = 3 * MS;
	q->rq.model = &q->model;
	q->rq.rd = &q->rd;
	q->rq.need_resched = true; /* nobody is to be told */
	return q;
}

/* At @vruntime with @slice_ns to get, weighing @nice. */
static struct entity *add(struct queue *q, uint64_t vruntime, int nice, uint64_t slice_ns)
{
	struct task *p = &q->task[q->n++];
	struct entity *se = &p->se;

	p->rq = &q->rq;
	se->load = weight_of_nice(nice);
	se->vruntime = vruntime;
	se->slice_ns = slice_ns;
	se->deadline = vruntime + weight_virtual(slice_ns, se->load);
	se->on_rq = true;
	fair_insert(&q->rq, se);
	q->rq.cfs.nr_queued++;
	return se;
}

static bool eligible(const struct queue *q, const struct entity *se)
{
	return eevdf_eligible(&q->rq.cfs, se->vruntime);
}

static struct entity *pick(struct queue *q)
{
	return fair_eevdf.pick(&q->rq, q->rq.cfs.curr);
}

/* V is the mean, 3 ms. */
static void test_three_apart(void **state)
{
	struct queue *q = queue_new();
	struct entity *a = add(q, 0, 0, 3 * MS), *b = add(q, 3 * MS, 0, 3 * MS),
		      *c = add(q, 6 * MS, 0, 3 * MS);

	(void)state;
	assert_true(eligible(q, a) && eligible(q, b) && !eligible(q, c));
	assert_int_equal(eevdf_average(&q->rq.cfs), 3 * MS);
	assert_true(eligible(q, a) && eligible(q, b) && !eligible(q, c));
	assert_ptr_equal(pick(q), a);
	assert_int_equal(a->deadline, 3 * MS);
	free(q);
}

/* V = 335 / (1024 + 335) ms; a deadline of 3 ms * 1024 / 335 behind 1 ms. */
static void test_weights_pull_the_average(void **state)
{
	struct queue *q = queue_new();
	struct entity *a = add(q, 0, 0, 3 * MS), *b = add(q, MS, 5, 3 * MS);

	(void)state;
	assert_int_equal(eevdf_average(&q->rq.cfs), 246504);
	assert_false(eligible(q, b));
	assert_int_equal(b->deadline, 10170149);
	assert_ptr_equal(pick(q), a);
	free(q);
}

/* The mean is 999, and rounding must not make anybody at 1000 eligible. */
static void test_the_average_rounds_down(void **state)
{
	struct queue *q = queue_new();
	struct entity *a, *b, *c;

	(void)state;
	q->rq.cfs.zero_vruntime = 1000;
	a = add(q, 997, 0, 3 * MS);
	b = add(q, 1000, 0, 3 * MS);
	c = add(q, 1000, 0, 3 * MS);
	assert_true(eligible(q, a) && !eligible(q, b) && !eligible(q, c));
	assert_int_equal(eevdf_average(&q->rq.cfs), 999);
	assert_true(eligible(q, a) && !eligible(q, b) && !eligible(q, c));
	free(q);
}

/* -1/3 rounds to -1: an average of 999 of 998, 1000, 1001 less a third. */
static void test_a_negative_sum_rounds_down_too(void **state)
{
	struct queue *q = queue_new();

	(void)state;
	q->rq.cfs.zero_vruntime = 1000;
	add(q, 998, 0, 3 * MS);
	add(q, 1000, 0, 3 * MS);
	add(q, 1001, 0, 3 * MS);
	assert_int_equal(eevdf_average(&q->rq.cfs), 999);
	free(q);
}

/* V = (0 + 0.1 + 0.4) / 3 ms. */
static void test_a_shorter_slice_has_the_earlier_deadline(void **state)
{
	struct queue *q = queue_new();
	struct entity *b, *c;

	(void)state;
	add(q, 0, 0, 3 * MS);
	b = add(q, MS / 10, 0, MS / 2);
	c = add(q, 2 * MS / 5, 0, 3 * MS);
	assert_int_equal(b->deadline, 600000);
	assert_false(eligible(q, c));
	assert_ptr_equal(pick(q), b);
	assert_int_equal(eevdf_average(&q->rq.cfs), 166666);
	free(q);
}

static void runs(struct queue *q, struct entity *se)
{
	fair_erase(&q->rq, se);
	q->rq.cfs.curr = se;
	q->rq.curr = task_of(se);
	fair_eevdf.picked(&q->rq, se);
}

static void test_who_runs_must_be_eligible_too(void **state)
{
	struct queue *q = queue_new();
	struct entity *running = add(q, 2 * MS, 0, MS), *queued = add(q, MS, 0, 3 * MS);

	(void)state;
	runs(q, running);
	assert_int_equal(running->deadline, 3 * MS);
	assert_int_equal(queued->deadline, 4 * MS);
	assert_ptr_equal(pick(q), queued);
	free(q);
}

/* The running one is eligible and has the later deadline: it stays while it is protected. */
static void test_run_to_parity(void **state)
{
	struct queue *q = queue_new();
	struct entity *running = add(q, 0, 0, 3 * MS), *queued = add(q, 0, 0, 2 * MS);

	(void)state;
	q->model.features.protect = PROTECT_DEADLINE;
	runs(q, running);
	assert_ptr_equal(pick(q), running);
	q->model.features.run_to_parity = 0;
	assert_ptr_equal(pick(q), queued);
	free(q);
}

/* By 6.17's rule it is protected for the least slice of the queue, 2 ms of its 3. */
static void test_protection_for_the_least_slice(void **state)
{
	struct queue *q = queue_new();
	struct entity *running = add(q, 0, 0, 3 * MS), *queued = add(q, 2 * MS, 0, 2 * MS / 3);

	(void)state;
	q->model.features.protect = PROTECT_SLICE;
	runs(q, running);
	assert_ptr_equal(pick(q), running);
	running->vruntime = 2 * MS / 3 - 1;
	assert_ptr_equal(pick(q), running);
	running->vruntime = 2 * MS;
	assert_ptr_equal(pick(q), queued);
	free(q);
}

/* V = 10 ms, others weigh 2048: a lag of 1 ms is placed as 1 * 3072 / 2048 = 1.5 ms, and V moves half a ms. */
static void test_lag_is_kept_by_placing(void **state)
{
	struct queue *q = queue_new();
	struct entity *se = &q->task[3].se;

	(void)state;
	add(q, 10 * MS, 0, 3 * MS);
	add(q, 10 * MS, 0, 3 * MS);
	se->load = weight_of_nice(0);
	se->lag = (int64_t)MS;
	fair_eevdf.place(&q->rq, se, 0);
	assert_int_equal(se->vruntime, 8500000);
	assert_int_equal(se->deadline, 11500000);
	q->n = 2;
	q->task[2].se = *se;
	add(q, se->vruntime, 0, 3 * MS);
	assert_int_equal(eevdf_average(&q->rq.cfs), 9500000);
	assert_int_equal(eevdf_lag(9500000, se, 4 * MS), 1000000);
	free(q);
}

/* 600 000 * (1024 + 335) / 1024 = 796 289. */
static void test_negative_lag(void **state)
{
	struct queue *q = queue_new();
	struct entity *se = &q->task[3].se;

	(void)state;
	add(q, 10 * MS, 0, 3 * MS);
	se->load = weight_of_nice(5);
	se->lag = -600000;
	fair_eevdf.place(&q->rq, se, ENQUEUE_INITIAL);
	assert_int_equal(se->vruntime, 10796289);
	/* a new task has half a slice: 3 ms * 1024 / 335 / 2 */
	assert_int_equal(se->deadline - se->vruntime, 9170149 / 2);
	free(q);
}

static int64_t limit(int nice, uint64_t slice_ns)
{
	struct entity se = { .load = weight_of_nice(nice), .slice_ns = slice_ns };
	int64_t most = eevdf_lag(UINT64_C(1) << 40, &se, 4 * MS);

	assert_int_equal(eevdf_lag(-(UINT64_C(1) << 40), &se, 4 * MS), -most);
	return most;
}

/* Two slices of 2.8 ms by weight; or a tick where that is more. */
static void test_lag_is_limited(void **state)
{
	(void)state;
	assert_int_equal(limit(0, 2800000), 5600000);
	assert_int_equal(limit(5, 2800000), 17117612);
	assert_int_equal(limit(0, 700000), 4000000);
}

/* Its weight falls to a third: its lag, time owed by weight, stays. */
static void test_reweight_keeps_what_is_owed(void **state)
{
	struct entity se = { .load = weight_of_nice(0), .lag = 335000 };
	struct model m = { .features.core = CORE_EEVDF612 };
	struct rq rq = { .model = &m };

	(void)state;
	fair_eevdf.reweight(&rq, &se, weight_of_nice(5));
	assert_int_equal(se.lag, 1024000);
}

/* From 7.3 on when it is queued again, and so does what is left of its request: 1024 / 335 of both. */
static void test_reweight_waits_for_the_queue(void **state)
{
	struct entity se = {
		.load = weight_of_nice(0), .lag = 335000, .lag_weight = 1024, .deadline = 670000
	};
	struct model m = { .features.core = CORE_EEVDF73 };
	struct rq rq = { .model = &m };

	(void)state;
	fair_eevdf.reweight(&rq, &se, weight_of_nice(5));
	assert_int_equal(se.lag, 335000);
	se.load = weight_of_nice(5);
	se.rel_deadline = true;
	fair_eevdf.counted(&rq, &se);
	assert_int_equal(se.lag, 1024000);
	assert_int_equal(se.deadline, 2048000);
	fair_eevdf.counted(&rq, &se);
	assert_int_equal(se.lag, 1024000);
}

static void test_a_relative_deadline_survives_a_move(void **state)
{
	struct queue *q = queue_new();
	struct entity *se = add(q, MS, 0, 3 * MS);

	(void)state;
	add(q, MS, 0, 3 * MS);
	se->deadline = MS + 1234567;
	fair_eevdf.leave(&q->rq, se, 0);
	assert_int_equal(se->deadline, 1234567);
	fair_erase(&q->rq, se);
	q->rq.cfs.nr_queued--;
	fair_eevdf.place(&q->rq, se, ENQUEUE_MIGRATED);
	assert_int_equal(se->deadline - se->vruntime, 1234567);
	assert_false(se->rel_deadline);
	free(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three_apart),
		cmocka_unit_test(test_weights_pull_the_average),
		cmocka_unit_test(test_the_average_rounds_down),
		cmocka_unit_test(test_a_negative_sum_rounds_down_too),
		cmocka_unit_test(test_a_shorter_slice_has_the_earlier_deadline),
		cmocka_unit_test(test_who_runs_must_be_eligible_too),
		cmocka_unit_test(test_run_to_parity),
		cmocka_unit_test(test_protection_for_the_least_slice),
		cmocka_unit_test(test_lag_is_kept_by_placing),
		cmocka_unit_test(test_negative_lag),
		cmocka_unit_test(test_lag_is_limited),
		cmocka_unit_test(test_reweight_keeps_what_is_owed),
		cmocka_unit_test(test_reweight_waits_for_the_queue),
		cmocka_unit_test(test_a_relative_deadline_survives_a_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
