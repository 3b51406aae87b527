// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/trace_text.h"

#include "base/metric.h"
#include "report/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define TIME_SIZE 24
#define TASK_SIZE (TRACE_COMM_MAX + 16)

/* "12.3 us", right-aligned by the caller; "-" for nothing */
static const char *print_ns(char text[TIME_SIZE], uint64_t ns)
{
	const char *suffix;
	double value = (double)ns / unit_scale(UNIT_NS, (double)ns, &suffix);

	if (!ns)
		snprintf(text, TIME_SIZE, "-");
	else
		snprintf(text, TIME_SIZE, "%.*f %s",
			 ns < 1000	 ? 0
			 : value < 10	 ? 2
			 : value < 99.95 ? 1
					 : 0,
			 value, suffix);
	return text;
}

static const char *print_task(char text[TASK_SIZE], const struct analysis *a, uint32_t task)
{
	const struct trace_task *row = &a->state.tasks[task];

	snprintf(text, TASK_SIZE, "%s %" PRIu32, *row->comm ? row->comm : "?", row->pid);
	return text;
}

/* Cut to @width columns and filled up to it. */
static void add_label(struct strbuf *sb, const char *text, size_t width)
{
	size_t used = text_width(text);

	text_add_cut(sb, text, width);
	text_blanks(sb, used < width ? width - used : 0);
}

static void add_head(const struct analysis *a, const struct trace_found *found, const char *name,
		     struct strbuf *sb)
{
	char span[TIME_SIZE];
	uint32_t cpus = 0;

	for (uint32_t i = 0; i < a->nr_cpus; i++)
		cpus += analysis_knows_cpu(a, i);
	text_wrapf(sb, 0, 4, "%s: %s", name, found->format);
	strbuf_addf(sb,
		    "%s from %" PRIu64 ".%09" PRIu64 " s, %" PRIu32 " CPUs, %" PRIu32
		    " tasks, %" PRIu64 " events\n",
		    print_ns(span, a->last_ns - a->first_ns), a->first_ns / 1000000000,
		    a->first_ns % 1000000000, cpus, a->state.nr_tasks, a->events);
	if (found->losses)
		text_wrapf(sb, 0, 4,
			   "%s%" PRIu64 " events were lost, in %" PRIu64
			   " places: what happened meanwhile is in no table.",
			   found->lost ? "" : "At least ",
			   found->lost ? found->lost : found->losses, found->losses);
	if (a->state.gaps)
		text_wrapf(
			sb, 0, 4,
			"%" PRIu64 " switches of %" PRIu64
			" are from another task than the one that had got the CPU: events before "
			"them are missing, and times may be wrong.",
			a->state.gaps, a->kinds[TRACE_SWITCH]);
	if (!a->kinds[TRACE_WAKEUP] && !a->kinds[TRACE_WAKING])
		text_wrapf(sb, 0, 4,
			   "No wake-ups were recorded: waits behind a sleep count as sleep. Record "
			   "sched_waking, sched_wakeup and sched_wakeup_new too.");
}

static void add_whom(const struct analysis *a, const struct analysis_wait *wait, struct strbuf *sb)
{
	char task[TASK_SIZE], time[TIME_SIZE];
	const char *between = "";

	for (uint32_t i = 0; i < wait->nr_whom; i++) {
		strbuf_addf(sb, "%s%s %s", between, print_task(task, a, wait->whom[i].task),
			    print_ns(time, wait->whom[i].ns));
		between = ", ";
	}
	if (wait->others_ns) {
		strbuf_addf(sb, "%sothers %s", between, print_ns(time, wait->others_ns));
		between = ", ";
	}
	if (wait->idle_ns) {
		strbuf_addf(sb, "%sidle %s", between, print_ns(time, wait->idle_ns));
		between = ", ";
	}
	if (wait->early_ns)
		strbuf_addf(sb, "%snot known %s", between, print_ns(time, wait->early_ns));
	if (wait->free_ns)
		strbuf_addf(sb, "; CPU %" PRIu32 " idled %s", wait->free_cpu,
			    print_ns(time, wait->free_ns));
	if (!wait->ended)
		strbuf_addstr(sb, "; still waits at the end");
}

