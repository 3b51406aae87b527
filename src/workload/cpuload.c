// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/cpuload.c - tasks that compute a fixed amount each, all the time or at a duty cycle: what stress-ng --cpu N
 * --cpu-ops K --cpu-load P is quoted for. doc/workloads/cpuload.md.
 */
#include "workload/cpuload.h"

#include "base/clock.h"
#include "base/mem.h"
#include "workload/gate.h"
#include "workload/place.h"
#include "workload/run.h"
#include "workload/shared.h"
#include "workload/team.h"
#include "workload/work.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdalign.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_US UINT64_C(1000)

/* Samples up to here are no page fault of the histogram. */
#define TOUCHED_NS NS_PER_S

static const struct opt cpuload_opts[] = {
	OPT(struct cpuload_cfg, tasks, "0", 0, 1e7,
	    "processes that compute (--cpu); 0: one for each CPU that may be used"),
	OPT(struct cpuload_cfg, ops, "10000", 1, 1e12, "operations to do (--cpu-ops)"),
	OPT_CHOICE(struct cpuload_cfg, quota, "total", "total|task",
		   "ops are of all tasks together, divided as in stress-ng, or of each"),
	OPT(struct cpuload_cfg, work, "8000", 1, 1e9,
	    "units of work in an operation, 64 dependent multiplications each"),
	OPT(struct cpuload_cfg, load, "100", 1, 100,
	    "percent of a CPU that a task is to use (--cpu-load)"),
	OPT(struct cpuload_cfg, slice, "64", 1, 1e6,
	    "operations between two sleeps where load is below 100 (--cpu-load-slice)"),
	OPT_CHOICE(struct cpuload_cfg, pacing, "deadline", "deadline|stress-ng",
		   "sleep until the load since the start is right, or for a time reckoned from "
		   "the last slice"),
	OPT_END,
};

static const struct metric cpuload_metrics[] = {
	{ "time", UNIT_NS, BETTER_LOWER, "from the start until every task has ended" },
	{ "finish-min", UNIT_NS, BETTER_LOWER, "until the first task has done its work", "finish",
	  0 },
	{ "finish-p50", UNIT_NS, BETTER_LOWER, "until half of the tasks have", "finish", 0.5 },
	{ "finish-max", UNIT_NS, BETTER_LOWER, "until the last one has", "finish", 1 },
	{ "spread", UNIT_PERCENT, BETTER_LOWER,
	  "share of the time in which some tasks were done and others weren't" },
	{ "late-p50", UNIT_NS, BETTER_LOWER, "half of the wakeups are at most this late", "late",
	  0.5 },
	{ "late-p99", UNIT_NS, BETTER_LOWER, "99 % of the wakeups", "late", 0.99 },
	{ "late-max", UNIT_NS, BETTER_LOWER, "the latest wakeup", "late", 1 },
	{ "setup", UNIT_NS, BETTER_LOWER, "from the first task's creation until all are ready" },
	{ "load-mean", UNIT_PERCENT, BETTER_NONE,
	  "load that was reached: CPU time by time, of each task until its end" },
	{ "load-least", UNIT_PERCENT, BETTER_NONE, "that of the task with the least" },
	{ "load-most", UNIT_PERCENT, BETTER_NONE, "that of the task with the most" },
	{ "ops", UNIT_COUNT, BETTER_NONE, "operations done, each checked" },
	{ "task-user", UNIT_NS, BETTER_NONE, "CPU time of the tasks in their own code" },
	{ "task-sys", UNIT_NS, BETTER_NONE, "CPU time of the tasks in the kernel" },
	{ "moves", UNIT_COUNT, BETTER_NONE,
	  "times that a task began a slice on another CPU than the one before" },
	{ "work-unit", UNIT_NS, BETTER_NONE, "CPU time of a unit of work, as calibrated" },
	{ 0 },
};

static const struct metric cpuload_histograms[] = {
	{ "finish", UNIT_NS, BETTER_LOWER,
	  "of each task: from the start until its work was done; wide where some are starved" },
	{ "late", UNIT_NS, BETTER_LOWER,
	  "from the end of a sleep as it was set to the task running, where load is below 100" },
	{ 0 },
};

struct cpuload {
	const struct cpuload_cfg *cfg;
	uint64_t nr_tasks;
	uint64_t quota;
	struct gate *gate;
	struct task *tasks;
	struct cpuload_account *accounts;
	struct histogram *late; /* of each task; NULL where none sleeps */
	uint64_t setup_ns;
	double unit_ns;
};

