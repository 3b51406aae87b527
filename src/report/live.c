// SPDX-License-Identifier: GPL-2.0-only
#include "report/live.h"

#include "report/layout.h"
#include "report/numbers.h"

#include <stdbool.h>

static bool is_shown(const struct report_row *row)
{
	return row->primary && row->verdict.has_effect;
}

/* "hackbench time -2.1% [-3.0,-1.2]", with the variant's name in front where there are several. */
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
	if (!verdict->has_ci)
		return;
	interval_print(text, &form, &verdict->ci);
	strbuf_addf(sb, " %s", text);
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
