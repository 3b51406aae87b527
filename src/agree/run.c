// SPDX-License-Identifier: GPL-2.0-only
#include "agree/run.h"

#include <assert.h>
#include <errno.h>

void agree_outcome_release(struct agree_outcome *outcome)
{
	strbuf_release(&outcome->text);
}

static void take_outcome(struct agree_outcome *out, const struct agree_pair *pair,
			 const struct agree_setup *setup)
{
	out->counts = pair->counts;
	out->events = pair->events;
	out->differs = pair->differs && !pair->failed;
	out->failed = pair->failed;
	out->kind = pair->kind;
	if (agree_pair_over(pair))
		agree_pair_tell(pair, setup->name, &out->text);
}

/* What a run is over: @script from @seed, or @ops as they are where there is none. */
struct course {
	const struct agree_script *script;
	uint64_t seed, events;
	struct agree_ops *ops;
	const struct agree_ops *given;
};

static void follow(struct agree_pair *pair, const struct course *course)
{
	if (course->script) {
		agree_script_run(course->script, pair, course->seed, course->events, course->ops);
		return;
	}
	assert(course->given);
	for (size_t i = 0; i < course->given->nr && !agree_pair_over(pair); i++)
		agree_pair_do(pair, &course->given->op[i]);
	agree_pair_until(pair, course->given->end_ns);
	agree_pair_end(pair);
}

static int run(struct agree_outcome *out, const struct agree_setup *setup,
	       const struct course *course, bool why, struct error *err)
{
	struct agree_config config = setup->config;
	struct agree_pair *pair = NULL;
	void *handle;
	int ret = setup->open(setup->ctx, &config.ops[0], &handle, err);

	if (ret)
		return ret;
	config.why = why;
	ret = agree_pair_new(&pair, &config, err);
	if (!ret) {
		follow(pair, course);
		take_outcome(out, pair, setup);
	}
	agree_pair_free(pair);
	setup->close(setup->ctx, handle);
	return ret;
}

/* A run over a script of @seed, of @events at most; @ops: filled with it. Return: 0 or -errno. */
static int agree_once(struct agree_outcome *out, const struct agree_setup *setup,
		      const struct agree_script *script, uint64_t seed, uint64_t events,
		      struct agree_ops *ops, struct error *err)
{
	const struct course course = {
		.script = script, .seed = seed, .events = events, .ops = ops
	};

	return run(out, setup, &course, false, err);
}

int agree_replay(struct agree_outcome *out, const struct agree_setup *setup,
		 const struct agree_ops *ops, bool why, struct error *err)
{
	const struct course course = { .given = ops };

	return run(out, setup, &course, why, err);
}

void agree_total_release(struct agree_total *total)
{
	agree_ops_release(&total->first);
	strbuf_release(&total->failure);
}

static void add_counts(struct agree_counts *to, const struct agree_counts *from)
{
	for (int i = 0; i < NR_AGREE_KINDS; i++) {
		to->compared[i] += from->compared[i];
		to->agreed[i] += from->agreed[i];
	}
}

/* Takes @ops of the first that differs. */
static void add_run(struct agree_total *total, const struct agree_outcome *out, uint64_t seed,
		    struct agree_ops *ops)
{
	total->runs++;
	total->events += out->events;
	add_counts(&total->counts, &out->counts);
	if (out->failed) {
		if (!total->failed++)
			strbuf_addstr(&total->failure, strbuf_str(&out->text));
		return;
	}
	if (!out->differs) {
		total->clean++;
		return;
	}
	total->ended[out->kind]++;
	if (total->seed)
		return;
	total->seed = seed;
	total->first_kind = out->kind;
	total->first = *ops;
	*ops = (struct agree_ops){ 0 };
}

int agree_many(struct agree_total *total, const struct agree_setup *setup,
	       const struct agree_script *script, uint64_t seed, uint64_t runs, uint64_t events,
	       struct error *err)
{
	int ret = 0;

	for (uint64_t i = 0; i < runs && !ret; i++) {
		struct agree_outcome out = { 0 };
		struct agree_ops ops = { 0 };

		if (setup->stop && *setup->stop)
			return error_set(err, EINTR, "interrupted");
		ret = agree_once(&out, setup, script, seed + i, events, &ops, err);
		if (!ret)
			add_run(total, &out, seed + i, &ops);
		agree_outcome_release(&out);
		agree_ops_release(&ops);
	}
	return ret;
}