struct task {
	struct cpuload *load;
	size_t nr;
};

uint64_t cpuload_tasks(const struct cpuload_cfg *cfg)
{
	struct cpumask allowed = { 0 };
	uint64_t n = cfg->tasks;

	if (!n)
		n = place_allowed(&allowed, NULL) ? 1 : cpumask_weight(&allowed);
	cpumask_release(&allowed);
	return n;
}

uint64_t cpuload_quota(const struct cpuload_cfg *cfg)
{
	uint64_t tasks = cpuload_tasks(cfg);

	return cfg->quota == QUOTA_TASK ? cfg->ops : (cfg->ops + tasks - 1) / tasks;
}

uint64_t cpuload_until(uint64_t start_ns, uint64_t cpu_ns, uint64_t load)
{
	return start_ns + (uint64_t)((double)cpu_ns * 100 / (double)load);
}

uint64_t cpuload_sleep(const struct slice *slice, uint64_t load)
{
	double idle_ns = (double)slice->cpu_ns * (double)(100 - load) / (double)load;
	double ns =
		idle_ns + (double)slice->cpu_ns - (double)slice->wall_ns - (double)slice->late_ns;

	return ns > 0 ? (uint64_t)ns : 0;
}

static int cpuload_check(const void *arg, struct error *err)
{
	const struct cpuload_cfg *cfg = arg;

	/* steps of one task are counted in 64 bits */
	if ((double)cfg->ops * (double)cfg->work > (double)(UINT64_MAX / WORK_STEPS / 2))
		return error_set(err, ERANGE, "ops x work: more than 2^57 units of work");
	return 0;
}

static void cpuload_needs(const void *arg, struct needs *needs)
{
	const struct cpuload_cfg *cfg = arg;
	uint64_t n = cpuload_tasks(cfg);

	needs->tasks = n + 1;
	needs->memory_bytes = n * sizeof(struct cpuload_account);
	if (cfg->load < 100)
		needs->memory_bytes += n * sizeof(struct histogram);
}

/* Sleep until @until_ns, and see how late it was in the end. */
static uint64_t sleep_late(struct histogram *late, uint64_t until_ns)
{
	uint64_t late_ns;

	clock_sleep_until(CLOCK_MONOTONIC, until_ns);
	late_ns = clock_ns(CLOCK_MONOTONIC) - until_ns;
	histogram_add(late, late_ns);
	return late_ns;
}

/* struct pace - a task's way through its duty cycle */
struct pace {
	const struct cpuload_cfg *cfg;
	struct histogram *late;
	uint64_t start_ns, start_cpu_ns;
	uint64_t slice_ns, slice_cpu_ns; /* the slice's begin */
	uint64_t late_ns;
};

static void pace_begin_slice(struct pace *pace)
{
	pace->slice_ns = clock_ns(CLOCK_MONOTONIC);
	pace->slice_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void pace_end_slice(struct pace *pace)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct slice slice = { .cpu_ns = cpu_ns - pace->slice_cpu_ns,
			       .wall_ns = now_ns - pace->slice_ns,
			       .late_ns = pace->late_ns };
	uint64_t until_ns;

	if (pace->cfg->pacing == PACING_STRESS_NG)
		until_ns = now_ns + cpuload_sleep(&slice, pace->cfg->load);
	else
		until_ns =
			cpuload_until(pace->start_ns, cpu_ns - pace->start_cpu_ns, pace->cfg->load);
	pace->late_ns = until_ns > now_ns ? sleep_late(pace->late, until_ns) : 0;
}

/* The whole work of a task. Return: the number that it comes to */
static uint64_t work(const struct cpuload *load, struct cpuload_account *account, struct pace *pace)
{
	const struct cpuload_cfg *cfg = load->cfg;
	int cpu = sched_getcpu();
	uint64_t x = 1;

	for (uint64_t left = load->quota, n; left; left -= n) {
		int now = sched_getcpu();

		account->moves += now != cpu;
		cpu = now;
		n = left < cfg->slice ? left : cfg->slice;
		if (pace->late)
			pace_begin_slice(pace);
		x = work_from(x, n * cfg->work);
		if (pace->late && left > n)
			pace_end_slice(pace);
	}
	return x;
}

static uint64_t timeval_ns(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * NS_PER_S + (uint64_t)tv->tv_usec * NS_PER_US;
}

