// SPDX-License-Identifier: GPL-2.0-only
/* report/posted_notes.c - what was told, assumed or found about a table. */
#include "report/posted_words.h"

#include "posted/layout.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* Rows that differ needed for a word on what chance alone would do. */
#define MANY_ROWS 10

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* Who is told what: a sentence is made and handed on. */
struct teller {
	void (*say)(void *ctx, const char *sentence);
	void *ctx;
};

static void tell(const struct teller *teller, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void tell(const struct teller *teller, const char *fmt, ...)
{
	struct strbuf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	teller->say(teller->ctx, strbuf_str(&text));
	strbuf_release(&text);
}

static void tell_order(const struct teller *teller, const struct posted_judged *judged)
{
	const struct posted_overview *o = &judged->overview;
	size_t summaries = o->by[POSTED_BY_SUMMARY] + o->by[POSTED_BY_P];

	if (judged->order == TRIAL_RANDOM && judged->tested)
		tell(teller, "The order of the runs was drawn at random, as was told.");
	else if (judged->order == TRIAL_SEQUENCE && judged->tested)
		tell(teller,
		     "The sides ran one after the other, as was told: no change can be told from "
		     "that of the machine over time.");
	else if (summaries)
		tell(teller,
		     "The order of the runs is not told. A change is called as if the sides had "
		     "taken turns; had one run after the other on a machine that drifts, 25 to "
		     "90 %% of comparisons without any change would be called one.");
}

/* Are all the same? Then what it is, 0 where none is told. Rates of failures have their own. */
static bool same_n(const struct posted_table *table, const struct posted_rule *rule, uint64_t *n)
{
	bool first = true;

	*n = 0;
	for (size_t r = 0; r < table->nr_rows; r++)
		for (size_t s = 0; s < table->nr_sides; s++) {
			const struct posted_side *side = &table->rows[r].sides[s];
			uint64_t own = side->nr_values ? side->nr_values
				       : side->n       ? side->n
						       : rule->n;

			if (side->runs && !side->nr_values && !side->has_mean)
				continue;
			if (!first && own != *n)
				return false;
			*n = own;
			first = false;
		}
	return !first;
}

static void tell_n(const struct teller *teller, const struct posted_table *table,
		   const struct posted_rule *rule)
{
	uint64_t n, told;
	struct posted_rule none = { 0 };

	if (table->layout->counts || !same_n(table, rule, &n))
		return;
	same_n(table, &none, &told);
	if (!n)
		tell(teller, "The number of runs is not told.");
	else if (n == 1)
		tell(teller, "One run a side.");
	else
		tell(teller, "%" PRIu64 " runs a side, %s.", n, told ? "as told" : "by --n");
}

static void tell_test(const struct teller *teller, const struct posted_judged *judged,
		      const struct posted_rule *rule)
{
	const struct posted_overview *o = &judged->overview;

	if (judged->tested)
		tell(teller, "p: %s%s%s, by Holm's method for %zu row%s; [CI] %.0f %%.",
		     o->by[POSTED_BY_RUNS] ? "rank-sum test" : "",
		     o->by[POSTED_BY_RUNS] && o->by[POSTED_BY_SUMMARY] ? ", " : "",
		     o->by[POSTED_BY_SUMMARY] ? "Welch's test on mean, spread and number"
		     : o->by[POSTED_BY_P]     ? "the poster's"
					      : "",
		     judged->tested, plural(judged->tested), 100 * (1 - rule->alpha));
	if (judged->counters)
		tell(teller,
		     "Counters explain and are neither good nor bad: \"moved\" where p is at most "
		     "%g by Benjamini and Hochberg's method for %zu of them.",
		     rule->alpha, judged->counters);
}

static void add_misfit(struct strbuf *sb, const struct posted_judged *judged, size_t r, size_t s)
{
	const struct posted_row *row = &judged->table->rows[r];
	const struct posted_percent *percent = &row->percents[s];
	int decimals = percent->step >= 1 ? 0 : percent->step >= 0.1 ? 1 : 2;

	strbuf_addstr(sb, sb->len ? ", " : "");
	strbuf_addf(sb, "%s%s%s posted %+.*f, computed %+.*f", row->label,
		    *row->label && *row->metric ? " " : "", row->metric, decimals, percent->percent,
		    decimals, percent_of(row, s, judged->form));
	if (percent_is_cut(row, s, judged->form)) {
		strbuf_addstr(sb, " (cut off, not rounded)");
		return;
	}
	for (int form = PERCENT_NONE + 1; form < NR_PERCENT_FORMS; form++)
		if (percent_fits(row, s, (enum percent_form)form)) {
			strbuf_addf(sb, " (it is %s)", percent_form_words((enum percent_form)form));
			break;
		}
}

static void tell_percents(const struct teller *teller, const struct posted_judged *judged)
{
	const struct posted_table *table = judged->table;
	struct strbuf misfits = { 0 };
	size_t checked = 0, fits = 0;

	for (size_t r = 0; !table->normalised && r < table->nr_rows; r++)
		for (size_t s = 1; s < table->nr_sides; s++) {
			if (!percent_can_be_checked(&table->rows[r], s))
				continue;
			checked++;
			fits += posted_outcome_at(judged, r, s)->percent_ok;
			if (!posted_outcome_at(judged, r, s)->percent_ok && misfits.len < 400)
				add_misfit(&misfits, judged, r, s);
		}
	if (checked && judged->form == PERCENT_NONE)
		tell(teller, "MISTAKE in the post: its percents fit no convention that is known.");
	else if (checked)
		tell(teller, "The posted percents are %s: %zu of %zu fit.",
		     percent_form_words(judged->form), fits, checked);
	if (misfits.len && judged->form != PERCENT_NONE)
		tell(teller, "MISTAKE in the post: %s.", misfits.s);
	strbuf_release(&misfits);
}

/* Rows below the figures' resolution are not among them. */
static void tell_counts(const struct teller *teller, const struct posted_overview *o,
			bool one_spread)
{
	static const char *const ways[] = { "gains", "losses", "changes of unknown sign" };

	for (int i = 0; i < 3; i++) {
		size_t all = o->beyond[i] + o->between[i] + o->within[i];

		if (all && one_spread)
			tell(teller,
			     "Of %zu posted %s above the figures' resolution %zu exceed%s that.",
			     all, ways[i], o->beyond[i], o->beyond[i] == 1 ? "s" : "");
		else if (all)
			tell(teller,
			     "Of %zu posted %s above the figures' resolution %zu exceed%s that, "
			     "%zu only "
			     "at the smaller spread, %zu not at all.",
			     all, ways[i], o->beyond[i], o->beyond[i] == 1 ? "s" : "",
			     o->between[i], o->within[i]);
	}
	if (o->beyond[0] + o->beyond[1] + o->beyond[2])
		tell(teller, "What exceeds it such runs could have found; it is not proven.");
}

static void tell_can_show(const struct teller *teller, const struct posted_judged *judged,
			  const struct posted_rule *rule)
{
	const struct posted_overview *o = &judged->overview;
	size_t all = 0;

	for (int i = 0; i < 3; i++)
		all += o->beyond[i] + o->between[i] + o->within[i];
	if (!all)
		return;
	if (rule->spread > 0)
		tell(teller,
		     "\"Could show\": what so many runs find four times of five at a standard "
		     "deviation of %.3g %% of the mean (--spread).",
		     100 * rule->spread);
	else
		tell(teller,
		     "\"Could show\": what so many runs find four times of five at a standard "
		     "deviation of %.1f to %.1f %% of the mean, the middle half of what other "
		     "posts "
		     "tell (schbench's percentiles: %.0f to %.0f %%); --spread sets another.",
		     100 * POSTED_SPREAD_LOW, 100 * POSTED_SPREAD_HIGH,
		     100 * POSTED_SPREAD_TAIL_LOW, 100 * POSTED_SPREAD_TAIL_HIGH);
	tell_counts(teller, o, rule->spread > 0);
}

static void tell_chance(const struct teller *teller, const struct posted_judged *judged,
			const struct posted_rule *rule)
{
	const struct posted_overview *o = &judged->overview;
	size_t differ = o->better + o->worse;
	double calls = rule->alpha * (double)o->rows;

	if (differ < MANY_ROWS || !o->by[POSTED_BY_MEANS])
		return;
	tell(teller,
	     "Had nothing changed, about half of the %zu rows that differ would look worse (%.0f; "
	     "%zu do), and a test of each row at %g %% would call %.1f of %zu a change, half of "
	     "them regressions.",
	     differ, (double)differ / 2, o->worse, 100 * rule->alpha, calls, o->rows);
}

static void tell_trade_off(const struct teller *teller, const struct posted_judged *judged,
			   size_t s)
{
	struct posted_overview o;
	const char *name = judged->table->sides[s];

	posted_overview_side(&o, judged, s);
	if (o.words[VERDICT_IMPROVED] && o.words[VERDICT_REGRESSED])
		tell(teller,
		     "TRADE-OFF: %s improves %zu row%s and regresses %zu: it may not be called a "
		     "win.",
		     name, o.words[VERDICT_IMPROVED], plural(o.words[VERDICT_IMPROVED]),
		     o.words[VERDICT_REGRESSED]);
	else if (o.better && o.worse && !o.words[VERDICT_IMPROVED] && !o.words[VERDICT_REGRESSED] &&
		 (o.by[POSTED_BY_MEANS] || o.by[POSTED_BY_PERCENT] || o.by[POSTED_BY_ONE_RUN]))
		tell(teller,
		     "Trade-off as posted: %s is better in %zu row%s and worse in %zu; nothing "
		     "here "
		     "tells that from noise, and it may not be called a win.",
		     name, o.better, plural(o.better), o.worse);
}

void posted_each_assumption(const struct posted_report *report, const struct posted_judged *judged,
			    void (*say)(void *ctx, const char *sentence), void *ctx)
{
	const struct posted_table *table = judged->table;
	const struct teller teller = { say, ctx };

	for (size_t i = 0; i < table->nr_notes; i++)
		tell(&teller, "%s%s", table->notes[i],
		     table->notes[i][strlen(table->notes[i]) - 1] == '.' ? "" : ".");
	for (size_t s = 1; s < table->nr_sides; s++)
		tell_trade_off(&teller, judged, s);
	tell_n(&teller, table, &report->rule);
	tell_order(&teller, judged);
	tell_percents(&teller, judged);
	tell_can_show(&teller, judged, &report->rule);
	tell_chance(&teller, judged, &report->rule);
	tell_test(&teller, judged, &report->rule);
	if (table->gains)
		tell(&teller, "The base is 1.00 and the figures are gains: more is better.");
}
