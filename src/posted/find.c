// SPDX-License-Identifier: GPL-2.0-only
#include "posted/find.h"

#include "base/mem.h"
#include "posted/layout.h"
#include "posted/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_HEADING 72

static const struct posted_layout *const layouts[] = {
#define POSTED_LAYOUT(name) &posted_layout_##name,
#include "posted/list.h"
#undef POSTED_LAYOUT
};

const char *reading_line(const struct reading *reading, size_t at)
{
	return line_at(reading->lines, at);
}

size_t reading_number(const struct reading *reading, size_t at)
{
	return at < reading->lines->n ? reading->lines->line[at].number : 0;
}

struct posted_table *reading_table(struct reading *reading, const struct posted_layout *layout,
				   size_t at, size_t nr_sides)
{
	struct posted_table *table = posted_table_add(reading->posted, layout, reading->source,
						      reading_number(reading, at), nr_sides);

	if (nr_sides == 1 && *reading->side) {
		posted_side_name(table, 0, reading->side, strlen(reading->side));
		table->side_known = true;
	}
	return table;
}

/* "With the patch:", "# baseline", "== v2 ==", "Before" over a rule: what is left without the signs. */
static size_t heading_body(const char **s, size_t len)
{
	while (len && strchr("#=*- \t[", **s)) {
		++*s;
		len--;
	}
	while (len && strchr("=*-: \t]", (*s)[len - 1]))
		len--;
	return len;
}

static bool is_heading(const struct reading *reading, size_t at, size_t body)
{
	const struct line *line = &reading->lines->line[at];

	if (body < line->len || line_is_rule(reading_line(reading, at + 1)))
		return true;
	return line_blank(reading->lines, at + 1) ? body <= 24 : body <= 16;
}

/* The side's name in a line that is a heading: its length, 0 if it is none. */
static size_t heading_at(const struct reading *reading, size_t at, const char **name)
{
	const struct line *line = &reading->lines->line[at];
	size_t n;

	if (!line->len || line->len > MAX_HEADING || !isprint((unsigned char)*line->s))
		return 0;
	*name = line->s;
	n = heading_body(name, line->len);
	return n && name_is_side(*name, n) && is_heading(reading, at, n) ? n : 0;
}

bool reading_keep(struct reading *reading, const struct posted_table *table)
{
	if (table->nr_rows)
		return true;
	posted_table_drop(reading->posted);
	return false;
}

bool reading_at_heading(const struct reading *reading, size_t at)
{
	const char *name;

	return at < reading->lines->n && heading_at(reading, at, &name);
}

static void look_for_side(struct reading *reading, size_t at)
{
	const char *name;
	size_t n = heading_at(reading, at, &name);

	if (!n)
		return;
	free(reading->side);
	reading->side = xstrndup(name, n);
}

static size_t read_table(struct reading *reading, size_t at)
{
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		size_t taken = layouts[i]->read(reading, at);

		if (taken)
			return taken;
	}
	return 0;
}

/* Texts that are for other commands, or other programs first. */
static const char *other_command(const struct lines *lines)
{
	for (size_t i = 0; i < lines->n && i < 200; i++) {
		const char *s = line_at(lines, i);

		if (strstr(s, "domain-0: span="))
			return "these are sched domains as the kernel prints them, without any "
			       "figure to "
			       "compare: see schedproof topo";
		if (!strncasecmp(s, "Content-Transfer-Encoding: base64", 33))
			return "the mail is encoded in base64: give its text as a mail program "
			       "saves "
			       "or pipes it decoded";
		if (!strncmp(s, "{\"schema\":", 10))
			return "these are runs that schedproof stored: see schedproof report";
	}
	return NULL;
}

size_t posted_find(struct posted *posted, const char *source, const char *text, size_t len)
{
	struct lines lines;
	struct reading reading = {
		.lines = &lines,
		.posted = posted,
		.source = posted_source_add(posted, source),
		.side = xstrdup(""),
	};
	size_t before = posted->nr_tables;

	lines_init(&lines, text, len);
	for (size_t at = 0; at < lines.n;) {
		size_t taken = line_blank(&lines, at) ? 0 : read_table(&reading, at);

		if (!taken)
			look_for_side(&reading, at);
		at += taken ? taken : 1;
		if (taken)
			reading.done = at;
	}
	if (posted->nr_tables == before && !posted->instead && other_command(&lines))
		posted->instead = xstrdup(other_command(&lines));
	free(reading.side);
	lines_release(&lines);
	return posted->nr_tables - before;
}
