/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host/settings.h - what a variant asks for, as written in the experiment file, before anything is changed.
 *
 *   policy = other|batch|idle|fifo|rr|deadline     sched_setattr() on the worker
 *   nice = -20 .. 19            priority = 1 .. 99 (fifo, rr)
 *   slice = 3ms                 EEVDF slice (other, batch)
 *   runtime / deadline / period = time (deadline)
 *   cpus = 0-3,8                affinity of the worker and all its tasks
 *   env.NAME = VALUE
 *   sysctl.kernel.NAME = VALUE
 *   features = NO_TTWU_QUEUE,WA_WEIGHT             scheduler features in debugfs
 *   sched.base_slice_ns = VALUE                    any other file of debugfs sched/
 *   governor = performance      on every cpufreq policy
 *   thp = always|madvise|never
 *   cgroup.cpu.weight = 1 .. 10000                 a cgroup of its own for each run
 *   cgroup.cpu.max = 20000 100000                  us of CPU time in each period of so many us
 *   cgroup.cpuset.cpus = 0-3
 *   cgroup.cpuset.cpus.partition = member|root|isolated   they are no others' meanwhile. Before Linux 6.2 other tasks that were bound to
 *                               CPUs lose that for good when a partition comes or goes
 *   kernel = 6.12.*             this variant's runs are made only while a kernel matches (fnmatch)
 *   backend = host|sim
 *
 * Of a simulated machine (backend = sim) are features, sched.FILE, sysctl.NAME, which are knobs of its core, and
 *
 *   machine, core, costs, spread, seed, check  see lab/sim_ground.h
 *   cgroup.cpu.weight, cgroup.cpu.max, cgroup.cpuset.cpus and cgroup.cpuset.cpus.partition, partition  see lab/sim_groups.h; the last one not on a host
 *   features = wake.cluster=off,NO_TTWU_QUEUE
 */
#ifndef HOST_SETTINGS_H
#define HOST_SETTINGS_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct settings;

struct settings *settings_new(void);
void settings_free(struct settings *settings);

/**
 * settings_set() - one line of a variant
 *
 * Return: 0; -ENOENT for an unknown key (with the nearest known one), -EEXIST for one given twice, -EINVAL or
 * -ERANGE for a bad value.
 */
int settings_set(struct settings *settings, const char *key, const char *value, struct error *err);

/**
 * settings_validate() - combinations that no kernel takes, found without looking at the machine
 *
 * priority without fifo/rr, runtime without deadline, deadline with cpus, nice with fifo, ...
 *
 * Return: 0 or -EINVAL with the two keys.
 */
int settings_validate(const struct settings *settings, struct error *err);

/**
 * settings_validate_for() - is every setting one of this backend?
 *
 * Return: 0 or -EINVAL with the key.
 */
int settings_validate_for(const struct settings *settings, bool sim, struct error *err);

/** settings_sim() - does a setting say that runs are simulated: backend = sim or, without backend, a machine or core? */
bool settings_sim(const struct settings *settings);

/** settings_print() - append "key = value" lines in a fixed order: the same settings give the same text */
void settings_print(const struct settings *settings, struct strbuf *sb);

/** settings_read() - what settings_print() wrote; lines that are none of today's settings are passed over */
struct settings *settings_read(const char *text);

/**
 * settings_at() - the @i-th setting in the order of settings_print()
 * @value: set to its value in the one text form that settings_print() writes; borrowed
 *
 * Return: its key, borrowed; NULL behind the last.
 */
const char *settings_at(const struct settings *settings, size_t i, const char **value);

/** settings_get() - value of @key ("policy", "sysctl.kernel.numa_balancing"), NULL where it isn't given; borrowed */
const char *settings_get(const struct settings *settings, const char *key);

/** settings_seed() - of a simulated variant: what is added to a block's seed */
uint64_t settings_seed(const struct settings *settings);

/** settings_kernel() - the kernel pattern, or NULL */
const char *settings_kernel(const struct settings *settings);

/** settings_kernel_matches() - true too where there is no pattern */
bool settings_kernel_matches(const struct settings *settings, const char *release);

/** settings_key() - the @i-th known key form with its help, NULL behind the last: for --help and the manual */
const char *settings_key(size_t i, const char **help);

#endif
