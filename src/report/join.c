// SPDX-License-Identifier: GPL-2.0-only
#include "report/join.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE SIZE_MAX

/**
 * struct join - in the making
 * @base:   the base's experiment, whose points are those of the join
 * @kept:   kept[base->nr_points]: index in the join, or NOWHERE
 * @joined: the input that becomes the report
 * @differences: parameters that differ
 */
struct join {
	struct report_input *inputs;
	size_t nr_inputs;
	const struct join_side *sides;
	size_t n;
	const struct experiment_row *base;
	size_t *kept;
	struct report_input joined;
	struct report_difference *differences;
	size_t nr_differences;
	struct strbuf notes;
};

static const struct experiment_row *experiment_of(const struct join *join, size_t side)
{
	return &join->inputs[join->sides[side].input].experiment;
}

static bool same_point(const struct point_row *a, const struct point_row *b)
{
	return !strcmp(a->label, b->label) && !strcmp(a->workload, b->workload);
}

static size_t find_point(const struct experiment_row *experiment, const struct point_row *point)
{
	for (size_t i = 0; i < experiment->nr_points; i++) {
		if (same_point(&experiment->points[i], point))
			return i;
	}
	return NOWHERE;
}

static bool has_partner(const struct join *join, const struct point_row *point)
{
	for (size_t s = 1; s < join->n; s++) {
		if (find_point(experiment_of(join, s), point) != NOWHERE)
			return true;
	}
	return false;
}

static void note_alone(struct join *join, const struct point_row *point, const char *name)
{
	strbuf_addf(&join->notes, "%s was not compared: only %s has it\n", point->label, name);
}

static char *params_line(const struct point_row *point)
{
	char *text = xstrdup(point->params);

	for (char *c = text; *c; c++) {
		if (*c == '\n')
			*c = c[1] ? ' ' : '\0';
	}
	return text;
}

static void compare_params(struct join *join, size_t side, const struct point_row *base,
			   const struct point_row *other)
{
	if (!strcmp(base->params, other->params))
		return;
	join->differences = xreallocarray(join->differences, join->nr_differences + 1,
					  sizeof(*join->differences));
	join->differences[join->nr_differences++] = (struct report_difference){
		.fact = xasprintf("parameters of %s", base->label),
		.variant = side,
		.base = params_line(base),
		.other = params_line(other),
	};
}

/* Which points stay, and what is to be said of the others. */
static int match_points(struct join *join, struct error *err)
{
	size_t nr = 0;

	join->kept = xcalloc(join->base->nr_points, sizeof(*join->kept));
	for (size_t p = 0; p < join->base->nr_points; p++) {
		const struct point_row *point = &join->base->points[p];

		join->kept[p] = has_partner(join, point) ? nr++ : NOWHERE;
		if (join->kept[p] == NOWHERE)
			note_alone(join, point, join->sides[0].name);
	}
	if (!nr)
		return error_set(err, EINVAL, "%s and %s have no workload in common",
				 join->sides[0].name, join->sides[1].name);
	for (size_t s = 1; s < join->n; s++) {
		const struct experiment_row *experiment = experiment_of(join, s);

		for (size_t p = 0; p < experiment->nr_points; p++) {
			size_t base = find_point(join->base, &experiment->points[p]);

			if (base == NOWHERE)
				note_alone(join, &experiment->points[p], join->sides[s].name);
			else
				compare_params(join, s, &join->base->points[base],
					       &experiment->points[p]);
		}
	}
	return 0;
}

