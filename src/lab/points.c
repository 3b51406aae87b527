// SPDX-License-Identifier: GPL-2.0-only
/* lab/points.c - a [workload] section: one point, or one for each combination of its lists. */
#include "lab/parsing.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct frame {
	char *type;
	uint64_t timeout_ns;
};

const struct opt experiment_workload_opts[] = {
	OPT(struct frame, type, NULL, 0, 0, "the workload to run (default: the section's name)"),
	OPT_NS(struct frame, "timeout", timeout_ns, "120s", 1e9, 86400e9,
	       "time after which a run is killed and counts as failed"),
	OPT_END,
};

static int unknown_workload(const struct parsing *p, const struct ini_key *type)
{
	const char *name = type ? type->value : p->label;
	const char *near = workload_nearest(name);
	struct strbuf known = { 0 };
	int ret;

	for (size_t i = 0; workload_at(i); i++)
		strbuf_addf(&known, "%s%s", i ? ", " : "", workload_at(i)->name);
	if (near)
		ret = error_set(p->err, EINVAL, "unknown workload '%.80s', did you mean '%s'?",
				name, near);
	else
		ret = error_set(p->err, EINVAL, "unknown workload '%.80s', %s one of: %s", name,
				type ? "there is" : "give it a type =,", strbuf_str(&known));
	strbuf_release(&known);
	return at_line(p, type ? type->line : p->section->line, ret);
}

static int unknown_key(const struct parsing *p, const struct workload *workload, const char *name)
{
	const struct opt *const tables[] = { workload->opts, experiment_workload_opts };
	struct strbuf known = { 0 };
	struct nearest nearest;
	int ret;

	nearest_init(&nearest, name);
	for (size_t t = 0; t < ARRAY_SIZE(tables); t++) {
		for (const struct opt *opt = tables[t]; opt->name; opt++) {
			nearest_offer(&nearest, opt->name);
			strbuf_addf(&known, "%s%s", known.len ? ", " : "", opt->name);
		}
	}
	if (nearest.best)
		ret = error_set(p->err, EINVAL,
				"unknown key '%.80s' of workload %s, did you mean '%s'?", name,
				workload->name, nearest.best);
	else
		ret = error_set(p->err, EINVAL, "unknown key '%.80s' of workload %s, known are: %s",
				name, workload->name, strbuf_str(&known));
	strbuf_release(&known);
	return ret;
}

static bool is_list(const struct opt *opt, const char *value)
{
	return opt->type != OPT_TYPE_STR && strchr(value, ',');
}

static size_t list_len(const char *value)
{
	size_t n = 1;

	for (; *value; value++)
		n += *value == ',';
	return n;
}

/* Place @i of "a, b, c" without blanks around it; the caller's to free. */
static char *list_item(const char *value, size_t i)
{
	size_t n;

	while (i--)
		value = strchr(value, ',') + 1;
	value += strspn(value, " \t");
	n = strcspn(value, ",");
	while (n && strchr(" \t", value[n - 1]))
		n--;
	return xstrndup(value, n);
}

/* Set the section's own keys and count the combinations of the workload's. */
static int read_keys(struct parsing *p, struct frame *frame, const struct workload *workload,
		     uint64_t *combinations)
{
	uint64_t most = EXPERIMENT_MAX_POINTS - p->experiment->nr_points;

	*combinations = 1;
	for (size_t i = 0; i < p->section->nr_keys; i++) {
		const struct ini_key *key = &p->section->keys[i];
		const struct opt *opt = opts_find(workload->opts, key->name);
		int ret = need_value(key, p->err);

		if (!ret && opts_find(experiment_workload_opts, key->name))
			ret = opts_set(experiment_workload_opts, frame, key->name, key->value,
				       p->err);
		else if (!ret && !opt)
			ret = unknown_key(p, workload, key->name);
		else if (!ret && is_list(opt, key->value))
			*combinations *= list_len(key->value);
		if (ret)
			return at_line(p, key->line, ret);
		if (*combinations > most)
			break; /* before it can overflow */
	}
	if (*combinations <= most)
		return 0;
	return at_line(p, p->section->line,
		       error_set(p->err, ERANGE,
				 "its lists make too many points, allowed are %d in all workloads",
				 EXPERIMENT_MAX_POINTS));
}

/* One key of the point; in a list, the place that belongs to combination *@c. */
static int set_key(const struct parsing *p, struct point *point, const struct ini_key *key,
		   size_t place)
{
	const struct opt *opt = opts_find(point->workload->opts, key->name);
	char *item;
	int ret;

	if (!is_list(opt, key->value))
		return opt_parse(opt, point->cfg, key->value, p->err);
	item = list_item(key->value, place);
	if (*item)
		ret = opt_parse(opt, point->cfg, item, p->err);
	else
		ret = error_set(p->err, EINVAL, "%s: place %zu of the list '%.80s' is empty",
				opt->name, place + 1, key->value);
	free(item);
	return ret;
}

