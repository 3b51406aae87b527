// SPDX-License-Identifier: GPL-2.0-only
#include "posted/figure.h"

#include "base/mem.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS 40

static const char *skip(const char *s)
{
	return s + strspn(s, " \t");
}

/* Digits with commas between groups of three: into @plain. Return: bytes taken. */
static size_t take_whole(char *plain, size_t *n, const char *s)
{
	size_t i = 0, digits = 0;

	for (; isdigit((unsigned char)s[i]) || s[i] == ','; i++) {
		if (s[i] == ',') {
			bool group = digits >= 1 && isdigit((unsigned char)s[i + 1]) &&
				     isdigit((unsigned char)s[i + 2]) &&
				     isdigit((unsigned char)s[i + 3]) &&
				     !isdigit((unsigned char)s[i + 4]);

			if (!group)
				break;
			continue;
		}
		if (++digits > MAX_DIGITS)
			return 0;
		plain[(*n)++] = s[i];
	}
	return i;
}

const char *figure_number(double *value, double *step, const char *s)
{
	char plain[3 * MAX_DIGITS] = "";
	const char *begin = s;
	size_t n = 0, decimals = 0;
	char *end;
	double unit;

	if (*s == '-' || *s == '+')
		plain[n++] = *s++;
	s += take_whole(plain, &n, s);
	if (*s == '.' && isdigit((unsigned char)s[1])) {
		plain[n++] = *s++;
		for (; isdigit((unsigned char)*s) && decimals < MAX_DIGITS; decimals++)
			plain[n++] = *s++;
	}
	if (n == 0 || !isdigit((unsigned char)plain[n - 1]) || isdigit((unsigned char)*s))
		return NULL;
	unit = pow(10, -(double)decimals);
	if ((*s == 'e' || *s == 'E') &&
	    isdigit((unsigned char)s[1 + (s[1] == '+' || s[1] == '-')])) {
		long exponent = strtol(s + 1, &end, 10);

		if (labs(exponent) > 99)
			return NULL;
		n += (size_t)(end - s) < 8 ? (size_t)(end - s) : 0;
		memcpy(plain + n - (end - s), s, (size_t)(end - s) < 8 ? (size_t)(end - s) : 0);
		unit *= pow(10, (double)exponent);
		s = end;
	}
	*value = strtod(plain, NULL);
	if (step)
		*step = unit;
	return s == begin ? NULL : s;
}

/* @factor: of a multiple; of a unit, which the figure keeps, how large it is beside others of its @kind */
static const struct suffix {
	const char *text;
	double factor;
	const char *kind; /* NULL: no unit */
} suffixes[] = {
	{ "s", 1, "time" },	  { "ms", 1e-3, "time" },      { "us", 1e-6, "time" },
	{ "ns", 1e-9, "time" },	  { "sec", 1, "time" },	       { "secs", 1, "time" },
	{ "msec", 1e-3, "time" }, { "usec", 1e-6, "time" },    { "usecs", 1e-6, "time" },
	{ "nsec", 1e-9, "time" }, { "MB/s", 1e6, "transfer" }, { "GB/s", 1e9, "transfer" },
	{ "ops/s", 1, "rate" },	  { "k", 1e3, NULL },	       { "K", 1e3, NULL },
	{ "M", 1e6, NULL },	  { "G", 1e9, NULL },	       { "m", 1e-3, NULL },
	{ "u", 1e-6, NULL },	  { "n", 1e-9, NULL },	       { "Ki", 1024, NULL },
	{ "Mi", 1048576, NULL },  { "Gi", 1073741824, NULL },
};

static const struct suffix *find_suffix(const char *s, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		if (strlen(suffixes[i].text) == n && !strncmp(suffixes[i].text, s, n))
			return &suffixes[i];
	return NULL;
}

bool unit_factor(double *factor, const char *from, const char *to)
{
	const struct suffix *a = find_suffix(from, strlen(from)), *b = find_suffix(to, strlen(to));

	*factor = 1;
	if (!strcmp(from, to))
		return true;
	if (!a || !b || !a->kind || !b->kind || strcmp(a->kind, b->kind) != 0)
		return false;
	*factor = a->factor / b->factor;
	return true;
}

/* Letters, with a slash between them. */
static size_t suffix_len(const char *s)
{
	size_t n = 0;

	while (isalpha((unsigned char)s[n]) ||
	       (s[n] == '/' && n && isalpha((unsigned char)s[n + 1])))
		n++;
	return n;
}

