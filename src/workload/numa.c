// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/numa.c - tasks that go through large memory again and again, which is on some NUMA node: does the kernel bring
 * the two together? The tests of autonuma-benchmark and of perf bench numa mem: doc/workloads/numa.md.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "workload/numa_memory.h"
#include "workload/numa_work.h"
#include "workload/place.h"
#include "workload/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK_MS 100

/* The files of a look, and those of the worker's own at its ends. */
#define NUMA_FDS 8

/* Rounds up to here are no page fault of the histogram. */
#define TOUCHED_NS UINT64_C(100000000000)

#define SIZE_MAX_BYTES 1125899906842624.0 /* 1 PiB */
#define DAY_NS	       86400e9

#define OWN "0: the test's own"

static const struct opt numa_opts[] = {
	OPT_CHOICE(struct numa_cfg, test, "numa01",
		   "numa01|numa01-thread-local|numa02|numa02-smt|perf-numa01|perf-numa02|"
		   "perf-numa03|perf-numa04|perf-numa05|perf",
		   "of autonuma-benchmark or, from perf-numa01 on, of perf bench numa mem"),
	OPT_CHOICE(struct numa_cfg, bind, "free", "free|hard|inverse",
		   "tasks and memory to the same nodes, or to different ones"),
	OPT(struct numa_cfg, processes, "0", 0, 10000, "processes; " OWN),
	OPT(struct numa_cfg, threads, "0", 0, 10000, "threads of each; " OWN),
	OPT(struct numa_cfg, rounds, "0", 0, 4294967294.0,
	    "times that each thread goes through its memory; " OWN),
	OPT_BYTES(struct numa_cfg, "size", size_bytes, "0", 0, SIZE_MAX_BYTES,
		  "memory of each process, which its threads share; " OWN),
	OPT_BYTES(struct numa_cfg, "thread-size", thread_size_bytes, "0", 0, SIZE_MAX_BYTES,
		  "further memory of each thread alone; " OWN),
	OPT_BYTES(struct numa_cfg, "global-size", global_size_bytes, "0", 0, SIZE_MAX_BYTES,
		  "further memory of all processes together"),
	OPT_NS(struct numa_cfg, "limit", limit_ns, "0", 0, DAY_NS,
	       "no further round after this long; 0: none, or 5 s with test=perf without rounds"),
	OPT_CHOICE(struct numa_cfg, access, "test", "test|zero|stream|read|write|update",
		   "what is done with memory: zero is memset(), stream clears past the caches; "
		   "test: the test's own"),
	OPT_CHOICE(struct numa_cfg, order, "test", "test|forward|both|random",
		   "both: upwards and downwards in turn; random: 8 KiB at a time; test: the test's "
		   "own"),
	OPT(struct numa_cfg, first, "free", 0, 0,
	    "'free', or the number of the node that all memory is on first"),
	OPT_CHOICE(struct numa_cfg, thp, "system", "system|never|always", "transparent huge pages"),
	OPT_NS(struct numa_cfg, "sample", sample_ns, "1s", 0, DAY_NS,
	       "time between looks at where tasks and pages are; 0: only at the end"),
	OPT(struct numa_cfg, seed, "1", 0, 4294967295.0,
	    "of the random order and of what memory holds"),
	OPT_END,
};

