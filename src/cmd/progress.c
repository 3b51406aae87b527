// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/progress.h"

#include "cmd/output.h"
#include "report/live.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BAR_CELLS 24

void progress_init(struct progress *progress, const struct experiment *experiment,
		   struct store *store, bool wanted)
{
	*progress = (struct progress){
		.on = wanted && isatty(STDERR_FILENO) == 1,
		.experiment = experiment,
		.store = store,
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
		add_bar(sb, event->done, event->total);
		strbuf_addf(sb, " %" PRIu64 "/%" PRIu64 " runs", event->done, event->total);
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

void progress_event(void *ctx, const struct lab_event *event)
{
	struct progress *progress = ctx;
	struct strbuf status = { 0 };
	size_t width;

	if (!progress->on)
		return;
	width = terminal_width();
	add_status(&status, progress, event);
	cut(&status, width);
	if (event->run) {
		strbuf_release(&progress->estimates);
		add_estimates(&progress->estimates, progress, event, width);
		cut(&progress->estimates, width);
	}
	clear(progress);
	/* the estimate lies below, and the cursor goes back up to the first line */
	fprintf(stderr, "%s\n%s\033[A\r", status.s, strbuf_str(&progress->estimates));
	fflush(stderr);
	progress->drawn = true;
	strbuf_release(&status);
}

void progress_end(struct progress *progress)
{
	clear(progress);
	strbuf_release(&progress->estimates);
}