/* Sessions of all inputs, with numbers of their own: those of the first are 1 ..., and so on. */
static void take_sessions(struct join *join)
{
	struct report_input *joined = &join->joined;

	for (size_t i = 0; i < join->nr_inputs; i++) {
		struct report_input *input = &join->inputs[i];

		joined->sessions =
			xreallocarray(joined->sessions, joined->nr_sessions + input->nr_sessions,
				      sizeof(*joined->sessions));
		for (size_t s = 0; s < input->nr_sessions; s++) {
			struct session_row *session = &joined->sessions[joined->nr_sessions++];
			int64_t id = (int64_t)joined->nr_sessions;

			for (size_t r = 0; r < input->nr_runs; r++) {
				if (input->runs[r].session == input->sessions[s].id)
					input->runs[r].session = -id;
			}
			*session = input->sessions[s];
			input->sessions[s] = (struct session_row){ 0 };
			session->id = -id;
		}
	}
}

/* Stable where times are equal, as they may be in what others wrote: by the input's own order. */
static int by_time(const void *x, const void *y)
{
	const struct run_row *a = x, *b = y;

	if (a->started_ns != b->started_ns)
		return a->started_ns < b->started_ns ? -1 : 1;
	if (a->session != b->session)
		return a->session > b->session ? -1 : 1; /* they are negative */
	return (a->position > b->position) - (a->position < b->position);
}

static int sessions_by_time(const void *x, const void *y)
{
	const struct session_row *a = x, *b = y;

	if (a->started_ns != b->started_ns)
		return a->started_ns < b->started_ns ? -1 : 1;
	return (a->id < b->id) - (a->id > b->id);
}

/* What is known of a run's samples, under its new number. */
static void take_samples(struct report_input *joined, struct report_input *input, int64_t was,
			 int64_t is)
{
	for (size_t i = 0; i < input->nr_samples; i++) {
		if (input->samples[i].run != was || !input->samples[i].name)
			continue;
		joined->samples = xreallocarray(joined->samples, joined->nr_samples + 1,
						sizeof(*joined->samples));
		joined->samples[joined->nr_samples] = input->samples[i];
		joined->samples[joined->nr_samples++].run = is;
		input->samples[i].name = NULL;
	}
	for (size_t i = 0; i < input->nr_tails; i++) {
		if (input->tails[i].run != was || !input->tails[i].name)
			continue;
		joined->tails =
			xreallocarray(joined->tails, joined->nr_tails + 1, sizeof(*joined->tails));
		joined->tails[joined->nr_tails] = input->tails[i];
		joined->tails[joined->nr_tails++].run = is;
		input->tails[i].name = NULL;
	}
}

static void take_pools(struct join *join, size_t side)
{
	struct report_input *input = &join->inputs[join->sides[side].input];
	struct report_input *joined = &join->joined;

	for (size_t i = 0; i < input->nr_pools; i++) {
		struct report_pool *pool = &input->pools[i];
		size_t point = find_point(join->base, &input->experiment.points[pool->point]);

		if (pool->variant != join->sides[side].variant || point == NOWHERE ||
		    join->kept[point] == NOWHERE)
			continue;
		joined->pools =
			xreallocarray(joined->pools, joined->nr_pools + 1, sizeof(*joined->pools));
		joined->pools[joined->nr_pools] = *pool;
		joined->pools[joined->nr_pools].variant = side;
		joined->pools[joined->nr_pools++].point = join->kept[point];
		pool->name = NULL;
	}
}

static void take_runs_of(struct join *join, size_t side)
{
	struct report_input *input = &join->inputs[join->sides[side].input];
	struct report_input *joined = &join->joined;

	for (size_t i = 0; i < input->nr_runs; i++) {
		struct run_row *run = &input->runs[i];
		size_t point;

		if (run->variant != join->sides[side].variant ||
		    run->point >= input->experiment.nr_points)
			continue;
		point = find_point(join->base, &input->experiment.points[run->point]);
		if (point == NOWHERE || join->kept[point] == NOWHERE)
			continue;
		joined->runs[joined->nr_runs] = *run;
		joined->runs[joined->nr_runs].variant = side;
		joined->runs[joined->nr_runs].point = join->kept[point];
		joined->runs[joined->nr_runs].id = (int64_t)joined->nr_runs + 1;
		joined->nr_runs++;
		take_samples(joined, input, run->id, (int64_t)joined->nr_runs);
		*run = (struct run_row){ .variant = NOWHERE };
	}
}

