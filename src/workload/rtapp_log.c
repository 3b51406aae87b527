// SPDX-License-Identifier: GPL-2.0-only
#include "workload/rtapp_log.h"

#include "base/mem.h"
#include "workload/notes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A reader takes 100 notes of 1000 bytes, and others need some as well. */
#define MAX_NOTES 90
#define NS_PER_US 1000

static const char *policy_name(const struct task_sched *sched)
{
	static const char *const names[] = {
		[TASK_OTHER] = "SCHED_OTHER", [TASK_BATCH] = "SCHED_BATCH",
		[TASK_IDLE] = "SCHED_IDLE",   [TASK_RR] = "SCHED_RR",
		[TASK_FIFO] = "SCHED_FIFO",   [TASK_DEADLINE] = "SCHED_DEADLINE",
	};

	return names[sched->policy];
}

/* "=POLICY PRIORITY NAME" */
static void write_head(struct notes *w, const struct task *task)
{
	strbuf_addf(&w->text, "=%s %d ", policy_name(&task->sched), task->sched.priority);
	notes_add_word(w, task->name, 63);
	notes_end_entry(w);
}

/* "START END TOOK RUN UNITS SLACK ASKED PERIOD WAKEUP", us; the first two of CLOCK_MONOTONIC */
static void write_line(struct notes *w, const struct task_line *line)
{
	strbuf_addf(&w->text,
		    "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRId64
		    " %" PRIu64 " %" PRIu64 " %" PRIu64,
		    line->start_ns / NS_PER_US, line->end_ns / NS_PER_US,
		    (line->end_ns - line->start_ns) / NS_PER_US, line->run_ns / NS_PER_US,
		    line->units, line->slack_ns / NS_PER_US, line->asked_ns / NS_PER_US,
		    line->period_ns / NS_PER_US, line->wakeup_ns / NS_PER_US);
	notes_end_entry(w);
}

size_t rtapp_log_size(const struct task_program *program, uint64_t asked)
{
	const uint64_t each = RTAPP_LOG_LINES / task_program_tasks(program);

	if (asked && !each)
		return 1;
	return (size_t)(asked < each ? asked : each);
}

/* Of a ring, the oldest first. */
static void write_lines(struct notes *w, const struct task_log *log)
{
	const uint64_t n = log->nr < log->size ? log->nr : log->size;

	for (uint64_t i = log->nr - n; i < log->nr; i++)
		write_line(w, &log->lines[i % log->size]);
}

void rtapp_log_note(struct run *run, const struct task_program *program,
		    const struct task_outcome *outcome)
{
	struct notes w = { .run = run, .name = "log", .max = MAX_NOTES };
	const struct task_log *log = outcome->logs;

	if (!log->size)
		return;
	run_note(run, "log", "%" PRIu64, run->start_ns / NS_PER_US);
	for (size_t i = 0; i < program->nr_tasks; i++)
		for (uint64_t k = 0; k < program->tasks[i].instances; k++, log++) {
			if (program->tasks[i].forked && !log->nr)
				continue;
			write_head(&w, &program->tasks[i]);
			write_lines(&w, log);
		}
	notes_finish(&w);
}

/* Notes of our own making: what was printed as a number is one. */
/* NOLINTBEGIN(cert-err34-c) */
static void print_head(struct strbuf *sb, const char *entry, int index)
{
	char policy[32], name[64];
	int priority;

	if (sscanf(entry, "=%31s %d %63[^;]", policy, &priority, name) != 3)
		return;
	strbuf_addf(sb, "%s==> rt-app-%s-%d.log <==\n", index ? "\n" : "", name, index);
	if (!strcmp(policy, "SCHED_DEADLINE"))
		strbuf_addf(sb, "# Policy : %s\n", policy);
	else
		strbuf_addf(sb, "# Policy : %s priority : %d\n", policy, priority);
	strbuf_addf(sb, "%s %8s %8s %8s %15s %15s %15s %10s %10s %10s %10s\n", "#idx", "perf",
		    "run", "period", "start", "end", "rel_st", "slack", "c_duration", "c_period",
		    "wu_lat");
}

enum column {
	START,
	END,
	TOOK,
	RUN,
	UNITS,
	SLACK,
	ASKED,
	PERIOD,
	WAKEUP,
	NR_COLUMNS,
};

static void print_line(struct strbuf *sb, const char *entry, int index, long long begin)
{
	long long x[NR_COLUMNS];
	char *end;

	for (int i = 0; i < NR_COLUMNS; i++, entry = end) {
		x[i] = strtoll(entry, &end, 10);
		if (end == entry)
			return;
	}
	strbuf_addf(sb, "%4d %8lld %8lld %8lld %15lld %15lld %15lld %10lld %10lld %10lld %10lld\n",
		    index, x[UNITS], x[RUN], x[TOOK], x[START], x[END], x[START] - begin, x[SLACK],
		    x[ASKED], x[PERIOD], x[WAKEUP]);
}

void rtapp_original(const struct result *result, const void *cfg, struct strbuf *sb)
{
	struct notes_cursor cursor = { .result = result, .name = "log" };
	const char *begin = result_note(result, "log"), *entry;
	int index = -1;

	(void)cfg;
	while (begin && (entry = notes_next(&cursor)))
		if (*entry == '=')
			print_head(sb, entry, ++index);
		else
			print_line(sb, entry, index, strtoll(begin, NULL, 10));
}
/* NOLINTEND(cert-err34-c) */
