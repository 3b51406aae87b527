// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/schedlat.c - tasks that are to wake at fixed times, and how late they are, beside tasks that compute and tasks
 * that sleep: cyclictest's measure, doc/workloads/schedlat.md.
 */
#include "workload/schedlat.h"

#include "base/clock.h"
#include "base/mem.h"
#include "workload/gate.h"
#include "workload/place.h"
#include "workload/run.h"
#include "workload/shared.h"
#include "workload/team.h"
#include "workload/work.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Up to here a sample is no page fault; pages of a histogram up to there. */
#define TOUCHED_NS    1000000000
#define TOUCHED_BYTES (UINT64_C(26) * 4096)

/* Of the tasks that compute: between two looks at the clock. */
#define PIECE_UNITS 200

#define DMA_LATENCY "/dev/cpu_dma_latency"

static const struct opt schedlat_opts[] = {
	OPT(struct schedlat_cfg, tasks, "1", 1, 10000, "tasks that wake at fixed times"),
	OPT_NS(struct schedlat_cfg, "interval", interval_ns, "1ms", 10e3, 3600e9,
	       "from one time of the first task to the next"),
	OPT_NS(struct schedlat_cfg, "distance", distance_ns, "500us", 0, 3600e9,
	       "by which the interval of each task is longer than that of the one before"),
	OPT_NS(struct schedlat_cfg, "runtime", runtime_ns, "10s", 1e6, 86400e9,
	       "how long to measure"),
	OPT(struct schedlat_cfg, prio, "0", 0, 99,
	    "1 to 99: SCHED_FIFO priority of these tasks; 0: their class is that of the worker"),
	OPT_CHOICE(struct schedlat_cfg, bind, "none", "none|each",
		   "each: every one of these tasks to a CPU, in turn"),
	OPT_NS(struct schedlat_cfg, "slack", slack_ns, "0", 0, 1e9,
	       "by which the kernel may delay a timer of a task that is not SCHED_FIFO; 0: as "
	       "inherited"),
	OPT(struct schedlat_cfg, awake, "no", 0, 0,
	    "let no idle CPU sleep deeply: hold " DMA_LATENCY " at 0, as cyclictest does"),
	OPT(struct schedlat_cfg, load, "0", 0, 10000, "tasks that compute beside them"),
	OPT(struct schedlat_cfg, duty, "100", 1, 100,
	    "percent of the time that each of those computes, in cycles of 10 ms"),
	{ .name = "load-nice",
	  .type = OPT_TYPE_U64,
	  .offset = offsetof(struct schedlat_cfg, load_nice),
	  .def = "0",
	  .min = 0,
	  .max = 19,
	  .help = "nice value of those" },
	OPT(struct schedlat_cfg, idle, "0", 0, 100000, "tasks that only sleep"),
	OPT_END,
};

static const struct metric schedlat_metrics[] = {
	{ "late-p99", UNIT_NS, BETTER_LOWER,
	  "99 % of all intended times: from the time to the task running", "late", 0.99 },
	{ "late-p50", UNIT_NS, BETTER_LOWER, "half of them", "late", 0.5 },
	{ "late-p90", UNIT_NS, BETTER_LOWER, "90 %", "late", 0.9 },
	{ "late-p99.9", UNIT_NS, BETTER_LOWER, "99.9 %", "late", 0.999 },
	{ "late-p99.99", UNIT_NS, BETTER_LOWER, "99.99 %", "late", 0.9999 },
	{ "late-max", UNIT_NS, BETTER_LOWER, "the latest of all", "late", 1 },
	{ "wakeup-min", UNIT_NS, BETTER_LOWER, "cyclictest's Min", "wakeup", 0 },
	{ "wakeup-mean", UNIT_NS, BETTER_LOWER,
	  "cyclictest's Avg: without the times that were missed" },
	{ "missed", UNIT_COUNT, BETTER_LOWER,
	  "intended times that passed before the task had run for the one before" },
	{ "load-cpu", UNIT_PERCENT, BETTER_NONE,
	  "CPU time that each of the computing tasks got, of the measured time" },
	{ 0 },
};

