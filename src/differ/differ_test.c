// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two presets of the model on four CPUs, from the run to the least list of events. Starts processes, so it is no unit
 * test.
 */
#include "differ/pair.h"
#include "differ/shrink.h"
#include "differ/sims.h"

#include "base/mem.h"
#include "host/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define LIMIT_NS UINT64_C(60000000000)

/* struct world - one run of hackbench with two cores */
struct world {
	struct sim_ground *ground[2];
	const struct workload *workload;
	void *cfg;
	struct sims sims;
	struct script script;
	struct strbuf text;
	struct pair pair;
};

static struct sim_ground *ground_of(const char *core)
{
	struct settings *settings = settings_new();
	struct sim_ground *ground = NULL;
	struct error err = { 0 };

	settings_set(settings, "machine", "package:1 l3cache:1 core:2 pu:2", NULL);
	settings_set(settings, "core", core, NULL);
	if (sim_ground_open(&ground, settings, &err))
		fail_msg("%s", err.text);
	settings_free(settings);
	return ground;
}

static const char *const hackbench[][2] = { { "groups", "1" }, { "fds", "2" }, { "loops", "5" } };

static void world_init_with(struct world *w, const char *before, const char *after,
			    const char *workload, const char *const (*params)[2], size_t nr)
{
	*w = (struct world){ .ground = { ground_of(before), ground_of(after) },
			     .workload = workload_find(workload) };
	w->cfg = xcalloc(1, w->workload->cfg_size);
	opts_init(w->workload->opts, w->cfg);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(
			opts_set(w->workload->opts, w->cfg, params[i][0], params[i][1], NULL), 0);
	w->sims = (struct sims){ .names = { "before", "after" }, .limit_ns = LIMIT_NS };
	w->pair = (struct pair){ .names = { "before", "after" }, .script = &w->script };
	for (size_t i = 0; i < 2; i++) {
		w->sims.job[i] = (struct sim_job){
			.ground = w->ground[i], .workload = w->workload, .cfg = w->cfg, .seed = 1
		};
		w->pair.ground[i] = w->ground[i];
	}
	script_init(&w->script);
	w->script.machine = script_text(&w->script, "m");
	w->script.before = script_text(&w->script, before);
	w->script.after = script_text(&w->script, after);
}

static void world_init(struct world *w, const char *before, const char *after)
{
	world_init_with(w, before, after, "hackbench", hackbench, ARRAY_SIZE(hackbench));
}

static void world_release(struct world *w)
{
	opts_release(w->workload->opts, w->cfg);
	free(w->cfg);
	script_release(&w->script);
	strbuf_release(&w->text);
	sim_ground_free(w->ground[0]);
	sim_ground_free(w->ground[1]);
}

static struct sims_found compare(struct world *w)
{
	struct sims_found found = { .text = &w->text, .script = &w->script };
	struct error err = { 0 };

	if (sims_compare(&found, &w->sims, &err))
		fail_msg("%s", err.text);
	return found;
}

static bool differs(const struct world *w, const bool *keep)
{
	struct pair_found found = { 0 };
	struct error err = { 0 };

	if (pair_play(&found, &w->pair, keep, &err))
		fail_msg("%s", err.text);
	return found.differs;
}

static void test_a_core_and_itself_decide_alike(void **state)
{
	struct sims_found found;
	struct world w;

	(void)state;
	world_init(&w, "model:k6.1", "model:k6.1");
	found = compare(&w);
	assert_false(found.differs);
	assert_int_equal(w.text.len, 0);
	assert_int_equal(w.script.nr, 0);
	world_release(&w);
}

/* The first decision of all that differs is behind the last event of the script, which played does the same. */
static void test_first_difference_of_two_presets(void **state)
{
	struct sims_found found;
	struct pair_found played = { 0 };
	struct world w;

	(void)state;
	world_init(&w, "model:k6.1", "model:k6.12");
	found = compare(&w);
	assert_true(found.differs);
	assert_true(found.decisions > 0);
	assert_non_null(strstr(w.text.s, "before: "));
	assert_non_null(strstr(w.text.s, "after: "));
	assert_true(w.script.nr > 0);
	assert_true(w.script.events[w.script.nr - 1].time_ns <= found.time_ns);
	assert_int_equal(pair_play(&played, &w.pair, NULL, NULL), 0);
	assert_true(played.differs);
	assert_int_equal(played.event, w.script.nr - 1);
	world_release(&w);
}

/* What is left differs, and with any one event less it doesn't. */
static void test_shrink_leaves_nothing_superfluous(void **state)
{
	bool *keep, minimal = false;
	struct error err = { 0 };
	size_t kept = 0;
	struct world w;

	(void)state;
	world_init(&w, "model:k6.1", "model:k6.12");
	compare(&w);
	keep = xcalloc(w.script.nr, sizeof(*keep));
	if (shrink(keep, &minimal, &w.pair, LIMIT_NS, &err))
		fail_msg("%s", err.text);
	assert_true(minimal);
	assert_true(differs(&w, keep));
	for (size_t i = 0; i < w.script.nr; i++) {
		if (!keep[i])
			continue;
		kept++;
		keep[i] = false;
		assert_false(differs(&w, keep));
		keep[i] = true;
	}
	assert_true(kept > 1);
	assert_true(kept < w.script.nr);
	free(keep);
	world_release(&w);
}

