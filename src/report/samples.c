// SPDX-License-Identifier: GPL-2.0-only
#include "report/samples.h"

#include "base/mem.h"
#include "base/rng.h"
#include "stats/order.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sample_run {
	const struct run_row *run;
	int64_t unit; /* position, or number of the boot */
};

/* Boots are numbered by the first session that saw them. */
static int find_boot(int64_t *boot, const struct session_row *sessions, size_t n, int64_t id)
{
	for (size_t i = 0; i < n; i++) {
		if (sessions[i].id != id)
			continue;
		for (size_t k = 0; k <= i; k++) {
			if (!strcmp(sessions[k].boot_id, sessions[i].boot_id)) {
				*boot = (int64_t)k;
				return 0;
			}
		}
	}
	return -ENOENT;
}

static int by_place(const void *x, const void *y)
{
	const struct sample_run *a = x, *b = y;

	if (a->run->point != b->run->point)
		return a->run->point < b->run->point ? -1 : 1;
	if (a->run->variant != b->run->variant)
		return a->run->variant < b->run->variant ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return (a->run->position > b->run->position) - (a->run->position < b->run->position);
}

static int check_run(const struct run_row *run, const struct experiment_row *experiment,
		     struct error *err)
{
	if (run->variant < experiment->nr_variants && run->point < experiment->nr_points)
		return 0;
	return error_set(err, EINVAL,
			 "run %" PRId64 " of experiment '%s': no such variant or workload", run->id,
			 experiment->name);
}

static int set_unit(struct sample_run *sample, const struct experiment_row *experiment,
		    const struct session_row *sessions, size_t nr_sessions, struct error *err)
{
	const struct run_row *run = sample->run;

	if (!experiment->runs_per_boot) {
		sample->unit = run->position;
		return 0;
	}
	if (!find_boot(&sample->unit, sessions, nr_sessions, run->session))
		return 0;
	return error_set(err, EINVAL, "run %" PRId64 " of experiment '%s': no such session",
			 run->id, experiment->name);
}

static void note_firsts(struct samples *samples, size_t n)
{
	size_t slots = samples->nr_points * samples->nr_variants, slot = 0;

	samples->first = xcalloc(slots + 1, sizeof(*samples->first));
	for (size_t i = 0; i < n; i++) {
		const struct run_row *run = samples->runs[i].run;
		size_t at = run->point * samples->nr_variants + run->variant;

		while (slot <= at)
			samples->first[slot++] = i;
	}
	while (slot <= slots)
		samples->first[slot++] = n;
}

/* The variant of each boot that made a run, in the order in which they did; -1 for a boot of several. */
static size_t list_boots(const struct run_row *runs, size_t nr_runs,
			 const struct session_row *sessions, size_t nr_sessions, int64_t *variants)
{
	int64_t *boots = xcalloc(nr_sessions, sizeof(*boots));
	size_t n = 0;

	for (size_t i = 0; i < nr_runs; i++) {
		int64_t boot = 0;
		size_t k = 0;

		if (runs[i].warmup || find_boot(&boot, sessions, nr_sessions, runs[i].session))
			continue;
		while (k < n && boots[k] != boot)
			k++;
		if (k == n) {
			boots[n] = boot;
			variants[n++] = (int64_t)runs[i].variant;
		} else if (variants[k] != (int64_t)runs[i].variant) {
			variants[k] = -1;
		}
	}
	free(boots);
	return n;
}

/* Have the boots so far the order that was drawn from the seed? */
static bool boots_follow_plan(const struct experiment_row *experiment, const int64_t *variants,
			      size_t n)
{
	const size_t each = experiment->runs_per_block ? experiment->runs_per_block : 1;
	const size_t size = experiment->nr_variants * each;
	unsigned int *block = xcalloc(size, sizeof(*block));
	bool same = true;

	for (size_t i = 0; i < n && same; i++) {
		struct rng rng;

		if (i % size == 0) {
			rng_seed(&rng, experiment->seed, STORE_BOOT_ORDER, i / size);
			rng_permuted_block(&rng, block, experiment->nr_variants, each);
		}
		same = variants[i] == (int64_t)block[i % size];
	}
	free(block);
	return same;
}