static void take_runs(struct join *join)
{
	struct report_input *joined = &join->joined;
	size_t n = 0;

	for (size_t i = 0; i < join->nr_inputs; i++)
		n += join->inputs[i].nr_runs;
	joined->runs = xcalloc(n, sizeof(*joined->runs));
	for (size_t s = 0; s < join->n; s++) {
		take_runs_of(join, s);
		take_pools(join, s);
	}
	qsort(joined->runs, joined->nr_runs, sizeof(*joined->runs), by_time);
	if (joined->sessions)
		qsort(joined->sessions, joined->nr_sessions, sizeof(*joined->sessions),
		      sessions_by_time);
	for (size_t i = 0; i < joined->nr_runs; i++) {
		joined->runs[i].position = (int64_t)i;
		if (joined->runs[i].result.status == RUN_OK)
			joined->counts.ok += !joined->runs[i].warmup;
		else
			joined->counts.failed += !joined->runs[i].warmup;
	}
}

static struct point_row copy_point(const struct point_row *point)
{
	return (struct point_row){
		.label = xstrdup(point->label),
		.workload = xstrdup(point->workload),
		.params = xstrdup(point->params),
		.primary = xstrdup(point->primary),
	};
}

/* The base's experiment with the sides' variants and the points that are kept. */
static void take_experiment(struct join *join)
{
	struct experiment_row *base = &join->inputs[join->sides[0].input].experiment;
	struct experiment_row *experiment = &join->joined.experiment;

	*experiment = *base;
	*base = (struct experiment_row){
		.variants = base->variants,
		.nr_variants = base->nr_variants,
		.points = base->points,
		.nr_points = base->nr_points,
	};
	experiment->variants = xcalloc(join->n, sizeof(*experiment->variants));
	experiment->nr_variants = join->n;
	for (size_t s = 0; s < join->n; s++) {
		const struct variant_row *row =
			&experiment_of(join, s)->variants[join->sides[s].variant];

		experiment->variants[s] = (struct variant_row){
			.name = xstrdup(join->sides[s].name),
			.settings = xstrdup(row->settings),
			.asks = xstrdup(row->asks),
		};
	}
	experiment->points = xcalloc(base->nr_points, sizeof(*experiment->points));
	experiment->nr_points = 0;
	for (size_t p = 0; p < base->nr_points; p++) {
		if (join->kept[p] != NOWHERE)
			experiment->points[experiment->nr_points++] = copy_point(&base->points[p]);
	}
}

/* All sides that have runs of the point have equally many. */
static bool balanced(const size_t *counts, const bool *present, size_t n)
{
	size_t each = 0;

	for (size_t s = 0; s < n; s++) {
		if (!present[s])
			continue;
		if (each && counts[s] != each)
			return false;
		each = counts[s];
		if (!each)
			return false;
	}
	return each > 0;
}

/*
 * Number the blocks of one point: in the order of time, each ends as soon as all sides have equally many runs.
 *
 * Return: whether a block has at most two runs a side on average.
 */
static bool cut_blocks(struct report_input *joined, size_t point, size_t nr_sides)
{
	size_t *counts = xcalloc(nr_sides, sizeof(*counts));
	bool *present = xcalloc(nr_sides, sizeof(*present));
	size_t runs = 0, blocks = 0, sides = 0;

	for (size_t i = 0; i < joined->nr_runs; i++) {
		const struct run_row *run = &joined->runs[i];

		if (run->point == point && !run->warmup)
			present[run->variant] = true;
	}
	for (size_t i = 0; i < joined->nr_runs; i++) {
		struct run_row *run = &joined->runs[i];

		if (run->point != point || run->warmup)
			continue;
		run->block = (int64_t)blocks;
		runs++;
		counts[run->variant]++;
		if (!balanced(counts, present, nr_sides))
			continue;
		memset(counts, 0, nr_sides * sizeof(*counts));
		blocks++;
	}
	for (size_t s = 0; s < nr_sides; s++)
		sides += present[s];
	free(counts);
	free(present);
	return sides > 1 && blocks && runs <= 2 * sides * blocks;
}

