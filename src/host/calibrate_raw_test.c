// SPDX-License-Identifier: GPL-2.0-only
#include "host/calibrate_raw.h"

#include <math.h>
#include <stddef.h>

#include "check.h"

/* Of those by transport and distance. */
#define FAR(transport, distance) ((transport)*NR_SIM_DISTANCES + (distance))

static void forget(struct calibrate_raws *raws)
{
	for (size_t i = 0; i < NR_CALIBRATE_RAWS; i++)
		raws->ns[i] = NAN;
}

/*
 * A machine of these costs: call 200, pipe 250 and 180, wake-ups 800 here and 900 in the LLC, switch 2000 and 700 more to another
 * address space, interrupt 3000, IPI
 * 1500 on its way and 4000 for its sender, idle exit 5000. So its times are
 *	write 450, read 380; write and wake here 450 + 800;
 *	half a round trip: write 450 + 800, read 200, switch 2000, reading 180 = 3630, and 4330 between processes;
 *	write and wake behind a busy one 450 + 900, of an idle CPU 4000 more;
 *	write and read 900 by one CPU, 1040 where another one reads: 140 more;
 *	latency: 450 + 900 + 1500 + 3000 + 2000 + 180 + 140 = 8170, and 700 more where another process computes, 5000 where the CPU idles;
 *	a child's end: call 200, its work 40000, wake-up 800, switch 2700 = 43700;
 *	a thread's end: call 200, its work 7000, wake-up 800, switch 2000 = 10000.
 */
static void make_raws(struct calibrate_raws *raws)
{
	double *ns = raws->ns;

	forget(raws);
	ns[RAW_SYSCALL] = 200;
	ns[RAW_SEND + SIM_PIPE] = 450;
	ns[RAW_RECEIVE + SIM_PIPE] = 380;
	ns[RAW_MANY + SIM_PIPE] = 450 + 380 + 2 * 150;
	ns[RAW_WAKE_SAME] = 1250;
	ns[RAW_TURN_SAME] = 4330;
	ns[RAW_TURN_THREAD] = 3630;
	ns[RAW_RING] = 3630 + 1100;
	/* more than two take: 2500 where more than four are in the ring, 1100 of it as with threads */
	for (size_t i = 0; i < CALIBRATE_SPACES; i++)
		ns[RAW_SPACES + i] = 4330 + (calibrate_spaces(i) > 4 ? 2500 : 100);
	ns[RAW_INTERRUPT] = 3000;
	ns[RAW_WAKE_BUSY + SIM_LLC] = 1350;
	ns[RAW_WAKE_IDLE + SIM_LLC] = 5350;
	ns[RAW_NEAR + FAR(SIM_PIPE, SIM_LLC)] = 900;
	ns[RAW_FAR + FAR(SIM_PIPE, SIM_LLC)] = 1040;
	ns[RAW_NEAR + FAR(SIM_TCP, SIM_LLC)] = 8000;
	ns[RAW_FAR + FAR(SIM_TCP, SIM_LLC)] = 7990;
	ns[RAW_LATENCY_BUSY + SIM_LLC] = 8870;
	ns[RAW_LATENCY_IDLE + SIM_LLC] = 13170;
	ns[RAW_EXIT] = 43700;
	ns[RAW_CHILD] = 100000;
	ns[RAW_CHILD_BOTH] = 125000;
	ns[RAW_THREAD_EXIT] = 10000;
	ns[RAW_COPY] = 1900;
	ns[RAW_EXEC] = 350200;
	/* 4 KiB at 70 ns a KiB and way */
	ns[RAW_SEND_KIB] = 450 + 280;
	ns[RAW_RECEIVE_KIB] = 380 + 280;
	/* 128 lines of 20 ns each */
	ns[RAW_WARM + SIM_LLC] = 300;
	ns[RAW_COLD + SIM_LLC] = 300 + 2560;
	ns[RAW_SMT_ALONE] = 1000;
	ns[RAW_SMT_TOGETHER] = 1600;
}

