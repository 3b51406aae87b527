// SPDX-License-Identifier: GPL-2.0-only
#include "host/calibrate_raw.h"

#include "stats/order.h"

#include <math.h>
#include <stddef.h>

double calibrate_low(double *x, size_t n)
{
	if (!n)
		return NAN;
	sort_values(x, n);
	return x[n / 4];
}

double calibrate_mid(const double *x, size_t n)
{
	return n ? median(x, n) : NAN;
}

/* What is left of a time. Less than nothing is what can't be told from nothing. */
static double left(double time, double known)
{
	return time < known ? 0 : time - known;
}

static void derive_calls(double *v, const double *ns)
{
	const double call = ns[RAW_SYSCALL];

	v[AT(syscall_ns)] = call;
	for (size_t i = 0; i < NR_SIM_TRANSPORTS; i++) {
		v[AT(send_ns) + i] = left(ns[RAW_SEND + i], call);
		v[AT(receive_ns) + i] = left(ns[RAW_RECEIVE + i], call);
		v[AT(message_cold_ns) + i] =
			left(ns[RAW_MANY + i], ns[RAW_SEND + i] + ns[RAW_RECEIVE + i]) / 2;
	}
	/* both ways, of 4 KiB less a byte */
	v[AT(copy_ns_kib)] = left(ns[RAW_SEND_KIB] + ns[RAW_RECEIVE_KIB],
				  ns[RAW_SEND + SIM_PIPE] + ns[RAW_RECEIVE + SIM_PIPE]) /
			     8;
	v[AT(futex_wait_ns)] = left(ns[RAW_FUTEX_WAIT], call);
	v[AT(futex_wake_ns)] = left(ns[RAW_FUTEX_WAKE], call);
	v[AT(hint_fault_ns)] = ns[RAW_FAULT];
}

unsigned int calibrate_spaces(size_t i)
{
	static const unsigned int nr[CALIBRATE_SPACES] = { 3, 4, 5, 7, 9, 13, 20 };

	return nr[i];
}

/*
 * Two processes find their address spaces kept; in a ring of more than are kept none does. The first ring that takes half of what the
 * largest takes more is one of those.
 */
static void derive_spaces(double *v, const double *ns)
{
	const double *ring = &ns[RAW_SPACES];
	const double more = ring[CALIBRATE_SPACES - 1] - ns[RAW_TURN_SAME];
	size_t i = 0;

	v[AT(space_cold_ns)] = left(more, left(ns[RAW_RING], ns[RAW_TURN_THREAD]));
	if (!(v[AT(space_cold_ns)] > 0))
		return;
	while (i < CALIBRATE_SPACES - 1 && !(ring[i] >= ns[RAW_TURN_SAME] + more / 2))
		i++;
	v[AT(spaces_kept)] = calibrate_spaces(i) - 1;
}

static void derive_tasks(double *v, const double *ns)
{
	const double call = ns[RAW_SYSCALL];
	const double wake = left(ns[RAW_WAKE_SAME], ns[RAW_SEND + SIM_PIPE]);

	v[AT(wake_ns) + SIM_SAME] = wake;
	/* write() with the wake-up, read() that waits, and what it does when there is something */
	v[AT(switch_ns)] =
		left(ns[RAW_TURN_THREAD], ns[RAW_WAKE_SAME] + ns[RAW_RECEIVE + SIM_PIPE]);
	v[AT(switch_space_ns)] = left(ns[RAW_TURN_SAME], ns[RAW_TURN_THREAD]);
	v[AT(switch_cold_ns)] = left(ns[RAW_RING], ns[RAW_TURN_THREAD]);
	derive_spaces(v, ns);
	v[AT(fork_ns)] = left(ns[RAW_FORK], call);
	v[AT(thread_ns)] = left(ns[RAW_THREAD], call);
	v[AT(exit_ns)] =
		left(ns[RAW_EXIT], call + wake + v[AT(switch_ns)] + v[AT(switch_space_ns)]);
	v[AT(thread_exit_ns)] = left(ns[RAW_THREAD_EXIT], call + wake + v[AT(switch_ns)]);
	v[AT(fork_fault_ns)] = ns[RAW_COPY];
	v[AT(paging_shared)] = 1024 * left(ns[RAW_CHILD_BOTH], ns[RAW_CHILD]) / ns[RAW_CHILD];
	if (v[AT(paging_shared)] > 1024)
		v[AT(paging_shared)] = 1024;
	v[AT(exec_ns)] = left(ns[RAW_EXEC], ns[RAW_CHILD] + call);
	v[AT(interrupt_ns)] = ns[RAW_INTERRUPT];
	v[AT(tick_work_ns)] = ns[RAW_TICK];
	v[AT(timer_slack_ns)] = ns[RAW_SLACK];
	v[AT(work_unit_ps)] = 1000 * ns[RAW_WORK_UNIT];
	v[AT(matrix_step_ps)] = 1000 * ns[RAW_MATRIX_STEP];
	v[AT(smt_speed)] = 1024 * ns[RAW_SMT_ALONE] / ns[RAW_SMT_TOGETHER];
}

