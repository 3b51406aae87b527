// SPDX-License-Identifier: GPL-2.0-only
/* workload/schbench.c - the parameters and figures of schbench: doc/workloads/schbench.md. */
#include "workload/schbench.h"

#include <string.h>

/* What the process has open beside: /proc/self/task/N/schedstat, /proc/stat. */
#define FDS 2

static const struct opt schbench_opts[] = {
	OPT_CHOICE(struct schbench_cfg, gen, "D", "A|B|C|D",
		   "generation of the program: B is the lists' old schbench, D the new one"),
	OPT(struct schbench_cfg, messengers, "0", 0, 1000, "message threads; 0: 2, generation D 1"),
	OPT(struct schbench_cfg, threads, "0", 0, 100000,
	    "workers of each message thread; 0: 16, generation D all CPUs divided among the "
	    "message threads"),
	OPT_NS(struct schbench_cfg, "runtime", runtime_ns, "30s", 1e6, 86400e9,
	       "how long to measure"),
	OPT(struct schbench_cfg, warmup, "auto", 0, 0,
	    "how long to run before that; auto: 0s, generations B and C 5s"),
	OPT_NS(struct schbench_cfg, "sleep", sleep_ns, "30ms", 0, 10e9,
	       "A to C: a message thread's sleep after each batch, and up to a quarter more"),
	OPT_NS(struct schbench_cfg, "message-think", message_think_ns, "30ms", 0, 10e9,
	       "B and C: a message thread's work before it sleeps"),
	OPT_NS(struct schbench_cfg, "think", think_ns, "30ms", 0, 10e9,
	       "a worker's work, with work=spin and units"),
	OPT_NS(struct schbench_cfg, "nap", nap_ns, "100us", 0, 1e9,
	       "D: a worker's sleep at the start of each request"),
	OPT_CHOICE(struct schbench_cfg, work, "auto", "auto|spin|units|matrix|none",
		   "what a worker does: watch the clock, a fixed amount, products of matrices; "
		   "auto: spin, generation D matrix"),
	OPT(struct schbench_cfg, operations, "5", 1, 1e6, "products of matrices a request"),
	OPT_BYTES(struct schbench_cfg, "footprint", footprint_bytes, "0", 0, 1 << 30,
		  "of a worker's three matrices; 0: 6 MiB, generation D 256 KiB"),
	OPT(struct schbench_cfg, lock, "yes", 0, 0,
	    "D: work holding the lock of the CPU where it is"),
	OPT(struct schbench_cfg, calibrate, "no", 0, 0,
	    "D: leave the nap out of the request's time"),
	OPT_BYTES(struct schbench_cfg, "pipe", pipe_bytes, "0", 0, 1 << 20,
		  "nothing but hand over so much memory, written by both sides; 0: off"),
	OPT(struct schbench_cfg, rps, "0", 0, 1e7,
	    "requests that come a second and message thread, whether workers are ready or not; 0: "
	    "workers ask for them"),
	{ .name = "auto-rps",
	  .type = OPT_TYPE_DOUBLE,
	  .offset = offsetof(struct schbench_cfg, auto_rps),
	  .def = "0",
	  .min = 0,
	  .max = 100,
	  .help = "find the rps at which the CPUs of the machine are so many percent busy; 0: "
		  "off" },
	OPT_CHOICE(struct schbench_cfg, arrivals, "auto", "auto|batch|burst|uniform|poisson",
		   "with rps: for two thirds of the workers at once, all of a second at its start, "
		   "one by one; auto: batch, generation D burst"),
	OPT(struct schbench_cfg, queue, "0", 0, 65536,
	    "with rps: requests that may wait for a worker, more are dropped; 0: A 4096, B and C "
	    "8, D 128"),
	{ .name = "message-cpus",
	  .type = OPT_TYPE_STR,
	  .offset = offsetof(struct schbench_cfg, message_cpus),
	  .def = "free",
	  .help = "list of CPUs that message threads are bound to; auto: each to one, workers to "
		  "the others" },
	{ .name = "worker-cpus",
	  .type = OPT_TYPE_STR,
	  .offset = offsetof(struct schbench_cfg, worker_cpus),
	  .def = "free",
	  .help = "list of CPUs that workers are bound to" },
	OPT(struct schbench_cfg, seed, "1", 0, 1e15, "of random sleeps and arrivals"),
	OPT_END,
};

