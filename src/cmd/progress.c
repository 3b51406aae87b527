// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/progress.h"

#include "base/mem.h"
#include "base/metric.h"
#include "cmd/output.h"
#include "report/live.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BAR_CELLS 24

/* On a terminal that is narrower the words stand alone. */
#define BAR_WIDTH 60

void progress_init(struct progress *progress, const struct experiment *experiment,
		   struct store *store, bool wanted)
{
	*progress = (struct progress){
		.on = wanted && isatty(STDERR_FILENO) == 1,
		.experiment = experiment,
		.store = store,
		.simulated_ns = xcalloc(experiment->nr_points, sizeof(*progress->simulated_ns)),
	};
}

static size_t terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2)
		return 80;
	return size.ws_col;
}

static void add_bar(struct strbuf *sb, uint64_t done, uint64_t total)
{
	uint64_t cells = total ? done * BAR_CELLS / total : 0;

	strbuf_addch(sb, '[');
	for (uint64_t i = 0; i < BAR_CELLS; i++)
		strbuf_addch(sb, i < cells ? '#' : '.');
	strbuf_addch(sb, ']');
}

static void add_status(struct strbuf *sb, const struct progress *progress,
		       const struct lab_event *event)
{
	const struct experiment *experiment = progress->experiment;
	const struct planned_run *next = event->next; /* or, at the end of a run, that one */

	if (event->total) {
		if (terminal_width() >= BAR_WIDTH) {
			add_bar(sb, event->done, event->total);
			strbuf_addch(sb, ' ');
		}
		strbuf_addf(sb, "%" PRIu64 "/%" PRIu64 " runs", event->done, event->total);
	} else {
		strbuf_addf(sb, "%" PRIu64 " runs", event->done);
	}
	if (next->warmup)
		strbuf_addstr(sb, ", warm-up");
	else
		strbuf_addf(sb, ", block %" PRId64, next->block + 1);
	if (event->left_ns) {
		strbuf_addstr(sb, ", ");
		output_duration(sb, event->left_ns);
		strbuf_addstr(sb, " left");
	}
	strbuf_addf(sb, "  %s: %s", experiment->points[next->point].label,
		    experiment->variants[next->variant].name);
}

/* A line may not wrap: it could not be drawn over. */
static void cut(struct strbuf *sb, size_t width)
{
	if (sb->len >= width) {
		sb->len = width - 1;
		sb->s[sb->len] = '\0';
	}
}

static void add_estimates(struct strbuf *sb, const struct progress *progress,
			  const struct lab_event *event, size_t width)
{
	struct report *report = NULL;

	if (event->run && event->blocks_done &&
	    !report_build_brief(&report, progress->store, event->run->experiment, NULL))
		live_text(report, width - 1, sb);
	report_free(report);
}

static void clear(struct progress *progress)
{
	if (progress->drawn)
		fputs("\r\033[J", stderr);
	progress->drawn = false;
}

/* The estimate lies below, and the cursor goes back up to the first line. */
static void draw(struct progress *progress, struct strbuf *status)
{
	cut(status, terminal_width());
	clear(progress);
	fprintf(stderr, "%s\n%s\033[A\r", status->s, strbuf_str(&progress->estimates));
	fflush(stderr);
	progress->drawn = true;
}

static void keep(struct progress *progress, const struct lab_event *event)
{
	progress->next = *event->next;
	progress->last = *event;
	progress->last.next = &progress->next;
	progress->last.run = NULL;
	if (event->run && event->run->result.status == RUN_OK)
		progress->simulated_ns[event->next->point] = progress_run_ns(event->run);
}

void progress_event(void *ctx, const struct lab_event *event)
{
	struct progress *progress = ctx;
	struct strbuf status = { 0 };
	size_t width;

	if (!progress->on)
		return;
	width = terminal_width();
	keep(progress, event);
	add_status(&status, progress, event);
	if (event->run) {
		strbuf_release(&progress->estimates);
		add_estimates(&progress->estimates, progress, event, width);
		cut(&progress->estimates, width);
	}
	draw(progress, &status);
	strbuf_release(&status);
}

void progress_simulated(void *ctx, uint64_t ns)
{
	struct progress *progress = ctx;
	struct strbuf status = { 0 };

	if (!progress->on || !progress->last.next)
		return;
	add_status(&status, progress, &progress->last);
	strbuf_addstr(&status, ", ");
	progress_add_simulated(&status, ns, progress->simulated_ns[progress->next.point]);
	draw(progress, &status);
	strbuf_release(&status);
}

void progress_add_simulated(struct strbuf *sb, uint64_t ns, uint64_t whole_ns)
{
	const char *suffix;
	double scale = unit_scale(UNIT_NS, (double)(whole_ns ? whole_ns : ns), &suffix);

	/* seeds differ a little */
	if (whole_ns)
		strbuf_addf(sb, "%" PRIu64 "%% of %.3g %s simulated",
			    ns < whole_ns ? ns * 100 / whole_ns : 100, (double)whole_ns / scale,
			    suffix);
	else
		strbuf_addf(sb, "%.3g %s simulated", (double)ns / scale, suffix);
}

uint64_t progress_run_ns(const struct run_row *run)
{
	const struct value *time = result_counter(&run->result, "simulated-time");

	return time ? (uint64_t)time->value : 0;
}

void progress_end(struct progress *progress)
{
	clear(progress);
	strbuf_release(&progress->estimates);
	free(progress->simulated_ns);
}
