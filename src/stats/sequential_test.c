// SPDX-License-Identifier: GPL-2.0-only
#include "stats/sequential.h"

#include "base/rng.h"

#include "check.h"

#define MAX_BLOCKS 20
#define DRAWS	   999

static const struct sequential_rule rule = { 0.05, 0, MAX_BLOCKS, 4, 2 };

/* Blocks of four about 100 with 1 % of noise; B is @factor times as large. */
struct run {
	double value[4 * MAX_BLOCKS];
	unsigned char side[4 * MAX_BLOCKS];
	unsigned int block[4 * MAX_BLOCKS];
	struct trial trial;
};

static void draw(struct run *run, double factor, struct rng *rng)
{
	run->trial = (struct trial){ run->value, run->side, run->block, .n = 4 * MAX_BLOCKS };
	for (size_t u = 0; u < 4 * MAX_BLOCKS; u++) {
		size_t other = u - rng_below(rng, u % 4 + 1);

		run->block[u] = (unsigned int)u / 4;
		run->side[u] = run->side[other];
		run->side[other] = u % 2;
	}
	for (size_t u = 0; u < 4 * MAX_BLOCKS; u++)
		run->value[u] = (100 + 2 * rng_unit(rng) - 1) * (run->side[u] ? factor : 1);
}

static void test_sequential_looks_are_known_beforehand(void **state)
{
	const struct sequential_rule odd = { .max_blocks = 9, .first = 4, .every = 2 };

	(void)state;
	for (size_t blocks = 0; blocks <= 9; blocks++)
		assert_int_equal(sequential_is_look(&odd, blocks),
				 blocks == 4 || blocks == 6 || blocks == 8 || blocks == 9);
}

/* One look at the end only: the fixed test. Its p is that of all arrangements, but for the error of 999 draws. */
static void test_sequential_with_one_look_is_the_fixed_test(void **state)
{
	const struct sequential_rule once = { 0.05, 0, MAX_BLOCKS, MAX_BLOCKS, 1 };
	const struct verdict_rule fixed = { .alpha = 0.05 };
	struct redraws redraws;
	struct rng rng;
	int found = 0;

	(void)state;
	redraws_init(&redraws, DRAWS, MAX_BLOCKS, 1);
	rng_seed(&rng, 1, "sequential", 0);
	for (int i = 0; i < 40; i++) {
		struct sequential s;
		struct verdict v;
		struct run run;

		draw(&run, 1.003, &rng);
		sequential_look(&s, &run.trial, MAX_BLOCKS, &redraws, &once);
		verdict_judge(&v, &run.trial, BETTER_LOWER, &fixed);
		assert_near(s.p, v.p, 0.002 + 4 * sqrt(v.p * (1 - v.p) / DRAWS));
		assert_int_equal(s.state, s.p <= 0.05 ? SEQUENTIAL_FOUND : SEQUENTIAL_EXHAUSTED);
		assert_true(s.level > 0.044 && s.level <= 0.05); /* sums tie */
		found += s.state == SEQUENTIAL_FOUND;
	}
	assert_true(found > 5 && found < 35);
	redraws_release(&redraws);
}

/* 5 % at 0.6 % of noise shows at the first look, which may take 0.05 * 0.2^1.5 = 0.0045 of the sequences: 4 of 1000. */
static void test_sequential_stops_early_for_a_large_change(void **state)
{
	struct redraws redraws;
	struct sequential s;
	struct verdict v;
	struct run run;
	struct rng rng;

	(void)state;
	redraws_init(&redraws, DRAWS, MAX_BLOCKS, 1);
	rng_seed(&rng, 2, "sequential", 0);
	draw(&run, 1.05, &rng);
	sequential_look(&s, &run.trial, 3, &redraws, &rule);
	assert_int_equal(s.state, SEQUENTIAL_GO_ON);
	assert_int_equal(s.blocks, 0);
	sequential_look(&s, &run.trial, MAX_BLOCKS, &redraws, &rule);
	assert_int_equal(s.state, SEQUENTIAL_FOUND);
	assert_int_equal(s.blocks, 4);
	assert_true(s.level > 0 && s.level <= 0.0045);
	assert_true(s.p <= 0.0045);
	sequential_verdict(&v, &run.trial, BETTER_LOWER, &rule, &s);
	assert_int_equal(v.word, VERDICT_REGRESSED);
	assert_int_equal(v.n, 4);
	assert_true(v.ci.lo > 0 && v.ci.hi > 0.05);
	assert_near(v.p_adjusted, s.p, 0);
	redraws_release(&redraws);
}

/*
 * The most extreme of the 6^4 arrangements of four blocks has p = 2 / 1296 = 0.00154, but with 999 draws a look may
 * have a level of 0.001: what was found there is called all the same.
 */
static void test_sequential_calls_what_it_found_at_the_first_look(void **state)
{
	int below = 0;

	(void)state;
	for (uint64_t stream = 1; stream <= 40; stream++) {
		struct redraws redraws;
		struct sequential s;
		struct verdict v;
		struct rng rng;
		struct run run;

		redraws_init(&redraws, DRAWS, MAX_BLOCKS, stream);
		rng_seed(&rng, stream, "sequential", 0);
		draw(&run, 1.05, &rng);
		sequential_look(&s, &run.trial, MAX_BLOCKS, &redraws, &rule);
		sequential_verdict(&v, &run.trial, BETTER_LOWER, &rule, &s);
		assert_int_equal(s.state, SEQUENTIAL_FOUND);
		assert_int_equal(v.word, VERDICT_REGRESSED);
		assert_true(v.ci.lo > 0 && v.ci.hi > 0.05);
		below += s.blocks == 4 && s.level < 0.00154;
		redraws_release(&redraws);
	}
	assert_true(below > 0);
}