/* Without any time the list ends with the difference all the same. */
static void test_shrink_without_time_ends_with_the_difference(void **state)
{
	bool *keep, minimal = true;
	struct error err = { 0 };
	struct world w;
	size_t n;

	(void)state;
	world_init(&w, "model:k6.1", "model:k6.12");
	compare(&w);
	n = w.script.nr;
	for (uint32_t cpu = 0; cpu < 4; cpu++)
		script_add(&w.script,
			   &(struct script_event){ .kind = SCRIPT_SETTLE,
						   .cpu = cpu,
						   .time_ns = w.script.events[n - 1].time_ns + 1 });
	keep = xcalloc(w.script.nr, sizeof(*keep));
	if (shrink(keep, &minimal, &w.pair, 0, &err))
		fail_msg("%s", err.text);
	assert_false(minimal);
	assert_true(keep[n - 1]);
	for (size_t i = n; i < w.script.nr; i++)
		assert_false(keep[i]);
	free(keep);
	world_release(&w);
}

/* Each of two tasks binds itself to a CPU, beside eight that compute; the first one is bound to CPU 0 when decisions differ. */
static void test_a_list_says_where_tasks_may_be(void **state)
{
	static const char *const params[][2] = { { "tasks", "2" },
						 { "interval", "1ms" },
						 { "bind", "each" },
						 { "load", "8" },
						 { "runtime", "50ms" } };
	bool bound = false;
	struct world w;

	(void)state;
	world_init_with(&w, "model:k6.1", "model:k6.12", "schedlat", params, ARRAY_SIZE(params));
	assert_true(compare(&w).differs);
	for (size_t i = 0; i < w.script.nr; i++)
		bound = bound || (w.script.events[i].cpus && !strcmp(w.script.events[i].cpus, "0"));
	assert_true(bound);
	world_release(&w);
}

static void test_shrink_without_a_difference(void **state)
{
	bool keep[4], minimal;
	struct error err = { 0 };
	struct world w;

	(void)state;
	world_init(&w, "model:k6.12", "model:k6.12");
	for (size_t i = 0; i < 4; i++)
		script_add(&w.script,
			   &(struct script_event){ .kind = i % 2 ? SCRIPT_START : SCRIPT_FORK,
						   .task = (uint32_t)i / 2 + 1,
						   .comm = "t" });
	assert_int_equal(shrink(keep, &minimal, &w.pair, LIMIT_NS, &err), -ENOENT);
	world_release(&w);
}

static void test_play_refuses_a_cpu_that_is_not_there(void **state)
{
	struct pair_found found = { 0 };
	struct error err = { 0 };
	struct world w;

	(void)state;
	world_init(&w, "model:k6.12", "model:k6.12");
	script_add(&w.script, &(struct script_event){ .kind = SCRIPT_TICK, .cpu = 4 });
	assert_int_equal(pair_play(&found, &w.pair, NULL, &err), -ERANGE);
	assert_string_equal(err.text, "event 1: there is no CPU 4");
	world_release(&w);
}

/* Four tasks are started on as many CPUs, each a migration or a switch: room for three decides nothing. */
static void test_play_says_where_there_is_no_room(void **state)
{
	struct pair_found found = { 0 };
	struct error err = { 0 };
	struct world w;

	(void)state;
	world_init(&w, "model:k6.12", "model:k6.12");
	for (uint32_t i = 0; i < 8; i++)
		script_add(&w.script,
			   &(struct script_event){ .kind = i % 2 ? SCRIPT_START : SCRIPT_FORK,
						   .task = i / 2 + 1,
						   .comm = "t",
						   .time_ns = 2000000 });
	w.pair.room = 3;
	assert_int_equal(pair_play(&found, &w.pair, NULL, &err), -ERANGE);
	assert_string_equal(err.text,
			    "the first 3 decisions are the same, and there is no room for more");
	w.pair.room = 0;
	assert_int_equal(pair_play(&found, &w.pair, NULL, NULL), 0);
	assert_false(found.differs);
	world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_core_and_itself_decide_alike),
		cmocka_unit_test(test_first_difference_of_two_presets),
		cmocka_unit_test(test_shrink_leaves_nothing_superfluous),
		cmocka_unit_test(test_shrink_without_time_ends_with_the_difference),
		cmocka_unit_test(test_shrink_without_a_difference),
		cmocka_unit_test(test_a_list_says_where_tasks_may_be),
		cmocka_unit_test(test_play_refuses_a_cpu_that_is_not_there),
		cmocka_unit_test(test_play_says_where_there_is_no_room),
	};

	return cmocka_run_group_tests_name("differ", tests, NULL, NULL);
}
