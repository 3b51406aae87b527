// SPDX-License-Identifier: GPL-2.0-only
#include "lab/execute.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "host/counters.h"
#include "host/facts.h"
#include "host/launch.h"
#include "host/tune.h"
#include "lab/agenda.h"
#include "lab/block_size.h"
#include "lab/deadline.h"
#include "lab/progress.h"
#include "lab/sim_session.h"
#include "lab/stored.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One call of lab_execute(). */
struct session {
	const struct lab *lab;
	struct lab_outcome *out;
	struct progress *progress;
	struct tune *tune;
	struct counter_set *counters;
	struct sim_session *sim; /* NULL: runs are made on this machine */
	int64_t id;
	struct agenda agenda;
};

/* What can be found wrong without touching the machine. */
static int check_host(const struct lab *lab, struct error *err)
{
	const struct experiment *experiment = lab->experiment;
	struct stat st;
	int ret;

	if (stat(lab->worker, &st))
		return error_set(err, errno, "worker %s: %s", lab->worker, strerror(errno));
	if (!S_ISREG(st.st_mode) || access(lab->worker, X_OK))
		return error_set(err, EACCES, "worker %s: not an executable file", lab->worker);
	for (size_t i = 0; i < experiment->nr_points; i++) {
		const struct point *point = &experiment->points[i];

		ret = workload_check(point->workload, point->cfg, err);
		/* the words begin with the workload's name already */
		if (ret && strcmp(point->label, point->workload->name) != 0)
			error_prefix(err, "%s", point->label);
		if (ret)
			return ret;
	}
	return deadline_check(experiment, lab->host, err);
}

static int check_ground(struct session *s, struct error *err)
{
	if (s->lab->experiment->sim)
		return sim_session_open(&s->sim, s->lab, err);
	return check_host(s->lab, err);
}

static int open_tune(struct session *s, struct error *err)
{
	const struct experiment *experiment = s->lab->experiment;
	const struct settings *settings[EXPERIMENT_MAX_VARIANTS];
	const char *names[EXPERIMENT_MAX_VARIANTS];

	for (size_t v = 0; v < experiment->nr_variants; v++) {
		settings[v] = experiment->variants[v].settings;
		names[v] = experiment->variants[v].name;
	}
	return tune_open(&s->tune, s->lab->host, settings, names, experiment->nr_variants, err);
}

/* JSON; where @notes isn't NULL it is for a session: restless facts too, and what can't be known is noted. */
static char *read_facts(const struct host *host, struct strbuf *notes)
{
	struct facts facts = { 0 };
	struct strbuf sb = { 0 };

	facts_read(&facts, host);
	facts_write(&facts, notes, &sb);
	if (notes)
		facts_note(&facts, host, notes);
	facts_release(&facts);
	return strbuf_take(&sb);
}

/* 1-minute load average, negative where it can't be read. */
static double read_load(const struct host *host)
{
	char *line = file_read_line(host->root_fd, "proc/loadavg");
	double load = -1;
	char *end;

	if (line) {
		load = strtod(line, &end);
		if (end == line)
			load = -1;
	}
	free(line);
	return load;
}

/* The experiment, unless it is resumed, and this session. */
static int store_start(struct session *s, struct strbuf *notes, struct error *err)
{
	const struct lab *lab = s->lab;
	struct session_row session = { 0 };
	int ret = 0;

	if (!s->out->experiment)
		ret = stored_add(lab->store, lab->experiment, &s->out->experiment, err);
	if (ret)
		return ret;
	session = (struct session_row){
		.experiment = s->out->experiment,
		.boot_id = xstrdup(lab->host->boot_id),
		.facts = s->sim ? xstrdup(sim_session_facts(s->sim, 0))
				: read_facts(lab->host, notes),
		.started_ns = (int64_t)clock_ns(CLOCK_REALTIME),
	};
	session.notes = xstrdup(strbuf_str(notes));
	ret = store_add_session(lab->store, &session, err);
	s->id = session.id;
	session_row_release(&session);
	return ret;
}

