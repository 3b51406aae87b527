// SPDX-License-Identifier: GPL-2.0-only
#include "lab/sim_run.h"

#include "base/file.h"
#include "base/mem.h"
#include "lab/sim_spread.h"
#include "sim/sim.h"
#include "trace/write.h"
#include "workload/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a run writes beside its result. */
struct files {
	FILE *trace;
	struct trace_writer *writer;
	FILE *schedstat;
};

/* Return: NULL with the endings there are. */
static const struct trace_format *format_of(const char *path, struct error *err)
{
	static const struct {
		const char *ending, *format;
	} known[] = {
		{ ".perfetto-trace", "perfetto" }, { ".pftrace", "perfetto" }, { ".txt", "ftrace" },
		{ ".ftrace", "ftrace" },	   { ".jsonl", "json" },
	};
	const size_t n = strlen(path);

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		size_t end = strlen(known[i].ending);

		if (n > end && !strcmp(path + n - end, known[i].ending))
			return trace_format_find(known[i].format);
	}
	error_set(err, EINVAL,
		  "trace %.80s: the ending says the format: .perfetto-trace or .pftrace, .txt or "
		  ".ftrace, .jsonl",
		  path);
	return NULL;
}

const struct trace_format *sim_trace_format(const char *path, uint32_t nr_cpus, struct error *err)
{
	const struct trace_format *format = format_of(path, err);

	if (!format || !format->max_cpus || nr_cpus <= format->max_cpus)
		return format;
	error_set(err, ERANGE,
		  "trace %.80s: %s takes %" PRIu32 " CPUs, this machine has %" PRIu32
		  ": .ftrace and .jsonl take more",
		  path, format->name, format->max_cpus, nr_cpus);
	return NULL;
}

int sim_modelled(const struct workload *workload, struct error *err)
{
	struct strbuf known = { 0 };
	int ret;

	if (workload->model)
		return 0;
	for (size_t i = 0; workload_at(i); i++)
		if (workload_at(i)->model)
			strbuf_addf(&known, "%s%s", known.len ? ", " : "", workload_at(i)->name);
	ret = error_set(err, EOPNOTSUPP, "%s has no model for simulated machines, these have: %s",
			workload->name, strbuf_str(&known));
	strbuf_release(&known);
	return ret;
}

/* Beside the file that it is to be; NULL: what is there is no file, and is written to */
static char *beside(const char *path, pid_t pid)
{
	char *place = file_put_place(path);
	char *name = place ? file_beside(place, pid) : NULL;

	free(place);
	return name;
}

static bool has_bytes(const char *path)
{
	struct stat st;

	return !stat(path, &st) && st.st_size > 0;
}

void sim_run_put(const struct sim_job *job, pid_t pid, bool keep)
{
	const char *const paths[] = { job->trace, job->schedstat };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		char *name = paths[i] ? beside(paths[i], pid) : NULL;
		char *place = name && keep && has_bytes(name) ? file_put_place(paths[i]) : NULL;

		if (name && (!place || rename(name, place)))
			unlink(name);
		free(place);
		free(name);
	}
}

static FILE *create(const char *path, struct error *err)
{
	char *place = file_put_place(path), *name = NULL;
	int fd = place ? file_create_beside(&name, AT_FDCWD, place, 0666, err)
		       : open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (!file && (!place || fd >= 0))
		error_set(err, errno, "%s: %s", path, strerror(errno));
	free(name);
	free(place);
	return file;
}

static int open_trace(struct files *files, const struct sim_job *job, struct error *err)
{
	const struct trace_format *format =
		sim_trace_format(job->trace, job->ground->shape.of.nr_cpus, err);

	if (!format)
		return -err->code;
	files->trace = create(job->trace, err);
	if (!files->trace)
		return -err->code;
	files->writer = trace_writer_new(format, files->trace);
	return 0;
}

static int open_files(struct files *files, const struct sim_job *job, struct error *err)
{
	int ret = job->trace ? open_trace(files, job, err) : 0;

	if (ret)
		return ret;
	if (job->schedstat) {
		files->schedstat = create(job->schedstat, err);
		if (!files->schedstat)
			return -err->code;
	}
	return 0;
}

static int close_file(FILE *file, const char *path, struct error *err)
{
	if (file && fclose(file))
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	return 0;
}

/* Also after a failure: what led to it is what the trace was wanted for. */
static int close_files(struct files *files, const struct sim_job *job, struct error *err)
{
	int ret = 0, closed;

	if (files->writer) {
		ret = trace_writer_finish(files->writer, err);
		if (ret)
			error_prefix(err, "%s", job->trace);
	}
	closed = close_file(files->trace, job->trace, err);
	ret = ret ? ret : closed;
	closed = close_file(files->schedstat, job->schedstat, err);
	ret = ret ? ret : closed;
	if (ret)
		sim_run_put(job, getpid(), false);
	return ret;
}

static void put_text(void *ctx, const char *text)
{
	fputs(text, ctx);
}

static void print_line(void *ctx, const char *line)
{
	(void)ctx;
	fprintf(stderr, "%s\n", line);
}

static void add_notes(struct result *result, const struct sim_job *job)
{
	char *seed = xasprintf("%" PRIu64, job->seed);
	const struct sim_ground *ground = job->ground;
	struct strbuf knobs = { 0 };

	result_add_note(result, "machine", ground->about_machine);
	result_add_note(result, "core", ground->core.about);
	result_add_note(result, "costs", ground->about_costs);
	sim_ground_tell_knobs(ground, &knobs);
	if (knobs.len)
		result_add_note(result, "knobs", knobs.s);
	if (ground->groups.vain)
		result_add_note(result, "in vain", ground->groups.vain);
	result_add_note(result, "seed", seed);
	strbuf_release(&knobs);
	free(seed);
}

