// SPDX-License-Identifier: GPL-2.0-only
#include "posted/fixture.h"

#include "base/strbuf.h"
#include "check.h"
#include "posted/find.h"
#include "posted/pair.h"

#include <string.h>

void fixture_read(struct posted *posted, const char *text, size_t tables)
{
	*posted = (struct posted){ 0 };
	posted_find(posted, "text", text, strlen(text));
	assert_int_equal(posted_pair(posted, NULL, NULL), 0);
	assert_int_equal(posted->nr_tables, tables);
}

void fixture_read_two(struct posted *posted, const char *a, const char *b, size_t tables)
{
	*posted = (struct posted){ 0 };
	posted_find(posted, "a.txt", a, strlen(a));
	posted_find(posted, "b.txt", b, strlen(b));
	assert_int_equal(posted_pair(posted, NULL, NULL), 0);
	assert_int_equal(posted->nr_tables, tables);
}

char *fixture_quoted(const char *text)
{
	struct strbuf sb = { 0 };

	while (*text) {
		size_t n = strcspn(text, "\n");

		strbuf_addstr(&sb, "> ");
		strbuf_add(&sb, text, n);
		strbuf_addstr(&sb, "\r\n");
		text += n + (text[n] == '\n');
	}
	return strbuf_take(&sb);
}

struct posted_row *fixture_row(struct posted_table *table, const char *label, const char *metric)
{
	struct posted_row *row = posted_row_find(table, label, metric);

	if (!row)
		fail_msg("no row '%s' '%s'", label, metric);
	return row;
}

int fixture_says(const struct posted_table *table, const char *part)
{
	for (size_t i = 0; i < table->nr_notes; i++)
		if (strstr(table->notes[i], part))
			return 1;
	return 0;
}