/* Word and interval say what the looks say, and 400 experiments without a change are found in about a twentieth. */
static void test_sequential_keeps_its_promise(void **state)
{
	int found = 0, covered = 0;
	struct redraws redraws;
	struct rng rng;

	(void)state;
	redraws_init(&redraws, DRAWS, MAX_BLOCKS, 1);
	rng_seed(&rng, 3, "sequential", 0);
	for (int i = 0; i < 400; i++) {
		struct sequential s;
		struct verdict v;
		struct run run;

		draw(&run, 1, &rng);
		sequential_look(&s, &run.trial, MAX_BLOCKS, &redraws, &rule);
		sequential_verdict(&v, &run.trial, BETTER_LOWER, &rule, &s);
		if (v.word != VERDICT_NO_CONCLUSION)
			assert_int_equal(v.word <= VERDICT_REGRESSED, s.state == SEQUENTIAL_FOUND);
		found += s.state == SEQUENTIAL_FOUND;
		covered += !v.has_ci || (v.ci.lo <= 0 && 0 <= v.ci.hi);
	}
	assert_true(found >= 6 && found <= 38); /* 20 -+ 4 sd of 4.4 */
	assert_true(covered >= 362);
	redraws_release(&redraws);
}

/* Noise of 0.6 % a run: after some blocks the interval lies within 2 %, long before the end. */
static void test_sequential_stops_where_the_sides_are_equivalent(void **state)
{
	struct sequential_rule margin = rule;
	struct redraws redraws;
	struct sequential s;
	struct verdict v;
	struct run run;
	struct rng rng;

	(void)state;
	margin.margin = 0.02;
	redraws_init(&redraws, DRAWS, MAX_BLOCKS, 1);
	rng_seed(&rng, 4, "sequential", 0);
	draw(&run, 1, &rng);
	sequential_look(&s, &run.trial, MAX_BLOCKS, &redraws, &margin);
	assert_int_equal(s.state, SEQUENTIAL_EQUIVALENT);
	assert_true(s.blocks < MAX_BLOCKS);
	sequential_verdict(&v, &run.trial, BETTER_LOWER, &margin, &s);
	assert_int_equal(v.word, VERDICT_EQUIVALENT);
	redraws_release(&redraws);
}

/* Noise of 10 % cannot show 0.1 %, and that is seen before the end. */
static void test_sequential_gives_up(void **state)
{
	struct sequential_rule small = rule;
	struct redraws redraws;
	struct sequential s;
	struct verdict v;
	struct run run;
	struct rng rng;

	(void)state;
	small.margin = 0.001;
	redraws_init(&redraws, DRAWS, MAX_BLOCKS, 1);
	rng_seed(&rng, 8, "sequential", 0);
	draw(&run, 1, &rng);
	for (size_t u = 0; u < 4 * MAX_BLOCKS; u++)
		run.value[u] *= 1 + 0.2 * rng_unit(&rng);
	sequential_look(&s, &run.trial, MAX_BLOCKS, &redraws, &small);
	assert_int_equal(s.state, SEQUENTIAL_FUTILE);
	assert_true(s.power < 0.1 && s.blocks < MAX_BLOCKS);
	sequential_verdict(&v, &run.trial, BETTER_LOWER, &small, &s);
	assert_int_equal(v.word, VERDICT_INCONCLUSIVE);
	assert_memory_equal(v.reason, "stopped: going on would have found it with a chance of", 54);
	redraws_release(&redraws);
}

/* Blocks 1 and 3 lost a side: they count as done, and the others carry the look. */
static void test_sequential_with_lost_units(void **state)
{
	struct redraws redraws;
	struct sequential s;
	struct run run;
	struct rng rng;
	size_t n = 0;

	(void)state;
	redraws_init(&redraws, DRAWS, MAX_BLOCKS, 1);
	rng_seed(&rng, 5, "sequential", 0);
	draw(&run, 1.05, &rng);
	for (size_t u = 0; u < 4 * MAX_BLOCKS; u++) {
		if (run.side[u] && (run.block[u] == 1 || run.block[u] == 3))
			continue;
		run.value[n] = run.value[u];
		run.side[n] = run.side[u];
		run.block[n++] = run.block[u];
	}
	run.trial.n = n;
	sequential_look(&s, &run.trial, MAX_BLOCKS, &redraws, &rule);
	assert_int_equal(s.state, SEQUENTIAL_FOUND);
	assert_int_equal(s.blocks, 6); /* two of them can give 2/36 only, and four 2/6^4 */
	run.value[0] = NAN;
	sequential_look(&s, &run.trial, MAX_BLOCKS, &redraws, &rule);
	assert_int_equal(s.state, SEQUENTIAL_GO_ON);
	redraws_release(&redraws);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sequential_looks_are_known_beforehand),
		cmocka_unit_test(test_sequential_with_one_look_is_the_fixed_test),
		cmocka_unit_test(test_sequential_stops_early_for_a_large_change),
		cmocka_unit_test(test_sequential_calls_what_it_found_at_the_first_look),
		cmocka_unit_test(test_sequential_keeps_its_promise),
		cmocka_unit_test(test_sequential_stops_where_the_sides_are_equivalent),
		cmocka_unit_test(test_sequential_gives_up),
		cmocka_unit_test(test_sequential_with_lost_units),
	};

	return cmocka_run_group_tests_name("stats/sequential", tests, NULL, NULL);
}
