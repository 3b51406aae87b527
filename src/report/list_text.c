// SPDX-License-Identifier: GPL-2.0-only
#include "report/list_text.h"

#include "report/layout.h"
#include "report/utc.h"

#include <inttypes.h>
#include <stdio.h>

#define MAX_NAMED 4

/* "first: base | pinned, unfinished" */
static void add_what(struct strbuf *sb, const struct experiment_row *row)
{
	strbuf_addf(sb, "%s: ", row->name);
	if (row->nr_variants > MAX_NAMED) {
		strbuf_addf(sb, "%zu variants", row->nr_variants);
	} else {
		for (size_t v = 0; v < row->nr_variants; v++)
			strbuf_addf(sb, "%s%s", v ? " | " : "", row->variants[v].name);
	}
	if (!row->finished)
		strbuf_addstr(sb, ", unfinished");
}

static void add_line(struct strbuf *sb, const struct experiment_row *row,
		     const struct run_counts *counts)
{
	struct strbuf what = { 0 };
	char begun[UTC_SIZE], blocks[48];
	size_t start = sb->len, col;

	utc_print(begun, row->created_ns);
	if (row->blocks)
		snprintf(blocks, sizeof(blocks), "%" PRIu64 "/%" PRIu64, counts->blocks,
			 row->blocks);
	else
		snprintf(blocks, sizeof(blocks), "%" PRIu64, counts->blocks);
	strbuf_addf(sb, "%4" PRId64 "  %-16s  %7s  %6" PRIu64 "  %6" PRIu64 "  ", row->id, begun,
		    blocks, counts->ok + counts->failed, counts->failed);
	col = sb->len - start;
	add_what(&what, row);
	text_wrap(sb, col, col, strbuf_str(&what));
	strbuf_release(&what);
}

void list_text(const struct experiment_row *rows, const struct run_counts *counts, size_t n,
	       struct strbuf *sb)
{
	if (!n) {
		strbuf_addstr(sb, "No results are stored yet.\n");
		return;
	}
	strbuf_addstr(sb,
		      "  id  begun (UTC)        blocks    runs  failed  experiment: variants\n");
	for (size_t i = 0; i < n; i++)
		add_line(sb, &rows[i], &counts[i]);
}