int samples_init(struct samples *samples, const struct experiment_row *experiment,
		 const struct session_row *sessions, size_t nr_sessions, const struct run_row *runs,
		 size_t nr_runs, struct error *err)
{
	struct samples s = {
		.runs = xcalloc(nr_runs, sizeof(*s.runs)),
		.nr_points = experiment->nr_points,
		.nr_variants = experiment->nr_variants,
		.by_boot = experiment->runs_per_boot > 0,
		.drawn = true,
	};
	size_t n = 0;
	int ret = 0;

	for (size_t i = 0; i < nr_runs && !ret; i++) {
		ret = check_run(&runs[i], experiment, err);
		if (ret || runs[i].warmup)
			continue;
		s.runs[n].run = &runs[i];
		ret = set_unit(&s.runs[n++], experiment, sessions, nr_sessions, err);
	}
	if (ret) {
		free(s.runs);
		return ret;
	}
	if (s.by_boot) {
		int64_t *variants = xcalloc(nr_sessions, sizeof(*variants));
		size_t boots = list_boots(runs, nr_runs, sessions, nr_sessions, variants);

		s.drawn = boots_follow_plan(experiment, variants, boots);
		free(variants);
	}
	qsort(s.runs, n, sizeof(*s.runs), by_place);
	note_firsts(&s, n);
	*samples = s;
	return 0;
}

void samples_release(struct samples *samples)
{
	free(samples->runs);
	free(samples->first);
	*samples = (struct samples){ 0 };
}

/* The runs of one point and variant. */
struct slice {
	const struct sample_run *runs;
	size_t n;
};

static struct slice slice_of(const struct samples *samples, size_t point, size_t variant)
{
	const size_t *first = &samples->first[point * samples->nr_variants + variant];

	return (struct slice){ &samples->runs[first[0]], first[1] - first[0] };
}

static const char *reason_of(const struct run_row *run)
{
	return run->result.reason ? run->result.reason : run_status_name(run->result.status);
}

static size_t count_reason(struct slice slice, const char *reason)
{
	size_t n = 0;

	for (size_t i = 0; i < slice.n; i++) {
		const struct run_row *run = slice.runs[i].run;

		n += run->result.status != RUN_OK && !strcmp(reason_of(run), reason);
	}
	return n;
}

void samples_tally(const struct samples *samples, size_t point, size_t variant, struct tally *tally)
{
	struct slice slice = slice_of(samples, point, variant);
	size_t most = 0;

	*tally = (struct tally){ .runs = slice.n };
	for (size_t i = 0; i < slice.n; i++) {
		const struct run_row *run = slice.runs[i].run;
		size_t n;

		if (run->result.status == RUN_OK)
			continue;
		tally->failed++;
		n = count_reason(slice, reason_of(run));
		if (n > most) {
			most = n;
			tally->reason = reason_of(run);
		}
	}
}

static size_t add_figures(struct figure **figures, size_t n, const struct value *values,
			  size_t nr_values, bool counter)
{
	for (size_t i = 0; i < nr_values; i++) {
		size_t k = 0;

		while (k < n && ((*figures)[k].counter != counter ||
				 strcmp((*figures)[k].name, values[i].name) != 0))
			k++;
		if (k < n)
			continue;
		*figures = xreallocarray(*figures, n + 1, sizeof(**figures));
		(*figures)[n++] = (struct figure){ values[i].name, values[i].unit, values[i].better,
						   counter };
	}
	return n;
}

size_t samples_figures(const struct samples *samples, size_t point, struct figure **out)
{
	size_t first = samples->first[point * samples->nr_variants];
	size_t end = samples->first[(point + 1) * samples->nr_variants];
	size_t n = 0;

	*out = NULL;
	for (int counter = 0; counter < 2; counter++) {
		for (size_t i = first; i < end; i++) {
			const struct result *result = &samples->runs[i].run->result;

			if (result->status != RUN_OK)
				continue;
			n = counter ? add_figures(out, n, result->counters, result->nr_counters,
						  true)
				    : add_figures(out, n, result->metrics, result->nr_metrics,
						  false);
		}
	}
	return n;
}

