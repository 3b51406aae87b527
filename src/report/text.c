// SPDX-License-Identifier: GPL-2.0-only
#include "report/format.h"

#include "report/layout.h"
#include "report/text_rows.h"
#include "report/utc.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* A line for each unasked difference; a title in front of those of each variant. */
static void print_warnings(const struct report *report, struct strbuf *sb)
{
	const struct variant_row *variants = report->experiment.variants;
	size_t variant = 0;

	for (size_t i = 0; i < report->nr_differences; i++) {
		const struct report_difference *difference = &report->differences[i];

		if (difference->asked)
			continue;
		if (difference->variant != variant) {
			variant = difference->variant;
			text_wrapf(sb, 0, 4,
				   "WARNING: %s differs from %s in what neither asked to change:",
				   variants[variant].name, variants[0].name);
		}
		text_wrapf(sb, 2, 6, "%s: %s -> %s", difference->fact, difference->base,
			   difference->other);
	}
	if (variant)
		strbuf_addch(sb, '\n');
}

static void join_lines(const char *lines, const char *between, struct strbuf *sb)
{
	while (*lines) {
		size_t n = strcspn(lines, "\n");

		strbuf_addstr(sb, sb->len ? between : "");
		strbuf_add(sb, lines, n);
		lines += n + (lines[n] == '\n');
	}
}

static void print_variant(const struct variant_row *row, const char *letter, struct strbuf *sb)
{
	struct strbuf list = { 0 };

	join_lines(row->settings, "; ", &list);
	text_wrapf(sb, 2, 6, "%s = %s: %s", letter, row->name,
		   list.len ? list.s : "nothing changed");
	strbuf_release(&list);
}

/* "10 of 10 blocks in 1 session on 1 boot: 40 runs, none failed; 4 warm-up runs left out" */
static void add_runs(const struct report *report, struct strbuf *sb)
{
	const struct experiment_row *experiment = &report->experiment;
	const struct run_counts *counts = &report->counts;
	uint64_t runs = counts->ok + counts->failed;

	strbuf_addf(sb, "%" PRIu64, counts->blocks);
	if (experiment->blocks)
		strbuf_addf(sb, " of %" PRIu64, experiment->blocks);
	strbuf_addf(sb, " block%s%s in %zu session%s on %zu boot%s: %" PRIu64 " run%s",
		    plural(experiment->blocks ? experiment->blocks : counts->blocks),
		    experiment->finished ? "" : " so far", report->nr_sessions,
		    plural(report->nr_sessions), report->nr_boots, plural(report->nr_boots), runs,
		    plural(runs));
	if (counts->failed)
		strbuf_addf(sb, ", %" PRIu64 " failed", counts->failed);
	else if (runs)
		strbuf_addstr(sb, ", none failed");
	if (report->warmups)
		strbuf_addf(sb, "; %" PRIu64 " warm-up run%s left out", report->warmups,
			    plural(report->warmups));
}

static const char *order_of(const struct experiment_row *experiment)
{
	if (experiment->runs_per_boot)
		return "variants differ by kernel: a pair is a boot of each, in the order of "
		       "boots, with the median of its runs";
	return "order within each block at random";
}

static void print_head(const struct report *report, struct strbuf *sb)
{
	const struct experiment_row *experiment = &report->experiment;
	struct strbuf runs = { 0 };
	char begun[UTC_SIZE];

	utc_print(begun, experiment->created_ns);
	text_wrapf(sb, 0, 4, "Experiment %s, begun %s UTC", experiment->name, begun);
	for (size_t v = 0; v < experiment->nr_variants; v++)
		print_variant(&experiment->variants[v], v ? "B" : "A", sb);
	if (experiment->nr_variants > 2)
		text_wrapf(sb, 2, 2, "Each variant behind the first is B in a table of its own.");
	add_runs(report, &runs);
	text_wrapf(sb, 2, 2, "%s; %s, seed %" PRIu64, strbuf_str(&runs), order_of(experiment),
		   experiment->seed);
	strbuf_release(&runs);
}

static void print_failures(const struct report *report, struct strbuf *sb)
{
	if (!report->nr_failures)
		return;
	strbuf_addstr(sb, "\nFailed runs, which are in no figure:\n");
	for (size_t i = 0; i < report->nr_failures; i++) {
		const struct report_failure *failure = &report->failures[i];

		text_wrapf(sb, 2, 6, "%s under %s: %zu of %zu: %s", failure->point,
			   report->experiment.variants[failure->variant].name, failure->failed,
			   failure->runs, failure->reason);
	}
}