/* The label's end: the value that a list gives to this point. */
static void add_to_label(struct strbuf *label, const struct opt *opt, const void *cfg)
{
	strbuf_addf(label, " %s=", opt->name);
	opt_print(opt, cfg, label);
}

static void print_params(struct point *point)
{
	const struct opt *opts = point->workload->opts;
	size_t n = 0;

	while (opts[n].name)
		n++;
	point->params = xcalloc(n + 1, sizeof(*point->params));
	n = 0;
	for (const struct opt *opt = opts; opt->name; opt++) {
		struct strbuf sb = { 0 };

		if (opt->type == OPT_TYPE_STR && !*(char **)((char *)point->cfg + opt->offset))
			continue;
		strbuf_addf(&sb, "%s=", opt->name);
		opt_print(opt, point->cfg, &sb);
		point->params[n++] = strbuf_take(&sb);
	}
}

/* Which place of each list makes combination @c; the first list turns slowest. */
static void combination_places(const struct parsing *p, const struct workload *workload, uint64_t c,
			       size_t *places)
{
	for (size_t i = p->section->nr_keys; i-- > 0;) {
		const struct ini_key *key = &p->section->keys[i];
		const struct opt *opt = opts_find(workload->opts, key->name);
		size_t n = opt && is_list(opt, key->value) ? list_len(key->value) : 1;

		places[i] = c % n;
		c /= n;
	}
}

static int check_label(const struct parsing *p, const char *label, unsigned int line)
{
	for (size_t i = 0; i < p->experiment->nr_points; i++)
		if (!strcmp(p->experiment->points[i].label, label))
			return at_line(p, line,
				       error_set(p->err, EINVAL, "'%s' is there twice", label));
	return 0;
}

static int build_point(const struct parsing *p, struct point *point, const size_t *places)
{
	struct strbuf label = { 0 };
	unsigned int line = p->section->line;
	int ret = 0;

	point->cfg = xcalloc(1, point->workload->cfg_size);
	opts_init(point->workload->opts, point->cfg);
	strbuf_addstr(&label, p->label);
	for (size_t i = 0; i < p->section->nr_keys && !ret; i++) {
		const struct ini_key *key = &p->section->keys[i];
		const struct opt *opt = opts_find(point->workload->opts, key->name);

		if (!opt || opts_find(experiment_workload_opts, key->name))
			continue;
		ret = at_line(p, key->line, set_key(p, point, key, places[i]));
		if (!ret && is_list(opt, key->value)) {
			add_to_label(&label, opt, point->cfg);
			line = key->line;
		}
	}
	point->label = strbuf_take(&label);
	point->place = xasprintf("%s:%u", p->path, line);
	if (!ret && point->workload->check)
		ret = at_line(p, line, point->workload->check(point->cfg, p->err));
	if (!ret)
		ret = check_label(p, point->label, line);
	if (!ret)
		print_params(point);
	return ret;
}

static int add_points(struct parsing *p, const struct workload *workload, uint64_t timeout_ns,
		      uint64_t combinations)
{
	struct experiment *experiment = p->experiment;
	size_t *places = xcalloc(p->section->nr_keys, sizeof(*places));
	int ret = 0;

	experiment->points = xreallocarray(experiment->points, experiment->nr_points + combinations,
					   sizeof(*experiment->points));
	for (uint64_t c = 0; c < combinations && !ret; c++) {
		struct point point = { .workload = workload, .timeout_ns = timeout_ns };

		combination_places(p, workload, c, places);
		ret = build_point(p, &point, places);
		if (ret)
			point_release(&point);
		else
			experiment->points[experiment->nr_points++] = point;
	}
	free(places);
	return ret;
}

int parse_workload(struct parsing *p)
{
	const struct ini_key *type = ini_section_find(p->section, "type");
	const struct workload *workload = workload_find(type ? type->value : p->label);
	struct frame frame = { 0 };
	uint64_t combinations;
	int ret;

	if (!workload)
		return unknown_workload(p, type);
	opts_init(experiment_workload_opts, &frame);
	ret = read_keys(p, &frame, workload, &combinations);
	if (!ret)
		ret = add_points(p, workload, frame.timeout_ns, combinations);
	opts_release(experiment_workload_opts, &frame);
	return ret;
}

void point_release(struct point *point)
{
	for (char **param = point->params; param && *param; param++)
		free(*param);
	free(point->params);
	if (point->cfg)
		opts_release(point->workload->opts, point->cfg);
	free(point->cfg);
	free(point->label);
	free(point->place);
}
