// SPDX-License-Identifier: GPL-2.0-only
#include "report/live.h"

#include "base/mem.h"
#include "report/layout.h"
#include "report/numbers.h"
#include "stats/blocks.h"
#include "stats/eprocess.h"

#include <stdbool.h>
#include <stdlib.h>

static bool is_shown(const struct report_row *row)
{
	return row->primary && row->verdict.has_effect && row->verdict.has_ci;
}

/* Differences of the blocks that have as many units of each side: the bet needs a fair coin. Return: their number. */
static size_t fair_differences(const struct report_row *row, double **d)
{
	const struct trial trial = {
		.value = row->units.value,
		.side = row->units.side,
		.block = row->units.block,
		.n = row->units.n,
		.order = TRIAL_RANDOM,
	};
	struct blocks blocks;
	size_t n = 0;

	blocks_init(&blocks, &trial);
	*d = xcalloc(blocks.nr, sizeof(**d));
	blocks_differences(&blocks, *d);
	for (size_t i = 0; i < blocks.nr; i++)
		if (2 * blocks_size_b(&blocks, i) == blocks_size(&blocks, i))
			(*d)[n++] = (*d)[i];
	blocks_release(&blocks);
	return n;
}

/* The bet's money against its stake: at 20:1 a change is known at the 5 % level, whenever one looks. */
static void add_evidence(struct strbuf *sb, const struct report_row *row)
{
	double *d, e;
	size_t n;

	if (row->verdict.order != TRIAL_RANDOM)
		return;
	n = fair_differences(row, &d);
	e = eprocess_run(d, n).most;
	free(d);
	if (e > 999)
		strbuf_addstr(sb, " >999:1");
	else if (n)
		strbuf_addf(sb, " %.*f:1", e < 10, e);
}

/* "hackbench time -2.1% [-3.0,-1.2] 34:1", with the variant's name in front where there are several. */
static void add_item(struct strbuf *sb, const struct report *report, const struct report_row *row)
{
	const struct experiment_row *experiment = &report->experiment;
	const struct verdict *verdict = &row->verdict;
	struct change_form form;
	char text[INTERVAL_SIZE];

	change_fit(&form, verdict, row->unit);
	if (experiment->nr_variants > 2)
		strbuf_addf(sb, "%s: ", experiment->variants[row->variant].name);
	change_print(text, &form, verdict->effect);
	strbuf_addf(sb, "%s %s %s%s", row->point, row->metric, text,
		    verdict->relative ? "" : form.number.unit);
	interval_print(text, &form, &verdict->ci);
	strbuf_addf(sb, " %s", text);
	add_evidence(sb, row);
}

/* Columns that "  +n more" takes. */
static size_t more_width(size_t n)
{
	size_t width = sizeof("  + more") - 1;

	if (!n)
		return 0;
	for (; n; n /= 10)
		width++;
	return width;
}

void live_text(const struct report *report, size_t width, struct strbuf *sb)
{
	struct strbuf item = { 0 };
	size_t left = 0, col = 0;

	for (size_t i = 0; i < report->nr_rows; i++)
		left += is_shown(&report->rows[i]);
	for (size_t i = 0; i < report->nr_rows; i++) {
		size_t need;

		if (!is_shown(&report->rows[i]))
			continue;
		strbuf_reset(&item);
		add_item(&item, report, &report->rows[i]);
		need = (col ? 2 : 0) + text_width(strbuf_str(&item));
		if (col && col + need + more_width(left - 1) > width)
			break;
		text_blanks(sb, col ? 2 : 0);
		text_add_cut(sb, strbuf_str(&item), width);
		col += need;
		left--;
	}
	strbuf_release(&item);
	if (left && col + more_width(left) <= width)
		strbuf_addf(sb, "  +%zu more", left);
}