static void add_waits(const struct analysis *a, struct strbuf *sb)
{
	strbuf_addstr(sb, "\nLongest waits\n"
			  "   waited  task                     CPU  ready at s\n");
	for (size_t i = 0; i < a->nr_waits; i++) {
		const struct analysis_wait *wait = &a->waits[i];
		char time[TIME_SIZE], task[TASK_SIZE];
		struct strbuf whom = { 0 };

		strbuf_addf(sb, "%9s  ", print_ns(time, wait->ns));
		add_label(sb, print_task(task, a, wait->task), 23);
		strbuf_addf(sb, " %4" PRIu32 "  %" PRIu64 ".%09" PRIu64 ", %s\n", wait->cpu,
			    wait->from_ns / 1000000000, wait->from_ns % 1000000000,
			    analysis_how_name(wait->how));
		add_whom(a, wait, &whom);
		strbuf_addstr(sb, "           for ");
		text_wrap(sb, 15, 15, strbuf_str(&whom));
		strbuf_release(&whom);
	}
}

static void add_cpus(const struct analysis *a, size_t rows, struct strbuf *sb)
{
	size_t n;
	uint32_t *index = analysis_cpus(a, &n);

	strbuf_addstr(sb, "\nCPUs                            idle while\n"
			  "         busy       idle  others waited        lost   switches\n");
	for (size_t i = 0; i < n && i < rows; i++) {
		const struct analysis_cpu *c = &a->cpus[index[i]];
		char busy[TIME_SIZE], idle[TIME_SIZE], waited[TIME_SIZE], lost[TIME_SIZE];

		strbuf_addf(sb, "%4" PRIu32 " %8s  %9s  %13s  %10s  %9" PRIu64 "\n", index[i],
			    print_ns(busy, c->busy_ns), print_ns(idle, c->idle_ns),
			    print_ns(waited, c->idle_waited_ns), print_ns(lost, c->lost_ns),
			    c->switches);
	}
	if (n > rows)
		strbuf_addf(sb, "     and %zu more\n", n - rows);
	free(index);
}

static void add_tasks(const struct analysis *a, const uint32_t *index, size_t n, size_t rows,
		      struct strbuf *sb)
{
	strbuf_addstr(sb, "\nTasks, who waited longest in all first             switch"
			  "    pre-\n"
			  "                              ran    waited     slept     es   empted"
			  "  moved\n");
	for (size_t i = 0; i < n && i < rows; i++) {
		const struct analysis_task *t = &a->tasks[index[i]];
		char task[TASK_SIZE], ran[TIME_SIZE], waited[TIME_SIZE], slept[TIME_SIZE];

		add_label(sb, print_task(task, a, index[i]), 23);
		strbuf_addf(sb, " %9s %9s %9s %6" PRIu64 "  %7" PRIu64 " %6" PRIu64 "\n",
			    print_ns(ran, t->run_ns), print_ns(waited, t->wait_ns),
			    print_ns(slept, t->sleep_ns), t->switches, t->preempted, t->migrations);
	}
	if (n > rows)
		strbuf_addf(sb, "and %zu more\n", n - rows);
}

static void add_wake_row(struct strbuf *sb, const char *label, uint64_t n, const uint64_t ns[4])
{
	char time[4][TIME_SIZE];

	add_label(sb, label, 23);
	strbuf_addf(sb, " %7" PRIu64, n);
	for (int i = 0; i < 4; i++)
		strbuf_addf(sb, " %8s", print_ns(time[i], ns[i]));
	strbuf_addch(sb, '\n');
}

static void add_wakes(const struct analysis *a, const uint32_t *index, size_t n, size_t rows,
		      struct strbuf *sb)
{
	static const double quantiles[4] = { 0.5, 0.9, 0.99, 1 };
	uint64_t ns[4];
	size_t shown = 0;

