// SPDX-License-Identifier: GPL-2.0-only
#include "differ/shrink.h"

#include "base/clock.h"
#include "base/ddmin.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * struct search - the best so far is @keep
 * @trial:  what is tried
 * @unit:   unit[n] of each event: those of one unit go together; 0: stay
 * @there:  there[nr_units + 1]: has it an event left?
 * @failed: a core gave up in the full script
 */
struct search {
	const struct pair *pair;
	struct pair_stage *stage;
	bool *keep, *trial;
	uint32_t *unit;
	bool *there;
	size_t nr_units;
	bool failed;
	struct error *err;
};

static bool gives_up(const struct search *s)
{
	for (size_t side = 0; side < 2; side++) {
		const struct play_out *out = pair_stage_out(s->stage, side);

		if (out->nr && out->decision[out->nr - 1].what == PLAY_FAIL)
			return true;
	}
	return false;
}

/* Nothing behind the difference, and nothing that neither of them could do. */
static void take_trial(struct search *s, size_t decision)
{
	const size_t last = pair_stage_event(s->stage, decision), n = s->pair->script->nr;

	for (size_t i = 0; i < n; i++)
		s->keep[i] = s->trial[i] && i <= last &&
			     (pair_stage_out(s->stage, 0)->done[i] ||
			      pair_stage_out(s->stage, 1)->done[i] || i == last);
}

/* Return: 1: taken; 0: no; -EINTR. A crash is no difference, it is an accident of what was cut */
static int try_trial(struct search *s)
{
	size_t decision = 0;
	int ret = pair_stage_play(s->stage, s->pair, s->trial, &decision, s->err);

	if (ret == -EINTR)
		return ret;
	if (ret <= 0 || (gives_up(s) && !s->failed))
		return 0;
	take_trial(s, decision);
	return 1;
}

/* Which units have an event left? Unit u is unit_keep[u - 1]. */
static void look_units(struct search *s, bool *unit_keep)
{
	memset(s->there, 0, (s->nr_units + 1) * sizeof(*s->there));
	for (size_t i = 0; i < s->pair->script->nr; i++)
		if (s->keep[i])
			s->there[s->unit[i]] = true;
	memcpy(unit_keep, s->there + 1, s->nr_units * sizeof(*unit_keep));
}

/* Of struct ddmin. */
static int shows(void *ctx, bool *unit_keep)
{
	struct search *s = ctx;
	int ret;

	for (size_t i = 0; i < s->pair->script->nr; i++)
		s->trial[i] = s->keep[i] && (!s->unit[i] || unit_keep[s->unit[i] - 1]);
	ret = try_trial(s);
	if (ret > 0)
		look_units(s, unit_keep);
	return ret;
}

static int reduce(struct search *s, size_t nr_units, uint64_t end_ns)
{
	const struct ddmin how = { .shows = shows, .ctx = s, .end_ns = end_ns };
	bool *unit_keep = xcalloc(nr_units + 1, sizeof(*unit_keep));
	int ret;

	s->nr_units = nr_units;
	s->there = xcalloc(nr_units + 1, sizeof(*s->there));
	look_units(s, unit_keep);
	ret = ddmin(unit_keep, nr_units, &how);
	free(s->there);
	free(unit_keep);
	return ret;
}

static int reduce_tasks(struct search *s, uint64_t end_ns)
{
	const struct script *script = s->pair->script;
	size_t max = 0;

	for (size_t i = 0; i < script->nr; i++) {
		s->unit[i] = script->events[i].task;
		if (s->unit[i] > max)
			max = s->unit[i];
	}
	return reduce(s, max, end_ns);
}

static int reduce_events(struct search *s, uint64_t end_ns)
{
	for (size_t i = 0; i < s->pair->script->nr; i++)
		s->unit[i] = (uint32_t)i + 1;
	return reduce(s, s->pair->script->nr, end_ns);
}

/* The whole of it, to begin with. */
static int begin(struct search *s)
{
	size_t decision = 0;
	int ret;

	for (size_t i = 0; i < s->pair->script->nr; i++)
		s->trial[i] = true;
	ret = pair_stage_play(s->stage, s->pair, s->trial, &decision, s->err);
	if (ret < 0)
		return ret;
	if (!ret)
		return error_set(s->err, ENOENT,
				 "played without the simulator, the two decide alike");
	s->failed = gives_up(s);
	take_trial(s, decision);
	return 0;
}

int shrink(bool *keep, bool *minimal, const struct pair *pair, uint64_t limit_ns, struct error *err)
{
	const size_t n = pair->script->nr;
	const uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + limit_ns;
	struct search s = {
		.pair = pair,
		.keep = keep,
		.trial = xcalloc(n + 1, sizeof(bool)),
		.unit = xcalloc(n + 1, sizeof(uint32_t)),
		.err = err,
	};
	int ret = 0;

	for (size_t side = 0; !ret && side < 2; side++)
		ret = play_check(pair->script, &pair->ground[side]->shape.of, err);
	s.stage = pair_stage_new(pair);
	if (!ret)
		ret = begin(&s);
	if (!ret)
		ret = reduce_tasks(&s, end_ns);
	if (ret >= 0)
		ret = reduce_events(&s, end_ns);
	*minimal = ret > 0;
	pair_stage_free(s.stage);
	free(s.trial);
	free(s.unit);
	return ret < 0 ? ret : 0;
}
