// SPDX-License-Identifier: GPL-2.0-only
#include "lab/sim_session.h"

#include "base/mem.h"
#include "lab/sim_crew.h"

#include <errno.h>
#include <stdlib.h>

/**
 * struct sim_session - heap
 * @grounds: [variant]
 * @next:    of the agenda, the first run that was not started
 * @started: started[nr_started]: places in the agenda of the runs in @crew
 */
struct sim_session {
	const struct lab *lab;
	struct sim_ground **grounds;
	struct sim_crew *crew;
	size_t next;
	size_t *started;
	size_t nr_started;
};

static int open_variant(struct sim_session *session, size_t v, struct error *err)
{
	const struct experiment *experiment = session->lab->experiment;
	const struct variant *variant = &experiment->variants[v];
	const struct point *which = NULL;
	const char *place;
	int ret = sim_ground_open(&session->grounds[v], variant->settings, err);

	if (!ret)
		ret = sim_check(session->grounds[v], experiment->points, experiment->nr_points,
				session->lab->stop, &which, err);
	if (!ret)
		return 0;
	error_prefix(err, "variant %s", variant->name);
	place = which ? which->place : variant->place;
	if (place && ret != -EINTR)
		error_prefix(err, "%s", place);
	return ret;
}

int sim_session_open(struct sim_session **out, const struct lab *lab, struct error *err)
{
	struct sim_session *session = xcalloc(1, sizeof(*session));
	int ret = 0;

	session->lab = lab;
	session->grounds = xcalloc(lab->experiment->nr_variants, sizeof(*session->grounds));
	session->crew = sim_crew_new();
	sim_crew_watch(session->crew, lab->simulated, lab->ctx);
	for (size_t v = 0; v < lab->experiment->nr_variants && !ret; v++)
		ret = open_variant(session, v, err);
	if (ret)
		sim_session_free(session);
	else
		*out = session;
	return ret;
}

void sim_session_free(struct sim_session *session)
{
	if (!session)
		return;
	sim_crew_free(session->crew);
	for (size_t v = 0; v < session->lab->experiment->nr_variants; v++)
		sim_ground_free(session->grounds[v]);
	free(session->grounds);
	free(session->started);
	free(session);
}

void sim_session_notes(const struct sim_session *session, struct strbuf *notes)
{
	const struct experiment *experiment = session->lab->experiment;

	for (size_t v = 0; v < experiment->nr_variants; v++)
		if (session->grounds[v]->groups.vain)
			strbuf_addf(notes, "variant %s: %s\n", experiment->variants[v].name,
				    session->grounds[v]->groups.vain);
}

const char *sim_session_facts(const struct sim_session *session, size_t variant)
{
	return session->grounds[variant]->facts;
}

static int start(struct sim_session *session, const struct agenda *agenda, size_t i,
		 struct error *err)
{
	const struct experiment *experiment = session->lab->experiment;
	const struct planned_run *run = &agenda->runs[i];
	const struct point *point = &experiment->points[run->point];
	const struct sim_job job = {
		.ground = session->grounds[run->variant],
		.workload = point->workload,
		.cfg = point->cfg,
		.seed = plan_seed(experiment, run->block, run->point) +
			session->grounds[run->variant]->seed,
		.timeout_ns = point->timeout_ns,
	};
	int ret = sim_crew_start(session->crew, &job, err);

	if (ret)
		return ret;
	session->started =
		xreallocarray(session->started, session->nr_started + 1, sizeof(*session->started));
	session->started[session->nr_started++] = i;
	return 0;
}

/* May it turn out that run @j is not to be made, though @i is? */
static bool uncertain(const struct sim_session *session, const struct agenda *agenda, size_t i,
		      size_t j)
{
	const struct experiment *experiment = session->lab->experiment;

	return agenda->runs[j].block != agenda->runs[i].block &&
	       (experiment->budget_ns || experiment->until > 0 || session->lab->most_blocks);
}

static int start_ahead(struct sim_session *session, const struct agenda *agenda, size_t i,
		       struct error *err)
{
	int ret = 0;

	if (session->next < i)
		session->next = i;
	while (!ret && session->next < agenda->n && sim_crew_room(session->crew) &&
	       !uncertain(session, agenda, i, session->next)) {
		size_t j = session->next++;

		if (!progress_given_up(agenda->progress, agenda->runs[j].point))
			ret = start(session, agenda, j, err);
	}
	return ret;
}

/* The oldest one is no longer wanted, or was taken. */
static void forget(struct sim_session *session)
{
	session->nr_started--;
	for (size_t k = 0; k < session->nr_started; k++)
		session->started[k] = session->started[k + 1];
}

int sim_session_take(struct sim_session *session, const struct agenda *agenda, size_t i,
		     struct result *result, struct error *err)
{
	int ret;

	while (session->nr_started && session->started[0] < i) {
		sim_crew_drop(session->crew);
		forget(session);
	}
	ret = start_ahead(session, agenda, i, err);
	if (!ret)
		ret = sim_crew_take(session->crew, session->lab->stop, result, NULL, err);
	if (!ret)
		forget(session);
	return ret;
}