static const struct metric schbench_metrics[] = {
	{ "wakeup-p99", UNIT_NS, BETTER_LOWER,
	  "99 % of all wakeups: from the decision, or when the request was due, to running",
	  "wakeup", 0.99 },
	{ "wakeup-p50", UNIT_NS, BETTER_LOWER, "half of the wakeups", "wakeup", 0.5 },
	{ "wakeup-p75", UNIT_NS, BETTER_LOWER, "75 % of them", "wakeup", 0.75 },
	{ "wakeup-p90", UNIT_NS, BETTER_LOWER, "90 %", "wakeup", 0.9 },
	{ "wakeup-p95", UNIT_NS, BETTER_LOWER, "95 %", "wakeup", 0.95 },
	{ "wakeup-p99.5", UNIT_NS, BETTER_LOWER, "99.5 %", "wakeup", 0.995 },
	{ "wakeup-p99.9", UNIT_NS, BETTER_LOWER, "99.9 %", "wakeup", 0.999 },
	{ "wakeup-max", UNIT_NS, BETTER_LOWER, "the longest of all", "wakeup", 1 },
	{ "request-p50", UNIT_NS, BETTER_LOWER, "half of the requests, from running to done",
	  "request", 0.5 },
	{ "request-p90", UNIT_NS, BETTER_LOWER, "90 % of them", "request", 0.9 },
	{ "request-p99", UNIT_NS, BETTER_LOWER, "99 %", "request", 0.99 },
	{ "request-p99.9", UNIT_NS, BETTER_LOWER, "99.9 %", "request", 0.999 },
	{ "request-max", UNIT_NS, BETTER_LOWER, "the longest of all", "request", 1 },
	{ "response-p50", UNIT_NS, BETTER_LOWER,
	  "half of the requests, from the wakeup's start to done, without think", "response", 0.5 },
	{ "response-p90", UNIT_NS, BETTER_LOWER, "90 % of them", "response", 0.9 },
	{ "response-p99", UNIT_NS, BETTER_LOWER, "99 %", "response", 0.99 },
	{ "response-p99.9", UNIT_NS, BETTER_LOWER, "99.9 %", "response", 0.999 },
	{ "response-max", UNIT_NS, BETTER_LOWER, "the longest of all", "response", 1 },
	{ "rps", UNIT_PER_SECOND, BETTER_HIGHER,
	  "requests that were done in the measured time, of all workers" },
	{ "rps-p20", UNIT_PER_SECOND, BETTER_HIGHER, "a fifth of the seconds had at most so many",
	  "rps", 0.2 },
	{ "rps-p50", UNIT_PER_SECOND, BETTER_HIGHER, "half of the seconds", "rps", 0.5 },
	{ "rps-p90", UNIT_PER_SECOND, BETTER_HIGHER, "90 % of them", "rps", 0.9 },
	{ "message-delay", UNIT_NS, BETTER_LOWER,
	  "how long message threads waited for a CPU each time, on average" },
	{ "worker-delay", UNIT_NS, BETTER_LOWER, "how long workers waited" },
	{ "dropped", UNIT_COUNT, BETTER_LOWER,
	  "with rps: requests that found a worker's queue full" },
	{ "queue-max", UNIT_COUNT, BETTER_NONE,
	  "with rps: most requests that waited for one worker" },
	{ "unfinished", UNIT_COUNT, BETTER_NONE,
	  "requests that were due, but not done when the time was up" },
	{ "goal-rps", UNIT_PER_SECOND, BETTER_NONE,
	  "with rps: requests that were to come, for all message threads" },
	{ "busy", UNIT_PERCENT, BETTER_NONE, "with auto-rps: busy CPUs when the rate was found" },
	{ "workers", UNIT_COUNT, BETTER_NONE, "worker threads" },
	{ "work", UNIT_NS, BETTER_NONE,
	  "with work=matrix and units: CPU time of one request's work, measured before the start" },
	{ "work-unit", UNIT_NS, BETTER_NONE,
	  "with work=units: CPU time of a unit of work, as calibrated" },
	{ 0 },
};

static const struct metric schbench_histograms[] = {
	{ "wakeup", UNIT_NS, BETTER_LOWER,
	  "from the message thread's decision, with rps from when the request was due, until the "
	  "worker runs" },
	{ "request", UNIT_NS, BETTER_LOWER, "from the worker running until the request is done" },
	{ "response", UNIT_NS, BETTER_LOWER, "both together, without think" },
	{ "rps", UNIT_PER_SECOND, BETTER_HIGHER, "requests that were done in each second" },
	{ 0 },
};

static int schbench_check(const void *cfg, struct error *err)
{
	struct schbench_plan plan;
	int ret = schbench_plan_init(&plan, cfg, 1, err);

	schbench_plan_release(&plan);
	return ret;
}

/* What is written of a histogram is about half of it. */
static uint64_t worker_bytes(const struct schbench_plan *plan)
{
	return schbench_work_matrices(plan->side) + plan->pipe_bytes +
	       (plan->rps ? plan->queue * sizeof(uint64_t) : 0) + 3 * SCHBENCH_TOUCHED_BYTES;
}

static void schbench_needs(const void *cfg, struct needs *needs)
{
	struct schbench_plan plan;

	schbench_plan_init(&plan, cfg, schbench_cpus(), NULL);
	needs->tasks = 1 + plan.messengers * (1 + plan.threads);
	needs->fds = FDS;
	needs->memory_bytes = plan.messengers * plan.threads * worker_bytes(&plan);
	needs->binds = plan.apart || plan.message_cpus.words || plan.worker_cpus.words;
	needs->cpus = plan.apart ? plan.messengers + 1 : 1;
	schbench_plan_release(&plan);
}

const struct workload workload_schbench = {
	.name = "schbench",
	.summary = "message threads wake workers: latency of wakeups and requests",
	.cfg_size = sizeof(struct schbench_cfg),
	.opts = schbench_opts,
	.metrics = schbench_metrics,
	.histograms = schbench_histograms,
	.check = schbench_check,
	.needs = schbench_needs,
	.run = schbench_run,
	.model = schbench_model,
	.original = schbench_original,
};
