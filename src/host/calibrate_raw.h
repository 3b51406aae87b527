/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host/calibrate_raw.h - what calibrate's measurements give, and what follows from that: pure functions.
 *
 * An operation of the simulator is a sum of costs; so is one that was timed. Each cost is what remains of a time when
 * the others in it are taken off, so that the sum is what was measured.
 */
#ifndef HOST_CALIBRATE_RAW_H
#define HOST_CALIBRATE_RAW_H

#include "host/calibrate.h"

#include <stddef.h>

/* Which of COSTS_VALUES a member of struct costs is; of an array the first. */
#define AT(member) (offsetof(struct costs, member) / sizeof(uint64_t))

/* Times of idling that wake-ups are measured after, half octaves from 25 us to 51 ms: calibrate_idle_ns(). */
#define CALIBRATE_IDLES 23

/* Rings of processes. */
#define CALIBRATE_SPACES 7

/* Times in ns; by distance and by transport they are arrays. A busy CPU is one that computes. Memory is in host/calibrate_nodes.h. */
enum calibrate_raw {
	RAW_SYSCALL,	 /* getppid() */
	RAW_FUTEX_WAIT,	 /* of a word that is another already */
	RAW_FUTEX_WAKE,	 /* of nobody */
	RAW_SEND_KIB,	 /* write() of 4 KiB to a pipe that nobody waits for */
	RAW_RECEIVE_KIB, /* read() of them */
	RAW_FORK,	 /* fork() in the parent */
	RAW_THREAD,	 /* pthread_create() */
	RAW_EXIT, /* from before _exit() until the parent, which waits on the same CPU, is back */
	RAW_THREAD_EXIT, /* from the end of a thread until the one that waits for it there is back */
	RAW_COPY,	 /* a page of its parent that a forked process writes to */
	RAW_CHILD,	 /* fork(), _exit() and wait4() */
	RAW_CHILD_BOTH,	 /* the same while another CPU does so */
	RAW_EXEC,	 /* the same with an execve() in it */
	RAW_WAKE_SAME, /* write() of a byte that wakes a task of this CPU, which waits until the CPU is free */
	RAW_TURN_SAME,	  /* half a round trip of a byte between two tasks of a CPU */
	RAW_TURN_THREAD,  /* the same between two threads of a process */
	RAW_RING,	  /* the same between each two of twenty threads */
	RAW_TURN_FUTEX,	  /* the same between two tasks by futexes */
	RAW_INTERRUPT,	  /* what a timer takes from a busy loop */
	RAW_TICK,	  /* what a tick takes from it */
	RAW_FAULT,	  /* the first touch of a page that is there */
	RAW_SLACK,	  /* of sleeps */
	RAW_LATE,	  /* from the end of a sleep until the task is back, on a CPU that idled */
	RAW_WORK_UNIT,	  /* of workload/work.h */
	RAW_MATRIX_STEP,  /* of schbench's matrices */
	RAW_SMT_ALONE,	  /* some work */
	RAW_SMT_TOGETHER, /* with the same on the core's other thread */
	RAW_SEND,	  /* write() of a byte that nobody waits for */
	RAW_RECEIVE = RAW_SEND + NR_SIM_TRANSPORTS, /* read() of it */
	RAW_MANY = RAW_RECEIVE + NR_SIM_TRANSPORTS, /* both, where many are under way */
	RAW_WAKE_BUSY =
		RAW_MANY +
		NR_SIM_TRANSPORTS, /* write() that wakes a task, which waits behind a busy one */
	RAW_WAKE_IDLE =
		RAW_WAKE_BUSY + NR_SIM_DISTANCES, /* write() that wakes a task on an idle CPU */
	RAW_LATENCY_BUSY =
		RAW_WAKE_IDLE +
		NR_SIM_DISTANCES, /* from before write() until the other one, which preempts, is back from read() */
	RAW_LATENCY_IDLE =
		RAW_LATENCY_BUSY + NR_SIM_DISTANCES, /* and where the other's CPU idles */
	RAW_TURN = RAW_LATENCY_IDLE +
		   NR_SIM_DISTANCES,		/* half a round trip of a byte between idle CPUs */
	RAW_WARM = RAW_TURN + NR_SIM_DISTANCES, /* going through a task's memory again */
	RAW_COLD = RAW_WARM + NR_SIM_DISTANCES, /* after it moved there */
	RAW_IDLE = RAW_COLD +
		   NR_SIM_DISTANCES, /* RAW_LATENCY_IDLE after each of CALIBRATE_IDLES of idling */
	RAW_SPACES =
		RAW_IDLE + CALIBRATE_IDLES, /* RAW_RING of so many processes: calibrate_spaces() */
	/* by transport and distance, as struct costs has them: write() and read() of 128 bytes, ten in each of some channels, by one CPU */
	RAW_NEAR = RAW_SPACES + CALIBRATE_SPACES,
	RAW_FAR = RAW_NEAR + NR_SIM_TRANSPORTS * NR_SIM_DISTANCES, /* where the other one reads */
	NR_CALIBRATE_RAWS = RAW_FAR + NR_SIM_TRANSPORTS * NR_SIM_DISTANCES,
};

