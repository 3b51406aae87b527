// SPDX-License-Identifier: GPL-2.0-only
/* differ/pair.c - a script is played to two cores, and their decisions are compared. */
#include "differ/pair.h"

#include "base/mem.h"
#include "differ/apart.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM	  (1u << 20)
#define LIMIT_NS  UINT64_C(60000000000)
#define TEXT_SIZE 8192
#define CPUS_TOLD 8

struct pair_stage {
	struct play_out *out[2];
	char *text[2];
	size_t nr; /* of the script */
	size_t room;
};

struct pair_stage *pair_stage_new(const struct pair *pair)
{
	struct pair_stage *stage = xcalloc(1, sizeof(*stage));

	stage->nr = pair->script->nr;
	stage->room = pair->room ? pair->room : ROOM;
	for (size_t i = 0; i < 2; i++) {
		struct play_out *out = apart_shared(sizeof(*out));

		out->decision = apart_shared(stage->room * sizeof(*out->decision));
		out->room = stage->room;
		out->done = apart_shared(stage->nr + 1);
		stage->out[i] = out;
		stage->text[i] = apart_shared(TEXT_SIZE);
	}
	return stage;
}

void pair_stage_free(struct pair_stage *stage)
{
	for (size_t i = 0; i < 2; i++) {
		struct play_out *out = stage->out[i];

		apart_unshare(out->decision, stage->room * sizeof(*out->decision));
		apart_unshare(out->done, stage->nr + 1);
		apart_unshare(out, sizeof(*out));
		apart_unshare(stage->text[i], TEXT_SIZE);
	}
	free(stage);
}

const struct play_out *pair_stage_out(const struct pair_stage *stage, size_t side)
{
	return stage->out[side];
}

/* --- states behind the last event --- */

struct teller {
	const struct pair *pair;
	const bool *keep;
	char *text;
};

/* Those that the last events were on: that is where to look. */
static size_t last_cpus(const struct teller *teller, uint32_t cpus[CPUS_TOLD])
{
	const struct script *script = teller->pair->script;
	size_t n = 0;

	for (size_t i = script->nr; i > 0 && n < CPUS_TOLD; i--) {
		bool known = teller->keep && !teller->keep[i - 1];

		for (size_t k = 0; k < n; k++)
			known |= cpus[k] == script->events[i - 1].cpu;
		if (!known)
			cpus[n++] = script->events[i - 1].cpu;
	}
	return n;
}

static void tell_states(void *ctx, const struct core_ops *ops, struct core *core)
{
	const struct teller *teller = ctx;
	struct strbuf sb = { 0 };
	uint32_t cpus[CPUS_TOLD];
	size_t n = last_cpus(teller, cpus);

	for (size_t i = 0; i < n; i++) {
		struct core_rq_state rq;

		ops->rq_state(core, cpus[i], &rq);
		strbuf_addf(&sb, "    CPU %" PRIu32 ": ", cpus[i]);
		if (rq.curr)
			strbuf_addf(&sb, "t%" PRIu32, play_task(rq.curr));
		else
			strbuf_addstr(&sb, "nobody");
		strbuf_addf(&sb, " runs, %" PRIu32 " ready, load %" PRIu64 ", util %" PRIu64 "\n",
			    rq.nr_running, rq.load_avg, rq.util_avg);
	}
	snprintf(teller->text, TEXT_SIZE, "%s", strbuf_str(&sb));
	strbuf_release(&sb);
}

/* --- play --- */

static int play_side(const struct pair *pair, struct pair_stage *stage, size_t side,
		     const bool *keep, struct error *err)
{
	const struct sim_ground *ground = pair->ground[side];
	struct teller teller = { .pair = pair, .keep = keep, .text = stage->text[side] };
	struct play play = {
		.ops = ground->core.ops,
		.machine = &ground->shape.of,
		.knobs = (const char *const *)ground->knobs,
		.nr_knobs = ground->nr_knobs,
		.script = pair->script,
		.keep = keep,
		.out = stage->out[side],
		.end = tell_states,
		.ctx = &teller,
	};
	int ret;

	stage->out[side]->nr = 0;
	stage->out[side]->more = false;
	memset(stage->out[side]->done, 0, pair->script->nr);
	*stage->text[side] = '\0';
	ret = apart_call(play_here, &play, LIMIT_NS, pair->stop, err);
	if (ret)
		error_prefix(err, "%s", pair->names[side]);
	return ret;
}