static void test_calibrate_derive_takes_times_apart(void **state)
{
	struct calibrate_raws raws;
	double v[COSTS_VALUES];

	(void)state;
	make_raws(&raws);
	calibrate_derive(v, &raws);
	assert_near(v[AT(syscall_ns)], 200, 1e-9);
	assert_near(v[AT(send_ns) + SIM_PIPE], 250, 1e-9);
	assert_near(v[AT(receive_ns) + SIM_PIPE], 180, 1e-9);
	assert_near(v[AT(thread_exit_ns)], 7000, 1e-9);
	assert_near(v[AT(fork_fault_ns)], 1900, 1e-9);
	assert_near(v[AT(wake_ns) + SIM_SAME], 800, 1e-9);
	assert_near(v[AT(wake_ns) + SIM_LLC], 900, 1e-9);
	assert_near(v[AT(switch_ns)], 2000, 1e-9);
	assert_near(v[AT(switch_space_ns)], 700, 1e-9);
	assert_near(v[AT(switch_cold_ns)], 1100, 1e-9);
	assert_near(v[AT(space_cold_ns)], 1400, 1e-9);
	assert_near(v[AT(spaces_kept)], 4, 1e-9);
	assert_near(v[AT(paging_shared)], 256, 1e-9);
	assert_near(v[AT(message_cold_ns) + SIM_PIPE], 150, 1e-9);
	assert_near(v[AT(message_far_ns) + FAR(SIM_PIPE, SIM_LLC)], 140, 1e-9);
	assert_near(v[AT(message_far_ns) + FAR(SIM_TCP, SIM_LLC)], 0, 1e-9);
	assert_near(v[AT(interrupt_ns)], 3000, 1e-9);
	assert_near(v[AT(ipi_ns) + SIM_LLC], 1500, 1e-9);
	assert_near(v[AT(ipi_send_ns)], 4000, 1e-9);
	assert_near(v[AT(idle_exit_ns)], 5000, 1e-9);
	assert_near(v[AT(exit_ns)], 40000, 1e-9);
	assert_near(v[AT(exec_ns)], 250000, 1e-9);
	assert_near(v[AT(copy_ns_kib)], 70, 1e-9);
	assert_near(v[AT(cold_ns) + SIM_LLC], 2560, 1e-9);
	assert_near(v[AT(core_step_ns)], 20, 1e-9);
	assert_near(v[AT(smt_speed)], 640, 1e-9);
}

static void test_calibrate_derive_knows_what_it_has_not(void **state)
{
	struct calibrate_raws raws;
	double v[COSTS_VALUES];

	(void)state;
	make_raws(&raws);
	calibrate_derive(v, &raws);
	assert_true(isnan(v[AT(wake_ns) + SIM_NODE]));
	assert_true(isnan(v[AT(ipi_ns) + SIM_SAME]));
	assert_true(isnan(v[AT(send_ns) + SIM_TCP]));
	assert_true(isnan(v[AT(message_far_ns) + FAR(SIM_PIPE, SIM_SAME)]));
	assert_true(isnan(v[AT(message_far_ns) + FAR(SIM_PIPE, SIM_NODE)]));
	assert_true(isnan(v[AT(memory_ns_kib) + SIM_NODE]));
	forget(&raws);
	calibrate_derive(v, &raws);
	for (size_t i = 0; i < COSTS_VALUES; i++)
		assert_true(isnan(v[i]));
}

/* Where processes lose no more than threads do, nothing is said of how many are kept. */
static void test_calibrate_derive_knows_of_no_spaces(void **state)
{
	struct calibrate_raws raws;
	double v[COSTS_VALUES];

	(void)state;
	make_raws(&raws);
	for (size_t i = 0; i < CALIBRATE_SPACES; i++)
		raws.ns[RAW_SPACES + i] = 4330 + 1100;
	calibrate_derive(v, &raws);
	assert_near(v[AT(space_cold_ns)], 0, 1e-9);
	assert_true(isnan(v[AT(spaces_kept)]));
}

/* A timer's interrupt of 9000 is longer than all that the wake-up leaves for interrupt and way, 4500. */
static void test_calibrate_derive_bounds_interrupts_by_ipis(void **state)
{
	struct calibrate_raws raws;
	double v[COSTS_VALUES];

	(void)state;
	make_raws(&raws);
	raws.ns[RAW_INTERRUPT] = 9000;
	calibrate_derive(v, &raws);
	assert_near(v[AT(interrupt_ns)], 4500, 1e-9);
	assert_near(v[AT(ipi_ns) + SIM_LLC], 0, 1e-9);
}

/* Noise can make a part greater than the whole: nothing is left then. */
static void test_calibrate_derive_never_below_nothing(void **state)
{
	struct calibrate_raws raws;
	double v[COSTS_VALUES];

	(void)state;
	make_raws(&raws);
	raws.ns[RAW_WAKE_IDLE + SIM_LLC] = 1300;
	raws.ns[RAW_LATENCY_IDLE + SIM_LLC] = 8140;
	raws.ns[RAW_SEND + SIM_PIPE] = 100;
	calibrate_derive(v, &raws);
	assert_near(v[AT(ipi_send_ns)], 0, 1e-9);
	assert_near(v[AT(idle_exit_ns)], 0, 1e-9);
	assert_near(v[AT(send_ns) + SIM_PIPE], 0, 1e-9);
}