static const struct value *value_of(const struct run_row *run, const struct figure *figure)
{
	const struct result *result = &run->result;
	const struct value *values = figure->counter ? result->counters : result->metrics;
	size_t n = figure->counter ? result->nr_counters : result->nr_metrics;

	if (result->status != RUN_OK)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(values[i].name, figure->name))
			return &values[i];
	}
	return NULL;
}

/* One figure of a unit; @counted as in struct sample_trial. */
struct unit_value {
	bool found;
	int64_t unit;
	int64_t block;
	double value;
	double counted;
};

/* Fill @out from runs[n] of one unit. */
static void read_unit(const struct sample_run *runs, size_t n, const struct figure *figure,
		      struct unit_value *out)
{
	double *values = xcalloc(n, sizeof(*values));
	size_t found = 0;

	*out = (struct unit_value){ .unit = runs->unit, .block = runs->run->block, .counted = 1 };
	for (size_t i = 0; i < n; i++) {
		const struct value *value = value_of(runs[i].run, figure);

		if (!value)
			continue;
		values[found++] = value->value;
		if (value->counted < out->counted)
			out->counted = value->counted;
	}
	out->found = found > 0;
	if (found)
		out->value = median(values, found);
	free(values);
}

/* Take units off @slice up to the first that has the figure. */
static void advance(struct slice *slice, const struct figure *figure, struct unit_value *out)
{
	*out = (struct unit_value){ 0 };
	while (slice->n && !out->found) {
		size_t n = 1;

		while (n < slice->n && slice->runs[n].unit == slice->runs->unit)
			n++;
		read_unit(slice->runs, n, figure, out);
		slice->runs += n;
		slice->n -= n;
	}
}

static void add_unit(struct sample_trial *t, const struct unit_value *unit, unsigned char side)
{
	size_t i = t->trial.n++;

	t->value[i] = unit->value;
	t->side[i] = side;
	t->block[i] = (unsigned int)unit->block;
	if (unit->counted < t->counted)
		t->counted = unit->counted;
}

/* Did each block begin after the one before it had ended? */
static bool blocks_in_turn(const struct sample_trial *t)
{
	for (size_t i = 1; i < t->trial.n; i++)
		if (t->block[i] < t->block[i - 1])
			return false;
	return true;
}

static enum trial_order order_of(const struct samples *samples, const struct sample_trial *t)
{
	return samples->drawn && blocks_in_turn(t) ? TRIAL_RANDOM : TRIAL_SEQUENCE;
}

void samples_trial(const struct samples *samples, size_t point, size_t variant,
		   const struct figure *figure, struct sample_trial *t)
{
	struct slice slices[2] = { slice_of(samples, point, 0), slice_of(samples, point, variant) };
	size_t most = slices[0].n + slices[1].n;
	struct unit_value next[2];
	struct tally a, b;

	*t = (struct sample_trial){
		.value = xcalloc(most, sizeof(*t->value)),
		.side = xcalloc(most, sizeof(*t->side)),
		.block = xcalloc(most, sizeof(*t->block)),
		.counted = 1,
	};
	for (size_t k = 0; k < 2; k++)
		advance(&slices[k], figure, &next[k]);
	while (next[0].found || next[1].found) {
		size_t k = !next[0].found || (next[1].found && next[1].unit < next[0].unit);

		add_unit(t, &next[k], (unsigned char)k);
		advance(&slices[k], figure, &next[k]);
	}
	samples_tally(samples, point, 0, &a);
	samples_tally(samples, point, variant, &b);
	t->trial.value = t->value;
	t->trial.side = t->side;
	t->trial.block = t->block;
	t->trial.order = order_of(samples, t);
	t->trial.runs_a = a.runs;
	t->trial.runs_b = b.runs;
	t->trial.failed_a = a.failed;
	t->trial.failed_b = b.failed;
	t->trial.exact = figure->unit == UNIT_COUNT;
	t->trial.unit_is_boot = samples->by_boot;
}

void sample_trial_release(struct sample_trial *t)
{
	free(t->value);
	free(t->side);
	free(t->block);
	*t = (struct sample_trial){ 0 };
}
