// SPDX-License-Identifier: GPL-2.0-only
#include "lab/progress.h"

#include "base/mem.h"
#include "base/strbuf.h"

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
 * done:        [block * size + point * variants + variant], the run is there
 * here:        [block * variants + variant], this boot made a run of it
 * blocks_here: number of those for each variant
 * pairs:       [point * variants + variant]
 * costs:       [point]
 * given_up:    [point]
 */
struct progress {
	const struct experiment *experiment;
	const struct host *host;
	uint64_t blocks;
	size_t size;
	bool *done;
	bool *here;
	uint64_t *blocks_here;
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
	p->size = plan_block_size(experiment);
	p->done = xcalloc(p->blocks * p->size, sizeof(*p->done));
	p->here = xcalloc(p->blocks * experiment->nr_variants, sizeof(*p->here));
	p->blocks_here = xcalloc(experiment->nr_variants, sizeof(*p->blocks_here));
	p->pairs = xcalloc(p->size, sizeof(*p->pairs));
	p->costs = xcalloc(experiment->nr_points, sizeof(*p->costs));
	p->given_up = xcalloc(experiment->nr_points, sizeof(*p->given_up));
	return p;
}

void progress_free(struct progress *p)
{
	if (!p)
		return;
	free(p->done);
	free(p->here);
	free(p->blocks_here);
	free(p->pairs);
	free(p->costs);
	free(p->given_up);
	free(p);
}

static size_t pair_index(const struct progress *p, size_t point, size_t variant)
{
	return point * p->experiment->nr_variants + variant;
}

static bool *done_at(const struct progress *p, uint64_t block, size_t point, size_t variant)
{
	return &p->done[block * p->size + pair_index(p, point, variant)];
}

static void mark_here(struct progress *p, const struct run_row *run)
{
	bool *here = &p->here[(uint64_t)run->block * p->experiment->nr_variants + run->variant];

	p->blocks_here[run->variant] += !*here;
	*here = true;
}

static void add_run(struct progress *p, const struct run_row *run, uint64_t cost_ns, bool this_boot)
{
	struct pair *pair;

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
	*done_at(p, (uint64_t)run->block, run->point, run->variant) = true;
	if (this_boot)
		mark_here(p, run);
}

