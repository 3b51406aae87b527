// SPDX-License-Identifier: GPL-2.0-only
#include "report/samples.h"

#include "base/mem.h"
#include "base/rng.h"
#include "report/samples_parts.h"
#include "report/support.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static size_t block_runs(const struct experiment_row *experiment)
{
	size_t units = experiment->nr_variants * experiment->runs_per_block;

	return experiment->runs_per_boot ? units * experiment->runs_per_boot : units;
}

static bool is_drawn(const struct report_input *input)
{
	int64_t *variants = xcalloc(input->nr_sessions, sizeof(*variants));
	size_t n = list_boots(input->runs, input->nr_runs, input->sessions, input->nr_sessions,
			      variants);
	bool same = boots_follow_plan(&input->experiment, variants, n);

	free(variants);
	return same;
}

int samples_check(const struct report_input *input, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; i < input->nr_runs && !ret; i++)
		ret = check_run(&input->runs[i], &input->experiment, err);
	return ret;
}

int samples_init(struct samples *samples, const struct report_input *input, struct error *err)
{
	const struct experiment_row *experiment = &input->experiment;
	struct samples s = {
		.runs = xcalloc(input->nr_runs, sizeof(*s.runs)),
		.nr_points = experiment->nr_points,
		.nr_variants = experiment->nr_variants,
		.by_boot = experiment->runs_per_boot > 0,
		.simulated = experiment_simulated(experiment),
		.order = input->order,
		.block_runs = block_runs(experiment),
		.finished = experiment->finished,
		.counts = input->samples,
		.nr_counts = input->nr_samples,
		.tails = input->tails,
		.nr_tails = input->nr_tails,
	};
	int ret = samples_check(input, err);
	size_t n = 0;

	for (size_t i = 0; i < input->nr_runs && !ret; i++) {
		if (input->runs[i].warmup)
			continue;
		s.runs[n].run = &input->runs[i];
		ret = set_unit(&s.runs[n++], experiment, input->sessions, input->nr_sessions, err);
	}
	if (ret) {
		free(s.runs);
		return ret;
	}
	if (s.by_boot && s.order == TRIAL_RANDOM && !is_drawn(input))
		s.order = TRIAL_SEQUENCE;
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

struct slice samples_slice(const struct samples *samples, size_t point, size_t variant)
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
	struct slice slice = samples_slice(samples, point, variant);
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

size_t samples_count(const struct samples *samples, size_t point, size_t variant,
		     enum run_status status, size_t *units)
{
	struct slice slice = samples_slice(samples, point, variant);
	size_t n = 0;

	*units = 0;
	for (size_t i = 0; i < slice.n;) {
		int64_t unit = slice.runs[i].unit;
		bool found = false;

		for (; i < slice.n && slice.runs[i].unit == unit; i++)
			found |= slice.runs[i].run->result.status == status;
		n += found;
		(*units)++;
	}
	return n;
}

size_t samples_blocks_done(const struct samples *samples, size_t point)
{
	size_t first = samples->first[point * samples->nr_variants];
	size_t end = samples->first[(point + 1) * samples->nr_variants];
	size_t n = end - first, done = 0, begun = 0;
	size_t *runs = xcalloc(n, sizeof(*runs));

	/* every block has a run or more, so there are no more blocks than runs */
	for (size_t i = first; i < end; i++) {
		int64_t block = samples->runs[i].run->block;

		if (block >= (int64_t)n)
			continue;
		runs[block]++;
		if ((size_t)block >= begun)
			begun = (size_t)block + 1;
	}
	while (done < begun && (runs[done] >= samples->block_runs ||
				(samples->by_boot && (samples->finished || done + 1 < begun))))
		done++;
	free(runs);
	return done;
}