/* A unit behind all of it, perhaps with a blank before: "9.5 ms", "9.5 +- 0.3ms". Return: behind it, @s if there is none */
static const char *scan_unit(struct figure *figure, const char *s)
{
	const char *word = s + (*s == ' ');
	const size_t n = suffix_len(word);
	const struct suffix *suffix = find_suffix(word, n);

	if (!suffix || !suffix->kind || (word[n] && !strchr(" \t|", word[n])))
		return s;
	memcpy(figure->unit, suffix->text, n + 1);
	return word + n;
}

/* Return: behind the suffix, @s if there is none, NULL if letters follow that are no suffix. */
static const char *scan_suffix(struct figure *figure, const char *s)
{
	const size_t n = suffix_len(s);
	const struct suffix *suffix = find_suffix(s, n);

	if (!n)
		return scan_unit(figure, s);
	if (!suffix)
		return NULL;
	if (suffix->kind) {
		memcpy(figure->unit, suffix->text, n + 1);
	} else {
		figure->value *= suffix->factor;
		figure->step *= suffix->factor;
	}
	return s + n;
}

/* "( 2.08%)", "[ -0.00]", "*   2.86%*", "+- 7%", "+/- 0.05", "( +-  0.52% )" */
static const char *scan_mark(struct figure_mark *mark, const char *s)
{
	char open = *s, close = open == '(' ? ')' : open == '[' ? ']' : open == '*' ? '*' : '\0';
	bool plus_minus = false;

	if (close)
		s = skip(s + 1);
	if (!strncmp(s, "+-", 2) || !strncmp(s, "+/-", 3)) {
		s = skip(s + (s[1] == '-' ? 2 : 3));
		plus_minus = true;
	}
	if (!close && !plus_minus)
		return NULL;
	s = figure_number(&mark->value, &mark->step, s);
	if (!s)
		return NULL;
	mark->percent = *s == '%';
	s += mark->percent;
	if (close) {
		s = skip(s);
		if (*s++ != close)
			return NULL;
	}
	mark->open = plus_minus ? '+' : open;
	return s;
}

const char *figure_scan(struct figure *figure, const char *s)
{
	const char *next;

	*figure = (struct figure){ .signed_ = *s == '+' || *s == '-' };
	s = figure_number(&figure->value, &figure->step, s);
	if (!s)
		return NULL;
	if (*s == '%') {
		figure->percent = true;
		s++;
	} else {
		s = scan_suffix(figure, s);
	}
	while (s && figure->nr_marks < FIGURE_MAX_MARKS &&
	       (next = scan_mark(&figure->marks[figure->nr_marks], skip(s)))) {
		figure->nr_marks++;
		s = next;
	}
	if (s && figure->nr_marks && !figure->percent && !*figure->unit)
		s = scan_unit(figure, s);
	/* ".", "," or ";" may end a sentence, but not begin another part of a word */
	if (!s || (*s && !strchr(" \t|", *s) && !(strchr(".,;)", *s) && strchr(" \t", s[1]))))
		return NULL;
	return s;
}

bool figure_whole(struct figure *figure, const char *s)
{
	s = figure_scan(figure, s);
	return s && *skip(s) == '\0';
}

const struct figure_mark *figure_mark_find(const struct figure *figure, char open)
{
	for (size_t i = 0; i < figure->nr_marks; i++)
		if (figure->marks[i].open == open)
			return &figure->marks[i];
	return NULL;
}

size_t figure_word(const char *s)
{
	return strcspn(s, " \t|");
}

/* Blanks and bars. */
static size_t between(const char *s)
{
	return strspn(s, " \t|");
}

/* Does a bar stand in the first @n bytes? */
static bool has_bar(const char *s, size_t n)
{
	return memchr(s, '|', n) != NULL;
}

size_t figures_trailing(struct figure *figures, size_t max, const char *s, size_t *label)
{
	bool bars = strchr(s, '|') != NULL, words = false; /* in this cell, where bars part cells */
	size_t n = 0;

	*label = strlen(s);
	for (const char *at = s + between(s), *next; *at; at = next + between(next)) {
		struct figure figure;

		next = figure_scan(&figure, at);
		if (!next || words) {
			n = 0;
			next = next ? next : at + figure_word(at);
			words = bars && !has_bar(next, between(next));
			continue;
		}
		if (n == max) { /* the first of them belongs to the label */
			memmove(figures, figures + 1, (max - 1) * sizeof(*figures));
			n--;
		}
		figure.at = (size_t)(at - s);
		figures[n++] = figure;
	}
	if (n)
		*label = figures[0].at;
	while (*label && strchr(" \t|", s[*label - 1]))
		--*label;
	return n;
}