/* Cache lines of RAW_WARM and RAW_COLD. */
#define CALIBRATE_LINES 128

/* The sleeps of RAW_LATE. */
#define CALIBRATE_SLEEP_NS 500000

/** struct calibrate_raws - of one run; NaN: not measured */
struct calibrate_raws {
	double ns[NR_CALIBRATE_RAWS];
};

/**
 * calibrate_derive() - the costs of one run
 * @value: filled, value[COSTS_VALUES]; NaN where something that it needs is; never below 0
 */
void calibrate_derive(double *value, const struct calibrate_raws *raws);

/**
 * calibrate_conclude() - all runs together: the medians, the defaults of what was not measured, the checks
 * @raws: raws[n]
 * @out:  filled but for memory, which calibrate_conclude_ways() adds
 */
void calibrate_conclude(struct calibration *out, const struct calibrate_raws *raws, size_t n);

/** calibrate_summarize() - median and half the range of the middle half, of few of all, of those of x[n] that are numbers. Return: how many */
unsigned int calibrate_summarize(double *mid, double *spread, const double *x, size_t n);

/** calibrate_low() - the lower quartile of x[n], which is sorted by it: what disturbances only add to. NaN for n = 0 */
double calibrate_low(double *x, size_t n);

/** calibrate_mid() - the median of x[n]. NaN for n = 0 */
double calibrate_mid(const double *x, size_t n);

/** struct calibrate_gap - a busy loop went without the CPU from then on */
struct calibrate_gap {
	uint64_t at_ns;
	uint64_t ns;
};

/**
 * calibrate_tick() - what the tick takes
 * @gap:  gap[n], in their order
 * @from_ns, @to_ns: the loop's time
 *
 * Tries the periods of 1000, 500, 300, 250, 100 Hz, the shortest first: of which is there a gap in four of five periods, at one
 * and the same time in it (to 1/40 of a period), when a time taken at random sees them in no more than half as many?
 *
 * Return: the median of those gaps in ns; NaN: no tick can be told from what else happens.
 */
double calibrate_tick(const struct calibrate_gap *gap, size_t n, uint64_t from_ns, uint64_t to_ns);

/**
 * calibrate_interrupt() - what a timer takes that goes off at @first_ns and every @period_ns from then on
 *
 * Return: the median of the first gaps that begin not before it, nor a quarter of a period after it; NaN where not half the
 * times have one.
 */
double calibrate_interrupt(const struct calibrate_gap *gap, size_t n, uint64_t first_ns,
			   uint64_t period_ns, size_t times);

/** calibrate_spaces() - how many processes the @i-th of CALIBRATE_SPACES has: 3, 4, 5, 7, 9, 13, 20 */
unsigned int calibrate_spaces(size_t i);

/** calibrate_idle_ns() - the @i-th of CALIBRATE_IDLES */
double calibrate_idle_ns(size_t i);

/**
 * struct calibrate_depths - of idling: the @i-th of @nr begins with calibrate_idle_ns(@first[i]), before the first of them it is shallow
 */
struct calibrate_depths {
	size_t nr;
	size_t first[COSTS_DEPTHS];
};

/**
 * calibrate_depths() - the fewest and most even depths that wake-ups' latencies make
 * @latency: latency[CALIBRATE_IDLES], after so much idling; what comes behind a NaN isn't looked at
 *
 * Disturbances only add, so what no longer idling makes longer counts, the least from a time on. A depth begins where that is a quarter
 * more than at the last one's beginning; where that makes more than COSTS_DEPTHS, the ratio grows until it doesn't.
 */
void calibrate_depths(struct calibrate_depths *depths, const double *latency);

/** struct calibrate_pair - two CPUs */
struct calibrate_pair {
	unsigned int a, b;
};

#define CALIBRATE_PAIRS 3

/**
 * calibrate_pairs() - for each distance but SIM_SAME up to CALIBRATE_PAIRS pairs of @cpus, with other first CPUs where possible
 *
 * Of large machines a sample is looked at.
 */
void calibrate_pairs(struct calibrate_pair pair[NR_SIM_DISTANCES][CALIBRATE_PAIRS],
		     unsigned int nr[NR_SIM_DISTANCES], const struct core_machine *machine,
		     const struct cpumask *cpus);

#endif
