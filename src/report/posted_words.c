// SPDX-License-Identifier: GPL-2.0-only
#include "report/posted_words.h"

#include "base/mem.h"
#include "posted/layout.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Rows that differ needed for a word on what chance alone would do. */
#define MANY_ROWS 10

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void add_part(struct strbuf *sb, size_t *parts, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void add_part(struct strbuf *sb, size_t *parts, const char *fmt, ...)
{
	va_list ap;

	strbuf_addstr(sb, (*parts)++ ? "; " : "");
	va_start(ap, fmt);
	strbuf_vaddf(sb, fmt, ap);
	va_end(ap);
}

static void add_changes(struct strbuf *sb, size_t *parts, const struct posted_overview *o)
{
	size_t improved = o->words[VERDICT_IMPROVED], regressed = o->words[VERDICT_REGRESSED];
	size_t n = improved + regressed + o->moved;

	add_part(sb, parts, "%zu of %zu row%s show%s a change", n, o->rows, plural(o->rows),
		 o->rows == 1 ? "s" : "");
	if (!n)
		return;
	strbuf_addstr(sb, " (");
	n = 0;
	if (improved)
		strbuf_addf(sb, "%s%zu improved", n++ ? ", " : "", improved);
	if (regressed)
		strbuf_addf(sb, "%s%zu regressed", n++ ? ", " : "", regressed);
	if (o->moved)
		strbuf_addf(sb, "%s%zu moved", n++ ? ", " : "", o->moved);
	strbuf_addstr(sb, ")");
}

static int percent_decimals(double percent)
{
	return percent >= 9.95 ? 0 : percent >= 0.995 ? 1 : 2;
}

static void add_inconclusive(struct strbuf *sb, size_t *parts, const struct posted_overview *o)
{
	size_t n = o->words[VERDICT_INCONCLUSIVE];
	double low = 100 * o->mde_low, high = 100 * o->mde_high;

	if (!n)
		return;
	add_part(sb, parts, "%zu show%s none", n, n == 1 ? "s" : "");
	if (high <= 0)
		return;
	if (high < 1.05 * low)
		strbuf_addf(sb, " and could not have shown less than %.*f %%",
			    percent_decimals(high), high);
	else
		strbuf_addf(sb, " and could not have shown less than %.*f to %.*f %%",
			    percent_decimals(low), low, percent_decimals(high), high);
}

static void add_unjudged(struct strbuf *sb, size_t *parts, const struct posted_overview *o)
{
	static const struct {
		enum posted_basis basis;
		const char *why;
	} reasons[] = {
		{ POSTED_BY_MEANS, "no spread" },
		{ POSTED_BY_SPREAD, "number of runs not told" },
		{ POSTED_BY_PERCENT, "a percent alone" },
		{ POSTED_BY_ONE_RUN, "one run a side" },
		{ POSTED_BY_RUNS, "too few runs" },
		{ POSTED_BY_SUMMARY, "too few runs or no spread" },
		{ POSTED_BY_COUNTS, "one count a side" },
		{ POSTED_BY_NOTHING, "figures are missing" },
	};
	size_t n = o->words[VERDICT_NO_CONCLUSION], listed = 0;

	if (!n)
		return;
	add_part(sb, parts, "%zu can't be judged: ", n);
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (o->by[reasons[i].basis] && n)
			strbuf_addf(sb, "%s%s", listed++ ? ", " : "", reasons[i].why);
}

static size_t count_moved(const struct posted_judged *judged)
{
	size_t n = 0;

	for (size_t i = 0; i < judged->nr_outcomes; i++)
		n += judged->outcomes[i].word == POSTED_WORD_MOVED;
	return n;
}

void posted_add_summary(struct strbuf *sb, const struct posted_judged *judged)
{
	const struct posted_overview *o = &judged->overview;
	size_t parts = 0;

	if (judged->table->layout->counts) {
		strbuf_addf(sb,
			    "%zu counts of one run a side: changes as they are, none can be tested",
			    judged->nr_outcomes);
		return;
	}
	if (!o->rows)
		add_part(sb, &parts, "no row is a measure of the benchmark itself");
	else
		add_changes(sb, &parts, o);
	if (o->hangs)
		add_part(sb, &parts, "%zu ha%s runs that hung", o->hangs,
			 o->hangs == 1 ? "s" : "ve");
	add_inconclusive(sb, &parts, o);
	if (o->words[VERDICT_ORDER_CONFOUNDED])
		add_part(sb, &parts, "%zu can't tell the change from the order of the runs",
			 o->words[VERDICT_ORDER_CONFOUNDED]);
	if (o->words[VERDICT_BELOW_RESOLUTION])
		add_part(sb, &parts, "%zu %s below the figures' resolution",
			 o->words[VERDICT_BELOW_RESOLUTION],
			 o->words[VERDICT_BELOW_RESOLUTION] == 1 ? "is" : "are");
	add_unjudged(sb, &parts, o);
	if (judged->counters)
		add_part(sb, &parts, "%zu of %zu counters moved", count_moved(judged),
			 judged->counters);
}

void posted_add_unit(struct strbuf *sb, const struct posted_judged *judged, size_t r)
{
	static const char *const ways[] = {
		[BETTER_NONE] = "",
		[BETTER_LOWER] = "(low)",
		[BETTER_HIGHER] = "(high)",
	};
	const char *unit = judged->table->rows[r].unit, *way = ways[posted_better(judged, r)];

	if (*unit)
		strbuf_addf(sb, "%s%s", sb->len && sb->s[sb->len - 1] != ' ' ? " " : "", unit);
	if (*way)
		strbuf_addf(sb, "%s%s", sb->len && sb->s[sb->len - 1] != ' ' ? " " : "", way);
}

void posted_add_label(struct strbuf *sb, const struct posted_judged *judged, size_t r)
{
	const struct posted_row *row = &judged->table->rows[r];
	size_t begin = sb->len;

	strbuf_addstr(sb, row->label);
	if (*row->metric)
		strbuf_addf(sb, "%s%s", sb->len > begin ? " " : "", row->metric);
	if (sb->len == begin)
		strbuf_addstr(sb, *judged->table->title ? judged->table->title : "figure");
	posted_add_unit(sb, judged, r);
}

void posted_add_side(struct strbuf *sb, const struct posted_table *table, size_t s)
{
	strbuf_addf(sb, "B = %s against A = %s", *table->sides[s] ? table->sides[s] : "(no name)",
		    *table->sides[0] ? table->sides[0] : "(no name)");
}

/* Decimals that a step needs, no more than seven digits in all. */
static int decimals_of(double step, double size)
{
	int decimals = step > 0 ? (int)ceil(-log10(step) - 1e-6) : 3;
	int whole = size >= 1 ? (int)floor(log10(size)) + 1 : 1;

	if (decimals < 0)
		decimals = 0;
	if (decimals > 6)
		decimals = 6;
	if (whole + decimals > 7)
		decimals = whole < 7 ? 7 - whole : 0;
	return decimals;
}

/* With a suffix where decimals would be too many to read: "1.72u", "333.8M". */
static void print_centre(char text[NUMBER_SIZE], double x, double size, double step, bool counted)
{
	if (counted)
		snprintf(text, NUMBER_SIZE, "%.0f", x);
	else if (size >= 1e9)
		snprintf(text, NUMBER_SIZE, "%.4gG", x / 1e9);
	else if (size >= 1e6)
		snprintf(text, NUMBER_SIZE, "%.*fM",
			 size >= 1e8   ? 1
			 : size >= 1e7 ? 2
				       : 3,
			 x / 1e6);
	else if (size > 0 && size < 1e-6)
		snprintf(text, NUMBER_SIZE, "%.4gn", x * 1e9);
	else if (size > 0 && size < 1e-3)
		snprintf(text, NUMBER_SIZE, "%.4gu", x * 1e6);
	else
		snprintf(text, NUMBER_SIZE, "%.*f", decimals_of(step, size), x);
}

/* "5/6": failed or hung of all runs */
static void print_share(char text[NUMBER_SIZE], const struct posted_side *side)
{
	if (side->runs)
		snprintf(text, NUMBER_SIZE, "%" PRIu64 "/%" PRIu64, side->failed + side->hung,
			 side->runs);
}

void posted_print_centres(char a[NUMBER_SIZE], char b[NUMBER_SIZE],
			  const struct posted_judged *judged, size_t r, size_t s)
{
	const struct posted_outcome *outcome = posted_outcome_at(judged, r, s);
	double size = fmax(fabs(outcome->a), fabs(outcome->b));
	bool counted = judged->table->layout->counts && outcome->step >= 1;

	a[0] = b[0] = '\0';
	if (outcome->basis == POSTED_BY_FAILURES && !outcome->has_centres) {
		print_share(a, &judged->table->rows[r].sides[0]);
		print_share(b, &judged->table->rows[r].sides[s]);
	}
	if (!outcome->has_centres)
		return;
	print_centre(a, outcome->a, size, outcome->step, counted);
	print_centre(b, outcome->b, size, outcome->step, counted);
}

void posted_print_change(char text[NUMBER_SIZE], const struct verdict *verdict)
{
	struct change_form form = { .relative = verdict->relative, .decimals = 1 };

	text[0] = '\0';
	if (!verdict->has_effect)
		return;
	change_fit(&form, verdict, UNIT_COUNT);
	change_print(text, &form, verdict->effect);
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