static const struct metric schedlat_histograms[] = {
	{ "late", UNIT_NS, BETTER_LOWER,
	  "from each intended time until the task runs, also of those that were missed" },
	{ "wakeup", UNIT_NS, BETTER_LOWER, "of each wakeup: cyclictest's latencies" },
	{ 0 },
};

/**
 * struct schedlat - all of a run
 * @base_ns:  the first interval begins
 * @until_ns: no time from then on is waited for, and computing ends
 */
struct schedlat {
	const struct schedlat_cfg *cfg;
	struct cpumask allowed;
	struct gate *gate;
	struct gate *exit;
	struct waker *wakers;
	struct loader *loaders;
	_Atomic uint64_t base_ns;
	_Atomic uint64_t until_ns;
};

struct waker {
	alignas(SHARED_ALIGN) struct schedlat *sl;
	size_t nr;
	pid_t tid;
	struct schedlat_times times;
};

struct loader {
	alignas(SHARED_ALIGN) struct schedlat *sl;
	uint64_t cpu_ns;
};

void schedlat_awake(struct schedlat_times *times, uint64_t now_ns, uint64_t until_ns)
{
	times->last_ns = now_ns - times->next_ns;
	histogram_add(times->wakeup, times->last_ns);
	histogram_add(times->late, times->last_ns);
	times->next_ns += times->interval_ns;
	for (; times->next_ns <= now_ns && times->next_ns < until_ns;
	     times->next_ns += times->interval_ns) {
		histogram_add(times->late, now_ns - times->next_ns);
		times->missed++;
	}
}

static void schedlat_needs(const void *arg, struct needs *needs)
{
	const struct schedlat_cfg *cfg = arg;

	needs->tasks = 1 + cfg->tasks + cfg->load + cfg->idle;
	needs->fds = 1;
	needs->memory_bytes = cfg->tasks * 2 * TOUCHED_BYTES;
	needs->binds = cfg->bind == BIND_EACH;
}

