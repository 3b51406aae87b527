// SPDX-License-Identifier: GPL-2.0-only
#include "lab/once.h"

#include "base/clock.h"
#include "base/mem.h"
#include "host/counters.h"
#include "host/facts.h"
#include "host/launch.h"
#include "host/tune.h"
#include "lab/experiment.h"
#include "lab/sim_crew.h"
#include "lab/stored.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char variant_name[] = "here";

char **once_params(const struct workload *workload, const void *cfg)
{
	size_t n = 0;
	char **params;

	while (workload->opts[n].name)
		n++;
	params = xcalloc(n + 1, sizeof(*params));
	n = 0;
	for (const struct opt *opt = workload->opts; opt->name; opt++) {
		struct strbuf sb = { 0 };

		if (opt->type == OPT_TYPE_STR && !*(char *const *)((const char *)cfg + opt->offset))
			continue;
		strbuf_addf(&sb, "%s=", opt->name);
		opt_print(opt, cfg, &sb);
		params[n++] = strbuf_take(&sb);
	}
	return params;
}

static void free_params(char **params)
{
	for (char **param = params; *param; param++)
		free(*param);
	free(params);
}

static char *read_facts(const struct host *host, bool restless)
{
	struct facts facts = { 0 };
	struct strbuf sb = { 0 };

	facts_read(&facts, host);
	facts_write(&facts, restless, &sb);
	facts_release(&facts);
	return strbuf_take(&sb);
}

static bool is_stopped(const struct once *once)
{
	return once->stop && *once->stop;
}

static int make_run(const struct once *once, struct tune *tune, const struct launch *launch,
		    struct run_row *run, struct error *err)
{
	int ret = is_stopped(once) ? error_set(err, EINTR, "stopped") : tune_apply(tune, 0, err);

	if (ret)
		return ret;
	run->facts = read_facts(once->host, false);
	run->load = -1;
	run->started_ns = (int64_t)clock_ns(CLOCK_REALTIME);
	return launch_run(launch, &run->result, err);
}

static int make_runs(const struct once *once, struct tune *tune, const struct launch *launch,
		     struct run_row **runs, size_t *nr, struct error *err)
{
	int ret = 0;

	*runs = xcalloc(once->repeat, sizeof(**runs));
	while (!ret && *nr < once->repeat) {
		struct run_row run = { .block = (int64_t)*nr, .position = (int64_t)*nr };

		ret = make_run(once, tune, launch, &run, err);
		if (ret) {
			run_row_release(&run);
			break;
		}
		(*runs)[(*nr)++] = run;
		if (once->event)
			once->event(once->ctx, &run);
	}
	return ret;
}

static int start_simulated(const struct once *once, struct sim_crew *crew, uint64_t i,
			   struct error *err)
{
	const struct sim_job job = {
		.ground = once->ground,
		.workload = once->workload,
		.cfg = once->cfg,
		.seed = once->seed + once->ground->seed + i,
		.timeout_ns = once->timeout_ns,
		.trace = i ? NULL : once->trace,
		.schedstat = i ? NULL : once->schedstat,
	};

	return sim_crew_start(crew, &job, err);
}

static int take_simulated(const struct once *once, struct sim_crew *crew, struct run_row *run,
			  struct error *err)
{
	int ret = sim_crew_take(crew, once->stop, &run->result, once->said, err);

	if (ret)
		return ret;
	run->facts = xstrdup(once->ground->facts);
	run->load = -1;
	run->started_ns = (int64_t)clock_ns(CLOCK_REALTIME);
	if (once->event)
		once->event(once->ctx, run);
	return 0;
}

static int run_simulated(const struct once *once, struct run_row **runs, size_t *nr,
			 struct error *err)
{
	struct sim_crew *crew = sim_crew_new();
	uint64_t started = 0;
	int ret = 0;

