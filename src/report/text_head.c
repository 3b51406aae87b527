// SPDX-License-Identifier: GPL-2.0-only
#include "report/text_head.h"

#include "host/settings.h"
#include "report/layout.h"
#include "report/numbers.h"
#include "report/support.h"
#include "report/utc.h"
#include "report/whole.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* A line for each unasked difference; a title in front of those of each variant. */
void head_warnings(const struct report *report, struct strbuf *sb)
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

static void print_variant(const struct variant_row *row, const char *letter, struct strbuf *sb)
{
	struct strbuf list = { 0 };

	text_join_lines(&list, row->settings, "; ");
	text_wrapf(sb, 2, 6, "%s = %s: %s", letter, row->name,
		   list.len ? list.s : "nothing changed");
	strbuf_release(&list);
}

void head_variants(const struct report *report, struct strbuf *sb)
{
	const struct experiment_row *experiment = &report->experiment;

	for (size_t v = 0; v < experiment->nr_variants; v++)
		print_variant(&experiment->variants[v], v ? "B" : "A", sb);
	if (experiment->nr_variants > 2)
		text_wrapf(sb, 2, 2, "Each variant behind the first is B in its turn.");
}

/* "10 of 10 blocks in 1 session on 1 boot: 40 runs, none failed; 4 warm-up runs left out" */
static void add_runs(const struct report *report, struct strbuf *sb)
{
	const struct experiment_row *experiment = &report->experiment;
	const struct run_counts *counts = &report->counts;
	uint64_t runs = counts->ok + counts->failed;

	if (!report->order_words) {
		strbuf_addf(sb, "%" PRIu64, counts->blocks);
		if (experiment->blocks)
			strbuf_addf(sb, " of%s %" PRIu64, experiment->until > 0 ? " at most" : "",
				    experiment->blocks);
		strbuf_addf(sb, " block%s%s in ",
			    plural(experiment->blocks ? experiment->blocks : counts->blocks),
			    experiment->finished ? "" : " so far");
	}
	strbuf_addf(sb, "%zu session%s", report->nr_sessions, plural(report->nr_sessions));
	if (!experiment_simulated(&report->experiment))
		strbuf_addf(sb, " on %zu boot%s", report->nr_boots, plural(report->nr_boots));
	strbuf_addf(sb, ": %" PRIu64 " %srun%s", runs,
		    experiment_simulated(&report->experiment) ? "simulated " : "", plural(runs));
	if (counts->failed)
		strbuf_addf(sb, ", %" PRIu64 " failed", counts->failed);
	else if (runs)
		strbuf_addstr(sb, ", none failed");
	if (report->warmups)
		strbuf_addf(sb, "; %" PRIu64 " warm-up run%s left out", report->warmups,
			    plural(report->warmups));
}

/* What is added to the block's seed. */
static uint64_t own_seed(const struct variant_row *row)
{
	struct settings *settings = settings_read(row->settings);
	const uint64_t seed = settings_seed(settings);

	settings_free(settings);
	return seed;
}

static bool seeds_differ(const struct experiment_row *experiment)
{
	for (size_t v = 1; v < experiment->nr_variants; v++)
		if (own_seed(&experiment->variants[v]) != own_seed(&experiment->variants[0]))
			return true;
	return false;
}

void head_order(const struct report *report, struct strbuf *sb)
{
	const struct experiment_row *experiment = &report->experiment;

	if (report->order_words)
		strbuf_addstr(sb, report->order_words);
	else if (report->order == TRIAL_SEQUENCE)
		strbuf_addstr(sb, "all of one side, then all of the other");
	else if (report->order == TRIAL_UNKNOWN)
		strbuf_addstr(sb, "in an order that nobody said");
	else if (experiment->runs_per_boot)
		strbuf_addf(sb,
			    "variants differ by kernel: what is compared is the boot, by the "
			    "median of its runs, in the order of boots; seed %" PRIu64,
			    experiment->seed);
	else if (experiment_simulated(&report->experiment))
		strbuf_addf(sb,
			    "simulated, no kernel was measured; a block is one run of each "
			    "variant%s, seed %" PRIu64,
			    seeds_differ(experiment)
				    ? ", which draw other random numbers by seeds of their own"
				    : " with the same random numbers",
			    experiment->seed);
	else
		strbuf_addf(sb, "order within each block at random, seed %" PRIu64,
			    experiment->seed);
}

