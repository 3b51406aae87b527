/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/rtapp_log.h - rt-app's log files from what tasks kept: as notes of a run, and as text again. */
#ifndef WORKLOAD_RTAPP_LOG_H
#define WORKLOAD_RTAPP_LOG_H

#include "workload/run.h"
#include "workload/task_exec.h"

/* All tasks together: what fits into a result's notes. */
#define RTAPP_LOG_LINES 1200

/** rtapp_log_size() - lines that each task keeps, of @asked. At least 1, where any is wanted */
size_t rtapp_log_size(const struct task_program *program, uint64_t asked);

/** rtapp_log_note() - the notes "log-0", "log-1", ..., as far as they go: of all tasks, one after the other */
void rtapp_log_note(struct run *run, const struct task_program *program,
		    const struct task_outcome *outcome);

/** rtapp_original() - each task's file, its name before it, as tail -n +1 of several files prints them */
void rtapp_original(const struct result *result, const void *cfg, struct strbuf *sb);

#endif