	sim_crew_watch(crew, once->simulated, once->ctx);
	*runs = xcalloc(once->repeat, sizeof(**runs));
	while (!ret && *nr < once->repeat) {
		struct run_row *run = &(*runs)[*nr];

		*run = (struct run_row){ .block = (int64_t)*nr, .position = (int64_t)*nr };
		while (!ret && started < once->repeat && sim_crew_room(crew))
			ret = start_simulated(once, crew, started++, err);
		if (!ret)
			ret = take_simulated(once, crew, run, err);
		if (!ret)
			++*nr;
	}
	sim_crew_free(crew);
	return ret;
}

static int restore(struct tune *tune, int ret, struct error *err)
{
	struct error restore_err = { 0 };

	if (!tune_restore(tune, &restore_err))
		return ret;
	return error_set(err, restore_err.code, "%s", restore_err.text);
}

static int run_here(const struct once *once, struct run_row **runs, size_t *nr,
		    struct strbuf *notes, struct error *err)
{
	const char *const nameless = NULL;
	char **params = once_params(once->workload, once->cfg);
	struct counter_set *counters = NULL;
	struct tune *tune = NULL;
	struct launch launch;
	int ret;

	ret = workload_check(once->workload, once->cfg, err);
	if (!ret)
		ret = tune_open(&tune, once->host, &once->settings, &nameless, 1, err);
	if (!ret)
		ret = counters_new(&counters, once->counters, notes, err);
	if (!ret) {
		launch = (struct launch){ .worker = once->worker,
					  .workload = once->workload->name,
					  .params = (const char *const *)params,
					  .settings = once->settings,
					  .cgroup = tune_cgroup(tune, 0),
					  .root_fd = once->host->root_fd,
					  .timeout_ns = once->timeout_ns,
					  .counters = counters,
					  .stop = once->stop };
		ret = make_runs(once, tune, &launch, runs, nr, err);
	}
	if (tune)
		ret = restore(tune, ret, err);
	tune_free(tune);
	counters_free(counters);
	free_params(params);
	return ret;
}

int once_run(const struct once *once, struct run_row **runs, size_t *nr, struct strbuf *notes,
	     struct error *err)
{
	*runs = NULL;
	*nr = 0;
	return once->ground ? run_simulated(once, runs, nr, err)
			    : run_here(once, runs, nr, notes, err);
}

/* What the store wants to know of an experiment, in the form that lab has for it. */
static int store_head(const struct once *once, struct store *store, const char *name,
		      uint64_t blocks, int64_t *id, struct error *err)
{
	struct variant variant = { .name = (char *)variant_name,
				   .settings = (struct settings *)once->settings };
	struct point point = { .label = (char *)once->workload->name,
			       .workload = once->workload,
			       .cfg = (void *)once->cfg,
			       .params = once_params(once->workload, once->cfg),
			       .timeout_ns = once->timeout_ns };
	const struct experiment experiment = {
		.name = (char *)name,
		.text = (char *)"",
		.blocks = blocks,
		.counters = (char *)(once->counters ? once->counters : "default"),
		.variants = &variant,
		.nr_variants = 1,
		.points = &point,
		.nr_points = 1,
		.sim = once->ground != NULL,
	};
	int ret = stored_add(store, &experiment, id, err);

	free_params(point.params);
	return ret;
}

int once_store(const struct once *once, struct store *store, const char *name, struct run_row *runs,
	       size_t nr, const char *notes, int64_t *id, struct error *err)
{
	struct session_row session = { 0 };
	int ret;

	ret = store_head(once, store, name, nr, &session.experiment, err);
	session.boot_id = xstrdup(once->ground ? SIM_BOOT_ID : once->host->boot_id);
	session.facts = once->ground ? xstrdup(once->ground->facts) : read_facts(once->host, true);
	session.notes = xstrdup(notes);
	session.started_ns = nr ? runs[0].started_ns : 0;
	if (!ret)
		ret = store_add_session(store, &session, err);
	for (size_t i = 0; !ret && i < nr; i++) {
		runs[i].experiment = session.experiment;
		runs[i].session = session.id;
		ret = store_add_run(store, &runs[i], err);
	}
	if (!ret)
		ret = store_finish_experiment(store, session.experiment, NULL, err);
	if (!ret)
		*id = session.experiment;
	session_row_release(&session);
	return ret;
}
