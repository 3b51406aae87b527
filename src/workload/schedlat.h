/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/schedlat.h - what the files of schedlat share. */
#ifndef WORKLOAD_SCHEDLAT_H
#define WORKLOAD_SCHEDLAT_H

#include "base/error.h"
#include "base/histogram.h"
#include "base/strbuf.h"
#include "workload/result.h"

#include <stdbool.h>
#include <stdint.h>

/* From the start signal to the first intended times, for all to be there. */
#define SCHEDLAT_SETTLE_NS 20000000

/* Of the tasks that compute part of the time: how long a cycle is. */
#define SCHEDLAT_CYCLE_NS 10000000

struct run;
struct sim;

enum {
	BIND_NONE,
	BIND_EACH,
};

struct schedlat_cfg {
	uint64_t tasks;
	uint64_t interval_ns;
	uint64_t distance_ns;
	uint64_t runtime_ns;
	uint64_t prio;
	int bind;
	uint64_t slack_ns;
	bool awake;
	uint64_t load;
	uint64_t duty;
	uint64_t load_nice;
	uint64_t idle;
};

/**
 * struct schedlat_times - the wakeups of one task, and when the next one is due
 * @next_ns: intended time
 * @last_ns: how late the last wakeup was
 * @missed:  times that passed before the task ran again
 * @wakeup:  how late each wakeup was, as cyclictest counts
 * @late:    how late the task was at each of its times, those that it missed too
 */
struct schedlat_times {
	uint64_t next_ns;
	uint64_t interval_ns;
	uint64_t last_ns;
	uint64_t missed;
	struct histogram *wakeup;
	struct histogram *late;
};

/** schedlat_awake() - the task runs at @now_ns, not before what is due; times from @until_ns on are no more waited for */
void schedlat_awake(struct schedlat_times *times, uint64_t now_ns, uint64_t until_ns);

/* Tasks of which the notes "tasks-0", "tasks-1", ... tell, and how many in one. */
#define SCHEDLAT_TOLD	  640
#define SCHEDLAT_PER_NOTE 10

/**
 * struct schedlat_told - what is told of one task: "TID WAKEUPS MIN LAST MEAN MAX; ", in ns
 */
struct schedlat_told {
	unsigned long long tid, count, min_ns, last_ns, mean_ns, max_ns;
};

void schedlat_tell(struct strbuf *sb, const struct schedlat_told *told);

/** schedlat_read() - the @i-th task's; false if nothing is told of it */
bool schedlat_read(const struct result *result, uint64_t i, struct schedlat_told *told);

/**
 * struct schedlat_figures - what is known when all have ended
 * @told:   of each task
 * @missed, @load_cpu_ns: of all together
 * @wakeup, @late: likewise
 */
struct schedlat_figures {
	const struct schedlat_cfg *cfg;
	const struct schedlat_told *told;
	uint64_t missed;
	uint64_t load_cpu_ns;
	const struct histogram *wakeup;
	const struct histogram *late;
};

/** schedlat_report() - all metrics, histograms and notes; behind run_stop(). Return: 0 or -ERANGE */
int schedlat_report(struct run *run, const struct schedlat_figures *figures, struct error *err);

/** schedlat_model() - struct workload's */
int schedlat_model(struct run *run, struct sim *sim, const void *cfg, struct error *err);

/** schedlat_original() - struct workload's, in the lines of cyclictest -q */
void schedlat_original(const struct result *result, const void *cfg, struct strbuf *sb);

#endif
