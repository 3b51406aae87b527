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
 */
struct progress {
	bool on;
	const struct experiment *experiment;
	struct store *store;
	bool drawn;
	struct strbuf estimates;
};

/** progress_init() - @wanted false or no terminal: nothing is ever printed */
void progress_init(struct progress *progress, const struct experiment *experiment,
		   struct store *store, bool wanted);

/** progress_event() - lab_event hook; @ctx is the struct progress */
void progress_event(void *ctx, const struct lab_event *event);

/** progress_end() - take the lines away for good */
void progress_end(struct progress *progress);

#endif
