// SPDX-License-Identifier: GPL-2.0-only
#include "workload/work.h"

#include "base/clock.h"

#include <time.h>

#define TRIALS	    10
#define TRIAL_UNITS 20000

/* A step is x -> FACTOR * x + TERM modulo 2^64. */
#define FACTOR UINT64_C(6364136223846793005)
#define TERM   UINT64_C(1442695040888963407)

/* Needs the step before it: neither CPU nor compiler, which must not look into the asm, can do two at a time. */
static inline void step(uint64_t *x)
{
	*x = *x * FACTOR + TERM;
	__asm__ volatile("" : "+r"(*x));
}

uint64_t work_from(uint64_t x, uint64_t units)
{
	for (; units; units--)
		for (int i = 0; i < WORK_STEPS; i++)
			step(&x);
	return x;
}

void work_do(uint64_t units)
{
	work_from(1, units);
}

/* n steps are one of the same form; so twice n are it applied to itself, and the binary digits of n choose. */
uint64_t work_expect(uint64_t x, uint64_t units)
{
	uint64_t factor = FACTOR, term = TERM;

	for (uint64_t steps = units * WORK_STEPS; steps; steps >>= 1) {
		if (steps & 1)
			x = x * factor + term;
		term = factor * term + term;
		factor *= factor;
	}
	return x;
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
