/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/cpufreq.h - schedutil: frequencies from utilisation. With feature cpufreq.governor at "performance" nothing of
 * it is there, and all CPUs run at 1024 of 1024.
 */
#ifndef SCHED_CPUFREQ_H
#define SCHED_CPUFREQ_H

#include "sched/model.h"

#define CPUFREQ_IOWAIT 1U

/**
 * struct cpufreq - CPUs of one frequency
 * @rate_ns:  least time between two changes
 * @freq:     in force, of 1024; @next: chosen; @raw: before rounding to a step
 * @pending:  @next waits for the timer of @generation
 */
struct cpufreq {
	uint32_t nr_cpus;
	struct rq **cpu;
	uint64_t rate_ns;
	uint64_t last_freq_ns;
	uint32_t freq, next;
	uint64_t raw;
	bool pending;
	uint64_t generation;
};

/** cpufreq_attach() - make the domains of the machine's CPUs by feature cpufreq.domain; at boot */
void cpufreq_attach(struct model *m);

/** cpufreq_request() - see cpufreq_update_util() */
void cpufreq_request(struct rq *rq, unsigned int flags);

/** cpufreq_timer() - a change of frequency takes effect */
void cpufreq_timer(struct model *m, struct cpufreq *domain, uint64_t generation);

/** cpufreq_update_util() - the utilisation of @rq changed, as of its clock */
static inline void cpufreq_update_util(struct rq *rq, unsigned int flags)
{
	if (rq->cpufreq)
		cpufreq_request(rq, flags);
}

/* The arithmetic, pure. */

/** sugov_headroom() - a quarter more */
static inline uint64_t sugov_headroom(uint64_t util)
{
	return util + (util >> 2);
}

/** sugov_freq() - of a CPU that has @ref at its full capacity @cap: what @util wants, before rounding and limits */
uint64_t sugov_freq(uint64_t ref, uint64_t cap, uint64_t util, bool late);

/** sugov_iowait_boost() - a request came, of who waited for I/O or not; sugov_iowait_apply(): the boost to apply, halved */
void sugov_iowait_boost(struct sugov_cpu *cpu, uint64_t now_ns, uint64_t tick_ns, bool iowait);
uint64_t sugov_iowait_apply(struct sugov_cpu *cpu, uint64_t now_ns, uint64_t tick_ns, uint64_t cap);

/** sugov_effective_util() - of fair and RT tasks and interrupts */
uint64_t sugov_effective_util(uint64_t fair, uint64_t rt, uint64_t irq, uint64_t cap);

#endif