/* How it ended before its time, or may have. */
static void add_end(const struct report *report, struct strbuf *sb)
{
	const struct experiment_row *experiment = &report->experiment;

	whole_looks(report, sb);
	if (!sb->len && experiment->ended && *experiment->ended)
		strbuf_addf(sb, "ended because %s", experiment->ended);
}

void head_experiment(const struct report *report, struct strbuf *sb)
{
	static const char *const purposes[] = {
		[PURPOSE_AB] = "",
		[PURPOSE_AA] = ", of equal variants: what shows here is noise",
		[PURPOSE_PILOT] = ", a pilot of equal variants to plan by",
	};
	const struct experiment_row *experiment = &report->experiment;
	struct strbuf runs = { 0 };
	char begun[UTC_SIZE];

	utc_print(begun, experiment->created_ns);
	text_wrapf(sb, 0, 4, "Experiment %s, begun %s UTC%s", experiment->name, begun,
		   purposes[experiment->purpose]);
	if (experiment_simulated(&report->experiment))
		text_wrapf(
			sb, 2, 2,
			"SIMULATED: models of the workloads on simulated machines. What is random "
			"is the seed and how exactly costs are known.");
	head_variants(report, sb);
	add_runs(report, &runs);
	strbuf_addstr(&runs, "; ");
	head_order(report, &runs);
	text_wrapf(sb, 2, 2, "%s", strbuf_str(&runs));
	strbuf_reset(&runs);
	add_end(report, &runs);
	if (runs.len)
		text_wrapf(sb, 2, 2, "%s", runs.s);
	head_warmup(report, sb);
	strbuf_release(&runs);
}

void head_warmup(const struct report *report, struct strbuf *sb)
{
	for (size_t p = 0; p < report->experiment.nr_points; p++) {
		const struct report_settled *settled = &report->settled[p];

		if (settled->found <= settled->cut + 1)
			continue; /* a single place may be off by chance */
		text_wrapf(
			sb, 2, 6,
			"%s had not settled when its warm-up of %zu run%s was over, it takes %zu "
			"(first within 3 deviations of the last half's median): blocks cancel "
			"what both sides share, a longer warmup makes it less",
			report->experiment.points[p].label, settled->cut, plural(settled->cut),
			settled->found);
	}
}

static void add_share(struct strbuf *sb, const struct rate *rate)
{
	strbuf_addf(sb, "%zu of %zu [%.0f%%,%.0f%%]", rate->failed, rate->runs, 100 * rate->ci.lo,
		    100 * rate->ci.hi);
}

/* "hackbench, slice: failed 3 of 10 [7%,65%], A 0 of 10 [0%,31%], p 0.211: inconclusive" */
static void add_rate(struct strbuf *sb, const struct report *report, const struct report_rate *rate)
{
	char p[NUMBER_SIZE];

	strbuf_addf(sb, "%s, %s: %s ", rate->point, report->experiment.variants[rate->variant].name,
		    rate->status == RUN_HANG ? "hung" : "failed");
	add_share(sb, &rate->b);
	strbuf_addstr(sb, ", A ");
	add_share(sb, &rate->a);
	p_print(p, rate->p_adjusted);
	strbuf_addf(sb, ", p %s: %s", p, verdict_word_name(rate->word));
}

void head_failures(const struct report *report, struct strbuf *sb)
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
	if (report->nr_rates)
		strbuf_addstr(sb, "How often, with the rates' 95% intervals:\n");
	for (size_t i = 0; i < report->nr_rates; i++) {
		struct strbuf text = { 0 };

		add_rate(&text, report, &report->rates[i]);
		text_wrapf(sb, 2, 6, "%s", text.s);
		strbuf_release(&text);
	}
}