static void derive_far(double *v, const double *ns)
{
	for (size_t i = 0; i < (size_t)NR_SIM_TRANSPORTS * NR_SIM_DISTANCES; i++)
		v[AT(message_far_ns) + i] = left(ns[RAW_FAR + i], ns[RAW_NEAR + i]);
}

/* From the write() to the reader's being back, but for the IPI's way and what it interrupts. The byte was written by another CPU. */
static double known_latency(const double *v, const double *ns, size_t distance)
{
	return ns[RAW_SEND + SIM_PIPE] + v[AT(wake_ns) + distance] + v[AT(switch_ns)] +
	       v[AT(receive_ns) + SIM_PIPE] +
	       v[AT(message_far_ns) + (size_t)SIM_PIPE * NR_SIM_DISTANCES + distance];
}

/* An idle CPU is still in the reader's address space, one that computed is not. */
static double preempting(const double *v, const double *ns, size_t distance)
{
	return left(ns[RAW_LATENCY_BUSY + distance], v[AT(switch_space_ns)]);
}

/*
 * A timer's interrupt sets the next one too, which in a VM takes more than all else in it. So one takes no more than the shortest
 * wake-up by an IPI leaves for it, of a CPU that computes or idles, and that IPI comes at once.
 */
static void derive_ipis(double *v, const double *ns)
{
	for (size_t i = SIM_SAME + 1; i < NR_SIM_DISTANCES; i++) {
		const double known = known_latency(v, ns, i);
		const double rest = fmin(left(preempting(v, ns, i), known),
					 left(ns[RAW_LATENCY_IDLE + i], known));

		v[AT(ipi_ns) + i] = rest;
		v[AT(interrupt_ns)] = fmin(v[AT(interrupt_ns)], rest);
	}
	for (size_t i = SIM_SAME + 1; i < NR_SIM_DISTANCES; i++)
		v[AT(ipi_ns) + i] = left(v[AT(ipi_ns) + i], v[AT(interrupt_ns)]);
	v[AT(ipi_ns) + SIM_SAME] = NAN;
}

/* One value of all distances that have one. */
static double mean_of(double sum, unsigned int n)
{
	return n ? sum / n : NAN;
}

static void derive_pairs(double *v, const double *ns)
{
	double send = 0, leave = 0;
	unsigned int nr_send = 0, nr_leave = 0;

	v[AT(cold_ns) + SIM_SAME] = NAN;
	for (size_t i = SIM_SAME + 1; i < NR_SIM_DISTANCES; i++) {
		const double one = ns[RAW_WAKE_IDLE + i] - ns[RAW_WAKE_BUSY + i];
		const double way = left(ns[RAW_LATENCY_IDLE + i], preempting(v, ns, i));

		v[AT(wake_ns) + i] = left(ns[RAW_WAKE_BUSY + i], ns[RAW_SEND + SIM_PIPE]);
		v[AT(cold_ns) + i] = left(ns[RAW_COLD + i], ns[RAW_WARM + i]);
		if (!isnan(one)) {
			send += one;
			nr_send++;
		}
		if (!isnan(way)) {
			leave += way;
			nr_leave++;
		}
	}
	derive_far(v, ns);
	derive_ipis(v, ns);
	v[AT(ipi_send_ns)] = left(mean_of(send, nr_send), 0);
	v[AT(idle_exit_ns)] = left(mean_of(leave, nr_leave), 0);
}

void calibrate_derive(double *value, const struct calibrate_raws *raws)
{
	for (size_t i = 0; i < COSTS_VALUES; i++)
		value[i] = NAN;
	derive_calls(value, raws->ns);
	derive_tasks(value, raws->ns);
	derive_pairs(value, raws->ns);
	value[AT(core_step_ns)] = value[AT(cold_ns) + SIM_LLC] / CALIBRATE_LINES;
}
