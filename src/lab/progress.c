// SPDX-License-Identifier: GPL-2.0-only
#include "lab/progress.h"

#include "base/mem.h"
#include "base/strbuf.h"
#include "lab/boots.h"

#include <errno.h>
#include <limits.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The first runs of one variant at one point. */
struct pair {
	unsigned int runs;
	unsigned int first_failed;
};

struct cost {
	uint64_t sum_ns;
	uint64_t runs;
};

/*
 * done:     [block * variants * points + point * variants + variant], number of runs
 * each:     that make it complete
 * boots:    where variants differ by kernel, else NULL; then @done is not kept
 * pairs:    [point * variants + variant]
 * costs:    [point]
 * given_up: [point]
 */
struct progress {
	const struct experiment *experiment;
	const struct host *host;
	uint64_t blocks;
	size_t slots;
	unsigned char *done;
	unsigned char each;
	struct boots *boots;
	struct pair *pairs;
	struct cost *costs;
	bool *given_up;
	uint64_t spent_ns;
	int64_t position;
};

struct progress *progress_new(const struct experiment *experiment, const struct host *host)
{
	struct progress *p = xcalloc(1, sizeof(*p));

	p->experiment = experiment;
	p->host = host;
	p->blocks = plan_most_blocks(experiment);
	p->slots = experiment->nr_variants * experiment->nr_points;
	p->done = xcalloc(p->blocks * p->slots, sizeof(*p->done));
	p->each = (unsigned char)experiment->runs_per_block;
	if (experiment->by_kernel)
		p->boots = boots_new(experiment, host);
	p->pairs = xcalloc(p->slots, sizeof(*p->pairs));
	p->costs = xcalloc(experiment->nr_points, sizeof(*p->costs));
	p->given_up = xcalloc(experiment->nr_points, sizeof(*p->given_up));
	return p;
}

void progress_free(struct progress *p)
{
	if (!p)
		return;
	boots_free(p->boots);
	free(p->done);
	free(p->pairs);
	free(p->costs);
	free(p->given_up);
	free(p);
}

static size_t pair_index(const struct progress *p, size_t point, size_t variant)
{
	return point * p->experiment->nr_variants + variant;
}

static unsigned char *done_at(const struct progress *p, uint64_t block, size_t point,
			      size_t variant)
{
	return &p->done[block * p->slots + pair_index(p, point, variant)];
}

static void add_run(struct progress *p, const struct run_row *run, uint64_t cost_ns,
		    const char *boot_id)
{
	struct pair *pair;
	unsigned char *done;

	if (run->position >= p->position)
		p->position = run->position + 1;
	/* what is not of this plan can't be stored with its fingerprint, but files get edited */
	if (run->variant >= p->experiment->nr_variants || run->point >= p->experiment->nr_points)
		return;
	if (cost_ns) {
		p->costs[run->point].sum_ns += cost_ns;
		p->costs[run->point].runs++;
	}
	if (run->warmup || run->block < 0 || (uint64_t)run->block >= p->blocks)
		return;
	pair = &p->pairs[pair_index(p, run->point, run->variant)];
	if (pair->runs < GIVE_UP_AFTER)
		pair->first_failed += run->result.status != RUN_OK;
	pair->runs++;
	p->given_up[run->point] |= pair->first_failed == GIVE_UP_AFTER;
	done = done_at(p, (uint64_t)run->block, run->point, run->variant);
	*done += *done < UCHAR_MAX;
	if (p->boots)
		boots_add(p->boots, boot_id, run->point);
}

void progress_add(struct progress *p, const struct run_row *run, uint64_t cost_ns)
{
	add_run(p, run, cost_ns, p->host->boot_id);
}

static uint64_t wall_ns(const struct result *result)
{
	for (size_t i = 0; i < result->nr_counters; i++)
		if (!strcmp(result->counters[i].name, "wall") && result->counters[i].value > 0)
			return (uint64_t)result->counters[i].value;
	return 0;
}

/* Take in the runs of one session. */
static void add_session(struct progress *p, const struct session_row *session,
			const struct run_row *runs, size_t n)
{
	int64_t end_ns = session->started_ns;

	for (size_t i = 0; i < n; i++) {
		uint64_t wall = wall_ns(&runs[i].result);

		if (runs[i].session != session->id)
			continue;
		add_run(p, &runs[i], wall, session->boot_id);
		if (runs[i].started_ns + (int64_t)wall > end_ns)
			end_ns = runs[i].started_ns + (int64_t)wall;
	}
	p->spent_ns += (uint64_t)(end_ns - session->started_ns);
}

int progress_load(struct progress *p, struct store *store, int64_t id, struct error *err)
{
	struct session_row *sessions = NULL;
	struct run_row *runs = NULL;
	size_t nr_sessions = 0, nr_runs = 0;
	int ret;

	ret = store_load_sessions(store, id, &sessions, &nr_sessions, err);
	if (!ret)
		ret = store_load_runs(store, id, &runs, &nr_runs, err);
	for (size_t i = 0; i < nr_sessions && !ret; i++)
		add_session(p, &sessions[i], runs, nr_runs);
	for (size_t i = 0; i < nr_sessions; i++)
		session_row_release(&sessions[i]);
	for (size_t i = 0; i < nr_runs; i++)
		run_row_release(&runs[i]);
	free(sessions);
	free(runs);
	return ret;
}

int64_t progress_position(const struct progress *p)
{
	return p->position;
}

uint64_t progress_spent_ns(const struct progress *p)
{
	return p->spent_ns;
}

uint64_t progress_cost_ns(const struct progress *p, size_t point)
{
	const struct cost *cost = &p->costs[point];

	return cost->runs ? cost->sum_ns / cost->runs : 0;
}