static const struct metric numa_metrics[] = {
	{ "time", UNIT_NS, BETTER_LOWER,
	  "from the start signal until every process has ended, its last look not counted" },
	{ "finish-max", UNIT_NS, BETTER_LOWER,
	  "from the start signal until the last task's last round", "finish", 1 },
	{ "finish-min", UNIT_NS, BETTER_LOWER, "until the first task's last round", "finish", 0 },
	{ "finish-mean", UNIT_NS, BETTER_LOWER, "mean of the tasks' times" },
	{ "round-p50", UNIT_NS, BETTER_LOWER, "half of all rounds take at most this long", "round",
	  0.5 },
	{ "round-p99", UNIT_NS, BETTER_LOWER, "99 % of all rounds", "round", 0.99 },
	{ "speed", UNIT_PER_SECOND, BETTER_HIGHER,
	  "bytes a second of all tasks together, each in the time of its own rounds" },
	{ "first-touch", UNIT_NS, BETTER_LOWER,
	  "until all memory was touched first, where that is part of the test" },
	{ "teardown", UNIT_NS, BETTER_LOWER, "the processes' end, in which their memory is freed" },
	{ "setup", UNIT_NS, BETTER_LOWER, "until every task is ready" },
	{ "local", UNIT_PERCENT, BETTER_HIGHER,
	  "memory that is on the node of the task that works on it, mean of all looks" },
	{ "local-end", UNIT_PERCENT, BETTER_HIGHER, "the same when each task has ended" },
	{ "converged", UNIT_NS, BETTER_LOWER,
	  "from the start signal until each process is on one node and stays, as far as was seen" },
	{ "node-moves", UNIT_COUNT, BETTER_NONE,
	  "times that a task was on another node than at the look before" },
	{ "pte-updates", UNIT_COUNT, BETTER_NONE,
	  "page table entries made to fault, on the whole machine" },
	{ "huge-pte-updates", UNIT_COUNT, BETTER_NONE, "the same of huge pages" },
	{ "hint-faults", UNIT_COUNT, BETTER_NONE, "of them faulted, on the whole machine" },
	{ "hint-faults-local", UNIT_COUNT, BETTER_NONE, "of them from the page's own node" },
	{ "pages-migrated", UNIT_COUNT, BETTER_NONE,
	  "moved by NUMA balancing, on the whole machine" },
	{ "migrate-fails", UNIT_COUNT, BETTER_NONE, "pages that could not be moved" },
	{ "numa-hit", UNIT_COUNT, BETTER_NONE, "pages taken from the node that was wanted" },
	{ "numa-miss", UNIT_COUNT, BETTER_NONE, "pages taken here though another node was wanted" },
	{ "numa-foreign", UNIT_COUNT, BETTER_NONE, "pages wanted here but taken elsewhere" },
	{ "numa-interleave", UNIT_COUNT, BETTER_NONE, "pages dealt out by policy" },
	{ "numa-local", UNIT_COUNT, BETTER_NONE, "pages taken by a task on their node" },
	{ "numa-other", UNIT_COUNT, BETTER_NONE, "pages taken by a task on another node" },
	{ "nodes", UNIT_COUNT, BETTER_NONE, "NUMA nodes of the machine" },
	{ "cpus", UNIT_COUNT, BETTER_NONE, "CPUs that the run might use" },
	{ "processes", UNIT_COUNT, BETTER_NONE, "processes" },
	{ "threads", UNIT_COUNT, BETTER_NONE, "threads of each" },
	{ "bytes", UNIT_BYTES, BETTER_NONE, "that all tasks went through in their rounds" },
	{ 0 },
};

static const struct metric numa_histograms[] = {
	{ "finish", UNIT_NS, BETTER_LOWER,
	  "of each task: from the start signal until its last round" },
	{ "round", UNIT_NS, BETTER_LOWER, "each round of each task" },
	{ 0 },
};

static int numa_check(const void *arg, struct error *err)
{
	const struct numa_cfg *cfg = arg;
	int node, ret = numa_first_parse(&node, cfg->first, err);

	if (!ret && node >= 0 && cfg->bind != BIND_FREE)
		ret = error_set(err, EINVAL, "first: only with bind=free");
	if (!ret && cfg->test <= NUMA02_SMT && cfg->order == ORDER_BOTH &&
	    (cfg->access == ACCESS_TEST || cfg->access == ACCESS_ZERO ||
	     cfg->access == ACCESS_STREAM))
		ret = error_set(err, EINVAL, "order=both: memory is cleared upwards only");
	return ret;
}

/* What this machine has, and what the test is on it. */
static int look_at_machine(struct numa_run *run, struct cpumask *allowed,
			   const struct numa_cfg *cfg, struct error *err)
{
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int ret = place_allowed(allowed, err);

	if (!ret)
		ret = numa_nodes_read(&run->nodes, root, allowed, err);
	if (!ret)
		ret = numa_plan(&run->plan, cfg, cpumask_weight(allowed),
				run->nodes.nr_whole ? run->nodes.nr_whole : 1, err);
	close(root);
	return ret;
}

