// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/patch_first.h"

#include "base/file.h"
#include "base/json_out.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "differ/pair.h"
#include "differ/shrink.h"
#include "differ/sims.h"
#include "lab/plan.h"
#include "lab/sim_ground.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX (512u << 20)
/* A list of so many events is shown on the terminal. */
#define EVENTS_SHOWN 30
/* Of this computer's time for one simulated run. */
#define RUN_NS UINT64_C(600000000000)

static const char *const side_names[2] = { "before", "after" };

/* --- what both stand on --- */

static void close_grounds(struct sim_ground *ground[2])
{
	sim_ground_free(ground[0]);
	sim_ground_free(ground[1]);
}

static int open_grounds(struct sim_ground *ground[2], const char *machine, const char *before,
			const char *after, struct error *err)
{
	int ret = sim_ground_plain(&ground[0], machine, before, err);

	if (!ret)
		ret = sim_ground_plain(&ground[1], machine, after, err);
	if (!ret && ground[0]->shape.of.nr_cpus != ground[1]->shape.of.nr_cpus)
		ret = error_set(err, EINVAL, "the two see another number of CPUs");
	return ret;
}

/* --- the list of events --- */

static int read_script(struct script *script, const char *path, struct error *err)
{
	struct strbuf text = { 0 };
	int ret = file_read_text(&text, path, EVENTS_MAX, err);

	if (!ret)
		ret = script_parse(script, path, strbuf_str(&text), err);
	strbuf_release(&text);
	return ret;
}

static size_t count(const bool *keep, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		kept += keep[i];
	return kept;
}

static int write_events(const char *path, const struct script *script, const bool *keep,
			struct error *err)
{
	struct strbuf text = { 0 };
	int ret;

	script_print(script, keep, &text);
	ret = file_put(path, text.s, text.len, 0666, err);
	strbuf_release(&text);
	return ret;
}

static void add_events(struct strbuf *sb, const struct script *script, const bool *keep)
{
	for (size_t i = 0; i < script->nr; i++) {
		if (!keep[i])
			continue;
		strbuf_addstr(sb, "    ");
		script_print_event(&script->events[i], sb);
		strbuf_addch(sb, '\n');
	}
}

static void tell_events(const struct first *first, const struct script *script, const bool *keep,
			bool minimal, struct strbuf *text)
{
	const size_t kept = count(keep, script->nr);

	strbuf_addf(text,
		    "\n%zu events to the core lead to it; %zu of them are enough%s, played without "
		    "the simulator:\n",
		    script->nr, kept,
		    minimal ? ", not one less" : " (the time for finding fewer was up)");
	if (kept <= EVENTS_SHOWN)
		add_events(text, script, keep);
	if (first->events)
		strbuf_addf(text, "  in %s; again: schedproof patch --replay %s\n", first->events,
			    first->events);
	else if (kept > EVENTS_SHOWN)
		strbuf_addstr(text, "  --events FILE writes them\n");
}

/* The list that is left is played once more for its words. */
static int tell_least(const struct first *first, const struct pair *pair, const bool *keep,
		      bool minimal, struct strbuf *text, struct error *err)
{
	struct pair_found found = { .text = text };
	int ret = 0;

	tell_events(first, pair->script, keep, minimal, text);
	if (first->events)
		ret = write_events(first->events, pair->script, keep, err);
	return ret ? ret : pair_play(&found, pair, keep, err);
}

static int shrink_and_tell(const struct first *first, const struct pair *pair, struct strbuf *text,
			   struct error *err)
{
	const struct script *script = pair->script;
	bool *keep = xcalloc(script->nr + 1, sizeof(*keep)), minimal = false;
	int ret = 0;

	if (script->lacks) {
		strbuf_addf(text, "\nno list of events: it can't say %s\n", script->lacks);
	} else {
		ret = shrink(keep, &minimal, pair, first->shrink_ns, err);
		if (!ret)
			ret = tell_least(first, pair, keep, minimal, text, err);
		else if (ret == -ENOENT || ret == -ERANGE)
			strbuf_addf(text, "\nno list of events: %s\n", err->text);
	}
	free(keep);
	return ret == -ENOENT || ret == -ERANGE ? 0 : ret;
}

/* --- a run --- */

static void tell_difference(const struct sims_found *found, const struct experiment *experiment,
			    const char *machine, size_t point, uint64_t seed, struct strbuf *text)
{
	strbuf_addf(text,
		    "first difference: %s, %s, seed %" PRIu64 ", at %" PRIu64 " ns, behind %" PRIu64
		    " decisions that are the same\n",
		    machine, experiment->points[point].label, seed, found->time_ns,
		    found->decisions);
	strbuf_addstr(text, found->text->s);
}