static void print_asked(const struct report *report, struct strbuf *sb)
{
	bool first = true;

	for (size_t i = 0; i < report->nr_differences; i++) {
		const struct report_difference *difference = &report->differences[i];

		if (!difference->asked)
			continue;
		if (first)
			strbuf_addstr(sb, "\nDifferences that were asked for:\n");
		first = false;
		text_wrapf(sb, 2, 6, "%s under %s: %s -> %s", difference->fact,
			   report->experiment.variants[difference->variant].name, difference->base,
			   difference->other);
	}
}

static void print_points(const struct report *report, struct strbuf *sb)
{
	strbuf_addstr(sb, "\nWorkloads:\n");
	for (size_t i = 0; i < report->experiment.nr_points; i++) {
		const struct point_row *point = &report->experiment.points[i];
		struct strbuf params = { 0 };

		join_lines(point->params, " ", &params);
		text_wrapf(sb, 2, 6, "%s: %s", point->label, strbuf_str(&params));
		strbuf_release(&params);
	}
}

static void print_facts(const struct report *report, struct strbuf *sb)
{
	size_t width = 0;

	if (!report->nr_facts)
		return;
	strbuf_addstr(sb, "\nEnvironment as the first session found it:\n");
	for (size_t i = 0; i < report->nr_facts; i++) {
		size_t w = text_width(report->facts[i].name);

		if (w > width && w < PAGE_WIDTH / 3)
			width = w;
	}
	for (size_t i = 0; i < report->nr_facts; i++) {
		const struct report_fact *fact = &report->facts[i];
		size_t w = text_width(fact->name);

		strbuf_addstr(sb, "  ");
		text_add(sb, fact->name);
		text_blanks(sb, (w < width ? width - w : 0) + 2);
		text_wrap(sb, (w < width ? width : w) + 4, width + 4, fact->value);
	}
}

static void print_notes(const struct report *report, struct strbuf *sb)
{
	const char *line = report->notes;

	if (*line)
		strbuf_addstr(sb, "\nNotes:\n");
	while (*line) {
		int n = (int)strcspn(line, "\n");

		text_wrapf(sb, 2, 4, "- %.*s", n, line);
		line += n + (line[n] == '\n');
	}
}

/* What the rows of the report have that needs to be explained. */
struct present {
	bool effect, ci, difference, scaled, moved;
};

static struct present look_at_rows(const struct report *report, bool all)
{
	struct present present = { 0 };

	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];

		present.effect |= row->verdict.has_effect;
		present.ci |= row->primary && row->verdict.has_ci;
		if (!row->primary && !row->moved && !all)
			continue;
		present.difference |= row->verdict.has_effect && !row->verdict.relative;
		present.scaled |= row->counted < 1;
		present.moved |= !row->primary && row->verdict.has_ci;
	}
	return present;
}

static void print_reading(const struct report *report, bool all, struct strbuf *sb)
{
	struct present present = look_at_rows(report, all);
	struct strbuf text = { 0 };

	if (!present.effect)
		return;
	strbuf_addstr(&text, "How to read: change is (B - A) / A, the middle of what all pairs say "
			     "(Hodges-Lehmann), of the figure as measured: a time that falls has a "
			     "minus, and the verdict says whether that is better.");
	if (present.difference)
		strbuf_addstr(&text, " A change without % is B - A in the row's unit.");
	if (present.ci)
		strbuf_addf(&text,
			    " CI: where the change lies with %.0f%% confidence. p: signed-rank "
			    "test, by Holm's method for %zu row%s. (>= x would show): so many runs "
			    "find a change of x four times of five.",
			    100 * (1 - REPORT_ALPHA), report->nr_judged, plural(report->nr_judged));
	if (present.moved)
		strbuf_addf(&text,
			    " q: p by Benjamini and Hochberg's method; at most %g is moved, which "
			    "is neither good nor bad.",
			    REPORT_ALPHA);
	if (present.scaled)
		strbuf_addstr(&text,
			      " ~73%: counted in at least so much of the time and scaled up.");
	strbuf_addch(sb, '\n');
	text_wrap(sb, 0, 0, strbuf_str(&text));
	strbuf_release(&text);
}

static void text_render(const struct report *report, const struct report_style *style,
			struct strbuf *sb)
{
	print_warnings(report, sb);
	print_head(report, sb);
	print_failures(report, sb);
	for (size_t v = 1; v < report->experiment.nr_variants; v++) {
		size_t len;

		strbuf_addch(sb, '\n');
		rows_primary(report, v, style, sb);
		strbuf_addch(sb, '\n');
		len = sb->len;
		rows_others(report, v, style, sb);
		if (sb->len == len)
			sb->s[--sb->len] = '\0'; /* no blank line before nothing */
	}
	print_asked(report, sb);
	print_points(report, sb);
	print_facts(report, sb);
	print_notes(report, sb);
	print_reading(report, style->all, sb);
}

const struct report_format report_text = {
	.name = "text",
	.help = "plain text of at most 78 columns, as for a mail",
	.render = text_render,
};
