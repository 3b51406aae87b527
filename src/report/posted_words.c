// SPDX-License-Identifier: GPL-2.0-only
#include "report/posted_words.h"

#include "base/mem.h"
#include "posted/layout.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
