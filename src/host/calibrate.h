/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host/calibrate.h - what things take on this machine, measured: the values of sim/costs.h.
 *
 * All is measured by a child of its own with children of its own, which all die with it: nothing of the caller's is
 * changed. A run measures everything once, in bursts; a
 * value is the median of the runs. Memory: heap, calibration_release().
 */
#ifndef HOST_CALIBRATE_H
#define HOST_CALIBRATE_H

#include "base/cpumask.h"
#include "base/error.h"
#include "core/core.h"
#include "sim/costs.h"

#include <signal.h>

/**
 * struct calibrate_setup - all borrowed
 * @machine: this one
 * @cpus:    those of it that are measured, online and allowed; one at least
 * @runs:    1 .. CALIBRATE_RUNS_MAX
 * @root_fd: "/": for cpufreq
 * @stop:    set by a signal: end; may be NULL
 * @ran:     told after each run; may be NULL
 */
struct calibrate_setup {
	const struct core_machine *machine;
	const struct cpumask *cpus;
	unsigned int runs;
	int root_fd;
	const volatile sig_atomic_t *stop;
	void (*ran)(void *ctx, unsigned int runs);
	void *ctx;
};

#define CALIBRATE_RUNS_MAX 1000

/**
 * struct calibrate_value - how a value was found
 * @measured: else it is the default, or taken from a nearer distance, and @why says so
 * @median:   of the runs; @spread: half the range of the middle half of them, of less than five of all; nothing is known of one's
 * @runs:     that gave one
 * @method:   half a line, static
 * @why:      it isn't measured, half a line, static
 */
struct calibrate_value {
	char name[COSTS_NAME_MAX];
	bool measured;
	double median, spread;
	unsigned int runs;
	const char *method;
	const char *why;
};

/**
 * struct calibrate_memory - an ordered pair of nodes
 * @from: whose CPUs read; @to: whose memory; the kernel's numbers
 * @reads: false: the node has no CPUs, so there is its controller's bandwidth alone
 * @value: by enum costs_pair_kind; what isn't measured has the value @by_distance
 */
struct calibrate_memory {
	uint32_t from, to;
	bool reads;
	struct calibrate_value value[NR_COSTS_PAIR_KINDS];
	uint64_t by_distance[NR_COSTS_PAIR_KINDS];
};

/**
 * struct calibrate_check - something that follows from the costs, and was measured as well
 * @measured, @expected: ns; @expected by sim/costs.h's rules
 */
struct calibrate_check {
	char name[64];
	double measured, spread, expected;
	unsigned int runs;
};

#define CALIBRATE_CHECKS_MAX 24

/**
 * struct calibration - the result
 * @memory: memory[nr_memory], all pairs of nodes, by whose memory it is; none where there is one node
 * @pairs:  those of them that were measured
 * @value:  value[COSTS_VALUES], in the order of struct costs
 * @others: share of the CPUs' time that went to other programs meanwhile, 0 .. 1
 * @priority: it was measured with real-time priority, which ordinary users may not have
 */
struct calibration {
	struct costs costs;
	struct costs_pairs pairs;
	struct calibrate_value *value;
	struct calibrate_memory *memory;
	size_t nr_memory;
	struct calibrate_check check[CALIBRATE_CHECKS_MAX];
	size_t nr_checks;
	unsigned int runs;
	double others;
	bool priority;
};

/**
 * calibrate() - measure: some 2 s a run, and half a second more for each pair of nodes that has its turn (host/calibrate_nodes.h)
 *
 * Return: 0; -EINTR where @stop was set; -errno where nothing can be measured.
 */
int calibrate(struct calibration *out, const struct calibrate_setup *setup, struct error *err);
void calibration_release(struct calibration *calibration);

/** calibration_value() - of that name, those of pairs of nodes too; NULL: none */
const struct calibrate_value *calibration_value(const struct calibration *calibration,
						const char *name);

#endif