static void tell(const struct session *s, const struct planned_run *next, const struct run_row *run)
{
	if (!s->lab->event)
		return;
	s->lab->event(s->lab->ctx,
		      &(struct lab_event){
			      .next = next,
			      .run = run,
			      .done = s->agenda.done,
			      .total = s->lab->experiment->blocks ? s->agenda.total : 0,
			      .blocks_done = progress_blocks_done(s->progress),
			      .left_ns = agenda_left_ns(&s->agenda),
		      });
}

static int launch_planned(const struct session *s, const struct planned_run *next,
			  struct result *result, struct error *err)
{
	const struct lab *lab = s->lab;
	const struct point *point = &lab->experiment->points[next->point];
	const struct launch launch = {
		.worker = lab->worker,
		.workload = point->workload->name,
		.params = (const char *const *)point->params,
		.settings = lab->experiment->variants[next->variant].settings,
		.cgroup = tune_cgroup(s->tune, next->variant),
		.root_fd = lab->host->root_fd,
		.timeout_ns = point->timeout_ns,
		.counters = s->counters,
		.stop = lab->stop,
	};

	return launch_run(&launch, result, err);
}

/* A run on this machine as the variant wants it. */
static int make_real(const struct session *s, const struct planned_run *next, struct run_row *row,
		     struct error *err)
{
	int ret = tune_apply(s->tune, next->variant, err);

	if (ret)
		return ret;
	row->facts = read_facts(s->lab->host, NULL);
	row->load = read_load(s->lab->host);
	row->started_ns = (int64_t)clock_ns(CLOCK_REALTIME);
	return launch_planned(s, next, &row->result, err);
}

static int make_simulated(const struct session *s, const struct planned_run *next,
			  struct run_row *row, struct error *err)
{
	row->facts = xstrdup(sim_session_facts(s->sim, next->variant));
	row->load = -1;
	row->started_ns = (int64_t)clock_ns(CLOCK_REALTIME);
	return sim_session_take(s->sim, &s->agenda, (size_t)(next - s->agenda.runs), &row->result,
				err);
}

/* Return: 0, -EINTR if it was stopped and nothing was stored, or -errno */
static int make_run(struct session *s, const struct planned_run *next, struct error *err)
{
	const struct lab *lab = s->lab;
	uint64_t before_ns = agenda_now_ns(&s->agenda);
	struct run_row row = {
		.experiment = s->out->experiment,
		.session = s->id,
		.block = next->block,
		.position = progress_position(s->progress),
		.variant = next->variant,
		.point = next->point,
		.warmup = next->warmup,
	};
	int ret;

	tell(s, next, NULL);
	ret = s->sim ? make_simulated(s, next, &row, err) : make_real(s, next, &row, err);
	if (!ret)
		ret = store_add_run(lab->store, &row, err);
	if (!ret) {
		s->out->runs++;
		progress_add(s->progress, &row, agenda_now_ns(&s->agenda) - before_ns);
		agenda_made(&s->agenda, next);
		tell(s, next, &row);
	}
	run_row_release(&row);
	return ret;
}

static bool stop_asked(const struct lab *lab)
{
	return lab->stop && *lab->stop;
}

/* Where the plan may end early: does it, after the blocks so far? */
static int look(struct session *s, struct error *err)
{
	const struct lab *lab = s->lab;
	int ret;

	if (lab->experiment->until <= 0 || !lab->enough || !progress_blocks_done(s->progress))
		return 0;
	ret = lab->enough(lab->ctx, s->out->experiment, &s->out->ended, err);
	if (ret <= 0)
		return ret;
	s->out->finished = true;
	return 0;
}

