// SPDX-License-Identifier: GPL-2.0-only
#include "report/format.h"

#include "report/layout.h"
#include "report/text_head.h"
#include "report/text_rows.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

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

		text_join_lines(&params, point->params, " ");
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
			    " CI: where the change lies with %.0f%% confidence. p: of the exact "
			    "test, adjusted for %zu row%s. (>= x would show): so many runs "
			    "find a change of x four times of five.",
			    100 * (1 - REPORT_ALPHA), report->nr_judged,
			    report->nr_judged == 1 ? "" : "s");
	if (present.ci && report->experiment.until > 0)
		strbuf_addstr(&text, " Of a sequential experiment, interval and p hold at all of "
				     "its looks together.");
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
	head_warnings(report, sb);
	head_experiment(report, sb);
	head_failures(report, sb);
	for (size_t v = 1; v < report->experiment.nr_variants; v++) {
		size_t len;

		strbuf_addch(sb, '\n');
		rows_primary(report, v, style, sb);
		strbuf_addch(sb, '\n');
		len = sb->len;
		rows_others(report, v, style, sb);
		if (sb->len == len)
			sb->s[--sb->len] = '\0'; /* no blank line before nothing */
		rows_shifts(report, v, style, sb);
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