	if (!a->wake->count)
		return;
	strbuf_addstr(sb,
		      "\nFrom being woken to running    n      p50      p90      p99      max\n");
	for (int q = 0; q < 4; q++)
		ns[q] = histogram_quantile(a->wake, quantiles[q]);
	add_wake_row(sb, "all tasks", a->wake->count, ns);
	for (size_t i = 0; i < n && shown < rows; i++) {
		const struct latencies *wake = &a->tasks[index[i]].wake;
		char task[TASK_SIZE];

		if (!wake->count)
			continue;
		for (int q = 0; q < 4; q++)
			ns[q] = latencies_quantile(wake, quantiles[q]);
		add_wake_row(sb, print_task(task, a, index[i]), wake->count, ns);
		shown++;
	}
}

static void add_distances(const struct analysis *a, struct strbuf *sb)
{
	strbuf_addstr(sb, "          ");
	for (int d = TRACE_SMT; d < NR_TRACE_DISTANCES; d++)
		strbuf_addf(sb, " %9s", trace_distance_name((enum trace_distance)d));
	strbuf_addch(sb, '\n');
	for (int r = 0; r < NR_CORE_REASONS; r++) {
		if (!a->by_reason[r])
			continue;
		strbuf_addf(sb, "%-10s", trace_reason_name((enum core_reason)r));
		for (int d = TRACE_SMT; d < NR_TRACE_DISTANCES; d++)
			strbuf_addf(sb, " %9" PRIu64, a->by_distance[r][d]);
		strbuf_addch(sb, '\n');
	}
}

static void add_pairs(const struct analysis *a, size_t rows, struct strbuf *sb)
{
	size_t n;
	struct analysis_pair *pairs = analysis_pairs(a, &n);
	struct strbuf text = { 0 };

	for (int r = 0; r < NR_CORE_REASONS; r++)
		if (a->by_reason[r])
			strbuf_addf(&text, "%s%s %" PRIu64, text.len ? ", " : "",
				    trace_reason_name((enum core_reason)r), a->by_reason[r]);
	strbuf_addstr(sb, "by reason  ");
	text_wrap(sb, 11, 11, strbuf_str(&text));
	strbuf_reset(&text);
	for (size_t i = 0; i < n && i < rows; i++)
		strbuf_addf(&text, "%s%" PRIu32 "->%" PRIu32 " %" PRIu32, i ? ", " : "",
			    pairs[i].from, pairs[i].to, pairs[i].count);
	if (n > rows)
		strbuf_addf(&text, " and %zu more pairs", n - rows);
	strbuf_addstr(sb, "by CPUs    ");
	text_wrap(sb, 11, 11, strbuf_str(&text));
	strbuf_release(&text);
	free(pairs);
}

static void add_migrations(const struct analysis *a, size_t rows, struct strbuf *sb)
{
	uint64_t sum = 0;

	for (int r = 0; r < NR_CORE_REASONS; r++)
		sum += a->by_reason[r];
	strbuf_addf(sb, "\nMigrations: %" PRIu64 "\n", sum);
	if (!sum)
		return;
	if (a->machine)
		add_distances(a, sb);
	else
		add_pairs(a, rows, sb);
	if (a->unseen)
		text_wrapf(sb, 0, 4,
			   "Of %" PRIu64 " of them no event tells: the task was elsewhere. Record "
			   "sched_migrate_task too.",
			   a->unseen);
}

void trace_text(const struct analysis *a, const struct trace_found *found, const char *name,
		size_t rows, struct strbuf *sb)
{
	size_t n;
	uint32_t *tasks = analysis_tasks(a, &n);

	add_head(a, found, name, sb);
	if (a->nr_waits)
		add_waits(a, sb);
	add_cpus(a, rows, sb);
	add_tasks(a, tasks, n, rows, sb);
	add_wakes(a, tasks, n, rows, sb);
	add_migrations(a, rows, sb);
	free(tasks);
}