void progress_add(struct progress *p, const struct run_row *run, uint64_t cost_ns)
{
	add_run(p, run, cost_ns, true);
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
	const bool this_boot = !strcmp(session->boot_id, p->host->boot_id);
	int64_t end_ns = session->started_ns;

	for (size_t i = 0; i < n; i++) {
		uint64_t wall = wall_ns(&runs[i].result);

		if (runs[i].session != session->id)
			continue;
		add_run(p, &runs[i], wall, this_boot);
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
	return memchr(&p->done[(uint64_t)block * p->size], true, p->size);
}

/* Has the block all runs of that variant that will ever be made? */
static bool variant_done(const struct progress *p, uint64_t block, size_t variant)
{
	for (size_t i = 0; i < p->experiment->nr_points; i++)
		if (!*done_at(p, block, i, variant) && !p->given_up[i])
			return false;
	return true;
}

uint64_t progress_blocks_done(const struct progress *p)
{
	uint64_t n = 0;

	for (uint64_t b = 0; b < p->blocks; b++) {
		size_t v = 0;

		while (v < p->experiment->nr_variants && variant_done(p, b, v))
			v++;
		n += v == p->experiment->nr_variants && progress_started(p, (int64_t)b);
	}
	return n;
}

static bool kernel_booted(const struct progress *p, size_t variant)
{
	return settings_kernel_matches(p->experiment->variants[variant].settings, p->host->release);
}

bool progress_here(const struct progress *p)
{
	for (size_t v = 0; v < p->experiment->nr_variants; v++)
		if (kernel_booted(p, v))
			return true;
	return false;
}

/*
 * May this session work at @variant in @block? @blocks_here counts the blocks of each variant in this boot,
 * those included that were admitted so far.
 */
static bool admit(const struct progress *p, uint64_t block, size_t variant, uint64_t *blocks_here)
{
	if (!kernel_booted(p, variant) || variant_done(p, block, variant))
		return false;
	if (!p->experiment->by_kernel || p->here[block * p->experiment->nr_variants + variant])
		return true;
	return blocks_here[variant]++ < p->experiment->runs_per_boot;
}

/* Append the runs of @block that are left for this session; @runs has room for a whole block. */
static size_t block_todo(const struct progress *p, uint64_t block, uint64_t *blocks_here,
			 struct planned_run *runs)
{
	bool *admitted = xcalloc(p->experiment->nr_variants, sizeof(*admitted));
	struct planned_run *end = runs;

	for (size_t v = 0; v < p->experiment->nr_variants; v++)
		admitted[v] = admit(p, block, v, blocks_here);
	plan_block(p->experiment, (int64_t)block, runs);
	for (size_t i = 0; i < p->size; i++)
		if (admitted[runs[i].variant] && !p->given_up[runs[i].point] &&
		    !*done_at(p, block, runs[i].point, runs[i].variant))
			*end++ = runs[i];
	free(admitted);
	return (size_t)(end - runs);
}

static size_t warmup_todo(const struct progress *p, struct planned_run *runs)
{
	size_t n = 0;

	for (uint64_t w = 0; w < p->experiment->warmup; w++) {
		struct planned_run *round = &runs[n], *end = round;

		plan_block(p->experiment, -1 - (int64_t)w, round);
		for (size_t i = 0; i < p->size; i++)
			if (kernel_booted(p, round[i].variant) && !p->given_up[round[i].point])
				*end++ = round[i];
		n += (size_t)(end - round);
	}
	return n;
}

struct planned_run *progress_todo(const struct progress *p, size_t *n)
{
	const size_t nv = p->experiment->nr_variants;
	uint64_t *blocks_here = xcalloc(nv, sizeof(*blocks_here));
	struct planned_run *runs;
	size_t warmup;

	runs = xcalloc((p->blocks + p->experiment->warmup) * p->size, sizeof(*runs));
	memcpy(blocks_here, p->blocks_here, nv * sizeof(*blocks_here));
	*n = warmup = warmup_todo(p, runs);
	for (uint64_t b = 0; b < p->blocks; b++)
		*n += block_todo(p, b, blocks_here, &runs[*n]);
	if (*n == warmup)
		*n = 0;
	free(blocks_here);
	return runs;
}

static uint64_t blocks_left(const struct progress *p, size_t variant)
{
	uint64_t n = 0;

	for (uint64_t b = 0; b < p->blocks; b++)
		n += !variant_done(p, b, variant);
	return n;
}

bool progress_finished(const struct progress *p)
{
	for (size_t v = 0; v < p->experiment->nr_variants; v++)
		if (blocks_left(p, v))
			return false;
	return true;
}

char *progress_left(const struct progress *p)
{
	struct strbuf sb = { 0 };

	if (!p->experiment->by_kernel)
		return NULL;
	for (size_t v = 0; v < p->experiment->nr_variants; v++) {
		const struct variant *variant = &p->experiment->variants[v];
		uint64_t left = blocks_left(p, v);

		if (!left)
			continue;
		strbuf_addf(&sb, "%" PRIu64 " block%s of variant %s: ", left, left == 1 ? "" : "s",
			    variant->name);
		if (kernel_booted(p, v) && p->blocks_here[v] >= p->experiment->runs_per_boot)
			strbuf_addf(&sb,
				    "this boot has had its %" PRIu64
				    ", boot a kernel that matches %s "
				    "again, then resume\n",
				    p->blocks_here[v], settings_kernel(variant->settings));
		else
			strbuf_addf(&sb, "boot a kernel that matches %s, then resume\n",
				    settings_kernel(variant->settings));
	}
	return sb.len ? strbuf_take(&sb) : NULL;
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
