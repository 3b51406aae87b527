// SPDX-License-Identifier: GPL-2.0-only
/* workload/rtapp.c - tasks as a file in rt-app's JSON describes them: doc/workloads/rtapp.md. */
#include "base/file.h"
#include "base/mem.h"
#include "workload/place.h"
#include "workload/rtapp_log.h"
#include "workload/rtapp_read.h"
#include "workload/task_exec.h"
#include "workload/task_model.h"
#include "workload/work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

/* Of what rt-app's log has as columns. */
#define NR_KINDS (TASK_SAMPLES_OVERRUN + 1)
#define KINDS	 ((1u << NR_KINDS) - 1)

struct rtapp_cfg {
	char *file;
	uint64_t duration_ns;
	double unit;
	uint64_t log;
};

static const struct opt rtapp_opts[] = {
	OPT(struct rtapp_cfg, file, NULL, 0, 0, "what the tasks do, in rt-app's JSON"),
	OPT_NS(struct rtapp_cfg, "duration", duration_ns, "0", 0, 1e15,
	       "when all tasks end; 0: as the file says"),
	OPT(struct rtapp_cfg, unit, "0", 0, 1e6,
	    "CPU time of a unit of work in ns, so that several runs do the same work; 0: "
	    "calibrate"),
	OPT(struct rtapp_cfg, log, "100", 0, RTAPP_LOG_LINES,
	    "times through a phase that each task keeps, the last ones, for --as original"),
	OPT_END,
};

static const struct metric rtapp_metrics[] = {
	{ "phase-rate", UNIT_PER_SECOND, BETTER_HIGHER,
	  "times through a phase a second, all tasks" },
	{ "work-ratio", UNIT_RATIO, BETTER_LOWER,
	  "what run and runtime took, by what they ask for" },
	{ "work-p50", UNIT_NS, BETTER_LOWER, "half of the phases work at most this long", "work",
	  0.5 },
	{ "work-p99", UNIT_NS, BETTER_LOWER, "99 % of the phases", "work", 0.99 },
	{ "work-max", UNIT_NS, BETTER_LOWER, "the longest work in a phase", "work", 1 },
	{ "period-p50", UNIT_NS, BETTER_LOWER, "half of the phases last at most this long",
	  "period", 0.5 },
	{ "period-p99", UNIT_NS, BETTER_LOWER, "99 % of the phases", "period", 0.99 },
	{ "period-max", UNIT_NS, BETTER_LOWER, "the longest phase", "period", 1 },
	{ "wakeup-p50", UNIT_NS, BETTER_LOWER, "half of the timers wake at most this late",
	  "wakeup", 0.5 },
	{ "wakeup-p99", UNIT_NS, BETTER_LOWER, "99 % of the timers", "wakeup", 0.99 },
	{ "wakeup-p99.9", UNIT_NS, BETTER_LOWER, "99.9 % of the timers", "wakeup", 0.999 },
	{ "wakeup-max", UNIT_NS, BETTER_LOWER, "the latest", "wakeup", 1 },
	{ "slack-p50", UNIT_NS, BETTER_HIGHER,
	  "half of the timers that are reached in time have at most this left", "slack", 0.5 },
	{ "slack-min", UNIT_NS, BETTER_HIGHER, "the least that one has left", "slack", 0 },
	{ "overruns", UNIT_COUNT, BETTER_LOWER, "timers that are reached too late" },
	{ "overrun-p50", UNIT_NS, BETTER_LOWER, "half of those are at most this late", "overrun",
	  0.5 },
	{ "overrun-max", UNIT_NS, BETTER_LOWER, "the latest", "overrun", 1 },
	{ "phases", UNIT_COUNT, BETTER_NONE, "times through a phase, all tasks" },
	{ "runs", UNIT_COUNT, BETTER_NONE, "run and runtime events that were done" },
	{ "duration", UNIT_NS, BETTER_NONE, "from the start to the end of the last task" },
	{ "work-unit", UNIT_NS, BETTER_NONE, "CPU time of a unit of work, as calibrated" },
	{ 0 },
};

