// SPDX-License-Identifier: GPL-2.0-only
/* workload/exec_find.c - figures in what a program printed. */
#include "workload/exec.h"

#include "base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES 64

static int compile(regex_t *regex, const char *pattern, struct error *err)
{
	char words[128];
	int code = regcomp(regex, pattern, REG_EXTENDED | REG_NEWLINE);

	if (!code)
		return 0;
	regerror(code, regex, words, sizeof(words));
	return error_set(err, EINVAL, "pattern '%.80s': %s", pattern, words);
}

int exec_check_pattern(const char *pattern, struct error *err)
{
	regex_t regex;
	int ret = compile(&regex, pattern, err);

	if (!ret)
		regfree(&regex);
	return ret;
}

/* Commas go only where a digit is before and behind them. */
static int read_number(double *value, const char *text, size_t n, struct error *err)
{
	char digits[NUMBER_BYTES], *end;
	size_t len = 0;

	for (size_t i = 0; i < n && len + 1 < sizeof(digits); i++) {
		bool between = i && i + 1 < n && isdigit((unsigned char)text[i - 1]) &&
			       isdigit((unsigned char)text[i + 1]);

		if (text[i] != ',' || !between)
			digits[len++] = text[i];
	}
	digits[len] = '\0';
	*value = strtod(digits, &end);
	if (end != digits && !*end && isfinite(*value))
		return 0;
	return error_set(err, EPROTO, "the pattern finds '%.40s', which is no number", digits);
}

/* struct found - all matches so far */
struct found {
	uint64_t n;
	double first, last, sum, least, most;
};

static void add(struct found *found, double x)
{
	if (!found->n++) {
		found->first = x;
		found->least = x;
		found->most = x;
	}
	found->last = x;
	found->sum += x;
	found->least = x < found->least ? x : found->least;
	found->most = x > found->most ? x : found->most;
}

static double choose(const struct found *found, int match)
{
	switch (match) {
	case MATCH_FIRST:
		return found->first;
	case MATCH_SUM:
		return found->sum;
	case MATCH_MEAN:
		return found->sum / (double)found->n;
	case MATCH_LEAST:
		return found->least;
	case MATCH_MOST:
		return found->most;
	default:
		return found->last;
	}
}

/* Every match from the left to the right; an empty one is stepped over. */
static int find_all(struct found *found, const regex_t *regex, const char *text, struct error *err)
{
	const char *at = text;
	regmatch_t match[2];
	double x;
	int ret = 0;

	while (!ret && !regexec(regex, at, ARRAY_SIZE(match), match,
				at > text && at[-1] != '\n' ? REG_NOTBOL : 0)) {
		const regmatch_t *m = regex->re_nsub ? &match[1] : &match[0];

		if (m->rm_so >= 0) { /* else a group that took no part */
			ret = read_number(&x, at + m->rm_so, (size_t)(m->rm_eo - m->rm_so), err);
			if (!ret)
				add(found, x);
		}
		at += match[0].rm_eo;
		if (match[0].rm_eo == match[0].rm_so && !*at++)
			break;
	}
	return ret;
}

int exec_find(double *value, const char *pattern, const char *text, int match, struct error *err)
{
	struct found found = { 0 };
	regex_t regex;
	int ret = compile(&regex, pattern, err);

	if (ret)
		return ret;
	ret = find_all(&found, &regex, text, err);
	regfree(&regex);
	if (!ret && !found.n)
		ret = error_set(err, ENODATA, "pattern '%.80s' finds nothing", pattern);
	if (!ret)
		*value = choose(&found, match);
	return ret;
}

char *exec_last_line(const char *text)
{
	const char *end = text + strlen(text), *start;
	char *line;

	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	for (start = end; start > text && start[-1] != '\n'; start--)
		;
	line = xstrndup(start, (size_t)(end - start));
	for (char *c = line; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = ' ';
	return line;
}
