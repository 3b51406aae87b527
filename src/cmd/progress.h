/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/progress.h - how far an experiment is: on standard error, on a terminal only. */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include "lab/execute.h"
#include "store/store.h"

#include <stdbool.h>

/**
 * struct progress - two lines that are drawn over themselves: a bar with block and time left, and the running
 * estimate of each primary metric
 * @store:     where the runs so far are; borrowed
 * @drawn:     lines stand on the terminal, the cursor in the first of them
 * @estimates: second line, kept while a run goes on
 * @last:      event, without its run
 * @simulated_ns: of the last run at each point, from boot to end; 0: there was none
 */
struct progress {
	bool on;
	const struct experiment *experiment;
	struct store *store;
	bool drawn;
	struct strbuf estimates;
	struct lab_event last;
	struct planned_run next;
	uint64_t *simulated_ns;
};

/** progress_init() - @wanted false or no terminal: nothing is ever printed */
void progress_init(struct progress *progress, const struct experiment *experiment,
		   struct store *store, bool wanted);

/** progress_event() - lab_event hook; @ctx is the struct progress */
void progress_event(void *ctx, const struct lab_event *event);

/** progress_simulated() - struct lab's @simulated; @ctx is the struct progress */
void progress_simulated(void *ctx, uint64_t ns);

/**
 * progress_add_simulated() - append "45% of 12.3 s simulated", or "5.1 s simulated" where none of that workload was made before
 * @whole_ns: simulated time of the last one, 0: there was none
 */
void progress_add_simulated(struct strbuf *sb, uint64_t ns, uint64_t whole_ns);

/** progress_run_ns() - simulated time of a run, 0 where it isn't told */
uint64_t progress_run_ns(const struct run_row *run);

/** progress_end() - take the lines away for good */
void progress_end(struct progress *progress);

#endif