static const struct metric rtapp_histograms[] = {
	[TASK_SAMPLES_PERIOD] = { "period", UNIT_NS, BETTER_LOWER, "a time through a phase" },
	[TASK_SAMPLES_WORK] = { "work", UNIT_NS, BETTER_LOWER,
				"run and runtime in it, preemption included" },
	[TASK_SAMPLES_WAKEUP] = { "wakeup", UNIT_NS, BETTER_LOWER,
				  "from a timer's time to the task running" },
	[TASK_SAMPLES_SLACK] = { "slack", UNIT_NS, BETTER_HIGHER,
				 "left when a task comes to its timer in time" },
	[TASK_SAMPLES_OVERRUN] = { "overrun", UNIT_NS, BETTER_LOWER,
				   "too late when it comes too late" },
	{ 0 },
};

static int rtapp_check(const void *arg, struct error *err)
{
	const struct rtapp_cfg *cfg = arg;

	return cfg->file ? 0 : error_set(err, EINVAL, "file: is missing");
}

/* It has to end: rt-app would wait for Ctrl+C. */
static int settle_end(struct task_program *program, const struct rtapp_cfg *cfg, struct error *err)
{
	const struct task *endless = task_program_endless(program);

	if (cfg->duration_ns) {
		program->ends_by_time = true;
		program->duration_ns = cfg->duration_ns;
	}
	if (!endless || program->ends_by_time)
		return 0;
	return error_set(err, EINVAL,
			 "%.200s: task '%.80s' has no end and global no duration: give a duration",
			 cfg->file, endless->name);
}

static int read_file(struct task_program *program, const struct rtapp_cfg *cfg, struct error *err)
{
	struct strbuf text = { 0 };
	int ret = file_read(&text, AT_FDCWD, cfg->file, RTAPP_MAX_BYTES, err);

	if (!ret)
		ret = rtapp_read(program, cfg->file, strbuf_str(&text), text.len, err);
	if (!ret)
		ret = settle_end(program, cfg, err);
	strbuf_release(&text);
	return ret;
}

static bool binds(const struct task_program *program)
{
	for (size_t i = 0; i < program->nr_tasks; i++) {
		const struct task *task = &program->tasks[i];

		if (task->bound)
			return true;
		for (size_t k = 0; k < task->nr_phases; k++)
			if (task->phases[k].bound)
				return true;
	}
	return false;
}

/* What is wrong with the file is probe's to say. */
static void rtapp_needs(const void *arg, struct needs *needs)
{
	const struct rtapp_cfg *cfg = arg;
	struct task_program program = { 0 };
	uint64_t tasks = 0;

	if (cfg->file && !read_file(&program, cfg, NULL))
		tasks = task_program_tasks(&program);
	needs->tasks = tasks + 1;
	needs->fds = 4;
	needs->memory_bytes = task_exec_bytes(&program, KINDS);
	needs->binds = binds(&program);
	task_program_release(&program);
}

static int rtapp_probe(const void *arg, struct error *err)
{
	struct task_program program = { 0 };
	int ret = read_file(&program, arg, err);

	task_program_release(&program);
	return ret;
}

/* On the CPU that the file names, which the worker leaves again. */
static int calibrate(double *unit_ns, const struct task_program *program, struct error *err)
{
	struct cpumask allowed = { 0 };
	int ret = place_allowed(&allowed, err);

	if (!ret && cpumask_test(&allowed, program->calibration_cpu))
		ret = place_bind_cpu(program->calibration_cpu, err);
	if (!ret) {
		*unit_ns = work_calibrate();
		ret = place_bind(&allowed, err);
	}
	cpumask_release(&allowed);
	return ret;
}