/* Calls of 200, 210, 220, 230 and 900 ns: the median 220; half the range from the 2nd to the 4th is 10. */
static void test_calibrate_conclude_is_the_runs_median(void **state)
{
	static const double calls[] = { 220, 900, 200, 230, 210 };
	struct calibrate_raws raws[6];
	struct calibration c;
	const struct calibrate_value *value;
	struct costs usual;

	(void)state;
	costs_default(&usual);
	for (size_t i = 0; i < 6; i++) {
		forget(&raws[i]);
		if (i < 5)
			raws[i].ns[RAW_SYSCALL] = calls[i];
	}
	calibrate_conclude(&c, raws, 6);
	value = calibration_value(&c, "syscall_ns");
	assert_true(value->measured);
	assert_int_equal(value->runs, 5);
	assert_near(value->median, 220, 1e-9);
	assert_near(value->spread, 10, 1e-9);
	assert_int_equal(c.costs.syscall_ns, 220);
	/* what is not measured is the default, and says why */
	value = calibration_value(&c, "switch_ns");
	assert_false(value->measured);
	assert_non_null(value->why);
	assert_int_equal(c.costs.switch_ns, usual.switch_ns);
	assert_null(calibration_value(&c, "switch"));
	calibration_release(&c);
}

/* Of two runs, 200 and 260 ns, both count: 230 +- 30. */
static void test_calibrate_conclude_has_a_spread_of_two(void **state)
{
	struct calibrate_raws raws[2];
	struct calibration c;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		forget(&raws[i]);
		raws[i].ns[RAW_SYSCALL] = i ? 260 : 200;
	}
	calibrate_conclude(&c, raws, 2);
	assert_near(calibration_value(&c, "syscall_ns")->median, 230, 1e-9);
	assert_near(calibration_value(&c, "syscall_ns")->spread, 30, 1e-9);
	calibration_release(&c);
}

/* By the costs of make_raws(), of idle CPUs: 450 + 900 + 1500 + 5000 + 3000 + 2000 + 180 + 140 = 13170. */
static void test_calibrate_conclude_foretells_a_round_trip(void **state)
{
	struct calibrate_raws raws;
	struct calibration c;

	(void)state;
	make_raws(&raws);
	raws.ns[RAW_TURN + SIM_LLC] = 12000;
	calibrate_conclude(&c, &raws, 1);
	assert_int_equal(c.nr_checks, 1);
	assert_near(c.check[0].measured, 12000, 1e-9);
	assert_near(c.check[0].expected, 13170, 1e-9);
	calibration_release(&c);
}

static void test_calibrate_conclude_names_all_values(void **state)
{
	struct calibrate_raws raws;
	struct calibration c;

	(void)state;
	forget(&raws);
	calibrate_conclude(&c, &raws, 1);
	for (size_t i = 0; i < COSTS_VALUES; i++) {
		assert_true(c.value[i].name[0]);
		assert_non_null(c.value[i].method);
		assert_non_null(c.value[i].why);
	}
	calibration_release(&c);
}

/* A tick of 250 Hz that takes 1500 ns, at 1.3 ms of each period, and one disturbance every 5.7 ms that takes 40000. */
static size_t make_ticks(struct calibrate_gap *gap, size_t max, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t tick = from_ns + 1300000, other = from_ns + 100000;
	size_t n = 0;

	while ((tick < to_ns || other < to_ns) && n < max)
		if (tick < other) {
			gap[n++] = (struct calibrate_gap){ tick, 1500 };
			tick += 4000000;
		} else {
			gap[n++] = (struct calibrate_gap){ other, 40000 };
			other += 5700000;
		}
	return n;
}

static void test_calibrate_tick_is_found_among_others(void **state)
{
	const uint64_t from_ns = 123456789, to_ns = from_ns + 200000000;
	struct calibrate_gap gap[200];
	size_t n;

	(void)state;
	n = make_ticks(gap, 200, from_ns, to_ns);
	assert_near(calibrate_tick(gap, n, from_ns, to_ns), 1500, 1e-9);
}

