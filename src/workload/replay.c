// SPDX-License-Identifier: GPL-2.0-only
/* workload/replay.c - what tasks did while a trace was recorded, done again: doc/workloads/replay.md. */
#include "base/clock.h"
#include "base/mem.h"
#include "workload/replay_convert.h"
#include "workload/replay_original.h"
#include "workload/task_exec.h"
#include "workload/task_model.h"
#include "workload/work.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KINDS                                                                                      \
	(1u << TASK_SAMPLES_WAKEUP | 1u << TASK_SAMPLES_OVERRUN | 1u << TASK_SAMPLES_WOKEN |       \
	 1u << TASK_SAMPLES_LATE)

/* What the kernel does by itself, on this machine as well, whoever works on it. */
#define KERNEL_THREADS                                                                             \
	"kworker/*,ksoftirqd/*,migration/*,rcu_*,rcuo*,rcub/*,rcuc/*,cpuhp/*,watchdog*,irq/*,"     \
	"kswapd*,kcompactd*,khugepaged,ksmd,kauditd,khungtaskd,kthreadd,jbd2/*,swapper*"

struct replay_cfg {
	char *file;
	uint64_t from_ns;
	uint64_t to_ns;
	double speed;
	double work;
	char *comm;
	char *skip;
	char *pids;
	uint64_t tasks;
	int sleep;
	int run;
	bool priorities;
	int cpus;
	uint64_t loops;
	double unit;
};

static const struct opt replay_opts[] = {
	OPT(struct replay_cfg, file, NULL, 0, 0,
	    "the trace: text of ftrace, trace-cmd, perf script or perf sched script"),
	OPT_NS(struct replay_cfg, "from", from_ns, "0", 0, 1e15,
	       "begin of the part that is replayed, since the first event"),
	OPT_NS(struct replay_cfg, "to", to_ns, "0", 0, 1e15, "its end; 0: that of the trace"),
	OPT(struct replay_cfg, speed, "1", 1e-3, 1e3,
	    "what is between events is divided by it, but not what tasks run"),
	OPT(struct replay_cfg, work, "1", 1e-3, 1e3, "what tasks run is multiplied by it"),
	OPT(struct replay_cfg, comm, "*", 0, 0, "tasks with such names, as 'nginx,php*'"),
	OPT(struct replay_cfg, skip, KERNEL_THREADS, 0, 0, "but not with these"),
	OPT(struct replay_cfg, pids, "", 0, 0, "tasks with these numbers, as '812,900-999'"),
	OPT(struct replay_cfg, tasks, "1000", 1, 10000,
	    "at most; those that ran longest are taken"),
	OPT_CHOICE(struct replay_cfg, sleep, "until", "until|for",
		   "who was woken from outside sleeps until that time, or for as long"),
	OPT_CHOICE(struct replay_cfg, run, "work", "work|time",
		   "a run is as much work as fits into its time, or lasts until that has passed"),
	OPT(struct replay_cfg, priorities, "no", 0, 0,
	    "tasks have the nice value or real-time priority that they had"),
	OPT_CHOICE(struct replay_cfg, cpus, "free", "free|seen",
		   "tasks run where they may, or on the CPUs on which they ran"),
	OPT(struct replay_cfg, loops, "1", 1, 1e6, "times that all of it is done"),
	OPT(struct replay_cfg, unit, "0", 0, 1e6,
	    "CPU time of a unit of work in ns, so that several runs do the same work; 0: "
	    "calibrate"),
	OPT_END,
};