bool progress_given_up(const struct progress *p, size_t point)
{
	return p->given_up[point];
}

bool progress_started(const struct progress *p, int64_t block)
{
	const unsigned char *done = &p->done[(uint64_t)block * p->slots];

	for (size_t i = 0; i < p->slots; i++)
		if (done[i])
			return true;
	return false;
}

/* Has the block all runs that will ever be made? */
static bool block_done(const struct progress *p, uint64_t block)
{
	for (size_t i = 0; i < p->experiment->nr_points; i++)
		for (size_t v = 0; v < p->experiment->nr_variants; v++)
			if (*done_at(p, block, i, v) < p->each && !p->given_up[i])
				return false;
	return true;
}

uint64_t progress_blocks_done(const struct progress *p)
{
	uint64_t n = 0;

	if (p->boots)
		return boots_blocks_done(p->boots, p->given_up);
	for (uint64_t b = 0; b < p->blocks; b++)
		n += block_done(p, b) && progress_started(p, (int64_t)b);
	return n;
}

static bool kernel_booted(const struct progress *p, size_t variant)
{
	return settings_kernel_matches(p->experiment->variants[variant].settings, p->host->release);
}

int progress_check_kernel(const struct progress *p, struct error *err)
{
	struct strbuf wants = { 0 };
	int ret;

	for (size_t v = 0; v < p->experiment->nr_variants; v++) {
		const struct variant *variant = &p->experiment->variants[v];

		if (kernel_booted(p, v)) {
			strbuf_release(&wants);
			return p->boots ? boots_check(p->boots, err) : 0;
		}
		strbuf_addf(&wants, "%s%s (%s)", v ? ", " : "", settings_kernel(variant->settings),
			    variant->name);
	}
	ret = error_set(err, EINVAL,
			"no variant is for the kernel that is booted, %s; they want %s",
			p->host->release, strbuf_str(&wants));
	strbuf_release(&wants);
	return ret;
}

/*
 * Append the runs of @block that are left; @runs has room for a whole block. Those that are there were the first of
 * their point and variant in the block's order.
 */
static size_t block_todo(const struct progress *p, uint64_t block, struct planned_run *runs)
{
	const size_t size = plan_block_size(p->experiment);
	unsigned char *skip = xcalloc(p->slots, sizeof(*skip));
	struct planned_run *end = runs;

	memcpy(skip, &p->done[block * p->slots], p->slots * sizeof(*skip));
	plan_block(p->experiment, (int64_t)block, runs);
	for (size_t i = 0; i < size; i++) {
		struct planned_run run = runs[i];
		unsigned char *made = &skip[pair_index(p, run.point, run.variant)];

		if (*made)
			(*made)--;
		else if (!p->given_up[run.point])
			*end++ = run;
	}
	free(skip);
	return (size_t)(end - runs);
}

static bool in_warmup(const struct progress *p, const struct planned_run *run)
{
	return !p->given_up[run->point] && (!p->boots || run->variant == boots_variant(p->boots));
}

static size_t warmup_todo(const struct progress *p, struct planned_run *runs)
{
	const size_t size = plan_warmup_size(p->experiment);
	size_t n = 0;

	for (uint64_t w = 0; w < p->experiment->warmup; w++) {
		struct planned_run *round = &runs[n], *end = round;

		plan_block(p->experiment, -1 - (int64_t)w, round);
		for (size_t i = 0; i < size; i++)
			if (in_warmup(p, &round[i]))
				*end++ = round[i];
		n += (size_t)(end - round);
	}
	return n;
}

static size_t blocks_todo(const struct progress *p, struct planned_run *runs)
{
	size_t n = 0;

	if (p->boots)
		return boots_todo(p->boots, p->given_up, runs);
	for (uint64_t b = 0; b < p->blocks; b++)
		n += block_todo(p, b, &runs[n]);
	return n;
}

struct planned_run *progress_todo(const struct progress *p, size_t *n)
{
	const struct experiment *experiment = p->experiment;
	struct planned_run *rest, *runs;
	size_t warmup, left;

	rest = xcalloc(p->boots ? plan_boot_size(experiment)
				: p->blocks * plan_block_size(experiment),
		       sizeof(*rest));
	left = blocks_todo(p, rest);
	runs = xcalloc(experiment->warmup * plan_warmup_size(experiment) + left, sizeof(*runs));
	warmup = left ? warmup_todo(p, runs) : 0;
	memcpy(&runs[warmup], rest, left * sizeof(*rest));
	free(rest);
	*n = warmup + left;
	return runs;
}

bool progress_finished(const struct progress *p)
{
	if (p->boots)
		return boots_finished(p->boots, p->given_up);
	for (uint64_t b = 0; b < p->blocks; b++)
		if (!block_done(p, b))
			return false;
	return true;
}

char *progress_left(const struct progress *p)
{
	uint64_t done = progress_blocks_done(p);

	if (p->boots)
		return boots_left(p->boots, p->given_up);
	if (done >= p->blocks)
		return NULL;
	return xasprintf("%" PRIu64 " of %" PRIu64 " blocks are left for another session: "
			 "--resume makes it\n",
			 p->blocks - done, p->blocks);
}

char *progress_failures(const struct progress *p)
{
	struct strbuf sb = { 0 };

	for (size_t i = 0; i < p->experiment->nr_points; i++)
		for (size_t v = 0; v < p->experiment->nr_variants; v++)
			if (p->pairs[pair_index(p, i, v)].first_failed == GIVE_UP_AFTER)
				strbuf_addf(
					&sb,
					"%s: given up, the first %d runs of variant %s failed\n",
					p->experiment->points[i].label, GIVE_UP_AFTER,
					p->experiment->variants[v].name);
	return sb.len ? strbuf_take(&sb) : NULL;
}