/* One side after the other: the i-th runs of each are called a block, which nothing rests on. */
static void count_blocks(struct report_input *joined, size_t point, size_t nr_sides)
{
	int64_t *next = xcalloc(nr_sides, sizeof(*next));

	for (size_t i = 0; i < joined->nr_runs; i++) {
		struct run_row *run = &joined->runs[i];

		if (run->point == point && !run->warmup)
			run->block = next[run->variant]++;
	}
	free(next);
}

static void find_order(struct join *join)
{
	struct report_input *joined = &join->joined;
	size_t nr_points = joined->experiment.nr_points;
	bool by_boot = joined->experiment.runs_per_boot > 0, in_turns = true;

	for (size_t s = 1; s < join->n; s++)
		by_boot |= experiment_of(join, s)->runs_per_boot > 0;
	for (size_t p = 0; p < nr_points; p++)
		in_turns &= cut_blocks(joined, p, join->n);
	joined->experiment.runs_per_boot = by_boot;
	joined->experiment.blocks = 0;
	if (in_turns && !by_boot) {
		joined->order = TRIAL_RANDOM;
		joined->order_words = "sides of several results that took turns, in an order that "
				      "was not drawn at random";
		return;
	}
	joined->order = TRIAL_SEQUENCE;
	joined->order_words = "sides of several results, one after the other";
	for (size_t p = 0; p < nr_points; p++)
		count_blocks(joined, p, join->n);
}

static bool of_one_input(const struct join *join)
{
	for (size_t s = 1; s < join->n; s++) {
		if (join->sides[s].input != join->sides[0].input)
			return false;
	}
	return true;
}

static void keep_order(struct join *join)
{
	const struct report_input *input = &join->inputs[join->sides[0].input];

	join->joined.order = input->order;
	join->joined.order_words = input->order_words;
	join->joined.counts.blocks = input->counts.blocks;
}

static void add_notes(struct join *join)
{
	struct session_row *session = join->joined.sessions;
	char *notes;

	if (!join->joined.nr_sessions || !join->notes.len)
		return;
	notes = xasprintf("%s%s%s", session->notes, *session->notes ? "\n" : "", join->notes.s);
	free(session->notes);
	session->notes = notes;
}

static void add_differences(struct join *join, struct report *report)
{
	size_t n = report->nr_differences + join->nr_differences;

	report->differences = xreallocarray(report->differences, n, sizeof(*report->differences));
	for (size_t i = 0; i < join->nr_differences; i++)
		report->differences[report->nr_differences++] = join->differences[i];
	join->nr_differences = 0;
}

int report_join(struct report **out, struct report_input *inputs, size_t nr_inputs,
		const struct join_side *sides, size_t n, struct error *err)
{
	struct join join = {
		.inputs = inputs,
		.nr_inputs = nr_inputs,
		.sides = sides,
		.n = n,
		.base = &inputs[sides[0].input].experiment,
	};
	int ret = match_points(&join, err);

	if (!ret) {
		take_sessions(&join);
		take_runs(&join);
		take_experiment(&join);
		if (of_one_input(&join)) {
			keep_order(&join);
		} else {
			find_order(&join);
			free(join.joined.experiment.name);
			join.joined.experiment.name = xstrdup("comparison");
		}
		add_notes(&join);
		ret = report_build_input(out, &join.joined, err);
	}
	if (!ret)
		add_differences(&join, *out);
	for (size_t i = 0; i < join.nr_differences; i++) {
		free(join.differences[i].fact);
		free(join.differences[i].base);
		free(join.differences[i].other);
	}
	free(join.differences);
	report_input_release(&join.joined);
	strbuf_release(&join.notes);
	free(join.kept);
	return ret;
}