static const struct metric replay_metrics[] = {
	{ "slowdown", UNIT_RATIO, BETTER_LOWER,
	  "time from the start to the last task's end, by that of the recording" },
	{ "late-p50", UNIT_NS, BETTER_LOWER,
	  "half of the runs end at most this much later than recorded", "late", 0.5 },
	{ "late-p99", UNIT_NS, BETTER_LOWER, "99 % of the runs", "late", 0.99 },
	{ "late-max", UNIT_NS, BETTER_LOWER, "the latest", "late", 1 },
	{ "wakeup-p50", UNIT_NS, BETTER_LOWER, "half of the woken tasks run at most so much later",
	  "wakeup", 0.5 },
	{ "wakeup-p99", UNIT_NS, BETTER_LOWER, "99 % of them", "wakeup", 0.99 },
	{ "wakeup-p99.9", UNIT_NS, BETTER_LOWER, "99.9 % of them", "wakeup", 0.999 },
	{ "wakeup-max", UNIT_NS, BETTER_LOWER, "the latest", "wakeup", 1 },
	{ "work-ratio", UNIT_RATIO, BETTER_LOWER, "time that runs took, by what was recorded" },
	{ "overruns", UNIT_COUNT, BETTER_LOWER,
	  "sleeps left out, as the time to be woken had passed" },
	{ "recorded-p50", UNIT_NS, BETTER_NONE, "wakeup-p50 of the recording", "recorded", 0.5 },
	{ "recorded-p99", UNIT_NS, BETTER_NONE, "its wakeup-p99", "recorded", 0.99 },
	{ "recorded-p99.9", UNIT_NS, BETTER_NONE, "its wakeup-p99.9", "recorded", 0.999 },
	{ "recorded-max", UNIT_NS, BETTER_NONE, "its wakeup-max", "recorded", 1 },
	{ "matched", UNIT_RATIO, BETTER_NONE,
	  "share of the sleeps that another replayed task ends" },
	{ "sleeps", UNIT_COUNT, BETTER_NONE, "recorded sleeps that ended, once through" },
	{ "awake", UNIT_COUNT, BETTER_NONE, "wake-ups of tasks that were still awake" },
	{ "forks", UNIT_COUNT, BETTER_NONE, "tasks that another replayed task starts" },
	{ "runs", UNIT_COUNT, BETTER_NONE, "runs that were done" },
	{ "tasks", UNIT_COUNT, BETTER_NONE, "tasks that are replayed" },
	{ "schedule", UNIT_NS, BETTER_NONE, "time of the recording, at that speed" },
	{ "duration", UNIT_NS, BETTER_NONE, "that it took, once through" },
	{ "work-unit", UNIT_NS, BETTER_NONE, "CPU time of a unit of work, as calibrated" },
	{ 0 },
};

static const struct metric replay_histograms[] = {
	{ "late", UNIT_NS, BETTER_LOWER, "end of a run, since the recorded time; 0: not later" },
	{ "wakeup", UNIT_NS, BETTER_LOWER, "from being woken to running" },
	{ "recorded", UNIT_NS, BETTER_NONE, "the same in the recording" },
	{ 0 },
};

static struct replay_choice choice_of(const struct replay_cfg *cfg)
{
	return (struct replay_choice){
		.from_ns = cfg->from_ns,
		.to_ns = cfg->to_ns,
		.speed = cfg->speed,
		.work = cfg->work,
		.comm = cfg->comm,
		.skip = cfg->skip,
		.pids = cfg->pids,
		.most = cfg->tasks,
		.sleep = (enum replay_sleep)cfg->sleep,
		.run = (enum replay_run)cfg->run,
		.priorities = cfg->priorities,
		.cpus_seen = cfg->cpus,
	};
}

static int replay_check(const void *arg, struct error *err)
{
	const struct replay_cfg *cfg = arg;
	const struct replay_choice choice = choice_of(cfg);

	return cfg->file ? replay_choice_check(&choice, err)
			 : error_set(err, EINVAL, "file: is missing");
}

/**
 * struct replay - a file that was read
 * @waits: as recorded
 */
struct replay {
	struct task_program program;
	struct replay_facts facts;
	struct histogram waits;
	uint64_t events;
	uint64_t lost;
	uint64_t skipped;
};

/* Return: 0 and the caller's to free; -errno */
static int read_file(struct replay **out, const struct replay_cfg *cfg, struct error *err)
{
	const struct replay_choice choice = choice_of(cfg);
	struct replay *replay = xcalloc(1, sizeof(*replay));
	struct replay_log log = { 0 };
	int ret = replay_log_read(&log, cfg->file, err);

	if (!ret) {
		ret = replay_convert(&replay->program, &replay->facts, &replay->waits, &log,
				     &choice, err);
		if (ret)
			error_prefix(err, "%.200s", cfg->file);
	}
	if (ret) {
		free(replay);
	} else {
		replay->events = log.nr_events;
		replay->lost = log.lost;
		replay->skipped = log.skipped;
		*out = replay;
	}
	replay_log_release(&log);
	return ret;
}