static void note_tasks(struct run *run, const struct task_outcome *outcome,
		       const struct task_program *program)
{
	struct strbuf text = { 0 };

	for (size_t i = 0; i < program->nr_tasks && text.len < 1000; i++)
		strbuf_addf(&text, "%s%s%s %llu", i ? ", " : "", program->tasks[i].name,
			    program->tasks[i].forked ? " (forked)" : "",
			    (unsigned long long)outcome->counts[i].phases);
	run_note(run, "phases", "%s", strbuf_str(&text));
	strbuf_release(&text);
}

static void sample(struct run *run, const struct task_outcome *outcome,
		   const struct task_program *program)
{
	const uint64_t duration_ns = run->stop_ns - run->start_ns;
	const struct task_counts *sum = &outcome->sum;

	run_sample(run, "phase-rate",
		   (double)sum->phases / ((double)(duration_ns ? duration_ns : 1) / 1e9));
	if (sum->asked_ns)
		run_sample(run, "work-ratio", (double)sum->work_ns / (double)sum->asked_ns);
	for (int i = 0; i < NR_KINDS; i++)
		run_histogram(run, rtapp_histograms[i].name, outcome->samples[i]);
	run_sample(run, "overruns", (double)outcome->samples[TASK_SAMPLES_OVERRUN]->count);
	run_sample(run, "phases", (double)sum->phases);
	run_sample(run, "runs", (double)sum->runs);
	run_sample(run, "duration", (double)duration_ns);
	note_tasks(run, outcome, program);
	rtapp_log_note(run, program, outcome);
}

static int play(struct run *run, struct task_exec *exec, const struct task_program *program,
		double unit_ns, struct error *err)
{
	struct task_outcome outcome;
	int ret = task_exec_run(exec, run, err);

	if (ret)
		return ret;
	run_sample(run, "work-unit", unit_ns);
	task_exec_outcome(exec, &outcome);
	sample(run, &outcome, program);
	return 0;
}

/* After a failure tasks may go on until the process ends, and use all of it. */
static int rtapp_run(struct run *run, const void *arg, struct error *err)
{
	const struct rtapp_cfg *cfg = arg;
	struct task_program *program = xcalloc(1, sizeof(*program));
	struct task_exec *exec = NULL;
	double unit_ns = cfg->unit;
	int ret = read_file(program, cfg, err);

	if (!ret && unit_ns <= 0)
		ret = calibrate(&unit_ns, program, err);
	if (!ret)
		ret = task_exec_new(&exec, program, unit_ns, KINDS,
				    rtapp_log_size(program, cfg->log), err);
	if (!ret)
		ret = play(run, exec, program, unit_ns, err);
	if (!exec || task_exec_free(exec)) {
		task_program_release(program);
		free(program);
	}
	return ret;
}

/* A unit of work has no length of its own there: work is asked for in time of a CPU at its best. */
static int rtapp_model(struct run *run, struct sim *sim, const void *arg, struct error *err)
{
	const struct rtapp_cfg *cfg = arg;
	struct task_program program = { 0 };
	struct task_model *model = NULL;
	struct task_outcome outcome;
	int ret = read_file(&program, arg, err);

	if (!ret)
		ret = task_model_new(&model, sim, &program, 1, KINDS,
				     rtapp_log_size(&program, cfg->log), err);
	if (!ret)
		ret = task_model_run(model, run, err);
	if (!ret) {
		task_model_outcome(model, &outcome);
		sample(run, &outcome, &program);
	}
	if (model)
		task_model_free(model);
	task_program_release(&program);
	return ret;
}

const struct workload workload_rtapp = {
	.name = "rtapp",
	.summary = "tasks that a file in rt-app's JSON describes",
	.cfg_size = sizeof(struct rtapp_cfg),
	.opts = rtapp_opts,
	.metrics = rtapp_metrics,
	.histograms = rtapp_histograms,
	.check = rtapp_check,
	.needs = rtapp_needs,
	.probe = rtapp_probe,
	.run = rtapp_run,
	.model = rtapp_model,
	.original = rtapp_original,
};