static int open_latency(struct error *err)
{
	int fd = open(DMA_LATENCY, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return error_set(err, errno, "awake: " DMA_LATENCY ": %s", strerror(errno));
	return fd;
}

static int schedlat_probe(const void *arg, struct error *err)
{
	const struct schedlat_cfg *cfg = arg;
	int fd = cfg->awake ? open_latency(err) : 0;

	if (cfg->awake && fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

/* The nth of the CPUs, beginning again behind the last. */
static unsigned int nth_cpu(const struct cpumask *mask, size_t n)
{
	unsigned int cpu = cpumask_next(mask, 0);

	for (n %= cpumask_weight(mask); n; n--)
		cpu = cpumask_next(mask, cpu + 1);
	return cpu;
}

static int become_waker(const struct waker *waker, struct error *err)
{
	const struct schedlat_cfg *cfg = waker->sl->cfg;
	const struct sched_param fifo = { .sched_priority = (int)cfg->prio };
	int ret = 0;

	if (cfg->bind == BIND_EACH)
		ret = place_bind_cpu(nth_cpu(&waker->sl->allowed, waker->nr), err);
	if (!ret && cfg->slack_ns && prctl(PR_SET_TIMERSLACK, cfg->slack_ns))
		ret = error_set(err, errno, "slack: %s", strerror(errno));
	if (!ret && cfg->prio && sched_setscheduler(0, SCHED_FIFO, &fifo))
		ret = error_set(err, errno, "prio: SCHED_FIFO %d: %s", fifo.sched_priority,
				strerror(errno));
	return ret;
}

static int waker_main(void *arg, struct error *err)
{
	struct waker *waker = arg;
	struct schedlat *sl = waker->sl;
	struct schedlat_times *times = &waker->times;
	int ret = become_waker(waker, err);

	if (ret)
		return ret;
	waker->tid = (pid_t)syscall(SYS_gettid);
	gate_pass(sl->gate);
	times->next_ns = sl->base_ns + times->interval_ns;
	while (times->next_ns < sl->until_ns) {
		clock_sleep_until(CLOCK_MONOTONIC, times->next_ns);
		schedlat_awake(times, clock_ns(CLOCK_MONOTONIC), sl->until_ns);
	}
	return 0;
}

static void compute_until(uint64_t ns)
{
	while (clock_ns(CLOCK_MONOTONIC) < ns)
		work_do(PIECE_UNITS);
}

static int loader_main(void *arg, struct error *err)
{
	struct loader *loader = arg;
	struct schedlat *sl = loader->sl;
	const struct schedlat_cfg *cfg = sl->cfg;
	const uint64_t share_ns = cfg->duty * (SCHEDLAT_CYCLE_NS / 100);
	uint64_t cycle_ns;

	/* of this thread alone, in Linux */
	if (cfg->load_nice && setpriority(PRIO_PROCESS, 0, (int)cfg->load_nice))
		return error_set(err, errno, "load-nice: %s", strerror(errno));
	gate_pass(sl->gate);
	for (cycle_ns = sl->base_ns; cycle_ns < sl->until_ns; cycle_ns += SCHEDLAT_CYCLE_NS) {
		clock_sleep_until(CLOCK_MONOTONIC, cycle_ns);
		compute_until(cycle_ns + share_ns);
	}
	loader->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return 0;
}

static int idle_main(void *arg, struct error *err)
{
	struct schedlat *sl = arg;

	(void)err;
	gate_pass(sl->gate);
	gate_pass(sl->exit);
	return 0;
}

static int take_wakers(struct schedlat *sl, struct error *err)
{
	const struct schedlat_cfg *cfg = sl->cfg;
	const size_t n = (size_t)cfg->tasks;
	struct histogram *wakeup = shared_histograms(n, TOUCHED_NS, err);
	struct histogram *late = wakeup ? shared_histograms(n, TOUCHED_NS, err) : NULL;

	sl->wakers = late ? shared_new(n * sizeof(*sl->wakers), "tasks", err) : NULL;
	for (size_t i = 0; sl->wakers && i < n; i++)
		sl->wakers[i] = (struct waker){
			.sl = sl,
			.nr = i,
			.times = { .interval_ns = cfg->interval_ns + i * cfg->distance_ns,
				   .wakeup = &wakeup[i],
				   .late = &late[i] },
		};
	return sl->wakers ? 0 : -ENOMEM;
}

static int stay_awake(struct error *err)
{
	static const int32_t none = 0;
	int fd = open_latency(err);

	/* it counts as long as it is open: to the end of the process */
	if (fd >= 0 && write(fd, &none, sizeof(none)) != (ssize_t)sizeof(none))
		return error_set(err, errno, "awake: " DMA_LATENCY ": %s", strerror(errno));
	return fd < 0 ? fd : 0;
}

static int set_up(struct schedlat *sl, struct error *err)
{
	int ret = take_wakers(sl, err);

	if (ret)
		return ret;
	sl->loaders = shared_new((size_t)sl->cfg->load * sizeof(*sl->loaders), "tasks", err);
	sl->gate = sl->loaders ? gate_new(err) : NULL;
	sl->exit = sl->gate ? gate_new(err) : NULL;
	if (!sl->exit)
		return -ENOMEM;
	ret = place_allowed(&sl->allowed, err);
	if (!ret && sl->cfg->awake)
		ret = stay_awake(err);
	return ret;
}

static int make_tasks(struct schedlat *sl, struct team *team, struct error *err)
{
	const struct schedlat_cfg *cfg = sl->cfg;
	int ret = 0;

	for (size_t i = 0; !ret && i < cfg->idle; i++)
		ret = team_add(team, "idle", idle_main, sl, err);
	for (size_t i = 0; !ret && i < cfg->load; i++) {
		sl->loaders[i].sl = sl;
		ret = team_add(team, "load", loader_main, &sl->loaders[i], err);
	}
	for (size_t i = 0; !ret && i < cfg->tasks; i++)
		ret = team_add(team, "waker", waker_main, &sl->wakers[i], err);
	return ret ? ret
		   : gate_wait_full(sl->gate, team, (uint32_t)(cfg->idle + cfg->load + cfg->tasks),
				    err);
}

static int measure(struct schedlat *sl, struct run *run, struct team *team, struct error *err)
{
	int ret = make_tasks(sl, team, err);

	if (ret)
		return ret;
	sl->base_ns = clock_ns(CLOCK_MONOTONIC) + SCHEDLAT_SETTLE_NS;
	sl->until_ns = sl->base_ns + sl->cfg->runtime_ns;
	gate_open(sl->gate);
	clock_sleep_until(CLOCK_MONOTONIC, sl->base_ns);
	run_start(run);
	clock_sleep_until(CLOCK_MONOTONIC, sl->until_ns);
	run_stop(run);
	gate_open(sl->exit);
	return team_wait(team, err);
}

static struct schedlat_told tell_of(const struct waker *waker)
{
	const struct histogram *h = waker->times.wakeup;

	return (struct schedlat_told){ .tid = (unsigned long long)waker->tid,
				       .count = h->count,
				       .min_ns = h->min,
				       .last_ns = waker->times.last_ns,
				       .mean_ns = (unsigned long long)histogram_mean(h),
				       .max_ns = h->max };
}

static int sample(struct run *run, struct schedlat *sl, struct error *err)
{
	const size_t n = (size_t)sl->cfg->tasks;
	struct schedlat_told *told = xcalloc(n, sizeof(*told));
	struct schedlat_figures figures = { .cfg = sl->cfg, .told = told };
	int ret;

	for (size_t i = 0; i < n; i++) {
		told[i] = tell_of(&sl->wakers[i]);
		figures.missed += sl->wakers[i].times.missed;
	}
	for (size_t i = 0; i < sl->cfg->load; i++)
		figures.load_cpu_ns += sl->loaders[i].cpu_ns;
	figures.wakeup = shared_histograms_sum(sl->wakers[0].times.wakeup, n);
	figures.late = shared_histograms_sum(sl->wakers[0].times.late, n);
	ret = schedlat_report(run, &figures, err);
	free(told);
	return ret;
}

static void schedlat_free(struct schedlat *sl)
{
	const size_t n = (size_t)sl->cfg->tasks;

	if (sl->wakers) {
		shared_free(sl->wakers[0].times.wakeup, n * sizeof(struct histogram));
		shared_free(sl->wakers[0].times.late, n * sizeof(struct histogram));
	}
	shared_free(sl->wakers, n * sizeof(*sl->wakers));
	shared_free(sl->loaders, (size_t)sl->cfg->load * sizeof(*sl->loaders));
	if (sl->gate)
		gate_free(sl->gate);
	if (sl->exit)
		gate_free(sl->exit);
	cpumask_release(&sl->allowed);
	free(sl);
}

static int schedlat_run(struct run *run, const void *arg, struct error *err)
{
	const struct schedlat_cfg *cfg = arg;
	struct schedlat *sl = xcalloc(1, sizeof(*sl));
	struct team *team = NULL;
	int ret;

	sl->cfg = cfg;
	ret = set_up(sl, err);
	if (!ret)
		ret = team_new(&team, run, true, (size_t)(cfg->idle + cfg->load + cfg->tasks), err);
	if (!ret)
		ret = measure(sl, run, team, err);
	if (!ret)
		ret = sample(run, sl, err);
	if (!team || team_free(team))
		schedlat_free(sl);
	return ret;
}

/* Of the last task, which has the longest, so that each has something to tell. */
static int schedlat_check(const void *arg, struct error *err)
{
	const struct schedlat_cfg *cfg = arg;
	const uint64_t longest_ns = cfg->interval_ns + (cfg->tasks - 1) * cfg->distance_ns;

	if (longest_ns < cfg->runtime_ns)
		return 0;
	return error_set(err, ERANGE,
			 "runtime: not longer than the last task's interval of %" PRIu64
			 " us, take a smaller distance",
			 longest_ns / 1000);
}

const struct workload workload_schedlat = {
	.name = "schedlat",
	.summary = "tasks wake at fixed times beside a load: how late they are",
	.cfg_size = sizeof(struct schedlat_cfg),
	.opts = schedlat_opts,
	.metrics = schedlat_metrics,
	.histograms = schedlat_histograms,
	.check = schedlat_check,
	.needs = schedlat_needs,
	.probe = schedlat_probe,
	.run = schedlat_run,
	.model = schedlat_model,
	.original = schedlat_original,
};
