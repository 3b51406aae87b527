// SPDX-License-Identifier: GPL-2.0-only
/* A queue of random contents against one that is an array, looked at from end to end. */
#include "sched/eevdf.h"

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

#define N 300

struct plain {
	struct entity *at[N];
	size_t n;
};

/* Behind all of equal key. */
static void plain_insert(struct plain *plain, struct entity *se)
{
	size_t i = plain->n++;

	for (; i && key_before(se->key, plain->at[i - 1]->key); i--)
		plain->at[i] = plain->at[i - 1];
	plain->at[i] = se;
}

static void plain_erase(struct plain *plain, const struct entity *se)
{
	size_t i = 0;

	while (plain->at[i] != se)
		i++;
	memmove(&plain->at[i], &plain->at[i + 1], (--plain->n - i) * sizeof(plain->at[0]));
}

static struct entity *plain_first_eligible(const struct plain *plain, const struct fair_rq *cfs)
{
	for (size_t i = 0; i < plain->n; i++) {
		if (eevdf_eligible(cfs, plain->at[i]->vruntime))
			return plain->at[i];
	}
	return NULL;
}

static void assert_same(const struct fair_rq *cfs, const struct plain *plain)
{
	const struct entity *se = cfs->timeline.first;
	uint64_t slice_ns = UINT64_MAX;

	for (size_t i = 0; i < plain->n; i++, se = timeline_next(&cfs->timeline, se)) {
		assert_ptr_equal(se, plain->at[i]);
		if (se->slice_ns < slice_ns)
			slice_ns = se->slice_ns;
	}
	assert_null(se);
	assert_int_equal(eevdf_least_slice(cfs), slice_ns);
	assert_ptr_equal(eevdf_first(cfs), plain_first_eligible(plain, cfs));
}

/* As the fair class does it. */
static void weigh(struct fair_rq *cfs, const struct entity *se, int64_t sign)
{
	cfs->avg_vruntime +=
		sign * (int64_t)(se->vruntime - cfs->zero_vruntime) * (int64_t)se->load.weight;
	cfs->avg_weight += (uint64_t)sign * se->load.weight;
}

static void test_order_minima_and_first_eligible(void **state)
{
	struct entity *all = xcalloc(N, sizeof(*all));
	struct fair_rq cfs = { 0 };
	struct plain plain = { .n = 0 };
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "timeline", 0);
	for (int i = 0; i < 20000; i++) {
		struct entity *se = &all[rng_below(&rng, N)];

		if (se->on_rq) {
			timeline_erase(&cfs.timeline, se);
			weigh(&cfs, se, -1);
			plain_erase(&plain, se);
		} else {
			se->priority = (uint32_t)rng_next(&rng);
			se->load = weight_of_nice((int)rng_below(&rng, 40) - 20);
			se->vruntime = rng_below(&rng, 1000);
			se->key = se->vruntime + rng_below(&rng, 50);
			se->slice_ns = rng_below(&rng, 1000);
			timeline_insert(&cfs.timeline, se);
			weigh(&cfs, se, 1);
			plain_insert(&plain, se);
		}
		se->on_rq = !se->on_rq;
		if (i % 64 == 0 || plain.n < 8)
			assert_same(&cfs, &plain);
	}
	free(all);
}

/* No deeper than some multiple of log2 n, as the priorities are scattered. */
static void test_it_is_not_deep(void **state)
{
	struct entity *all = xcalloc(4096, sizeof(*all));
	struct timeline timeline = { 0 };
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1, "depth", 0);
	for (uint64_t i = 0; i < 4096; i++) {
		all[i].key = i;
		all[i].priority = (uint32_t)rng_next(&rng);
		timeline_insert(&timeline, &all[i]);
	}
	for (size_t i = 0; i < 4096; i++) {
		int depth = 0;

		for (const struct entity *se = &all[i]; se; se = se->parent)
			depth++;
		assert_true(depth < 48);
	}
	free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_minima_and_first_eligible),
		cmocka_unit_test(test_it_is_not_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
