/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/feature.h - the one table of the model's switches. A row says what a switch is called, which values it has, in which
 * mainline releases each of them is real, and where it is described. Help, documents, presets and sweeps are made from
 * it; a new feature is a row here and its use in its mechanism's file.
 */
#ifndef SCHED_FEATURE_H
#define SCHED_FEATURE_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values, in the order of the rows. */
/* clang-format off */
enum { CORE_CFS, CORE_EEVDF66, CORE_EEVDF612, CORE_EEVDF73 };
enum { YIELD_DEADLINE, YIELD_FORFEIT };
enum { PROTECT_DEADLINE, PROTECT_SLICE, PROTECT_ELIGIBLE };
enum { LAG_LIMIT_OWN, LAG_LIMIT_GREATEST };
enum { VIRTUAL_INVERSE, VIRTUAL_EXACT };
enum { SUMS_LOW, SUMS_WHOLE };
enum { IDLE_TIME_WAKE, IDLE_TIME_SWITCH };
enum { ASYM_ONE_BIGGER, ASYM_ONE_SHARED };
enum { ILB_FIRST, ILB_CORE };
enum { COUNTS_QUEUED, COUNTS_RUNNABLE };
enum { CLUSTER_OFF, CLUSTER_RFC_V2, CLUSTER_RFC_V3, CLUSTER_RFC_V6, CLUSTER_MAINLINE };
enum { SCAN_NONE, SCAN_SIS_PROP, SCAN_SIS_UTIL };
enum { NEWIDLE_PLAIN, NEWIDLE_BUMP };
enum { BEHIND_ALL, BEHIND_FAIR };
enum { ASYM_TOP_THREADS, ASYM_TOP_ANY };
enum { HEADROOM_EARLY, HEADROOM_LATE };
enum { SWB_OFF, SWB_BOTH, SWB_ON };
enum { SERIALIZE_OUTER, SERIALIZE_INNER };
enum { INIT_UTIL_SCALED, INIT_UTIL_WEIGHT };
enum { UTIL_EST_PAIR, UTIL_EST_SINGLE };
enum { GOVERNOR_PERFORMANCE, GOVERNOR_SCHEDUTIL };
enum { FREQ_CPU, FREQ_CORE, FREQ_CLUSTER, FREQ_LLC, FREQ_PACKAGE };
enum { SCHEDSTAT_15, SCHEDSTAT_16, SCHEDSTAT_17 };
/* clang-format on */

/*
 * FEATURE(member, name, kernel's name or "", values, default, releases of each value, section, help)
 *
 * Values are joined by '|'. Releases are one word a value: "6.6-6.11", "-6.5" up to, "6.12-" from, "-" all, "." none,
 * "-6.16,6.19-" several.
 * "NAME" and "NO_NAME" of the kernel's name set the last and the first value.
 */