/* Gaps all the time are no tick, nor are those of no period, nor none. */
static void test_calibrate_tick_is_not_invented(void **state)
{
	struct calibrate_gap gap[4000];
	size_t n = 0;

	(void)state;
	for (uint64_t at = 0; at < 200000000; at += 50000)
		gap[n++] = (struct calibrate_gap){ at, 1000 };
	assert_true(isnan(calibrate_tick(gap, n, 0, 200000000)));
	n = 0;
	for (uint64_t at = 0; at < 200000000; at += 5700000)
		gap[n++] = (struct calibrate_gap){ at, 1000 };
	assert_true(isnan(calibrate_tick(gap, n, 0, 200000000)));
	assert_true(isnan(calibrate_tick(gap, 0, 0, 200000000)));
}

/*
 * Ten timers, 5 ms apart, each 10 us late, of 700 ns; a tick of 1500 ns 1 ms before each. Where six of ten don't go off there is
 * no telling.
 */
static void test_calibrate_interrupt_is_what_comes_when_due(void **state)
{
	struct calibrate_gap gap[20];

	(void)state;
	for (size_t i = 0; i < 10; i++) {
		gap[2 * i] = (struct calibrate_gap){ 4000000 + i * 5000000, 1500 };
		gap[2 * i + 1] = (struct calibrate_gap){ 5010000 + i * 5000000, 700 };
	}
	assert_near(calibrate_interrupt(gap, 20, 5000000, 5000000, 10), 700, 1e-9);
	assert_true(isnan(calibrate_interrupt(gap, 8, 5000000, 5000000, 10)));
	assert_true(isnan(calibrate_interrupt(gap, 0, 5000000, 5000000, 10)));
}

/* Preempting takes 4000 longer than waking up an idle CPU, 8170 less 4000: what is left for the interrupt is that of the idle one. */
static void test_calibrate_derive_bounds_interrupts_by_idle(void **state)
{
	struct calibrate_raws raws;
	double v[COSTS_VALUES];

	(void)state;
	make_raws(&raws);
	raws.ns[RAW_LATENCY_IDLE + SIM_LLC] = 4170;
	raws.ns[RAW_INTERRUPT] = 9000;
	calibrate_derive(v, &raws);
	assert_near(v[AT(interrupt_ns)], 500, 1e-9);
	assert_near(v[AT(ipi_ns) + SIM_LLC], 0, 1e-9);
	assert_near(v[AT(idle_exit_ns)], 0, 1e-9);
}

/* The times are 25, 35, 50, 71, 100, 141, 200, 283, 400 us: number 8 is the first beyond 300, 14 beyond 3000, 20 beyond 25000. */
static void fill_latency(double *latency, const double after[3], const double ns[4])
{
	for (size_t i = 0; i < CALIBRATE_IDLES; i++) {
		size_t at = 0;

		while (at < 3 && calibrate_idle_ns(i) > after[at])
			at++;
		latency[i] = ns[at];
	}
}

static void test_calibrate_depths_begin_where_it_takes_longer(void **state)
{
	static const double after[] = { 300000, 3000000, 25000000 };
	struct calibrate_depths depths;
	double latency[CALIBRATE_IDLES];

	(void)state;
	fill_latency(latency, after, (const double[]){ 5000, 20000, 50000, 90000 });
	/* disturbed, which a longer idling isn't */
	latency[3] = 60000;
	calibrate_depths(&depths, latency);
	assert_int_equal(depths.nr, 3);
	assert_int_equal(depths.first[0], 8);
	assert_int_equal(depths.first[1], 14);
	assert_int_equal(depths.first[2], 20);
	/* 6000 is too near 5000 for another depth */
	fill_latency(latency, after, (const double[]){ 5000, 6000, 6000, 6000 });
	calibrate_depths(&depths, latency);
	assert_int_equal(depths.nr, 0);
	/* nothing is known of what lies behind */
	fill_latency(latency, after, (const double[]){ 5000, 20000, 50000, 90000 });
	latency[14] = NAN;
	calibrate_depths(&depths, latency);
	assert_int_equal(depths.nr, 1);
	latency[0] = NAN;
	calibrate_depths(&depths, latency);
	assert_int_equal(depths.nr, 0);
}

