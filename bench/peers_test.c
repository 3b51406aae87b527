// SPDX-License-Identifier: GPL-2.0-only
/*
 * The peers' rules against R: the least change, in steps of 0.1 %, that each calls in these twenty figures. R 4.2.2:
 * t.test, wilcox.test(exact = TRUE) and sd; for the rest the rule's formula written again there.
 */
#include "peers.h"

#include "base/mem.h"
#include "check.h"

#include <math.h>

#define N 10

static const double a[N] = { 1.013, 0.994, 1.002, 1.071, 0.985, 1.009, 0.997, 1.004, 0.991, 1.018 };
static const double b[N] = { 1.006, 0.989, 1.015, 0.999, 0.983, 1.034, 0.996, 1.011, 1.001, 0.987 };
static const double sorted_a[N] = { 0.985, 0.991, 0.994, 0.997, 1.002,
				    1.004, 1.009, 1.013, 1.018, 1.071 };
static const double sorted_b[N] = { 0.983, 0.987, 0.989, 0.996, 0.999,
				    1.001, 1.006, 1.011, 1.015, 1.034 };

/* All of x, then all of y, 1 + change times as large; the other way round where change is negative. */
static int call(enum peer peer, const double *x, const double *y, double change)
{
	double logs[2 * N];
	unsigned char side[2 * N];
	struct peer_data data;
	struct rng rng;

	for (int i = 0; i < N; i++) {
		logs[i] = log(x[i]);
		logs[N + i] = log(y[i]) + log1p(fabs(change));
		side[i] = change < 0;
		side[N + i] = change >= 0;
	}
	peer_data_split(&data, logs, side, N);
	rng_seed(&rng, 1, "peers_test", peer);
	return peer_call(peer, &data, &rng);
}

static void check_tip(enum peer peer, const double *x, const double *y, double least)
{
	assert_int_equal(call(peer, x, y, least - 0.001), 0);
	assert_int_equal(call(peer, x, y, least), 1);
	assert_int_equal(call(peer, x, y, -least), -1);
}

static void test_rules_call_from_the_least_change_on(void **state)
{
	static const struct {
		enum peer peer;
		double least;
	} tips[] = {
		{ PEER_WELCH, 0.026 }, { PEER_MWU, 0.018 }, { PEER_SE, 0.019 }, { PEER_SD, 0.047 },
		{ PEER_MMT, 0.087 },   { PEER_LKP, 0.180 }, { PEER_HF, 0.036 }, { PEER_EP, 0.050 },
		{ PEER_WSR, 0.031 },   { PEER_HAC, 0.026 }, /* neighbours are not alike: as Welch */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(tips); i++)
		check_tip(tips[i].peer, a, b, tips[i].least);
}

/* The same figures sorted: rho = 0.59 with the correction, so variances are 3.9 times as large; t is 2.10 at 18. */
static void test_hac_asks_more_where_neighbours_are_alike(void **state)
{
	(void)state;
	check_tip(PEER_HAC, sorted_a, sorted_b, 0.044);
}

/*
 * Exact p in R: perm 0.30 and 0.0045, flip 0.28 and 0.014; intervals from 4000 resamples: bCI [0.994, 1.024] and
 * [1.010, 1.040], crit (beyond 1.01) [1.003, 1.037] and [1.019, 1.053].
 */
static void test_rules_that_draw_agree_with_exact_ones(void **state)
{
	static const struct {
		enum peer peer;
		double none, called;
	} peers[] = {
		{ PEER_PERM, 0.016, 0.036 },
		{ PEER_FLIP, 0.016, 0.036 },
		{ PEER_BCI, 0.012, 0.028 },
		{ PEER_CRIT, 0.028, 0.044 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(peers); i++) {
		assert_int_equal(call(peers[i].peer, a, b, peers[i].none), 0);
		assert_int_equal(call(peers[i].peer, a, b, peers[i].called), 1);
		assert_int_equal(call(peers[i].peer, a, b, -peers[i].called), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules_call_from_the_least_change_on),
		cmocka_unit_test(test_hac_asks_more_where_neighbours_are_alike),
		cmocka_unit_test(test_rules_that_draw_agree_with_exact_ones),
	};

	return cmocka_run_group_tests_name("bench/peers", tests, NULL, NULL);
}
