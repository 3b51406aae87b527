// SPDX-License-Identifier: GPL-2.0-only
#include "report/whole.h"

#include "report/numbers.h"

#include <inttypes.h>

/* Friedman's p at which the points are said to differ. */
#define DIFFER_P 0.01

void whole_curve(const struct report_curve *curve, struct strbuf *sb)
{
	const struct verdict *whole = &curve->curve.whole;
	char effect[NUMBER_SIZE], ci[INTERVAL_SIZE], p[NUMBER_SIZE];
	struct change_form form;

	change_fit(&form, whole, UNIT_RATIO);
	strbuf_addf(sb, "Sweep %s %s, ", curve->section, curve->metric);
	if (curve->curve.points < curve->points)
		strbuf_addf(sb, "%zu of ", curve->curve.points);
	strbuf_addf(sb, "%zu points together: ", curve->points);
	if (whole->has_effect) {
		change_print(effect, &form, whole->effect);
		strbuf_addstr(sb, effect);
	}
	if (whole->has_ci) {
		interval_print(ci, &form, &whole->ci);
		p_print(p, whole->p_adjusted);
		strbuf_addf(sb, " %s, p %s", ci, p);
	}
	strbuf_addf(sb, "%s%s", whole->has_effect ? ": " : "", verdict_word_name(whole->word));
	if (*whole->reason)
		strbuf_addf(sb, " (%s)", whole->reason);
	if (curve->curve.differ_p < DIFFER_P) {
		p_print(p, curve->curve.differ_p);
		strbuf_addf(sb, "; how much depends on the point (p %s)", p);
	}
}

/* Primary rows of @variant that have @word. */
static void list_rows(const struct report *report, size_t variant, enum verdict_word word,
		      struct strbuf *sb)
{
	bool first = true;

	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];

		if (!row->primary || row->variant != variant || row->verdict.word != word)
			continue;
		strbuf_addf(sb, "%s %s %s", first ? "" : ",", row->point, row->metric);
		first = false;
	}
}

void whole_trade_off(const struct report *report, size_t variant, struct strbuf *sb)
{
	if (!report->balances[variant].trade_off)
		return;
	strbuf_addf(sb, "Trade-off, %s is no win as a whole: better in",
		    report->experiment.variants[variant].name);
	list_rows(report, variant, VERDICT_IMPROVED, sb);
	strbuf_addstr(sb, "; worse in");
	list_rows(report, variant, VERDICT_REGRESSED, sb);
}

void whole_looks(const struct report *report, struct strbuf *sb)
{
	const struct experiment_row *experiment = &report->experiment;

	if (experiment->until <= 0)
		return;
	strbuf_addf(sb,
		    "sequential: looked at after each of at most %" PRIu64
		    " blocks, until there is known to be a change or none of %g%%; ",
		    experiment->blocks, 100 * experiment->until);
	if (experiment->ended && *experiment->ended)
		strbuf_addf(sb, "ended because %s", experiment->ended);
	else if (!experiment->finished)
		strbuf_addstr(sb, "not ended yet");
	else if (report->counts.blocks >= experiment->blocks)
		strbuf_addstr(sb, "ended with the last block");
	else
		strbuf_addstr(sb, "ended because the time was over");
}

/* Append which other rows of @variant have no figure since the samples can't carry it; or nothing. */
static void whole_refused(const struct report *report, size_t variant, struct strbuf *sb)
{
	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];

		if (row->primary || !row->refused || row->variant != variant)
			continue;
		strbuf_addf(sb, "%s %s %s (%s)", sb->len ? "," : "No figure for", row->point,
			    row->metric, row->verdict.reason);
	}
}

void whole_each(const struct report *report, size_t variant,
		void (*say)(struct strbuf *sb, const char *text), struct strbuf *sb)
{
	struct strbuf text = { 0 };

	whole_trade_off(report, variant, &text);
	if (text.len)
		say(sb, text.s);
	for (size_t i = 0; i < report->nr_curves; i++) {
		if (report->curves[i].variant != variant)
			continue;
		strbuf_reset(&text);
		whole_curve(&report->curves[i], &text);
		say(sb, text.s);
	}
	strbuf_reset(&text);
	whole_refused(report, variant, &text);
	if (text.len)
		say(sb, text.s);
	strbuf_release(&text);
}
