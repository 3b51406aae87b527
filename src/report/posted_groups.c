// SPDX-License-Identifier: GPL-2.0-only
#include "report/posted_groups.h"

#include "base/mem.h"
#include "posted/layout.h"
#include "report/posted_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool selection_shows(const struct selection *selection, size_t r)
{
	const struct posted_table *table = selection->judged->table;
	const struct posted_outcome *outcome =
		posted_outcome_at(selection->judged, r, selection->s);

	return table->rows[r].primary || selection->report->all || table->layout->counts ||
	       outcome->word == POSTED_WORD_MOVED || outcome->basis == POSTED_BY_FAILURES;
}

uint64_t selection_runs(const struct selection *selection, size_t r, size_t s)
{
	const struct posted_side *side = &selection->judged->table->rows[r].sides[s];

	if (side->nr_values)
		return side->nr_values;
	return side->n ? side->n : selection->report->rule.n;
}

static size_t first_word(const char *s)
{
	return strcspn(s, " ");
}

static bool are_alike(const struct selection *selection, size_t a, size_t b)
{
	const struct posted_judged *judged = selection->judged;
	const struct posted_row *x = &judged->table->rows[a], *y = &judged->table->rows[b];
	size_t n = first_word(x->label);

	return first_word(y->label) == n && !strncmp(x->label, y->label, n) &&
	       !strcmp(x->unit, y->unit) && posted_better(judged, a) == posted_better(judged, b) &&
	       x->primary == y->primary &&
	       selection_runs(selection, a, 0) == selection_runs(selection, b, 0) &&
	       selection_runs(selection, a, selection->s) ==
		       selection_runs(selection, b, selection->s);
}

static bool has_letter(const char *s)
{
	for (; *s; s++)
		if ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z'))
			return true;
	return false;
}

char *group_full_label(const struct posted_row *row)
{
	return xasprintf("%s%s%s", row->label, *row->label && *row->metric ? " " : "", row->metric);
}

static bool begins_with(const struct posted_row *row, const char *prefix, size_t n)
{
	char *label = group_full_label(row);
	bool begins = !strncmp(label, prefix, n) && has_letter(label + n);

	free(label);
	return begins;
}

/* Whole words that all labels begin with, where each has words left. */
static size_t common_prefix(const struct posted_table *table, size_t from, size_t to)
{
	char *first = group_full_label(&table->rows[from]);
	size_t n = 0;

	while (first[n]) {
		size_t next = n + first_word(first + n), r = from;

		next += first[next] == ' ';
		while (r < to && begins_with(&table->rows[r], first, next))
			r++;
		if (r < to)
			break;
		n = next;
	}
	free(first);
	return n;
}

struct rows selection_group(const struct selection *selection, size_t from)
{
	const struct posted_table *table = selection->judged->table;
	struct rows rows = { .from = from, .to = from + 1 };

	if (!selection->grouped) {
		rows.to = table->nr_rows;
		return rows;
	}
	while (rows.to < table->nr_rows && are_alike(selection, from, rows.to))
		rows.to++;
	rows.prefix = rows.to - from > 1 ? common_prefix(table, from, rows.to) : 0;
	return rows;
}

/* Tables of their own are worth it where each has several rows. */
static bool worth_grouping(struct selection *selection)
{
	const struct posted_table *table = selection->judged->table;
	size_t groups = 0;

	selection->grouped = true;
	for (size_t r = 0; r < table->nr_rows; groups++)
		r = selection_group(selection, r).to;
	return 2 * groups <= table->nr_rows;
}

char *group_heading(const struct selection *selection, const struct rows *rows)
{
	const struct posted_row *row = &selection->judged->table->rows[rows->from];
	uint64_t a = selection_runs(selection, rows->from, 0);
	uint64_t b = selection_runs(selection, rows->from, selection->s);
	struct strbuf label = { 0 };
	char *full;

	if (!selection->grouped)
		return xstrdup("metric (better)");
	full = group_full_label(row);
	strbuf_add(&label, full, rows->prefix);
	free(full);
	posted_add_unit(&label, selection->judged, rows->from);
	if (!label.len)
		strbuf_addstr(&label, "metric");
	if (!selection->same_n && a && a == b)
		strbuf_addf(&label, ", %" PRIu64 " run%s", a, a == 1 ? "" : "s");
	return strbuf_take(&label);
}

void selection_look(struct selection *selection)
{
	const struct posted_table *table = selection->judged->table;
	bool first = true;

	selection->same_n = true;
	for (size_t r = 0; r < table->nr_rows; r++) {
		const struct posted_outcome *outcome =
			posted_outcome_at(selection->judged, r, selection->s);
		uint64_t n = selection_runs(selection, r, 0);

		if (!selection_shows(selection, r)) {
			selection->hidden++;
			continue;
		}
		selection->any_ci |= outcome->verdict.has_ci;
		selection->any_can_show |= outcome->can_show;
		selection->any_needs |= outcome->needs > 0;
		selection->same_n &= (first || n == selection->n) &&
				     n == selection_runs(selection, r, selection->s);
		selection->n = n;
		first = false;
	}
	selection->grouped = worth_grouping(selection);
}