#define FEATURES(FEATURE)                                                                          \
	FEATURE(topo_span_check, "topo.span_check", "",                                            \
		"pairwise_full|pairwise_half|linear_array|linear_idset|sdspan", "linear_idset",    \
		"-6.9 6.10-6.15 . 6.16- .", "A.8", "how overlapping masks of a level are found")   \
	FEATURE(topo_node_mask_bug, "topo.node_mask_bug", "", "off|on", "off", "- .", "A.8",       \
		"the NODE level is looked up with a stale NUMA index")                             \
	FEATURE(topo_diameter_fix, "topo.diameter_fix", "", "off|on", "on", ". 5.13-", "A.6",      \
		"groups of distant nodes stay inside the domain")                                  \
	FEATURE(topo_cluster, "topo.cluster", "", "off|on", "on", "-5.15 5.16-", "B.1",            \
		"a level for clusters")                                                            \
	FEATURE(core, "core", "", "cfs|eevdf66|eevdf612|eevdf73", "eevdf612",                      \
		"-6.5 6.6-6.11 6.12-7.2 7.3-", "F", "who of a queue runs")                         \
	FEATURE(gentle_sleepers, "cfs.gentle_sleepers", "GENTLE_FAIR_SLEEPERS", "off|on", "on",    \
		". -6.5", "F.2", "a sleeper's credit is half a latency")                           \
	FEATURE(start_debit, "cfs.start_debit", "START_DEBIT", "off|on", "on", ". -6.5", "F.2",    \
		"new tasks wait one slice")                                                        \
	FEATURE(last_buddy, "cfs.last_buddy", "LAST_BUDDY", "off|on", "on", ". -6.5", "F.2",       \
		"who was preempted by a wakeup is preferred")                                      \
	FEATURE(base_slice, "cfs.base_slice", "BASE_SLICE", "off|on", "on", ". -6.5", "F.2",       \
		"no slice below the minimal granularity")                                          \
	FEATURE(place_lag, "fair.place_lag", "PLACE_LAG", "off|on", "on", ". 6.6-", "F.3",         \
		"lag is kept over a sleep")                                                        \
	FEATURE(place_deadline_initial, "fair.place_deadline_initial", "PLACE_DEADLINE_INITIAL",   \
		"off|on", "on", ". 6.6-", "F.3", "new tasks start with half a slice")              \
	FEATURE(place_rel_deadline, "fair.place_rel_deadline", "PLACE_REL_DEADLINE", "off|on",     \
		"on", "-6.11 6.12-", "F.3", "a deadline is kept over a migration")                 \
	FEATURE(run_to_parity, "fair.run_to_parity", "RUN_TO_PARITY", "off|on", "on", ". 6.6-",    \
		"F.3", "the running task keeps its CPU until its deadline is due")                 \
	FEATURE(preempt_short, "fair.preempt_short", "PREEMPT_SHORT", "off|on", "on",              \
		"-6.11 6.12-", "F.3", "shorter slices break that protection")                      \
	FEATURE(delay_dequeue, "fair.delay_dequeue", "DELAY_DEQUEUE", "off|on", "on",              \
		"-6.11 6.12-", "F.3", "who sleeps owing service stays queued until it is paid")    \
	FEATURE(delay_zero, "fair.delay_zero", "DELAY_ZERO", "off|on", "on", "-6.11 6.12-", "F.3", \
		"and comes back with no more than zero lag")                                       \
	FEATURE(yield, "fair.yield", "", "deadline|forfeit", "forfeit", "6.6-6.17 6.18-", "F.3",   \
		"a yield moves the deadline, or gives up the rest of the request")                 \
	FEATURE(protect, "fair.protect", "", "deadline|slice|eligible", "slice",                   \
		"6.6-6.16 6.17-7.2 7.3-", "F.3",                                                   \
		"who runs is protected up to its deadline, for the least slice of the queue, or "  \
		"where a shorter one waits while it is owed service")                              \
	FEATURE(lag_limit, "fair.lag_limit", "", "own|greatest", "own", "6.6-7.2 7.3-", "F.3",     \
		"lag is limited by its own slice, or the greatest of the queue")                   \
	FEATURE(delay_lag, "fair.delay_lag", "", "off|on", "off", "-7.2 7.3-", "F.3",              \
		"lag doesn't fall while a task is delayed")                                        \
	FEATURE(place_zero, "fair.place_zero", "", "off|on", "off", "-7.2 7.3-", "F.3",            \
		"a heavy task that joins takes the origin of a queue's sums along")                \
	FEATURE(fork_preempts, "fair.fork_preempts", "", "off|on", "on", "7.3- -7.2", "F.3",       \
		"a new task may preempt its parent")                                               \
	FEATURE(virtual_time, "fair.virtual_time", "", "inverse|exact", "inverse", "-7.2 7.3-",    \
		"F.2", "by the rounded inverse of a weight, or divided")                           \
	FEATURE(pelt_sums, "pelt.sums", "", "low|whole", "low", "-7.2 7.3-", "E.1",                \
		"sums are held above their least by 32 bits of them, or all")                      \
	FEATURE(next_buddy, "fair.next_buddy", "NEXT_BUDDY", "off|on", "off", "- .", "F.3",        \
		"who was woken last is preferred")                                                 \
	FEATURE(pick_buddy, "fair.pick_buddy", "PICK_BUDDY", "off|on", "on", "-6.11 6.12-", "F.3", \
		"and is picked without regard to deadlines")                                       \
	FEATURE(wakeup_preemption, "fair.wakeup_preemption", "WAKEUP_PREEMPTION", "off|on", "on",  \
		". -", "F.2", "a wakeup may preempt")                                              \
	FEATURE(attach_age_load, "fair.attach_age_load", "ATTACH_AGE_LOAD", "off|on", "on", ". -", \
		"E.1", "a task that becomes fair has aged meanwhile")                              \
	FEATURE(init_util, "fair.init_util", "", "scaled_weight|weight", "weight", "-6.9 6.10-",   \
		"E.1", "a new task's utilisation from its weight, or from a thousand times it")    \
	FEATURE(util_est, "util_est", "UTIL_EST", "off|on", "on", ". -", "E.1",                    \
		"utilisation of past activations is remembered")                                   \
	FEATURE(util_est_form, "util_est.form", "", "pair|single", "single", "-6.7 6.8-", "E.1",   \
		"it is one value, or a smoothed one and the last")                                 \
	FEATURE(util_est_full, "util_est.full", "", "off|on", "off", "-7.2 7.3-", "E.1",           \
		"it falls where utilisation was above the CPU's capacity too")                     \
	FEATURE(util_est_fastup, "util_est.fastup", "UTIL_EST_FASTUP", "off|on", "on", ". -6.7",   \
		"E.1", "it rises at once")                                                         \
	FEATURE(ttwu_queue, "wake.queue", "TTWU_QUEUE", "off|on", "on", ". -", "F.4",              \
		"remote wakeups are done by the CPU they go to")                                   \
	FEATURE(queue_stopper, "wake.queue_stopper", "", "off|on", "off", "6.7- -6.6", "F.4",      \
		"and so are those of stoppers")                                                    \
	FEATURE(wake_cluster, "wake.cluster", "", "off|rfc_v2|rfc_v3|rfc_v6|mainline", "mainline", \
		"-6.6 . . . 6.7-", "B.2", "a wakeup looks at its cluster first")                   \
	FEATURE(scan_limit, "wake.scan_limit", "SIS_UTIL", "none|sis_prop|sis_util", "sis_util",   \
		". -5.19 6.0-", "F.5.2", "how many CPUs a wakeup looks at")                        \
	FEATURE(wake_idle_policy, "wake.idle_policy", "", "off|on", "on", "7.3- -7.2", "F.5.1",    \
		"a task of the idle policy takes CPUs where only such tasks are")                  \
	FEATURE(wa_idle, "wake.affine_idle", "WA_IDLE", "off|on", "on", ". -", "F.4",              \
		"an idle waker's CPU is taken")                                                    \
	FEATURE(wa_weight, "wake.affine_weight", "WA_WEIGHT", "off|on", "on", ". -", "F.4",        \
		"loads decide between waker's and previous CPU")                                   \
	FEATURE(wa_bias, "wake.affine_bias", "WA_BIAS", "off|on", "on", ". -", "F.4",              \
		"in favour of the previous one by half the imbalance")                             \
	FEATURE(newidle_cost, "newidle.cost", "", "plain|bump", "plain", "-6.16,6.19- 6.17-6.18",  \
		"C.2", "what an attempt in vain is charged")                                       \
	FEATURE(newidle_behind, "newidle.behind", "", "all|fair", "fair", "-6.11,7.3- 6.12-7.2",   \
		"C.1", "whose waiting keeps a CPU that runs out of work from looking: any task's") \
	FEATURE(newidle_idle_time, "newidle.idle_time", "", "wake|switch", "wake", "-7.2 7.3-",    \
		"C.1", "when a time of idling ends that is averaged")                              \
	FEATURE(newidle_random, "newidle.random", "NI_RANDOM", "off|on", "on", "-6.18 6.19-",      \
		"C.3", "attempts are made in proportion to their success")                         \
	FEATURE(newidle_rate, "newidle.rate", "NI_RATE", "off|on", "off", "-7.2 7.3-", "C.3",      \
		"rare attempts are always made")                                                   \
	FEATURE(lb_smt_balance, "lb.smt_balance", "", "off|on", "on", "-6.5 6.6-", "F.7",          \
		"groups of threads are a type of their own")                                       \
	FEATURE(lb_smt_keeps, "lb.smt_keeps", "", "off|on", "on", "-6.4 6.5-", "F.7.3",            \
		"of full groups the core of threads stays the busiest")                            \
	FEATURE(lb_busiest_prefers, "lb.prefer_sibling", "", "child|busiest", "busiest",           \
		"-6.4 6.5-", "F.7.4", "whose flag says that tasks are to spread over siblings")    \
	FEATURE(lb_ties_stay, "lb.ties_stay", "", "off|on", "on", "-6.8 6.9-", "F.7.3",            \
		"of equal misfits or priorities the first group stays the busiest")                \
	FEATURE(lb_misfit_quiet, "lb.misfit_quiet", "", "off|on", "on", "-6.9 6.10-", "F.7.1",     \
		"a misfit that can't be moved is no failure of the domain")                        \
	FEATURE(lb_whole_core_misfit, "lb.misfit_core", "", "off|on", "off", "- .", "F.7.3",       \
		"a misfit goes to a whole idle core only, as stable releases have it")             \
	FEATURE(lb_util_boost, "lb.util_boost", "", "off|on", "on", "-6.4 6.5-", "F.7.6",          \
		"what waits counts as utilisation where it is more")                               \
	FEATURE(lb_asym_whole_core, "lb.asym_whole_core", "", "off|on", "on", "-6.4 6.5-",         \
		"F.7.2", "priorities are followed by whole idle cores")                            \
	FEATURE(lb_asym_top, "lb.asym_top", "", "threads|any", "any", "-6.4 6.5-", "F.7.7",        \
		"the greatest domain of priorities: up to the first level without, or above it")   \
	FEATURE(lb_swb_core, "lb.swb_core", "", "off|both|on", "on", "-6.5 6.6-6.6 6.7-", "F.7",   \
		"idle cores balance before idle threads; both: and the group's CPU beside them")   \
	FEATURE(lb_pinned_limit, "lb.pinned_limit", "", "off|on", "on", "6.1-6.9 6.10-", "F.7.6",  \
		"tasks that may not move count towards the limit of a search")                     \
	FEATURE(lb_numa_allowed, "lb.numa_allowed", "", "off|on", "on", "-5.19 6.0-", "F.5.1",     \
		"a node's allowance counts CPUs that the task may use only")                       \
	FEATURE(lb_even_idle, "lb.even_idle", "", "off|on", "off", "- .", "F.7.5",                 \
		"one waiting task goes to one idle CPU where two would be halved")                 \
	FEATURE(lb_serialize, "lb.serialize", "", "outer|inner", "outer", "-6.18 6.19-", "F.7",    \
		"where NUMA levels take the token")                                                \
	FEATURE(lb_serialize_newidle, "lb.serialize_newidle", "", "off|on", "off", "-7.2 7.3-",    \
		"C.3", "inner: new-idle balancing takes it too")                                   \
	FEATURE(misfit_allowed, "lb.misfit_allowed", "", "off|on", "on", "-6.9 6.10-", "F.7",      \
		"no misfit where no allowed CPU is bigger")                                        \
	FEATURE(lb_counts, "lb.counts", "", "queued|runnable", "runnable", "-6.13 6.14-", "F.7",   \
		"are delayed tasks counted?")                                                      \
	FEATURE(lb_delayed_stay, "lb.delayed_stay", "", "off|on", "on", "-6.13 6.14-", "F.7.6",    \
		"delayed tasks are moved for their load only")                                     \
	FEATURE(lb_ineligible_stay, "lb.ineligible_stay", "", "off|on", "on", "-6.13 6.14-",       \
		"F.7.6", "who isn't owed service is moved after a failure only")                   \
	FEATURE(lb_misfit_counts, "lb.misfit_counts", "", "all|helped", "all", "-7.2 7.3-",        \
		"F.7.3", "misfits count where the CPU that looks is bigger")                       \
	FEATURE(lb_reset, "lb.reset", "", "unpushed|always", "unpushed", "-7.2 7.3-", "F.7",       \
		"a push that was asked for leaves the interval as it is")                          \
	FEATURE(lb_asym_one, "lb.asym_one", "", "bigger|shared", "bigger", "-7.2 7.3-", "F.7",     \
		"a single task goes to bigger CPUs, or leaves a busy core or a cluster too")       \
	FEATURE(lb_capacity_sum, "lb.capacity_sum", "", "overlap|numa", "overlap", "-7.2 7.3-",    \
		"F.7", "of which groups' children capacities are summed up CPU by CPU")            \
	FEATURE(nohz_ilb, "nohz.ilb", "", "first|core", "first", "-7.2 7.3-", "F.7",               \
		"who balances for idle CPUs: the first, or first one of an idle core")             \
	FEATURE(lb_min, "lb.min", "LB_MIN", "off|on", "off", "- .", "F.7",                         \
		"tasks of little load stay")                                                       \
	FEATURE(cache_hot_buddy, "lb.cache_hot_buddy", "CACHE_HOT_BUDDY", "off|on", "on", ". -",   \
		"F.7", "buddies are cache hot")                                                    \
	FEATURE(cpufreq_governor, "cpufreq.governor", "", "performance|schedutil", "performance",  \
		"- .", "E.2", "who chooses frequencies")                                           \
	FEATURE(cpufreq_domain, "cpufreq.domain", "", "cpu|core|cluster|llc|package", "cpu",       \
		"- . . . .", "E.2", "who shares one")                                              \
	FEATURE(cpufreq_headroom, "cpufreq.headroom", "", "early|late", "late", "-6.7 6.8-",       \
		"E.2", "where a quarter more is added")                                            \
	FEATURE(cpufreq_rate, "cpufreq.rate", "", "thousandfold|half_more", "half_more",           \
		"-6.8 6.9-", "E.2", "least time between changes, from the latency of one")         \
	FEATURE(cpufreq_boost, "cpufreq.runnable_boost", "", "off|on", "on", "-6.4 6.5-", "E.1",   \
		"waiting tasks raise the frequency")                                               \
	FEATURE(schedstat_version, "schedstat.version", "", "15|16|17", "17",                      \
		"-6.9 6.10-6.13 6.14-", "A.12", "of the text of /proc/schedstat")

