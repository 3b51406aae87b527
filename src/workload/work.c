// SPDX-License-Identifier: GPL-2.0-only
#include "workload/work.h"

#include "base/clock.h"

#include <time.h>

#define TRIALS	    10
#define TRIAL_UNITS 20000

/* Needs the step before it: neither CPU nor compiler, which must not look into the asm, can do two at a time. */
static inline void step(uint64_t *x)
{
	*x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	__asm__ volatile("" : "+r"(*x));
}

void work_do(uint64_t units)
{
	uint64_t x = 1;

	for (; units; units--)
		for (int i = 0; i < WORK_STEPS; i++)
			step(&x);
}

double work_calibrate(void)
{
	uint64_t best_ns = UINT64_MAX;

	for (int i = 0; i < TRIALS; i++) {
		uint64_t start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID), ns;

		work_do(TRIAL_UNITS);
		ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
		if (ns < best_ns)
			best_ns = ns;
	}
	/* a clock that stands still is none */
	return best_ns ? (double)best_ns / TRIAL_UNITS : 1;
}

uint64_t work_units(double unit_ns, uint64_t ns)
{
	uint64_t units = (uint64_t)((double)ns / unit_ns + 0.5);

	return units || !ns ? units : 1;
}
