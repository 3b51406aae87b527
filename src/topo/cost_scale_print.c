// SPDX-License-Identifier: GPL-2.0-only
/* topo/cost_scale_print.c - growth curves as text. */
#include "topo/cost_scale.h"

#include "topo/cost_fit.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define PLOT_WIDTH 60

/* The span checks, and after them all the rest. */
#define NR_CURVES (NR_SPAN_CHECKS + 1)

static const char marks[NR_CURVES + 1] = "FHAISr";

static const char *curve_name(unsigned int curve)
{
	return curve < NR_SPAN_CHECKS ? span_check_names[curve] : "all the rest";
}

static double value(const struct cost_run *run, unsigned int curve, const struct cost_model *model)
{
	const struct mask_ops *ops = curve < NR_SPAN_CHECKS ? &run->check[curve] : &run->build;

	return model ? cost_seconds(model, ops) : (double)mask_ops_words(ops);
}

static void print_table(const struct scale *scale, bool half, const struct cost_model *model,
			struct strbuf *sb)
{
	strbuf_addf(sb, "%6s %5s", "CPUs", "nodes");
	for (unsigned int c = 0; c < NR_CURVES; c++)
		strbuf_addf(sb, " %14s", curve_name(c));
	strbuf_addch(sb, '\n');
	for (unsigned int i = 0; i < scale->nr; i++) {
		const struct scale_row *row = &scale->row[i];

		strbuf_addf(sb, "%6u %5u", row->cpus, row->nodes);
		for (unsigned int c = 0; c < NR_CURVES; c++)
			strbuf_addf(sb, model ? " %14.6g" : " %14.0f",
				    value(half ? &row->half : &row->once, c, model));
		strbuf_addch(sb, '\n');
	}
}

/* Slopes over the larger half of the sizes, where what is constant no longer counts. */
static void print_exponents(const struct scale *scale, bool half, const struct cost_model *model,
			    struct strbuf *sb)
{
	unsigned int from = scale->nr / 2, n = scale->nr - from;
	double *x = xcalloc(n, sizeof(*x)), *y = xcalloc(n, sizeof(*y));

	strbuf_addf(sb, "%-12s", "grows as");
	for (unsigned int c = 0; c < NR_CURVES; c++) {
		bool above = n > 1;

		for (unsigned int i = 0; i < n; i++) {
			const struct scale_row *row = &scale->row[from + i];

			x[i] = row->cpus;
			y[i] = value(half ? &row->half : &row->once, c, model);
			above = above && y[i] > 0;
		}
		if (above)
			strbuf_addf(sb, " %11s%.2f", "CPUs^", growth_exponent(x, y, n));
		else
			strbuf_addf(sb, " %14s", "-");
	}
	strbuf_addch(sb, '\n');
	free(x);
	free(y);
}

static void bounds(const struct scale *scale, const struct cost_model *model, double *low,
		   double *high)
{
	*low = *high = 0;
	for (unsigned int i = 0; i < scale->nr; i++)
		for (unsigned int c = 0; c < NR_CURVES; c++) {
			double v = value(&scale->row[i].half, c, model);

			if (!(v > 0))
				continue;
			*low = !(*low > 0) || v < *low ? v : *low;
			*high = v > *high ? v : *high;
		}
}

/* A line a size; where two curves meet, the later one's mark. */
static void print_plot(const struct scale *scale, const struct cost_model *model, struct strbuf *sb)
{
	double low, high;

	bounds(scale, model, &low, &high);
	if (!(high > low))
		return;
	strbuf_addf(sb, "\n%6s  %-*.3g%*.3g %s, logarithmic\n", "CPUs", PLOT_WIDTH / 2, low,
		    PLOT_WIDTH - PLOT_WIDTH / 2, high, model ? "s" : "words");
	for (unsigned int i = 0; i < scale->nr; i++) {
		char line[PLOT_WIDTH + 1] = { 0 };

		for (unsigned int at = 0; at < PLOT_WIDTH; at++)
			line[at] = '.';
		for (unsigned int c = 0; c < NR_CURVES; c++) {
			double v = value(&scale->row[i].half, c, model);

			if (v > 0)
				line[(int)(log(v / low) / log(high / low) * (PLOT_WIDTH - 1))] =
					marks[c];
		}
		strbuf_addf(sb, "%6u  %s\n", scale->row[i].cpus, line);
	}
	for (unsigned int c = 0; c < NR_CURVES; c++)
		strbuf_addf(sb, "%s%c %s", c ? ", " : "        ", marks[c], curve_name(c));
	strbuf_addch(sb, '\n');
}

void cost_scale_print(const struct scale *scale, const struct cost_model *model, struct strbuf *sb)
{
	const char *unit = model ? "seconds of mask operations" : "mask words touched";

	strbuf_addf(sb, "One rebuild with all CPUs up, %s\n", unit);
	print_table(scale, false, model, sb);
	print_exponents(scale, false, model, sb);
	strbuf_addf(sb, "\nUpper half offline, CPU by CPU, %s\n", unit);
	print_table(scale, true, model, sb);
	print_exponents(scale, true, model, sb);
	print_plot(scale, model, sb);
}
