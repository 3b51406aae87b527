// SPDX-License-Identifier: GPL-2.0-only
#include "stats/redraws.h"

#include "stats/sums.h"

#include "check.h"

#define DRAWS 20000

/* Blocks of four, three and nine units: of the last no list is made. */
static const unsigned char side[] = { 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1 };
static const unsigned int block[] = { 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2 };
static const unsigned int scores[] = { 1, 14, 15, 3, 9, 4, 5, 2, 6, 7, 8, 10, 11, 12, 13, 16 };
static const double value[16];
static const struct trial trial = { value, side, block, .n = 16 };

/* The part of the draws that are as far as some distance is that of all arrangements, within 4 sd. */
static void test_redraws_are_like_all_arrangements(void **state)
{
	static double distance[DRAWS];
	double mean = 2 * 33 / 4. + 18 / 3. + 5 * 85 / 9., own;
	struct sums sums = { 0 };
	struct redraws redraws;
	struct blocks blocks;

	(void)state;
	blocks_init(&blocks, &trial);
	redraws_init(&redraws, DRAWS, 5, 1);
	own = redraws_distances(&redraws, distance, &blocks, scores);
	assert_near(own, fabs(14 + 15 + 9 + 2 + 7 + 10 + 12 + 16 - mean), 1e-5);
	sums_clear(&sums);
	sums_deal(&sums, scores, 4, 2);
	sums_deal(&sums, scores + 4, 3, 1);
	sums_deal(&sums, scores + 7, 9, 5);
	for (double far = 2; far < 25; far += 3) {
		double part = sums_at_most(&sums, (uint64_t)floor(mean - far)) +
			      sums_at_least(&sums, (uint64_t)ceil(mean + far));
		double seen = 0;

		for (size_t i = 0; i < DRAWS; i++)
			seen += distance[i] >= far;
		assert_near(seen / DRAWS, part, 4 * sqrt(part * (1 - part) / DRAWS));
	}
	sums_release(&sums);
	redraws_release(&redraws);
	blocks_release(&blocks);
}

/* sd from the counts of all sums; the farthest: 15 14, 9 and the five largest, or 1 3, 4 and the five least. */
static void test_redraws_sd_and_reach(void **state)
{
	double mean = 2 * 33 / 4. + 18 / 3. + 5 * 85 / 9., variance = 0;
	struct sums sums = { 0 };
	struct blocks blocks;

	(void)state;
	blocks_init(&blocks, &trial);
	sums_clear(&sums);
	sums_deal(&sums, scores, 4, 2);
	sums_deal(&sums, scores + 4, 3, 1);
	sums_deal(&sums, scores + 7, 9, 5);
	for (size_t i = 0; i < sums.width; i++)
		variance += pow((double)(sums.least + i) - mean, 2) * sums.count[i] / sums.total;
	assert_near(redraws_sd(&blocks, scores), sqrt(variance), 1e-9);
	assert_near(redraws_reach(&blocks, scores),
		    fmax((double)(sums.least + sums.width - 1) - mean, mean - (double)sums.least),
		    1e-5);
	sums_release(&sums);
	blocks_release(&blocks);
}

static void test_redraws_of_two_streams_differ(void **state)
{
	struct redraws one, same, other;
	int equal = 0;

	(void)state;
	redraws_init(&one, 100, 3, 1);
	redraws_init(&same, 100, 3, 1);
	redraws_init(&other, 100, 3, 2);
	assert_memory_equal(one.word, same.word, 300 * sizeof(*one.word));
	for (int i = 0; i < 300; i++)
		equal += one.word[i] == other.word[i];
	assert_true(equal < 3);
	redraws_release(&one);
	redraws_release(&same);
	redraws_release(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_redraws_are_like_all_arrangements),
		cmocka_unit_test(test_redraws_sd_and_reach),
		cmocka_unit_test(test_redraws_of_two_streams_differ),
	};

	return cmocka_run_group_tests_name("stats/redraws", tests, NULL, NULL);
}
