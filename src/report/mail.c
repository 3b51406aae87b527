// SPDX-License-Identifier: GPL-2.0-only
/* report/mail.c - our own block for a mail: everything a reader has to know, a line for each metric. */
#include "report/format.h"

#include "report/layout.h"
#include "report/support.h"
#include "report/text_head.h"
#include "report/text_rows.h"
#include "report/whole.h"

#include <inttypes.h>
#include <string.h>

static void add_fact(const struct report *report, const char *name, struct strbuf *sb)
{
	const char *value = report_fact(report, name);

	if (value && *value)
		strbuf_addf(sb, "%s%s", sb->len ? "; " : "", value);
}

/* "6.12.1; Intel Xeon ...; 8 CPUs" */
static void print_machine(const struct report *report, struct strbuf *sb)
{
	struct strbuf text = { 0 };

	add_fact(report, "kernel.release", &text);
	add_fact(report, "cpu.model", &text);
	add_fact(report, "cpu.topology", &text);
	add_fact(report, "cpu.governor", &text);
	add_fact(report, "sim.machine", &text);
	add_fact(report, "sim.core", &text);
	if (text.len)
		text_wrapf(sb, 2, 6, "machine: %s", text.s);
	strbuf_release(&text);
}

/* "10 runs/side, order within each block at random, seed 8123; p adjusted for 2 metrics" */
static void print_design(const struct report *report, const struct row_list *list,
			 struct strbuf *sb)
{
	struct strbuf text = { 0 };
	size_t judged = 0, fewest = 0, most = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct verdict *verdict = &list->rows[i]->verdict;
		size_t n = verdict->a.n < verdict->b.n ? verdict->a.n : verdict->b.n;

		if (!verdict->has_effect)
			continue;
		fewest = !judged || n < fewest ? n : fewest;
		most = n > most ? n : most;
		judged++;
	}
	if (fewest == most)
		strbuf_addf(&text, "%zu %s/side, ", most, list->unit);
	else
		strbuf_addf(&text, "%zu to %zu %s/side, ", fewest, most, list->unit);
	head_order(report, &text);
	if (report->nr_judged)
		strbuf_addf(&text, "; p adjusted for %zu row%s", report->nr_judged,
			    report->nr_judged == 1 ? "" : "s");
	if (report->warmups)
		strbuf_addf(&text, "; %" PRIu64 " warm-up runs left out", report->warmups);
	text_wrap(sb, 0, 0, text.s);
	strbuf_reset(&text);
	whole_looks(report, &text);
	if (text.len)
		text_wrap(sb, 0, 0, text.s);
	strbuf_release(&text);
}

static void mail_render(const struct report *report, const struct report_style *style,
			struct strbuf *sb)
{
	static const struct row_look look = { .brief = true };

	(void)style;
	head_warnings(report, sb);
	text_wrapf(sb, 0, 4, "schedproof: %s", report->experiment.name);
	head_variants(report, sb);
	print_machine(report, sb);
	text_wrapf(sb, 2, 6,
		   "change: of the medians as measured, (B - A) / A, so less has a minus; (low): "
		   "lower is better; MDE: least change that would show");
	for (size_t v = 1; v < report->experiment.nr_variants; v++) {
		struct row_list list = rows_of_variant(report, v);

		strbuf_addch(sb, '\n');
		if (report->experiment.nr_variants > 2)
			text_wrapf(sb, 0, 4, "B = %s", list.b);
		rows_verdicts(&list, &look, sb);
		rows_whole(report, v, sb);
		rows_noise(&list, false, sb);
		print_design(report, &list, sb);
		row_list_release(&list);
	}
	head_warmup(report, sb);
	head_failures(report, sb);
}

const struct report_format report_mail = {
	.name = "mail",
	.help = "a block for a mail: at most 78 columns, a line for each metric",
	.render = mail_render,
};