static void replay_free(struct replay *replay)
{
	if (replay)
		task_program_release(&replay->program);
	free(replay);
}

/* What is wrong with the file is probe's to say. */
static void replay_needs(const void *arg, struct needs *needs)
{
	const struct replay_cfg *cfg = arg;
	struct replay *replay = NULL;

	needs->fds = 4;
	needs->binds = cfg->cpus;
	if (!cfg->file || read_file(&replay, cfg, NULL))
		return;
	needs->tasks = replay->facts.replayed + 1;
	needs->memory_bytes = task_exec_bytes(&replay->program, KINDS);
	replay_free(replay);
}

static bool may_raise(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return !syscall(SYS_capget, &head, data) && data[0].effective & 1u << CAP_SYS_NICE;
}

static uint64_t limit(__rlimit_resource_t resource)
{
	struct rlimit limit;

	return getrlimit(resource, &limit) ? 0 : limit.rlim_cur;
}

/* RLIMIT_NICE is 20 - nice. */
static bool may_have(const struct task_sched *sched)
{
	if (sched->policy == TASK_FIFO)
		return limit(RLIMIT_RTPRIO) >= (uint64_t)sched->priority;
	return sched->priority >= 0 || limit(RLIMIT_NICE) >= (uint64_t)(20 - sched->priority);
}

static int check_priorities(const struct task_program *program, struct error *err)
{
	if (may_raise())
		return 0;
	for (size_t i = 0; i < program->nr_tasks; i++) {
		const struct task *task = &program->tasks[i];

		if (task->sched.given && !may_have(&task->sched))
			return error_set(
				err, EPERM, "%s had %s %d: ask root, or give priorities=no",
				task->name,
				task->sched.policy == TASK_FIFO ? "real-time priority" : "nice",
				task->sched.priority);
	}
	return 0;
}