#define FEATURE_MEMBER(member, ...) uint8_t member;

/** struct features - a value a row: index among its values */
struct features {
	FEATURES(FEATURE_MEMBER)
};

/** struct feature - a row */
struct feature {
	const char *name;
	const char *kernel; /* "": none */
	const char *values;
	const char *def;
	const char *releases;
	const char *section;
	const char *help;
	size_t offset;
};

/** feature_at() - the @i-th row; NULL behind the last */
const struct feature *feature_at(size_t i);

/** feature_value() - name of the @i-th value of a row into @text; false behind the last */
bool feature_value(const struct feature *feature, size_t i, struct strbuf *text);

/** feature_real() - is the @i-th value that of a mainline release? */
bool feature_real(const struct feature *feature, size_t i, unsigned int major, unsigned int minor);

void features_default(struct features *features);

/** features_release() - each to what it is in that release; rows that don't say keep their value */
void features_release(struct features *features, unsigned int major, unsigned int minor);

/**
 * features_set() - one, by "wake.cluster" and "off", or by the kernel's "TTWU_QUEUE", "NO_TTWU_QUEUE" with "" or "1"
 *
 * Return: 0; -ENOENT with the nearest name there is; -EINVAL with the values there are.
 */
int features_set(struct features *features, const char *name, const char *value, struct error *err);

#endif