static int task_main(void *arg, struct error *err)
{
	const struct task *task = arg;
	const struct cpuload *load = task->load;
	struct cpuload_account *account = &load->accounts[task->nr];
	struct pace pace = { .cfg = load->cfg, .late = load->late ? &load->late[task->nr] : NULL };
	struct rusage before, after;
	uint64_t x;

	*(volatile uint64_t *)&account->end_ns = 0;
	gate_pass(load->gate);
	getrusage(RUSAGE_THREAD, &before);
	pace.start_ns = clock_ns(CLOCK_MONOTONIC);
	pace.start_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	x = work(load, account, &pace);
	account->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - pace.start_cpu_ns;
	account->end_ns = clock_ns(CLOCK_MONOTONIC);
	getrusage(RUSAGE_THREAD, &after);
	account->user_ns = timeval_ns(&after.ru_utime) - timeval_ns(&before.ru_utime);
	account->sys_ns = timeval_ns(&after.ru_stime) - timeval_ns(&before.ru_stime);
	if (x == work_expect(1, load->quota * load->cfg->work))
		return 0;
	return error_set(err, EIO, "task %zu: its work came to a wrong number: a CPU has erred",
			 task->nr);
}

static int set_up(struct cpuload *load, struct error *err)
{
	const size_t n = (size_t)load->nr_tasks;

	load->tasks = xcalloc(n, sizeof(*load->tasks));
	load->accounts = shared_new(n * sizeof(*load->accounts), "times of tasks", err);
	if (!load->accounts)
		return -ENOMEM;
	if (load->cfg->load < 100) {
		load->late = shared_histograms(n, TOUCHED_NS, err);
		if (!load->late)
			return -ENOMEM;
	}
	load->gate = gate_new(err);
	if (!load->gate)
		return -ENOMEM;
	load->unit_ns = work_calibrate();
	return 0;
}

static int run_tasks(struct run *run, struct cpuload *load, struct team *team, struct error *err)
{
	uint64_t setup_start_ns = clock_ns(CLOCK_MONOTONIC);
	int ret = 0;

	for (size_t i = 0; !ret && i < load->nr_tasks; i++) {
		load->tasks[i] = (struct task){ .load = load, .nr = i };
		ret = team_add(team, "compute", task_main, &load->tasks[i], err);
	}
	if (!ret)
		ret = gate_wait_full(load->gate, team, (uint32_t)load->nr_tasks, err);
	if (ret)
		return ret;
	load->setup_ns = clock_ns(CLOCK_MONOTONIC) - setup_start_ns;
	run_start(run);
	gate_open(load->gate);
	ret = team_wait(team, err);
	run_stop(run);
	return ret;
}

static void sample(struct run *run, const struct cpuload *load)
{
	const struct cpuload_figures figures = {
		.cfg = load->cfg,
		.nr_tasks = load->nr_tasks,
		.quota = load->quota,
		.accounts = load->accounts,
		.late = load->late ? shared_histograms_sum(load->late, (size_t)load->nr_tasks)
				   : NULL,
		.setup_ns = load->setup_ns,
		.unit_ns = load->unit_ns,
	};

	cpuload_report(run, &figures);
	run_note(run, "pid", "%d", (int)run->pid);
}

static void cpuload_free(struct cpuload *load)
{
	const size_t n = (size_t)load->nr_tasks;

	if (load->gate)
		gate_free(load->gate);
	shared_free(load->late, n * sizeof(*load->late));
	shared_free(load->accounts, n * sizeof(*load->accounts));
	free(load->tasks);
	free(load);
}

static int cpuload_run(struct run *run, const void *cfg, struct error *err)
{
	struct cpuload *load = xcalloc(1, sizeof(*load));
	struct team *team = NULL;
	int ret;

	load->cfg = cfg;
	load->nr_tasks = cpuload_tasks(cfg);
	load->quota = cpuload_quota(cfg);
	ret = set_up(load, err);
	if (!ret)
		ret = team_new(&team, run, false, (size_t)load->nr_tasks, err);
	if (!ret)
		ret = run_tasks(run, load, team, err);
	if (!ret)
		sample(run, load);
	if (team)
		team_free(team);
	cpuload_free(load);
	return ret;
}

const struct workload workload_cpuload = {
	.name = "cpuload",
	.summary = "tasks that compute a fixed amount, all the time or at a duty cycle",
	.cfg_size = sizeof(struct cpuload_cfg),
	.opts = cpuload_opts,
	.metrics = cpuload_metrics,
	.histograms = cpuload_histograms,
	.check = cpuload_check,
	.needs = cpuload_needs,
	.run = cpuload_run,
	.model = cpuload_model,
	.original = cpuload_original,
};