static int replay_probe(const void *arg, struct error *err)
{
	const struct replay_cfg *cfg = arg;
	struct replay *replay = NULL;
	int ret = read_file(&replay, cfg, err);

	if (ret)
		return ret;
	ret = check_priorities(&replay->program, err);
	if (ret)
		error_prefix(err, "%.200s", cfg->file);
	replay_free(replay);
	return ret;
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void sample_samples(struct run *run, const struct task_outcome *outcome,
			   const struct replay *replay)
{
	struct histogram *const *samples = outcome->samples;

	histogram_merge(samples[TASK_SAMPLES_WAKEUP], samples[TASK_SAMPLES_WOKEN]);
	run_histogram(run, "late", samples[TASK_SAMPLES_LATE]);
	run_histogram(run, "wakeup", samples[TASK_SAMPLES_WAKEUP]);
	run_histogram(run, "recorded", &replay->waits);
	run_sample(run, "overruns", (double)samples[TASK_SAMPLES_OVERRUN]->count);
}

/* @total_ns: of all @loops */
static void sample(struct run *run, const struct task_outcome *outcome, const struct replay *replay,
		   uint64_t total_ns, uint64_t loops)
{
	const struct replay_facts *facts = &replay->facts;
	const struct task_counts *sum = &outcome->sum;
	const double duration_ns = (double)total_ns / (double)loops;

	run_sample(run, "slowdown",
		   duration_ns / (double)(facts->schedule_ns ? facts->schedule_ns : 1));
	sample_samples(run, outcome, replay);
	if (sum->asked_ns)
		run_sample(run, "work-ratio", share(sum->work_ns, sum->asked_ns));
	if (facts->sleeps)
		run_sample(run, "matched", share(facts->matched, facts->sleeps));
	run_sample(run, "sleeps", (double)facts->sleeps);
	run_sample(run, "awake", (double)facts->awake);
	run_sample(run, "forks", (double)facts->forks);
	run_sample(run, "runs", (double)sum->runs);
	run_sample(run, "tasks", (double)facts->replayed);
	run_sample(run, "schedule", (double)facts->schedule_ns);
	run_sample(run, "duration", duration_ns);
}

static void note(struct run *run, const struct replay *replay)
{
	const struct replay_facts *facts = &replay->facts;

	run_note(run, "trace",
		 "%" PRIu64 " of %" PRIu64 " tasks that ran, with %.1f %% of the CPU time; %" PRIu64
		 " left out by name or number, %" PRIu64 " as others ran longer",
		 facts->replayed, facts->tasks, 100 * share(facts->replayed_cpu_ns, facts->cpu_ns),
		 facts->skipped, facts->beyond);
	if (replay->lost || replay->skipped)
		run_note(run, "holes",
			 "%" PRIu64 " events of %" PRIu64 " lost by the recorder, %" PRIu64
			 " lines not read",
			 replay->lost, replay->lost + replay->events, replay->skipped);
}

static size_t rounds_told(const struct replay_cfg *cfg)
{
	return cfg->loops < REPLAY_ROUNDS ? (size_t)cfg->loops : REPLAY_ROUNDS;
}

/* All of it, as often as is wanted. */
static int play(struct run *run, struct task_exec *exec, const struct replay *replay,
		const struct replay_cfg *cfg, struct error *err)
{
	struct task_round rounds[REPLAY_ROUNDS];
	struct task_outcome outcome;
	uint64_t total_ns = 0;

	for (uint64_t i = 0; i < cfg->loops; i++) {
		const uint64_t cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		int ret = task_exec_run(exec, run, err);

		if (ret)
			return ret;
		total_ns += run->stop_ns - run->start_ns;
		if (i < REPLAY_ROUNDS)
			rounds[i] = (struct task_round){
				run->stop_ns - run->start_ns,
				clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns,
			};
	}
	task_exec_outcome(exec, &outcome);
	replay_tell(run, &replay->program, rounds, rounds_told(cfg), cfg->loops);
	sample(run, &outcome, replay, total_ns, cfg->loops);
	return 0;
}

/* After a failure tasks may go on until the process ends, and use all of it. */
static int replay_run(struct run *run, const void *arg, struct error *err)
{
	const struct replay_cfg *cfg = arg;
	struct replay *replay = NULL;
	struct task_exec *exec = NULL;
	double unit_ns = cfg->unit;
	int ret = read_file(&replay, cfg, err);

	if (ret)
		return ret;
	note(run, replay);
	replay_tell_clocks(run);
	if (unit_ns <= 0)
		unit_ns = work_calibrate();
	ret = task_exec_new(&exec, &replay->program, unit_ns, KINDS, 0, err);
	if (!ret)
		ret = play(run, exec, replay, cfg, err);
	if (!ret)
		run_sample(run, "work-unit", unit_ns);
	if (!exec || task_exec_free(exec))
		replay_free(replay);
	return ret;
}

static int replay_model(struct run *run, struct sim *sim, const void *arg, struct error *err)
{
	const struct replay_cfg *cfg = arg;
	struct replay *replay = NULL;
	struct task_model *model = NULL;
	struct task_outcome outcome;
	int ret = read_file(&replay, cfg, err);

	if (ret)
		return ret;
	note(run, replay);
	ret = task_model_new(&model, sim, &replay->program, cfg->loops, KINDS, 0, err);
	if (!ret)
		ret = task_model_run(model, run, err);
	if (!ret) {
		task_model_outcome(model, &outcome);
		replay_tell(run, &replay->program, task_model_rounds(model), rounds_told(cfg),
			    cfg->loops);
		sample(run, &outcome, replay, task_model_ns(model), cfg->loops);
	}
	if (model)
		task_model_free(model);
	replay_free(replay);
	return ret;
}

const struct workload workload_replay = {
	.name = "replay",
	.summary = "what tasks did while a trace was recorded, done again",
	.cfg_size = sizeof(struct replay_cfg),
	.opts = replay_opts,
	.metrics = replay_metrics,
	.histograms = replay_histograms,
	.check = replay_check,
	.needs = replay_needs,
	.probe = replay_probe,
	.run = replay_run,
	.model = replay_model,
	.original = replay_original,
};