/* A tenth more each time: a quarter more would be seven depths, and five that are each 1.1^5 = 1.61 of the last one fit. */
static void test_calibrate_depths_of_a_slope_are_even(void **state)
{
	struct calibrate_depths depths;
	double latency[CALIBRATE_IDLES];

	(void)state;
	for (size_t i = 0; i < CALIBRATE_IDLES; i++)
		latency[i] = 10000 * pow(1.1, (double)i);
	calibrate_depths(&depths, latency);
	assert_int_equal(depths.nr, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(depths.first[i], 5 * (i + 1));
}

/* Two runs, one of which takes 2000 longer in its depth: 15000 and 17000 more. From between 283 and 400 us on. */
static void test_calibrate_conclude_has_depths(void **state)
{
	static const double after[] = { 300000, 1e12, 1e12 };
	struct calibrate_raws raws[2];
	struct calibration c;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const double ns[4] = { 5000, i ? 22000 : 20000, 0, 0 };

		make_raws(&raws[i]);
		fill_latency(&raws[i].ns[RAW_IDLE], after, ns);
	}
	calibrate_conclude(&c, raws, 2);
	assert_int_equal(c.costs.idle_deep_ns[0], 16000);
	assert_near((double)c.costs.idle_deep_after_ns[0], 336359, 1);
	assert_int_equal(c.costs.idle_deep_ns[1], 0);
	assert_true(calibration_value(&c, "idle_deep_ns.4")->measured);
	assert_false(calibration_value(&c, "idle_deep_after_ns.2")->measured);
	calibration_release(&c);
}

/* Two nodes of two cores of two threads, each node with its cache: 0, 1 a core, 0 .. 3 a node. */
static void test_calibrate_pairs_stand_for_distances(void **state)
{
	struct core_cpu cpu[8];
	bool online[8] = { true, true, true, true, true, true, true, true };
	const struct core_machine machine = {
		.nr_cpus = 8, .nr_nodes = 2, .cpu = cpu, .online = online
	};
	struct calibrate_pair pair[NR_SIM_DISTANCES][CALIBRATE_PAIRS];
	unsigned int nr[NR_SIM_DISTANCES];
	struct cpumask cpus = { 0 };

	(void)state;
	for (int i = 0; i < 8; i++) {
		cpu[i] = (struct core_cpu){ .core = i / 2,
					    .cluster = i / 2,
					    .llc = i / 4,
					    .package = i / 4,
					    .node = i / 4,
					    .capacity = 1024 };
		cpumask_set(&cpus, (unsigned int)i);
	}
	calibrate_pairs(pair, nr, &machine, &cpus);
	assert_int_equal(nr[SIM_SAME], 0);
	assert_int_equal(nr[SIM_SMT], 3); /* 0-1, 2-3, 4-5; 6-7 is one too many */
	assert_int_equal(pair[SIM_SMT][1].a, 2);
	assert_int_equal(pair[SIM_SMT][1].b, 3);
	assert_int_equal(nr[SIM_CLUSTER], 0);
	assert_int_equal(nr[SIM_LLC], 3); /* 0-2, 1-2, 4-6 */
	assert_int_equal(pair[SIM_LLC][2].a, 4);
	assert_int_equal(pair[SIM_LLC][2].b, 6);
	assert_int_equal(nr[SIM_NODE], 0);
	assert_int_equal(nr[SIM_REMOTE], 3);
	assert_int_equal(pair[SIM_REMOTE][0].b, 4);
	cpumask_release(&cpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calibrate_derive_takes_times_apart),
		cmocka_unit_test(test_calibrate_derive_knows_what_it_has_not),
		cmocka_unit_test(test_calibrate_derive_bounds_interrupts_by_ipis),
		cmocka_unit_test(test_calibrate_derive_bounds_interrupts_by_idle),
		cmocka_unit_test(test_calibrate_depths_begin_where_it_takes_longer),
		cmocka_unit_test(test_calibrate_depths_of_a_slope_are_even),
		cmocka_unit_test(test_calibrate_conclude_has_depths),
		cmocka_unit_test(test_calibrate_derive_knows_of_no_spaces),
		cmocka_unit_test(test_calibrate_derive_never_below_nothing),
		cmocka_unit_test(test_calibrate_conclude_is_the_runs_median),
		cmocka_unit_test(test_calibrate_conclude_has_a_spread_of_two),
		cmocka_unit_test(test_calibrate_conclude_foretells_a_round_trip),
		cmocka_unit_test(test_calibrate_conclude_names_all_values),
		cmocka_unit_test(test_calibrate_tick_is_found_among_others),
		cmocka_unit_test(test_calibrate_tick_is_not_invented),
		cmocka_unit_test(test_calibrate_interrupt_is_what_comes_when_due),
		cmocka_unit_test(test_calibrate_pairs_stand_for_distances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