/* text_wrap() with every line behind a mark, which is ASCII. */
static void add_marked(struct strbuf *sb, const char *mark, const char *text)
{
	size_t width = strlen(mark), start = sb->len;

	strbuf_addstr(sb, mark);
	text_wrap(sb, width, width, text);
	for (size_t i = start; i + 1 < sb->len; i++) {
		if (sb->s[i] == '\n')
			memcpy(&sb->s[i + 1], mark, width);
	}
}

void head_units(const struct report *report, struct strbuf *sb)
{
	const char *unit = report->experiment.runs_per_boot ? "boots" : "runs";

	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct verdict *verdict = &report->rows[i].verdict;

		if (!verdict->has_effect)
			continue;
		if (verdict->a.n == verdict->b.n)
			strbuf_addf(sb, "%zu %s a side", verdict->a.n, unit);
		else
			strbuf_addf(sb, "%zu %s of A, %zu of B", verdict->a.n, unit, verdict->b.n);
		return;
	}
	strbuf_addstr(sb, "no figures");
}

void head_foreign(const struct report *report, const char *mark, const char *how, struct strbuf *sb)
{
	const struct experiment_row *experiment = &report->experiment;
	struct strbuf text = { 0 };

	for (size_t v = 0; v < experiment->nr_variants; v++) {
		strbuf_reset(&text);
		strbuf_addf(&text, "%c = %s: ", v ? 'B' : 'A', experiment->variants[v].name);
		if (*experiment->variants[v].settings)
			text_join_lines(&text, experiment->variants[v].settings, "; ");
		else
			strbuf_addstr(&text, "nothing changed");
		add_marked(sb, mark, text.s);
	}
	strbuf_reset(&text);
	head_units(report, &text);
	strbuf_addstr(&text, "; ");
	head_order(report, &text);
	add_marked(sb, mark, text.s);
	strbuf_reset(&text);
	whole_looks(report, &text);
	if (text.len)
		add_marked(sb, mark, text.s);
	add_marked(sb, mark, how);
	strbuf_release(&text);
}

/* What the rows say together. */
static void add_wholes(const struct report *report, const char *mark, struct strbuf *sb)
{
	struct strbuf text = { 0 };

	for (size_t v = 1; v < report->experiment.nr_variants; v++) {
		strbuf_reset(&text);
		whole_trade_off(report, v, &text);
		if (text.len)
			add_marked(sb, mark, text.s);
	}
	for (size_t i = 0; i < report->nr_curves; i++) {
		strbuf_reset(&text);
		strbuf_addf(&text,
			    "%s: ", report->experiment.variants[report->curves[i].variant].name);
		whole_curve(&report->curves[i], &text);
		add_marked(sb, mark, text.s);
	}
	strbuf_release(&text);
}

void head_remarks(const struct report *report, const char *mark, struct strbuf *sb)
{
	struct strbuf text = { 0 };

	add_marked(sb, mark, "~: no change that the runs support.");
	add_wholes(report, mark, sb);
	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct report_row *row = &report->rows[i];
		const struct verdict *verdict = &row->verdict;

		if (!row->primary || row_called(row) ||
		    (verdict->word == VERDICT_INCONCLUSIVE && !*verdict->reason))
			continue;
		strbuf_reset(&text);
		strbuf_addf(&text, "%s %s, %s: %s%s%s", row->point, row->metric,
			    report->experiment.variants[row->variant].name,
			    verdict_word_name(verdict->word), *verdict->reason ? ": " : "",
			    verdict->reason);
		add_marked(sb, mark, text.s);
	}
	for (size_t i = 0; i < report->nr_rates; i++) {
		strbuf_reset(&text);
		add_rate(&text, report, &report->rates[i]);
		if (report->rates[i].word != VERDICT_INCONCLUSIVE)
			add_marked(sb, mark, text.s);
	}
	strbuf_release(&text);
}
