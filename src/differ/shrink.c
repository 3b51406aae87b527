// SPDX-License-Identifier: GPL-2.0-only
#include "differ/shrink.h"

#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * struct search - the best so far is @keep
 * @trial:  what is tried
 * @unit:   unit[n] of each event: those of one unit go together; 0: stay
 * @order:  the units that are left, order[nr_units]
 * @failed: a core gave up in the full script
 */
struct search {
	const struct pair *pair;
	struct pair_stage *stage;
	bool *keep, *trial;
	uint32_t *unit;
	uint32_t *order;
	size_t nr_units;
	uint64_t end_ns;
	bool failed;
	bool late;
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

	if (clock_ns(CLOCK_MONOTONIC) >= s->end_ns)
		s->late = true;
	if (ret == -EINTR)
		return ret;
	if (ret <= 0 || (gives_up(s) && !s->failed))
		return 0;
	take_trial(s, decision);
	return 1;
}

/* Units that lost their last event are gone. */
static void forget_units(struct search *s, size_t nr_all)
{
	bool *there = xcalloc(nr_all + 1, sizeof(*there));
	size_t n = 0;

	for (size_t i = 0; i < s->pair->script->nr; i++)
		if (s->keep[i])
			there[s->unit[i]] = true;
	for (size_t i = 0; i < s->nr_units; i++)
		if (there[s->order[i]])
			s->order[n++] = s->order[i];
	s->nr_units = n;
	free(there);
}

/* A piece of @size units from @from on is tried to be left out. Return: as try_trial() */
static int try_without(struct search *s, size_t from, size_t size, size_t nr_all)
{
	bool *out = xcalloc(nr_all + 1, sizeof(*out));
	int ret;

	for (size_t i = from; i < from + size && i < s->nr_units; i++)
		out[s->order[i]] = true;
	for (size_t i = 0; i < s->pair->script->nr; i++)
		s->trial[i] = s->keep[i] && !out[s->unit[i]];
	free(out);
	ret = try_trial(s);
	if (ret > 0)
		forget_units(s, nr_all);
	return ret;
}

/* From the end, as what is near the difference matters most and what is cut there changes least. Return: 1 if any went; 0; -EINTR */
static int one_pass(struct search *s, size_t size, size_t nr_all)
{
	int any = 0, ret;

	for (size_t at = s->nr_units; at > 0 && !s->late;) {
		size_t from = at > size ? at - size : 0;

		ret = try_without(s, from, at - from, nr_all);
		if (ret < 0)
			return ret;
		any |= ret;
		at = from < s->nr_units ? from : s->nr_units;
	}
	return any;
}

/* Pieces of half of all, of a quarter ... of one, and of one until none goes. */
static int reduce(struct search *s, size_t nr_all)
{
	size_t size = (s->nr_units + 1) / 2;
	int ret;

	forget_units(s, nr_all);
	while (size && s->nr_units && !s->late) {
		ret = one_pass(s, size, nr_all);
		if (ret < 0)
			return ret;
		if (size > 1)
			size = (size + 1) / 2;
		else if (!ret)
			size = 0;
	}
	return 0;
}

static int reduce_tasks(struct search *s)
{
	const struct script *script = s->pair->script;
	size_t max = 0;

	for (size_t i = 0; i < script->nr; i++) {
		s->unit[i] = script->events[i].task;
		if (s->unit[i] > max)
			max = s->unit[i];
	}
	s->order = xreallocarray(s->order, max + 1, sizeof(*s->order));
	for (size_t i = 0; i < max; i++)
		s->order[i] = (uint32_t)i + 1;
	s->nr_units = max;
	return reduce(s, max);
}

static int reduce_events(struct search *s)
{
	const size_t n = s->pair->script->nr;

	s->order = xreallocarray(s->order, n + 1, sizeof(*s->order));
	for (size_t i = 0; i < n; i++) {
		s->unit[i] = (uint32_t)i + 1;
		s->order[i] = s->unit[i];
	}
	s->nr_units = n;
	return reduce(s, n);
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
	struct search s = {
		.pair = pair,
		.keep = keep,
		.trial = xcalloc(n + 1, sizeof(bool)),
		.unit = xcalloc(n + 1, sizeof(uint32_t)),
		.end_ns = clock_ns(CLOCK_MONOTONIC) + limit_ns,
		.err = err,
	};
	int ret = 0;

	for (size_t side = 0; !ret && side < 2; side++)
		ret = play_check(pair->script, &pair->ground[side]->shape.of, err);
	s.stage = pair_stage_new(pair->script);
	if (!ret)
		ret = begin(&s);
	if (!ret)
		ret = reduce_tasks(&s);
	if (!ret)
		ret = reduce_events(&s);
	*minimal = !s.late;
	pair_stage_free(s.stage);
	free(s.trial);
	free(s.unit);
	free(s.order);
	return ret;
}