static void tell_json(const struct first *first, const struct sims_found *found,
		      const struct experiment *experiment, const char *machine, size_t point,
		      uint64_t seed, const char *events, struct strbuf *text)
{
	struct json_out out = { .sb = text };

	json_out_object(&out, NULL);
	json_out_str(&out, "kind", "patch-difference");
	json_out_str(&out, "machine", machine);
	json_out_str(&out, "point", experiment->points[point].label);
	json_out_int(&out, "seed", (int64_t)seed);
	json_out_int(&out, "time_ns", (int64_t)found->time_ns);
	json_out_int(&out, "decisions_same", (int64_t)found->decisions);
	json_out_str(&out, "text", found->text->s);
	json_out_int(&out, "events", (int64_t)found->script->nr);
	json_out_str(&out, "least", events);
	json_out_str(&out, "file", first->events);
	json_out_end_object(&out);
	strbuf_addch(text, '\n');
}

/* Return: 1, 0 or -errno */
static int look_at(const struct first *first, const struct experiment *experiment,
		   const char *machine, size_t point, struct sim_ground *ground[2], uint64_t seed,
		   struct strbuf *text, struct error *err)
{
	const struct point *what = &experiment->points[point];
	struct script script;
	struct strbuf words = { 0 }, least = { 0 };
	struct sims sims = { .names = { side_names[0], side_names[1] },
			     .limit_ns = RUN_NS,
			     .stop = &stop_signal };
	struct sims_found found = { .text = &words, .script = &script };
	struct pair pair = { .ground = { ground[0], ground[1] },
			     .names = { side_names[0], side_names[1] },
			     .script = &script,
			     .stop = &stop_signal };
	int ret;

	for (size_t side = 0; side < 2; side++)
		sims.job[side] = (struct sim_job){ .ground = ground[side],
						   .workload = what->workload,
						   .cfg = what->cfg,
						   .seed = seed };
	script_init(&script);
	script.machine =
		script_text(&script, settings_get(experiment->variants[0].settings, "machine"));
	script.before = script_text(&script, first->before);
	script.after = script_text(&script, first->after);
	ret = sims_compare(&found, &sims, err);
	if (!ret && found.differs)
		ret = shrink_and_tell(first, &pair, &least, err);
	if (!ret && found.differs && first->json)
		tell_json(first, &found, experiment, machine, point, seed, strbuf_str(&least),
			  text);
	else if (!ret && found.differs) {
		tell_difference(&found, experiment, machine, point, seed, text);
		strbuf_addstr(text, strbuf_str(&least));
	}
	script_release(&script);
	strbuf_release(&words);
	strbuf_release(&least);
	return ret ? ret : found.differs;
}

int first_difference(const struct first *first, const struct experiment *experiment,
		     const char *machine, size_t point, struct strbuf *text, struct error *err)
{
	struct sim_ground *ground[2] = { 0 };
	int ret = 0;

	for (size_t side = 0; !ret && side < 2; side++)
		ret = sim_ground_open(&ground[side], experiment->variants[side].settings, err);
	for (uint64_t block = 0; !ret && block < experiment->blocks; block++)
		ret = look_at(first, experiment, machine, point, ground,
			      plan_seed(experiment, (int64_t)block, point), text, err);
	close_grounds(ground);
	return ret;
}

/* --- again --- */

static void tell_replay(const struct pair_found *found, const struct script *script,
			const char *path, struct strbuf *text)
{
	if (!found->differs)
		strbuf_addf(text, "%s: the two decide alike in all %zu events\n", path, script->nr);
	else
		strbuf_addf(text, "%s: they differ in event %zu of %zu\n", path, found->event + 1,
			    script->nr);
}

int first_replay(const struct first *first, const char *path, struct strbuf *text,
		 struct error *err)
{
	struct sim_ground *ground[2] = { 0 };
	struct strbuf words = { 0 };
	struct pair_found found = { .text = &words };
	struct pair pair = { .names = { side_names[0], side_names[1] }, .stop = &stop_signal };
	struct script script;
	int ret;

	script_init(&script);
	ret = read_script(&script, path, err);
	if (!ret)
		ret = open_grounds(ground, script.machine,
				   first->before ? first->before : script.before,
				   first->after ? first->after : script.after, err);
	if (!ret) {
		pair.ground[0] = ground[0];
		pair.ground[1] = ground[1];
		pair.script = &script;
		ret = pair_play(&found, &pair, NULL, err);
	}
	if (!ret) {
		tell_replay(&found, &script, path, text);
		strbuf_addstr(text, strbuf_str(&words));
	}
	close_grounds(ground);
	script_release(&script);
	strbuf_release(&words);
	return ret ? ret : found.differs;
}
