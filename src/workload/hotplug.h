/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/hotplug.h - what the files of hotplug share: which CPUs go and come, and how they are put back. */
#ifndef WORKLOAD_HOTPLUG_H
#define WORKLOAD_HOTPLUG_H

#include "base/cpumask.h"
#include "base/error.h"
#include "base/histogram.h"
#include "base/strbuf.h"
#include "workload/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PLUG_HALF,
	PLUG_ALL,
	PLUG_EACH,
	PLUG_SMT,
	PLUG_RANDOM,
};
enum {
	WAY_CONTROL,
	WAY_CPUS,
};

struct sim;

struct hotplug_cfg {
	int plan;
	char *cpus;
	char *smt;
	int way;
	uint64_t steps;
	uint64_t seed;
	uint64_t passes;
	uint64_t discard;
	uint64_t pause_ns;
	uint64_t load;
	char *root;
};

#define PLUG_CONTROL_BYTES 16
#define PLUG_VALUE_BYTES   16
#define PLUG_PATH_BYTES	   64

/**
 * struct plug_cpus - the CPUs of a machine as they were found; initialise with { 0 }
 * @online:    that run now
 * @pluggable: that have a file "online"
 * @siblings:  of each online CPU, by its number: which thread of its core it is, 0 for the first
 * @control:   what sys/devices/system/cpu/smt/control says; "" where there is no such file
 */
struct plug_cpus {
	struct cpumask online;
	struct cpumask pluggable;
	unsigned char *siblings;
	char control[PLUG_CONTROL_BYTES];
};

/** plug_cpus_read() - @root_fd: folder that holds sys. Return: 0 or -errno */
int plug_cpus_read(struct plug_cpus *cpus, int root_fd, struct error *err);
void plug_cpus_release(struct plug_cpus *cpus);

/**
 * plug_cpus_restore() - make the machine again what @cpus says, as far as it isn't
 *
 * Goes on after a failure. Return: 0, or -errno of the first one with what could not be put back.
 */
int plug_cpus_restore(const struct plug_cpus *cpus, int root_fd, struct error *err);

/**
 * struct plug_step - one transition
 * @path:   file below the root
 * @value:  what is written to it, and what it then says
 * @all:    it is the switch for threads, not that of a CPU
 * @cpu:    whose file it is, unless @all
 * @comes:  online, not offline
 * @begins: a phase: there may be a pause before it
 */
struct plug_step {
	char path[PLUG_PATH_BYTES];
	char value[PLUG_VALUE_BYTES];
	bool all;
	unsigned int cpu;
	bool comes;
	bool begins;
};

/** struct plug_plan - the steps of a pass, which ends as it began; free with plug_plan_release() */
struct plug_plan {
	struct plug_step *steps;
	size_t n;
};

/**
 * plug_plan() - the steps that a configuration asks for on a machine
 *
 * Return: 0; -EOPNOTSUPP where the machine can't, with why; -EINVAL for CPUs that aren't there.
 */
int plug_plan(struct plug_plan *plan, const struct hotplug_cfg *cfg, const struct plug_cpus *cpus,
	      struct error *err);
void plug_plan_release(struct plug_plan *plan);

/**
 * plug_do() - one transition
 * @ns: set: how long the write took
 *
 * Return: 0, or -errno with the file and what it says; -EIO where it was written but the file says something else.
 */
int plug_do(const struct plug_step *step, int root_fd, uint64_t *ns, struct error *err);

/** plug_smt_threads() - of the option smt: 1 for "off". Return: 0 or -EINVAL */
int plug_smt_threads(unsigned int *threads, const struct hotplug_cfg *cfg, struct error *err);

/**
 * struct plug_phase - transitions to offline, or to online
 * @each:   all counted ones
 * @passes: sums of each counted pass
 * @sum_ns: of the pass that runs
 */
struct plug_phase {
	struct histogram *each;
	struct histogram *passes;
	uint64_t sum_ns;
	uint64_t user_ns;
	uint64_t sys_ns;
};

void plug_phases_init(struct plug_phase phases[2]);
void plug_phases_release(struct plug_phase phases[2]);

/** plug_phases_end_pass() - of a counted one */
void plug_phases_end_pass(struct plug_phase phases[2]);

/** plug_report() - all metrics; phases[1]: they come; @transitions: of a pass */
void plug_report(struct run *run, const struct plug_phase phases[2], uint64_t passes,
		 size_t transitions);

/** plug_note_moved() - which of the CPUs @online the @plan moves */
void plug_note_moved(struct run *run, const struct cpumask *online, const struct plug_plan *plan);

/**
 * hotplug_model() - struct workload's: what the scheduler does for a CPU that goes or comes is the core's, what else that takes is
 * hotplug_off_ns and hotplug_on_ns of the costs
 *
 * Return: also -EOPNOTSUPP where the machine can't, with why, and for root=.
 */
int hotplug_model(struct run *run, struct sim *sim, const void *cfg, struct error *err);

/* Work of a task of the load between two looks at whether the run is over: some 0.1 ms. */
#define PLUG_LOAD_UNITS 1000

/** hotplug_original() - struct workload's, in the lines of bash's time */
void hotplug_original(const struct result *result, const void *cfg, struct strbuf *sb);

#endif
