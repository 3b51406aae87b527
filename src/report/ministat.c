// SPDX-License-Identifier: GPL-2.0-only
/* report/ministat.c - the layout of ministat -n. */
#include "report/format.h"

#include "report/layout.h"
#include "report/support.h"
#include "report/text_head.h"

#include <string.h>

static void print_side(char mark, const struct side *side, double scale, struct strbuf *sb)
{
	strbuf_addf(sb, "%c %3zu %13.8g %13.8g %13.8g %13.8g %13.8g\n", mark, side->n,
		    side->min / scale, side->max / scale, side->median / scale, side->mean / scale,
		    side->sd / scale);
}

/* A relative interval in the unit of the figures is one of A's median. */
static void print_difference(const struct verdict *verdict, double scale, struct strbuf *sb)
{
	double unit = verdict->relative ? verdict->a.median / scale : 1 / scale;
	double half = (verdict->ci.hi - verdict->ci.lo) / 2;

	strbuf_addf(sb, "Difference at %.1f%% confidence\n\t%.6g +/- %.6g\n",
		    100 * (1 - REPORT_ALPHA), verdict->effect * unit, half * unit);
	if (verdict->relative)
		strbuf_addf(sb, "\t%.5g%% +/- %.5g%%\n", 100 * verdict->effect, 100 * half);
	strbuf_addf(sb, "\t(exact test by blocks, p = %.3g)\n", verdict->p_adjusted);
}

static void print_row(const struct report *report, const struct report_row *row, struct strbuf *sb)
{
	const struct verdict *verdict = &row->verdict;
	const char *suffix;
	double scale = row_scale(row, 1, &suffix);
	struct strbuf name = { 0 };

	if (!verdict->has_effect)
		return;
	row_name(&name, row, ' ', suffix);
	strbuf_addf(sb, "\n%s\nx ", name.s);
	text_add(sb, report->experiment.variants[0].name);
	strbuf_addstr(sb, "\n+ ");
	text_add(sb, report->experiment.variants[row->variant].name);
	strbuf_addstr(sb, "\n    N           Min           Max        Median           Avg        "
			  "Stddev\n");
	print_side('x', &verdict->a, scale, sb);
	print_side('+', &verdict->b, scale, sb);
	if (row_called(row))
		print_difference(verdict, scale, sb);
	else
		strbuf_addf(sb, "No difference proven at %.1f%% confidence\n",
			    100 * (1 - REPORT_ALPHA));
	strbuf_release(&name);
}

static void ministat_render(const struct report *report, const struct report_style *style,
			    struct strbuf *sb)
{
	(void)style;
	head_warnings(report, sb);
	head_foreign(report, "",
		     "Difference: B - A as measured, in percent of A, with half the width of its "
		     "interval.",
		     sb);
	for (size_t i = 0; i < report->nr_rows; i++) {
		if (report->rows[i].primary)
			print_row(report, &report->rows[i], sb);
	}
	strbuf_addch(sb, '\n');
	head_remarks(report, "", sb);
}

const struct report_format report_ministat = {
	.name = "ministat",
	.help = "the layout of ministat without its plot",
	.render = ministat_render,
};
