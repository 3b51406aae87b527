// SPDX-License-Identifier: GPL-2.0-only
#include "report/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DIGITS 4

static bool whole(double x)
{
	return x == floor(x);
}

/* For a figure of size @x: DIGITS of them, an exponent where that would be long. */
static int decimals_for(double x)
{
	if (x == 0)
		return 0;
	if (x >= 1e7 || x < 1e-3)
		return -1;
	if (x >= 1000)
		return 0;
	return DIGITS - 1 - (int)floor(log10(x));
}

void number_fit(struct number_form *form, enum unit unit, double a, double b)
{
	double size = fmax(fabs(a), fabs(b));
	const char *name;

	form->factor = unit_scale(unit, size, &name);
	form->decimals = decimals_for(size / form->factor);
	if (unit == UNIT_COUNT && form->factor == 1 && whole(a) && whole(b))
		form->decimals = 0;
	form->unit = unit == UNIT_COUNT ? "" : name;
	form->suffix = unit == UNIT_COUNT ? name : "";
}

static void append(char text[NUMBER_SIZE], const char *s)
{
	strncat(text, s, NUMBER_SIZE - 1 - strlen(text));
}

/* A value of which no digit but 0 is left has no sign. */
static void drop_empty_sign(char *text)
{
	if ((text[0] == '-' || text[0] == '+') && !strpbrk(text, "123456789"))
		memmove(text, text + 1, strlen(text));
}

static void print_scaled(char text[NUMBER_SIZE], const struct number_form *form, const char *plus,
			 double value)
{
	double x = value / form->factor;
	const char *sign = x < 0 ? "-" : plus;

	if (form->decimals < 0)
		snprintf(text, NUMBER_SIZE, "%s%.2e", sign, fabs(x));
	else
		snprintf(text, NUMBER_SIZE, "%s%.*f", sign, form->decimals, fabs(x));
	drop_empty_sign(text);
}

void number_print(char text[NUMBER_SIZE], const struct number_form *form, double value)
{
	print_scaled(text, form, "", value);
	append(text, form->suffix);
}

void change_fit(struct change_form *form, const struct verdict *verdict, enum unit unit)
{
	const struct interval *ci = &verdict->ci;
	bool narrow = verdict->has_ci && ci->hi - ci->lo < 0.005;

	*form = (struct change_form){ .relative = verdict->relative, .decimals = narrow ? 2 : 1 };
	number_fit(&form->number, unit, verdict->a.median, verdict->b.median);
	if (unit == UNIT_COUNT && form->number.factor == 1)
		form->number.decimals = 1; /* half of a difference of counts is possible */
}

static void print_percent(char text[NUMBER_SIZE], double fraction, int decimals, const char *plus)
{
	double percent = 100 * fraction;

	if (fabs(percent) >= 1e5)
		snprintf(text, NUMBER_SIZE, "%s%.1e", percent < 0 ? "-" : plus, fabs(percent));
	else
		snprintf(text, NUMBER_SIZE, "%s%.*f", percent < 0 ? "-" : plus,
			 fabs(percent) >= 1000 ? 0 : decimals, fabs(percent));
	drop_empty_sign(text);
}

static void print_bare(char text[NUMBER_SIZE], const struct change_form *form, const char *plus,
		       double change)
{
	if (form->relative)
		print_percent(text, change, form->decimals, plus);
	else
		print_scaled(text, &form->number, plus, change);
}

void change_print(char text[NUMBER_SIZE], const struct change_form *form, double change)
{
	print_bare(text, form, "+", change);
	append(text, form->relative ? "%" : form->number.suffix);
}

void interval_print(char text[INTERVAL_SIZE], const struct change_form *form,
		    const struct interval *ci)
{
	char lo[NUMBER_SIZE], hi[NUMBER_SIZE];

	print_bare(lo, form, "+", ci->lo);
	print_bare(hi, form, "+", ci->hi);
	snprintf(text, INTERVAL_SIZE, "[%s,%s]", lo, hi);
}

void size_print(char text[NUMBER_SIZE], const struct change_form *form, double size)
{
	print_bare(text, form, "", size);
	append(text, form->relative ? "%" : form->number.suffix);
	if (form->relative || !*form->number.unit)
		return;
	append(text, " ");
	append(text, form->number.unit);
}

void p_print(char text[NUMBER_SIZE], double p)
{
	if (p < 0.001)
		snprintf(text, NUMBER_SIZE, "<.001");
	else
		snprintf(text, NUMBER_SIZE, "%.3f", p);
}
