// SPDX-License-Identifier: GPL-2.0-only
/* report/md.c - tables for an issue or a wiki page, in GitHub's Markdown. */
#include "report/format.h"

#include "report/layout.h"
#include "report/numbers.h"
#include "report/support.h"
#include "report/text_head.h"
#include "report/whole.h"

#include <string.h>

/* Text that stays text: what Markdown or HTML would take for a command is escaped. */
static void add_escaped(struct strbuf *sb, const char *text)
{
	struct strbuf clean = { 0 };

	text_add(&clean, text);
	for (const char *c = strbuf_str(&clean); *c; c++) {
		if (strchr("\\`*_[]<>|#&~", *c))
			strbuf_addch(sb, '\\');
		strbuf_addch(sb, *c);
	}
	strbuf_release(&clean);
}

static void print_word(const struct report_row *row, struct strbuf *sb)
{
	const struct verdict *verdict = &row->verdict;
	const char *name = verdict_word_name(verdict->word);
	struct change_form change;
	char size[NUMBER_SIZE];

	if (row_called(row))
		strbuf_addf(sb, " **%s** |\n", name);
	else
		strbuf_addf(sb, " %s", name);
	if (row_called(row))
		return;
	change_fit(&change, verdict, row->unit);
	if (verdict->word == VERDICT_INCONCLUSIVE && verdict->has_ci) {
		size_print(size, &change, verdict->mde);
		strbuf_addf(sb, " (at least %s would show)", size);
	}
	if (verdict->word == VERDICT_EQUIVALENT)
		strbuf_addf(sb, " (within ±%g %%)", 100 * verdict->margin);
	if (*verdict->reason) {
		strbuf_addstr(sb, ": ");
		add_escaped(sb, verdict->reason);
	}
	strbuf_addstr(sb, " |\n");
}

static void print_row(const struct report_row *row, struct strbuf *sb)
{
	const struct verdict *verdict = &row->verdict;
	char a[NUMBER_SIZE] = "", b[NUMBER_SIZE] = "", effect[NUMBER_SIZE] = "";
	char ci[INTERVAL_SIZE] = "", p[NUMBER_SIZE] = "";
	struct number_form form;
	struct change_form change;

	number_fit(&form, row->unit, verdict->a.median, verdict->b.median);
	change_fit(&change, verdict, row->unit);
	strbuf_addstr(sb, "| ");
	add_escaped(sb, row->point);
	strbuf_addch(sb, ' ');
	add_escaped(sb, row->metric);
	if (verdict->has_effect) {
		number_print(a, &form, verdict->a.median);
		number_print(b, &form, verdict->b.median);
		change_print(effect, &change, verdict->effect);
		strbuf_addf(sb, "%s%s", *form.unit ? " " : "", form.unit);
	}
	strbuf_addf(sb, " (%s)", better_name(row->better));
	if (verdict->has_ci) {
		interval_print(ci, &change, &verdict->ci);
		p_print(p, verdict->p_adjusted);
	}
	/* a '<' would open a tag */
	strbuf_addf(sb, " | %s | %s | %s | %s | %s%s |", a, b, effect, ci, *p == '<' ? "\\" : "",
		    p);
	print_word(row, sb);
}

static void print_head(const struct report *report, struct strbuf *sb)
{
	const struct experiment_row *experiment = &report->experiment;
	struct strbuf order = { 0 };

	strbuf_addstr(sb, "### ");
	add_escaped(sb, experiment->name);
	strbuf_addstr(sb, "\n\n");
	for (size_t v = 0; v < experiment->nr_variants; v++) {
		struct strbuf settings = { 0 };

		text_join_lines(&settings, experiment->variants[v].settings, "; ");
		strbuf_addf(sb, "- %c = ", v ? 'B' : 'A');
		add_escaped(sb, experiment->variants[v].name);
		strbuf_addstr(sb, ": ");
		add_escaped(sb, settings.len ? settings.s : "nothing changed");
		strbuf_addch(sb, '\n');
		strbuf_release(&settings);
	}
	head_units(report, &order);
	strbuf_addstr(&order, "; ");
	head_order(report, &order);
	strbuf_addf(sb,
		    "- medians of %s; change is (B - A) / A of the figure as measured, the verdict "
		    "says "
		    "whether that is better\n",
		    order.s);
	strbuf_reset(&order);
	whole_looks(report, &order);
	if (order.len) {
		strbuf_addstr(sb, "- ");
		add_escaped(sb, order.s);
		strbuf_addch(sb, '\n');
	}
	strbuf_release(&order);
	for (size_t i = 0; i < report->nr_differences; i++) {
		const struct report_difference *difference = &report->differences[i];

		strbuf_addstr(sb,
			      difference->asked ? "- " : "- **WARNING, nobody asked for it:** ");
		add_escaped(sb, difference->fact);
		strbuf_addstr(sb, " under ");
		add_escaped(sb, experiment->variants[difference->variant].name);
		strbuf_addstr(sb, ": ");
		add_escaped(sb, difference->base);
		strbuf_addstr(sb, " -> ");
		add_escaped(sb, difference->other);
		strbuf_addch(sb, '\n');
	}
}

static void print_failures(const struct report *report, struct strbuf *sb)
{
	for (size_t i = 0; i < report->nr_failures; i++) {
		const struct report_failure *failure = &report->failures[i];

		strbuf_addstr(sb, i ? "- " : "\nFailed runs:\n\n- ");
		add_escaped(sb, failure->point);
		strbuf_addstr(sb, " under ");
		add_escaped(sb, report->experiment.variants[failure->variant].name);
		strbuf_addf(sb, ": %zu of %zu: ", failure->failed, failure->runs);
		add_escaped(sb, failure->reason);
		strbuf_addch(sb, '\n');
	}
}

static void say_item(struct strbuf *sb, const char *text)
{
	strbuf_addstr(sb, "- ");
	add_escaped(sb, text);
	strbuf_addch(sb, '\n');
}

static void md_render(const struct report *report, const struct report_style *style,
		      struct strbuf *sb)
{
	print_head(report, sb);
	for (size_t v = 1; v < report->experiment.nr_variants; v++) {
		strbuf_addstr(sb, "\n**B = ");
		add_escaped(sb, report->experiment.variants[v].name);
		strbuf_addstr(sb,
			      "**\n\n| metric (better) | A | B | change | 95 % CI | p | verdict |\n"
			      "|---|--:|--:|--:|--:|--:|---|\n");
		for (size_t i = 0; i < report->nr_rows; i++) {
			const struct report_row *row = &report->rows[i];

			if (row->primary && row->variant == v)
				print_row(row, sb);
		}
		strbuf_addch(sb, '\n');
		whole_each(report, v, say_item, sb);
		if (sb->s[sb->len - 2] == '\n')
			sb->s[--sb->len] = '\0'; /* no blank line before nothing */
	}
	(void)style;
	print_failures(report, sb);
}

const struct report_format report_md = {
	.name = "md",
	.help = "tables in Markdown",
	.render = md_render,
};
