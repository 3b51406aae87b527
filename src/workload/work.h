/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/work.h - computing for a known while, in units: the same instructions whatever the clock says, so that a CPU
 * that is taken away or slowed down makes the work last longer and not smaller. Integer arithmetic in registers: no
 * memory, no system call.
 */
#ifndef WORKLOAD_WORK_H
#define WORKLOAD_WORK_H

#include <stdint.h>

/* Dependent multiplications of a unit: some 50 to 100 ns. */
#define WORK_STEPS 64

/** work_do() - @units of work */
void work_do(uint64_t units);

/**
 * work_from() - the same, going on from the number @x
 *
 * Return: the number that it comes to. work_from(work_from(x, a), b) is work_from(x, a + b).
 */
uint64_t work_from(uint64_t x, uint64_t units);

/** work_expect() - what work_from() comes to, by a short way: was all of the work done, and rightly? */
uint64_t work_expect(uint64_t x, uint64_t units);

/**
 * work_calibrate() - how long a unit takes here and now, in ns of CPU time
 *
 * The least of several trials on the CPU where the caller is, 20 ms in all; before the timed part. A workload that uses
 * it reports it: run_sample(run, "work-unit", ...).
 */
double work_calibrate(void);

/** work_units() - the units that take about @ns, at least 1 where @ns isn't 0 */
uint64_t work_units(double unit_ns, uint64_t ns);

#endif