static int run_all(struct session *s, struct error *err)
{
	uint64_t blocks = progress_blocks_done(s->progress), begun = 0;

	for (size_t i = 0; i < s->agenda.n; i++) {
		const struct planned_run *next = &s->agenda.runs[i];
		int ret = 0;

		if (agenda_opens_block(&s->agenda, i)) {
			if (!agenda_fits(&s->agenda, i)) {
				s->out->finished = true;
				return 0;
			}
			if (s->lab->most_blocks && begun++ == s->lab->most_blocks)
				return 0;
		}
		if (progress_given_up(s->progress, next->point))
			continue;
		if (!stop_asked(s->lab))
			ret = make_run(s, next, err);
		if (ret && ret != -EINTR)
			return ret;
		if (ret || stop_asked(s->lab)) {
			s->out->stopped = true;
			return 0;
		}
		if (progress_blocks_done(s->progress) > blocks) {
			blocks = progress_blocks_done(s->progress);
			ret = look(s, err);
			if (ret || s->out->finished)
				return ret;
		}
	}
	return 0;
}

/* Everything is put back, whatever @ret was; a failure of that must not hide behind an earlier one. */
static int restore(struct session *s, int ret, struct error *err)
{
	struct error restore_err = { 0 };

	if (s->sim || !tune_restore(s->tune, &restore_err))
		return ret;
	if (ret)
		error_prefix(err, "%s; before that", restore_err.text);
	else
		ret = error_set(err, restore_err.code, "%s", restore_err.text);
	return ret;
}

static void note_blocks(const struct experiment *experiment, struct strbuf *notes)
{
	struct strbuf reason = { 0 };

	block_size_reason(experiment, &reason);
	if (reason.len)
		strbuf_addf(notes, "a block holds %s\n", reason.s);
	strbuf_release(&reason);
}

/* Check the rest, store the start, run, restore. */
static int run_session(struct session *s, struct error *err)
{
	struct strbuf notes = { 0 };
	int ret;

	ret = s->sim ? 0 : open_tune(s, err);
	if (ret)
		return ret;
	note_blocks(s->lab->experiment, &notes);
	if (s->sim)
		sim_session_notes(s->sim, &notes);
	else
		ret = counters_new(&s->counters, s->lab->experiment->counters, &notes, err);
	if (!ret)
		ret = store_start(s, &notes, err);
	if (!ret)
		ret = run_all(s, err);
	strbuf_release(&notes);
	return restore(s, ret, err);
}

/* Note the end in the store, and for the caller what is left. */
static int finish(struct session *s, struct error *err)
{
	struct lab_outcome *out = s->out;

	out->given_up = progress_failures(s->progress);
	if (!out->finished)
		out->finished = progress_finished(s->progress);
	if (out->finished)
		return store_finish_experiment(s->lab->store, out->experiment, out->ended, err);
	if (!out->stopped)
		out->left = progress_left(s->progress);
	return 0;
}

static int execute(struct session *s, struct error *err)
{
	int ret;

	ret = check_ground(s, err);
	if (!ret)
		ret = stored_find(s->lab, s->out, s->progress, err);
	if (!ret && !s->out->finished && !progress_finished(s->progress))
		ret = progress_check_kernel(s->progress, err);
	if (ret || s->out->finished)
		return ret;
	/* it may be known since the look that a crash prevented */
	ret = look(s, err);
	if (ret || s->out->finished)
		return ret ? ret : finish(s, err);
	agenda_make(&s->agenda, s->lab, s->progress);
	if (agenda_too_late(&s->agenda))
		s->out->finished = true;
	else if (s->agenda.n)
		ret = run_session(s, err);
	return ret ? ret : finish(s, err);
}

int lab_execute(const struct lab *lab, struct lab_outcome *out, struct error *err)
{
	struct session s = { .lab = lab, .out = out };
	int ret;

	*out = (struct lab_outcome){ 0 };
	s.progress = progress_new(lab->experiment, lab->host);
	ret = execute(&s, err);
	sim_session_free(s.sim);
	tune_free(s.tune);
	counters_free(s.counters);
	agenda_release(&s.agenda);
	progress_free(s.progress);
	return ret;
}

void lab_outcome_release(struct lab_outcome *out)
{
	free(out->ended);
	free(out->left);
	free(out->given_up);
	*out = (struct lab_outcome){ 0 };
}
