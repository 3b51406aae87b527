/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/fixture.h - for tests: figures out of a text. */
#ifndef POSTED_FIXTURE_H
#define POSTED_FIXTURE_H

#include "posted/judge.h"
#include "posted/posted.h"

/* Words of a test's rule. */
#define FIXTURE_RULE                                                                               \
	((struct posted_rule){ .alpha = 0.05, .order = TRIAL_UNKNOWN, .better = BETTER_NONE })

/** fixture_read() - the tables in @text, paired; fails the test if there are not @tables */
void fixture_read(struct posted *posted, const char *text, size_t tables);

/** fixture_read_two() - of two texts, which are the sides */
void fixture_read_two(struct posted *posted, const char *a, const char *b, size_t tables);

/** fixture_quoted() - @text as a mailer quotes it: "> " and CR LF; the caller's to free */
char *fixture_quoted(const char *text);

/** fixture_row() - of that label and metric, which has to be there */
struct posted_row *fixture_row(struct posted_table *table, const char *label, const char *metric);

/** fixture_says() - does a note of the table have @part in it? */
int fixture_says(const struct posted_table *table, const char *part);

#endif
