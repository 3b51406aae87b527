// SPDX-License-Identifier: GPL-2.0-only
/* fuzz/posted_fuzz.c - any text is read, judged and printed; quoting it as mailers do changes nothing. */
#include "base/strbuf.h"
#include "posted/find.h"
#include "posted/pair.h"
#include "report/posted.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Lengths of all, so that two readings can be compared. */
static size_t judge_and_print(struct posted *posted)
{
	static const char *const formats[] = { "text", "md", "csv", "json" };
	const struct posted_rule rule = { .alpha = 0.05, .order = TRIAL_UNKNOWN };
	struct posted_judged *judged = calloc(posted->nr_tables + 1, sizeof(*judged));
	struct posted_report report = {
		.posted = posted, .judged = judged, .rule = rule, .all = true
	};
	struct strbuf sb = { 0 };
	size_t length;

	for (report.n = 0; report.n < posted->nr_tables; report.n++)
		posted_judge(&judged[report.n], posted->tables[report.n], &rule);
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		posted_format_find(formats[i])->render(&report, &sb);
	for (size_t i = 0; i < posted->nr_tables; i++)
		posted_judged_release(&judged[i]);
	length = sb.len;
	free(judged);
	strbuf_release(&sb);
	return length;
}

static size_t read_all(const char *text, size_t size)
{
	struct posted posted = { 0 };
	size_t length = 0;

	posted_find(&posted, "text", text, size);
	if (!posted_pair(&posted, NULL, NULL))
		length = judge_and_print(&posted);
	posted_release(&posted);
	return length;
}

/* The header of quoted-printable counts at the begin of a line only: quoting hides it. */
static int is_quotable(const char *text, size_t size)
{
	static const char header[] = "Content-Transfer-Encoding: quoted-printable";

	for (size_t i = 0; i + sizeof(header) - 1 <= size; i++)
		if (!strncasecmp(text + i, header, sizeof(header) - 1))
			return 0;
	return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf quoted = { 0 };
	char *text = malloc(size + 1); /* a heap copy without an end: an over-read is seen */
	size_t length;

	if (size > 20000) {
		free(text);
		return 0;
	}
	text = realloc(text, size ? size : 1);
	memcpy(text, data, size);
	length = read_all(text, size);
	for (size_t i = 0; i < size; i++) {
		if (i == 0 || text[i - 1] == '\n')
			strbuf_addstr(&quoted, "> ");
		if (text[i] == '\n')
			strbuf_addch(&quoted, '\r');
		strbuf_addch(&quoted, text[i]);
	}
	if (is_quotable(text, size) && read_all(strbuf_str(&quoted), quoted.len) != length)
		abort();
	free(text);
	strbuf_release(&quoted);
	return 0;
}