/* A kernel counts only where it is told to, and else has a file of zeros. Who sets the knob has what it is set to. */
static void count_schedstat(struct sim *sim, const struct sim_ground *ground)
{
	static const char knob[] = "sched_schedstats";
	const struct core_ops *ops = sim_core_ops(sim);
	const char *name = NULL;

	for (uint32_t i = 0; i < ground->nr_knobs; i++)
		if (!strncmp(ground->knobs[i], knob, strlen(knob)))
			return;
	for (uint32_t i = 0; (name = ops->knob_at(sim_core(sim), i)); i++)
		if (!strcmp(name, knob))
			break;
	if (name)
		ops->knob(sim_core(sim), knob, "1");
}

static int run_model(struct run *run, struct sim *sim, const struct sim_job *job,
		     const struct files *files, struct strbuf *breach, struct error *err)
{
	int ret = job->workload->model(run, sim, job->cfg, err);

	sim_add_counters(&run->result, sim, job->ground->check || job->trace);
	if (sim_breach(sim))
		strbuf_addstr(breach, sim_breach(sim));
	if (!ret && files->schedstat)
		sim_core_ops(sim)->schedstat(sim_core(sim), put_text, files->schedstat);
	return ret;
}

/* All of a point but its run. */
static int set_up(const struct point *point, struct sim *sim, struct error *err)
{
	struct run run = { .workload = point->workload, .pid = getpid(), .only_set_up = true };
	int ret = point->workload->model(&run, sim, point->cfg, err);

	result_release(&run.result);
	if (!ret || ret == -ECANCELED)
		return 0;
	error_prefix(err, "%s", point->label);
	return ret;
}

/* struct drawn - the costs of one run, its own */
struct drawn {
	struct costs costs;
	struct costs_pairs pairs;
};

/* @drawn: filled, and borrowed by what is returned */
static struct sim_setup setup_of(const struct sim_job *job, struct drawn *drawn)
{
	const struct sim_ground *ground = job->ground;

	drawn->costs = ground->costs;
	costs_pairs_copy(&drawn->pairs, &ground->pairs);
	sim_spread(&drawn->costs, job->seed, ground->spread_ppm);
	sim_spread_pairs(&drawn->pairs, job->seed, ground->spread_ppm);
	return (struct sim_setup){
		.core = ground->core.ops,
		.machine = &ground->shape.of,
		.costs = &drawn->costs,
		.pairs = &drawn->pairs,
		.seed = job->seed,
		.knobs = (const char *const *)ground->knobs,
		.nr_knobs = ground->nr_knobs,
		.check = ground->check,
		.seen_ns = job->seen_ns,
		.print = print_line,
	};
}

static int boot_and_run(struct run *run, const struct sim_job *job, const struct files *files,
			struct strbuf *breach, struct error *err)
{
	struct drawn drawn;
	struct sim_setup setup = setup_of(job, &drawn);
	struct sim *sim = NULL;
	int ret;

	setup.trace = files->writer ? &files->writer->sink : NULL;
	ret = sim_new(&sim, &setup, err);
	if (!ret)
		ret = sim_groups_make(&job->ground->groups, sim, err);
	if (!ret && files->schedstat)
		count_schedstat(sim, job->ground);
	if (!ret && job->workload)
		ret = run_model(run, sim, job, files, breach, err);
	for (size_t i = 0; !ret && !job->workload && i < job->nr_points; i++) {
		ret = set_up(&job->points[i], sim, err);
		if (ret)
			strbuf_addf(breach, "%zu", i);
	}
	sim_free(sim);
	costs_pairs_release(&drawn.pairs);
	return ret;
}

int sim_run_watched(const struct sim_job *job, const struct sim_watch *watch, struct error *err)
{
	struct run run = { .workload = job->workload, .pid = getpid() };
	struct drawn drawn;
	struct sim_setup setup = setup_of(job, &drawn);
	struct sim *sim = NULL;
	int ret;

	setup.core = watch->core;
	setup.machine = watch->machine;
	setup.trace = watch->sink;
	ret = sim_new(&sim, &setup, err);
	if (!ret)
		ret = sim_groups_make(&job->ground->groups, sim, err);
	if (!ret)
		ret = job->workload->model(&run, sim, job->cfg, err);
	sim_free(sim);
	costs_pairs_release(&drawn.pairs);
	result_release(&run.result);
	return ret;
}

bool sim_run_here(const struct sim_job *job, struct strbuf *text)
{
	struct run run = { .workload = job->workload, .pid = getpid() };
	struct strbuf breach = { 0 };
	struct files files = { 0 };
	struct error err = { 0 }, close_err = { 0 };
	int ret;

	run.result.workload = xstrdup(job->workload ? job->workload->name : "boot");
	ret = open_files(&files, job, &err);
	if (!ret)
		ret = boot_and_run(&run, job, &files, &breach, &err);
	if (close_files(&files, job, &close_err) && !ret) {
		ret = -close_err.code;
		err = close_err;
	}
	if (ret)
		result_fail(&run.result, RUN_FAILED, err.text);
	add_notes(&run.result, job);
	result_write(&run.result, text);
	strbuf_addf(text, "\n%s", strbuf_str(&breach));
	strbuf_release(&breach);
	result_release(&run.result);
	return !ret;
}
