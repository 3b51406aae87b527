// SPDX-License-Identifier: GPL-2.0-only
#include "report/support.h"

#include "report/layout.h"

#include <math.h>
#include <string.h>

bool row_called(const struct report_row *row)
{
	return row->primary && row->verdict.has_effect &&
	       (row->verdict.word == VERDICT_IMPROVED || row->verdict.word == VERDICT_REGRESSED);
}

static bool supported_change(const struct report_row *row, double a, double b, double *fraction)
{
	if (!row_called(row) && !(row->moved && row->verdict.has_effect))
		return false;
	if (!(a > 0) || !isfinite(b / a) || (b - a) * row->verdict.effect <= 0)
		return false;
	*fraction = b / a - 1;
	return true;
}

bool row_mean_change(const struct report_row *row, double *fraction)
{
	return supported_change(row, row->verdict.a.mean, row->verdict.b.mean, fraction);
}

bool row_median_change(const struct report_row *row, double *fraction)
{
	return supported_change(row, row->verdict.a.median, row->verdict.b.median, fraction);
}

bool row_mean_gain(const struct report_row *row, double *fraction)
{
	if (!row_called(row) || !row_mean_change(row, fraction))
		return false;
	if (row->better == BETTER_LOWER)
		*fraction = -*fraction;
	return true;
}

double side_cv(const struct side *side)
{
	return side->mean == 0 ? 0 : 100 * side->sd / fabs(side->mean);
}

double row_scale(const struct report_row *rows, size_t n, const char **suffix)
{
	double size = 0;

	if (!n || rows->unit == UNIT_COUNT) {
		*suffix = "";
		return 1;
	}
	for (size_t i = 0; i < n; i++) {
		const struct verdict *verdict = &rows[i].verdict;

		if (verdict->has_effect)
			size = fmax(size, fmax(fabs(verdict->a.mean), fabs(verdict->b.mean)));
	}
	return unit_scale(rows->unit, size, suffix);
}

static void add_joined(struct strbuf *sb, const char *words, char joint)
{
	size_t start = sb->len;

	text_add(sb, words);
	for (size_t i = start; i < sb->len; i++) {
		if (sb->s[i] == ' ')
			sb->s[i] = joint;
	}
}

void row_name(struct strbuf *sb, const struct report_row *row, char joint, const char *suffix)
{
	add_joined(sb, row->point, joint);
	strbuf_addch(sb, joint);
	add_joined(sb, row->metric, joint);
	if (*suffix && strcmp(suffix, "%") != 0)
		strbuf_addch(sb, joint);
	strbuf_addstr(sb, suffix);
}

/* Where the swept parameters of a label begin, or its end: " groups=4". */
static const char *sweep_of(const char *point)
{
	for (const char *blank = strchr(point, ' '); blank; blank = strchr(blank + 1, ' ')) {
		size_t n = strcspn(blank + 1, " ");

		if (memchr(blank + 1, '=', n))
			return blank;
	}
	return point + strlen(point);
}

bool row_load(struct strbuf *sb, const char *point)
{
	const char *word = sweep_of(point);
	size_t start = sb->len;

	while (*word) {
		size_t n = strcspn(++word, " ");
		const char *equals = memchr(word, '=', n);
		struct strbuf part = { 0 };

		if (equals)
			strbuf_addf(&part, "%.*s-%.*s", (int)(word + n - equals - 1), equals + 1,
				    (int)(equals - word), word);
		else
			strbuf_add(&part, word, n);
		strbuf_addstr(sb, sb->len > start ? "," : "");
		text_add(sb, strbuf_str(&part));
		strbuf_release(&part);
		word += n;
	}
	return sb->len > start;
}

void row_case(struct strbuf *sb, const char *point)
{
	struct strbuf name = { 0 };

	strbuf_add(&name, point, (size_t)(sweep_of(point) - point));
	text_add(sb, strbuf_str(&name));
	strbuf_release(&name);
}

size_t row_group(const struct report *report)
{
	return report->experiment.nr_variants > 1 ? report->experiment.nr_variants - 1 : 0;
}

size_t primary_groups(const struct report *report)
{
	size_t n = 0, group = row_group(report);

	while (n < report->nr_rows && report->rows[n].primary)
		n++;
	return group ? n / group : 0;
}

const struct side *group_base(const struct report_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (rows[i].verdict.has_effect)
			return &rows[i].verdict.a;
	}
	return NULL;
}

const struct report_side *report_side_of(const struct report *report, const char *point,
					 size_t variant)
{
	const struct experiment_row *experiment = &report->experiment;

	for (size_t i = 0; report->sides && i < experiment->nr_points; i++) {
		if (!strcmp(experiment->points[i].label, point))
			return &report->sides[i * experiment->nr_variants + variant];
	}
	return NULL;
}

const struct point_row *report_point_of(const struct report *report, const char *point)
{
	for (size_t i = 0; i < report->experiment.nr_points; i++) {
		if (!strcmp(report->experiment.points[i].label, point))
			return &report->experiment.points[i];
	}
	return NULL;
}

const char *report_fact(const struct report *report, const char *name)
{
	for (size_t i = 0; i < report->nr_facts; i++) {
		if (!strcmp(report->facts[i].name, name))
			return report->facts[i].value;
	}
	return NULL;
}

bool experiment_simulated(const struct experiment_row *experiment)
{
	const char *settings = experiment->nr_variants ? experiment->variants[0].settings : NULL;

	return settings && strstr(settings, "backend = sim\n");
}
