// SPDX-License-Identifier: GPL-2.0-only
#include "sim/task.h"

#include "sim/fixture_script.h"
#include "sim/random_tables.h"

#include <math.h>

#include "check.h"

#define DRAWS 200000

/* Each entry from libm: half a unit of the last place. */
static void test_random_tables(void **state)
{
	(void)state;
	for (int i = 0; i <= 128; i++) {
		assert_near((double)random_log2[i], ldexp(log2(1 + i / 128.), 32), 1);
		assert_near((double)random_exp2[i], ldexp(exp2(i / 128.), 31), 1);
	}
	/* what z is exceeded with: erfc(z / sqrt 2) / 2, to a part in 10^6 */
	for (int i = 0; i < RANDOM_OCTAVES * RANDOM_STEPS; i++) {
		double z = ldexp(random_normal[i], -RANDOM_NORMAL_BITS);
		double p =
			ldexp(1 + i % RANDOM_STEPS / (double)RANDOM_STEPS, -(i / RANDOM_STEPS + 2));

		assert_near(erfc(z / sqrt(2)) / 2 / p, 1, 2e-6);
	}
}

struct draws {
	enum sim_spread spread;
	double sum, sum_log, sum_log2;
	uint64_t below_mean, above_ten;
};

static void draw(struct sim_task *task, void *data)
{
	struct draws *draws = data;

	for (int i = 0; i < DRAWS; i++) {
		uint64_t x = sim_draw(task, draws->spread, 1000000);
		double l = log((double)(x ? x : 1) / 1e6);

		draws->sum += (double)x;
		draws->sum_log += l;
		draws->sum_log2 += l * l;
		draws->below_mean += x < 1000000;
		draws->above_ten += x > 10000000;
	}
	sim_exit(task);
}

static struct draws make(enum sim_spread spread)
{
	struct draws draws = { .spread = spread };
	const struct sim_task_spec spec = { .name = "draw", .step = draw, .data = &draws };
	struct script_world world;
	enum sim_end end;

	script_world_init(&world, 1, 1, 1, 1);
	script_boot(&world);
	sim_spawn(world.sim, &spec);
	assert_int_equal(sim_go(world.sim, UINT64_MAX, &end, NULL), 0);
	script_world_release(&world);
	return draws;
}

/* A share p of n draws is within 5 sqrt(p (1 - p) / n) of p. */
static void assert_share(uint64_t n, double p)
{
	assert_near((double)n / DRAWS, p, 5 * sqrt(p * (1 - p) / DRAWS));
}

/* 1 - e^-1 are below the mean, e^-10 above ten times that; sd of the mean is 1 / sqrt n. */
static void test_random_exponential(void **state)
{
	struct draws d = make(SIM_EXPONENTIAL);

	(void)state;
	assert_near(d.sum / DRAWS / 1e6, 1, 5 / sqrt(DRAWS));
	assert_share(d.below_mean, 1 - exp(-1));
	assert_share(d.above_ten, exp(-10));
}

/* The logarithm is normal with the mean -1/2 and sd 1; Phi(1/2) are below the mean, Phi(-1/2 - ln 10) above ten times that. */
static void test_random_lognormal(void **state)
{
	struct draws d = make(SIM_LOGNORMAL);
	double mean = d.sum_log / DRAWS;

	(void)state;
	assert_near(mean, -0.5, 5 / sqrt(DRAWS));
	assert_near(d.sum_log2 / DRAWS - mean * mean, 1, 5 * sqrt(2. / DRAWS));
	assert_share(d.below_mean, erfc(-0.5 / sqrt(2)) / 2);
	assert_share(d.above_ten, erfc((0.5 + log(10)) / sqrt(2)) / 2);
}

/* The least is a third of the mean; above x times the mean are (1 / 3x)^1.5. Its variance is infinite, so its mean is not looked at. */
static void test_random_pareto(void **state)
{
	struct draws d = make(SIM_PARETO);

	(void)state;
	assert_share(DRAWS - d.below_mean, pow(1. / 3, 1.5));
	assert_share(d.above_ten, pow(1. / 30, 1.5));
}

/* Half are below the mean, none above its double; sd of one is 1 / sqrt 3. */
static void test_random_uniform_and_fixed(void **state)
{
	struct draws d = make(SIM_UNIFORM);

	(void)state;
	assert_near(d.sum / DRAWS / 1e6, 1, 5 / sqrt(3. * DRAWS));
	assert_share(d.below_mean, 0.5);
	assert_int_equal(d.above_ten, 0);
	d = make(SIM_FIXED);
	assert_near(d.sum, 1e6 * DRAWS, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_tables),
		cmocka_unit_test(test_random_exponential),
		cmocka_unit_test(test_random_lognormal),
		cmocka_unit_test(test_random_pareto),
		cmocka_unit_test(test_random_uniform_and_fixed),
	};

	return cmocka_run_group_tests_name("sim/random", tests, NULL, NULL);
}