static void numa_needs(const void *cfg, struct needs *needs)
{
	struct numa_run run = { 0 };
	struct cpumask allowed = { 0 };
	const struct numa_plan *plan = &run.plan;

	needs->fds = NUMA_FDS;
	needs->binds = ((const struct numa_cfg *)cfg)->bind != BIND_FREE;
	if (!look_at_machine(&run, &allowed, cfg, NULL)) {
		needs->tasks = plan->processes * (1 + plan->threads) + 2;
		needs->memory_bytes =
			plan->global_bytes +
			plan->processes * (plan->size_bytes + plan->threads * plan->thread_bytes) +
			numa_nr_tasks(plan) * sizeof(struct histogram);
	}
	numa_nodes_release(&run.nodes);
	cpumask_release(&allowed);
}

static int check_first_node(const struct numa_run *run, struct error *err)
{
	int node = run->plan.first_node;
	int i = node < 0 ? -1 : numa_node_find(&run->nodes, (unsigned int)node);

	if (node >= 0 && (i < 0 || !run->nodes.nodes[i].memory))
		return error_set(err, EOPNOTSUPP, "first: there is no node %d with memory for us",
				 node);
	return 0;
}

static int numa_probe(const void *arg, struct error *err)
{
	const struct numa_cfg *cfg = arg;
	struct numa_run run = { 0 };
	struct cpumask allowed = { 0 };
	int ret = look_at_machine(&run, &allowed, cfg, err);

	if (!ret)
		ret = check_first_node(&run, err);
	if (!ret && cfg->bind != BIND_FREE && !run.nodes.nr_whole)
		ret = error_set(err, EOPNOTSUPP,
				"bind: no node has both CPUs and memory for this process");
	numa_nodes_release(&run.nodes);
	cpumask_release(&allowed);
	return ret;
}

static int make_global(struct numa *numa, struct error *err)
{
	const struct numa_plan *plan = &numa->run.plan;
	int ret = numa_map(&numa->run.global, plan->global_bytes, true, THP_SYSTEM,
			   "the memory of all processes", err);

	if (ret || !plan->global_bytes)
		return ret;
	ret = numa_first_touch_begin(plan, err);
	if (!ret)
		numa_fill(numa->run.global, plan->cfg->seed, 2 * numa_nr_tasks(plan));
	return ret ? ret : numa_first_touch_end(plan, err);
}

/* Before the processes are forked. */
static int make_shared(struct numa *numa, struct error *err)
{
	const struct numa_plan *plan = &numa->run.plan;
	const size_t tasks = (size_t)numa_nr_tasks(plan), processes = (size_t)plan->processes;

	numa->run.common = shared_new(sizeof(*numa->run.common), "the start", err);
	numa->run.tasks = shared_new(tasks * sizeof(*numa->run.tasks), "the tasks' ends", err);
	numa->run.processes =
		shared_new(processes * sizeof(*numa->run.processes), "the processes' ends", err);
	numa->rounds = shared_histograms(tasks, TOUCHED_NS, err);
	numa->start = gate_new(err);
	numa->leave = gate_new(err);
	if (!numa->run.common || !numa->run.tasks || !numa->run.processes || !numa->rounds ||
	    !numa->start || !numa->leave)
		return -ENOMEM;
	if (pipe2(numa->joined, O_CLOEXEC))
		return error_set(err, errno, "pipe: %s", strerror(errno));
	numa->filled = xcalloc(processes, sizeof(struct gate *));
	for (size_t i = 0; plan->touch == TOUCH_MAIN && i < processes; i++) {
		numa->filled[i] = gate_new(err);
		if (!numa->filled[i])
			return -ENOMEM;
	}
	return make_global(numa, err);
}