int pair_stage_play(struct pair_stage *stage, const struct pair *pair, const bool *keep,
		    size_t *decision, struct error *err)
{
	const struct play_out *a = stage->out[0], *b = stage->out[1];
	size_t i = 0;
	int ret;

	for (size_t side = 0; side < 2; side++) {
		ret = play_side(pair, stage, side, keep, err);
		if (ret)
			return ret;
	}
	while (i < a->nr && i < b->nr &&
	       !memcmp(&a->decision[i], &b->decision[i], sizeof(*a->decision)))
		i++;
	*decision = i;
	if (i == stage->room && (a->more || b->more))
		return error_set(
			err, ERANGE,
			"the first %zu decisions are the same, and there is no room for more", i);
	return i < a->nr || i < b->nr;
}

/* --- words --- */

static void add_actor(struct strbuf *sb, uint32_t task)
{
	if (task)
		strbuf_addf(sb, "t%" PRIu32, task);
	else
		strbuf_addstr(sb, "idle");
}

static void add_decision(struct strbuf *sb, const struct play_out *out, size_t i)
{
	const struct play_decision *d = &out->decision[i];

	if (d->what == PLAY_FAIL) {
		strbuf_addf(sb, "it fails: %s", out->words);
	} else if (d->what == PLAY_SWITCH) {
		strbuf_addf(sb, "CPU %" PRIu32 " switches from ", d->cpu);
		add_actor(sb, d->a);
		strbuf_addstr(sb, " to ");
		add_actor(sb, d->b);
	} else {
		strbuf_addf(sb, "t%" PRIu32 " goes from CPU %" PRIu32 " to CPU %" PRIu32, d->a,
			    d->b, d->cpu);
	}
}

/* All that side decided in @event, from the first that differs on. */
static void add_side(struct strbuf *sb, const struct play_out *out, size_t first, size_t event)
{
	bool any = false;

	for (size_t i = first; i < out->nr && out->decision[i].event == event; i++) {
		strbuf_addstr(sb, any ? "; " : "");
		add_decision(sb, out, i);
		any = true;
	}
	strbuf_addstr(sb, any ? "\n" : "nothing\n");
}

size_t pair_stage_event(const struct pair_stage *stage, size_t decision)
{
	size_t event = SIZE_MAX;

	for (size_t side = 0; side < 2; side++) {
		const struct play_out *out = stage->out[side];

		if (decision < out->nr && out->decision[decision].event < event)
			event = out->decision[decision].event;
	}
	return event;
}

static void add_text(struct strbuf *sb, const struct pair *pair, const struct pair_stage *stage,
		     size_t decision, size_t event)
{
	strbuf_addstr(sb, "  in the event: ");
	script_print_event(&pair->script->events[event], sb);
	strbuf_addch(sb, '\n');
	for (size_t side = 0; side < 2; side++) {
		strbuf_addf(sb, "  %s: ", pair->names[side]);
		add_side(sb, stage->out[side], decision, event);
		strbuf_addstr(sb, stage->text[side]);
	}
}

int pair_play(struct pair_found *found, const struct pair *pair, const bool *keep,
	      struct error *err)
{
	struct pair_stage *stage;
	size_t decision = 0;
	int ret = 0;

	for (size_t side = 0; !ret && side < 2; side++)
		ret = play_check(pair->script, &pair->ground[side]->shape.of, err);
	if (ret)
		return ret;
	stage = pair_stage_new(pair);
	ret = pair_stage_play(stage, pair, keep, &decision, err);
	found->differs = ret > 0;
	if (found->differs) {
		found->event = pair_stage_event(stage, decision);
		if (found->text)
			add_text(found->text, pair, stage, decision, found->event);
	}
	pair_stage_free(stage);
	return ret < 0 ? ret : 0;
}
