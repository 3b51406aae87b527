// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/agree_text.h"

#include "base/json_out.h"

#include <inttypes.h>
#include <string.h>

/* Cut, not rounded: 100 % is said of all only. */
static void add_rate(struct strbuf *sb, uint64_t agreed, uint64_t compared)
{
	const uint64_t milli = compared ? agreed * 100000 / compared : 0;

	if (!compared)
		strbuf_addstr(sb, "-");
	else if (agreed == compared)
		strbuf_addstr(sb, "100 %");
	else
		strbuf_addf(sb, "%" PRIu64 ".%03" PRIu64 " %%", milli / 1000, milli % 1000);
}

void agree_rates_text(const struct agree_counts *counts, struct strbuf *sb)
{
	strbuf_addf(sb, "%-9s %10s %10s %10s\n", "decision", "compared", "differ", "rate");
	for (int kind = 0; kind < NR_AGREE_KINDS; kind++) {
		const uint64_t compared = counts->compared[kind], agreed = counts->agreed[kind];
		struct strbuf rate = { 0 };

		if (!compared)
			continue;
		add_rate(&rate, agreed, compared);
		strbuf_addf(sb, "%-9s %10" PRIu64 " %10" PRIu64 " %10s  %s\n",
			    agree_kind_name(kind), compared, compared - agreed, strbuf_str(&rate),
			    agree_kind_words(kind));
		strbuf_release(&rate);
	}
}

void agree_cell_text(const struct agree_cell *cell, struct strbuf *sb)
{
	const struct agree_total *total = &cell->total;

	strbuf_addf(sb, "model at %s against kernel core %s (Linux %s): %s on %s, %u CPUs\n",
		    cell->kernel->preset, cell->kernel->facts.name, cell->kernel->facts.release,
		    cell->script->name, cell->machine, cell->nr_cpus);
	strbuf_addf(sb,
		    "%" PRIu64 " runs of up to %" PRIu64 " events from seed %" PRIu64 ", %" PRIu64
		    " events in all: %" PRIu64 " to their end, %" PRIu64
		    " to a first difference, %" PRIu64 " failed\n",
		    total->runs, cell->events, cell->seed, total->events, total->clean,
		    total->runs - total->clean - total->failed, total->failed);
	strbuf_addstr(sb, "CPU 0 ran a task for 2.2 s first, then each other CPU one; "
			  "NO_NI_RANDOM; computing "
			  "of the cores takes no time\n\n");
	agree_rates_text(&total->counts, sb);
	if (total->failed)
		strbuf_addf(sb, "\nthe first run that failed:\n%s", strbuf_str(&total->failure));
}

void agree_cell_json(const struct agree_cell *cell, const char *text, struct strbuf *sb)
{
	const struct agree_total *total = &cell->total;
	struct json_out out = { .sb = sb };

	json_out_object(&out, NULL);
	json_out_str(&out, "kernel", cell->kernel->facts.name);
	json_out_str(&out, "release", cell->kernel->facts.release);
	json_out_str(&out, "preset", cell->kernel->preset);
	json_out_str(&out, "machine", cell->machine);
	json_out_int(&out, "cpus", cell->nr_cpus);
	json_out_str(&out, "workload", cell->script->name);
	json_out_int(&out, "seed", (int64_t)cell->seed);
	json_out_int(&out, "runs", (int64_t)total->runs);
	json_out_int(&out, "clean", (int64_t)total->clean);
	json_out_int(&out, "failed", (int64_t)total->failed);
	json_out_int(&out, "events", (int64_t)total->events);
	json_out_object(&out, "decisions");
	for (int kind = 0; kind < NR_AGREE_KINDS; kind++) {
		json_out_object(&out, agree_kind_name(kind));
		json_out_int(&out, "compared", (int64_t)total->counts.compared[kind]);
		json_out_int(&out, "agreed", (int64_t)total->counts.agreed[kind]);
		json_out_end_object(&out);
	}
	json_out_end_object(&out);
	json_out_str(&out, "first_difference", text);
	json_out_end_object(&out);
	strbuf_addch(sb, '\n');
}

static void add_counts(struct agree_counts *to, const struct agree_counts *from)
{
	for (int i = 0; i < NR_AGREE_KINDS; i++) {
		to->compared[i] += from->compared[i];
		to->agreed[i] += from->agreed[i];
	}
}

static void table_rates(const struct agree_cell *cell, size_t n, struct strbuf *sb)
{
	struct agree_counts counts = { 0 };

	for (size_t i = 0; i < n; i++)
		add_counts(&counts, &cell[i].total.counts);
	strbuf_addstr(sb, "| decision | what | compared | differ | agreed |\n"
			  "| --- | --- | ---: | ---: | ---: |\n");
	for (int kind = 0; kind < NR_AGREE_KINDS; kind++) {
		strbuf_addf(sb, "| %s | %s | %" PRIu64 " | %" PRIu64 " | ", agree_kind_name(kind),
			    agree_kind_words(kind), counts.compared[kind],
			    counts.compared[kind] - counts.agreed[kind]);
		add_rate(sb, counts.agreed[kind], counts.compared[kind]);
		strbuf_addstr(sb, " |\n");
	}
}

/* "12/20 wake 5 pelt 3": runs to their end, of all, and what ended the others. */
static void table_cell(const struct agree_total *total, struct strbuf *sb)
{
	strbuf_addf(sb, " %" PRIu64 "/%" PRIu64, total->clean, total->runs);
	for (int kind = 0; kind < NR_AGREE_KINDS; kind++)
		if (total->ended[kind])
			strbuf_addf(sb, " %s %" PRIu64, agree_kind_name(kind), total->ended[kind]);
	if (total->failed)
		strbuf_addf(sb, " failed %" PRIu64, total->failed);
	strbuf_addstr(sb, " |");
}

static void table_runs(const struct agree_cell *cell, size_t n, struct strbuf *sb)
{
	size_t width = 1;

	while (width < n && !strcmp(cell[width].machine, cell[0].machine))
		width++;
	strbuf_addstr(sb, "\n| machine | CPUs |");
	for (size_t i = 0; i < width; i++)
		strbuf_addf(sb, " %s |", cell[i].script->name);
	strbuf_addstr(sb, "\n| --- | ---: |");
	for (size_t i = 0; i < width; i++)
		strbuf_addstr(sb, " --- |");
	for (size_t i = 0; i < n; i++) {
		if (i % width == 0)
			strbuf_addf(sb, "\n| %s | %u |", cell[i].machine, cell[i].nr_cpus);
		table_cell(&cell[i].total, sb);
	}
	strbuf_addstr(sb, "\n");
}

void agree_table_text(const struct agree_cell *cell, size_t n, struct strbuf *sb)
{
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && cell[end].kernel == cell[i].kernel;)
			end++;
		strbuf_addf(sb,
			    "\n## Linux %s, model at %s\n\n%" PRIu64 " runs of up to %" PRIu64
			    " events a field, from seed %" PRIu64 ".\n\n",
			    cell[i].kernel->facts.release, cell[i].kernel->preset, cell[i].runs,
			    cell[i].events, cell[i].seed);
		table_rates(cell + i, end - i, sb);
		table_runs(cell + i, end - i, sb);
	}
}