static int make_processes(struct numa *numa, struct error *err)
{
	const struct numa_plan *plan = &numa->run.plan;
	uint64_t arrivals = numa_nr_tasks(plan) + (plan->touch == TOUCH_MAIN ? plan->processes : 0);
	int ret;

	numa->args = xcalloc((size_t)numa_nr_tasks(plan), sizeof(*numa->args));
	for (uint64_t i = 0; i < numa_nr_tasks(plan); i++)
		numa->args[i] = (struct numa_arg){ numa, i / plan->threads, i % plan->threads };
	ret = team_new(&numa->team, numa->harness, false, (size_t)plan->processes, err);
	for (uint64_t i = 0; !ret && i < plan->processes; i++)
		ret = team_add(numa->team, "numa process", numa_process_main,
			       &numa->args[i * plan->threads], err);
	return ret ? ret : gate_wait_full(numa->start, numa->team, (uint32_t)arrivals, err);
}

static void read_vmstat(struct numa_vmstat *vmstat)
{
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	numa_vmstat_read(vmstat, root);
	close(root);
}

/* All processes have done their work. A gate would be looked at every millisecond, this is ten times a second. */
static int wait_joined(const struct numa *numa, struct error *err)
{
	struct pollfd joined = { .fd = numa->joined[0], .events = POLLIN };
	uint64_t left = numa->run.plan.processes;
	int n, ret = 0;
	char token;

	while (left && !ret) {
		n = poll(&joined, 1, CHECK_MS);
		if (n > 0 && read(joined.fd, &token, 1) == 1)
			left--;
		else if (n < 0 && errno != EINTR)
			ret = error_set(err, errno, "poll: %s", strerror(errno));
		else
			ret = team_check(numa->team, err);
	}
	return ret;
}

/* From the start signal until all processes have ended; between their last round and that comes the last look. */
static int play(struct numa *numa, struct run *run, struct error *err)
{
	int ret;

	read_vmstat(&numa->before);
	run_start(run);
	numa->run.common->start_ns = run->start_ns;
	ret = numa_watch_start(numa->watch, numa->run.plan.cfg->sample_ns, err);
	if (ret)
		return ret;
	gate_open(numa->start);
	ret = wait_joined(numa, err);
	numa_watch_stop(numa->watch);
	if (ret)
		return ret;
	numa_watch_end(numa->watch);
	read_vmstat(&numa->after);
	numa->leave_ns = clock_ns(CLOCK_MONOTONIC);
	gate_open(numa->leave);
	ret = team_wait(numa->team, err);
	run_stop(run);
	return ret;
}

static int set_up(struct numa *numa, const struct numa_cfg *cfg, struct error *err)
{
	uint64_t begin_ns;
	int ret = look_at_machine(&numa->run, &numa->allowed, cfg, err);

	if (!ret)
		ret = make_shared(numa, err);
	if (!ret)
		ret = numa_watch_new(&numa->watch, &numa->run, err);
	if (ret)
		return ret;
	begin_ns = clock_ns(CLOCK_MONOTONIC);
	ret = make_processes(numa, err);
	numa->setup_ns = clock_ns(CLOCK_MONOTONIC) - begin_ns;
	return ret;
}

/* Shared memory goes with the worker's process. */
static void numa_free(struct numa *numa)
{
	if (numa->team)
		team_free(numa->team);
	numa_watch_free(numa->watch);
	numa_nodes_release(&numa->run.nodes);
	cpumask_release(&numa->allowed);
	free(numa->filled);
	free(numa->args);
	free(numa);
}

static int numa_run(struct run *run, const void *cfg, struct error *err)
{
	struct numa *numa = xcalloc(1, sizeof(*numa));
	int ret;

	numa->harness = run;
	ret = set_up(numa, cfg, err);
	numa_note_machine(numa, run);
	if (!ret)
		ret = play(numa, run, err);
	if (!ret)
		numa_report(numa, run);
	numa_free(numa);
	return ret;
}

const struct workload workload_numa = {
	.name = "numa",
	.summary = "tasks that go through large memory on some NUMA node, as numa01 and numa02",
	.cfg_size = sizeof(struct numa_cfg),
	.opts = numa_opts,
	.metrics = numa_metrics,
	.histograms = numa_histograms,
	.check = numa_check,
	.needs = numa_needs,
	.probe = numa_probe,
	.run = numa_run,
	.model = numa_model,
	.original = numa_original,
};
