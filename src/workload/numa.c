// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/numa.c - tasks that go through large memory again and again, which is on some NUMA node: does the kernel bring
 * the two together? The tests of autonuma-benchmark and of perf bench numa mem: doc/workloads/numa.md.
 */
#include "workload/numa.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "workload/gate.h"
#include "workload/numa_memory.h"
#include "workload/numa_pages.h"
#include "workload/numa_vmstat.h"
#include "workload/numa_watch.h"
#include "workload/place.h"
#include "workload/team.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
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

/* struct numa - a run with all its tasks; @run.tasks etc. are shared, the rest is copied by fork() */
struct numa {
	struct numa_run run;
	const struct run *harness;
	struct histogram *rounds; /* of each task */
	struct gate *start;
	struct gate *leave;
	int joined[2]; /* a process whose threads have ended writes a byte */
	struct gate *
		*filled; /* of each process: its first task has touched its memory (TOUCH_MAIN) */
	struct team *team;
	struct thread_arg *args;
	struct numa_watch *watch;
	struct numa_vmstat before, after;
	uint64_t setup_ns;
	uint64_t leave_ns;
	struct cpumask allowed;
};

struct thread_arg {
	struct numa *numa;
	uint64_t process;
	uint64_t thread;
};

static uint64_t nr_tasks(const struct numa_plan *plan)
{
	return plan->processes * plan->threads;
}

static uint64_t task_index(const struct thread_arg *arg)
{
	return arg->process * arg->numa->run.plan.threads + arg->thread;
}

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
			nr_tasks(plan) * sizeof(struct histogram);
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

/* Where part @i of @n is to be. A run of one process is cut by threads, else by processes. */
static int bind_part(const struct numa_run *run, uint64_t i, uint64_t n, struct error *err)
{
	const unsigned int nr = run->nodes.nr_whole;
	const bool inverse = run->plan.cfg->bind == BIND_INVERSE;
	int ret = numa_bind_cpus(&run->nodes, numa_part_cpus(nr, i, n), err);

	return ret ? ret : numa_bind_memory(&run->nodes, numa_part_memory(nr, i, n, inverse), err);
}

static bool binds_threads(const struct numa_plan *plan)
{
	return plan->cfg->bind != BIND_FREE && plan->processes == 1;
}

static bool binds_processes(const struct numa_plan *plan)
{
	return plan->cfg->bind != BIND_FREE && plan->processes > 1;
}

/* Memory that is touched between these two is on the first node, if one is set. */
static int begin_first_touch(const struct numa_plan *plan, struct error *err)
{
	return plan->first_node < 0 ? 0
				    : numa_bind_memory_node((unsigned int)plan->first_node, err);
}

static int end_first_touch(const struct numa_plan *plan, struct error *err)
{
	return plan->first_node < 0 ? 0 : numa_free_memory(err);
}

static void clear(const struct numa_plan *plan, struct numa_range range)
{
	const struct numa_walk walk = {
		.access = plan->access == ACCESS_STREAM ? ACCESS_STREAM : ACCESS_ZERO,
		.order = ORDER_FORWARD,
	};

	numa_access(range, &walk, 0);
}

static struct numa_range slice(const struct thread_arg *arg)
{
	const struct numa_run *run = &arg->numa->run;

	return numa_slice(run->processes[arg->process].memory, arg->thread, run->plan.threads,
			  (uint64_t)sysconf(_SC_PAGESIZE));
}

/* All memory of the process by its first task, where threads are bound each part where it belongs. */
static int touch_by_main(const struct thread_arg *args, struct error *err)
{
	const struct numa *numa = args->numa;
	const struct numa_plan *plan = &numa->run.plan;
	int ret = begin_first_touch(plan, err);

	for (uint64_t i = 0; !ret && i < plan->threads; i++) {
		if (binds_threads(plan))
			ret = bind_part(&numa->run, i, plan->threads, err);
		if (!ret && plan->touch == TOUCH_MAIN)
			clear(plan, slice(&args[i]));
		else if (!ret)
			numa_fill(slice(&args[i]), plan->cfg->seed, task_index(&args[i]));
	}
	return ret ? ret : end_first_touch(plan, err);
}

static int touch_by_thread(const struct thread_arg *arg, struct error *err)
{
	const struct numa_plan *plan = &arg->numa->run.plan;
	int ret = begin_first_touch(plan, err);

	if (!ret) {
		clear(plan, arg->numa->run.processes[arg->process].memory);
		ret = end_first_touch(plan, err);
	}
	arg->numa->run.tasks[task_index(arg)].touched_ns = clock_ns(CLOCK_MONOTONIC);
	return ret;
}

/* What a thread works on; its own memory is made here. */
static int set_ranges(const struct thread_arg *arg, struct numa_task *task, struct error *err)
{
	const struct numa *numa = arg->numa;
	const struct numa_plan *plan = &numa->run.plan;
	int ret;

	task->ranges[RANGE_GLOBAL] = numa->run.global;
	task->ranges[RANGE_PROCESS] =
		plan->sliced ? slice(arg) : numa->run.processes[arg->process].memory;
	ret = numa_map(&task->ranges[RANGE_THREAD], plan->thread_bytes, false, plan->cfg->thp,
		       "a thread's memory", err);
	if (ret || !plan->thread_bytes)
		return ret;
	ret = begin_first_touch(plan, err);
	if (!ret)
		numa_fill(task->ranges[RANGE_THREAD], plan->cfg->seed,
			  nr_tasks(plan) + task_index(arg));
	return ret ? ret : end_first_touch(plan, err);
}

/* The place of a task among those that share a range, which makes it start elsewhere than they do. */
static uint64_t do_round(const struct thread_arg *arg, const struct numa_task *task, uint64_t round,
			 uint64_t value)
{
	const struct numa_plan *plan = &arg->numa->run.plan;
	const struct {
		uint64_t nr, of;
	} shared[NR_RANGES] = {
		[RANGE_GLOBAL] = { arg->process, plan->processes },
		[RANGE_PROCESS] = { plan->sliced ? 0 : arg->thread,
				    plan->sliced ? 1 : plan->threads },
		[RANGE_THREAD] = { 0, 1 },
	};
	struct numa_walk walk = { .access = plan->access, .order = plan->order };

	for (int i = 0; i < NR_RANGES; i++) {
		if (!task->ranges[i].bytes)
			continue;
		walk.seed = plan->cfg->seed + task_index(arg);
		numa_walk_set(&walk, task->ranges[i].bytes / sizeof(uint64_t), shared[i].nr,
			      shared[i].of, round, plan->rounds);
		value = numa_access(task->ranges[i], &walk, value);
	}
	return value;
}

static void do_rounds(const struct thread_arg *arg, struct numa_task *task)
{
	const struct numa_plan *plan = &arg->numa->run.plan;
	struct numa_common *common = arg->numa->run.common;
	struct histogram *rounds = &arg->numa->rounds[task_index(arg)];
	const uint64_t end_ns = plan->limit_ns ? common->start_ns + plan->limit_ns : UINT64_MAX;
	uint64_t before_ns = clock_ns(CLOCK_MONOTONIC), now_ns, value = 0, round = 0;

	while (round < plan->rounds && !atomic_load_explicit(&common->stop, memory_order_relaxed)) {
		value = do_round(arg, task, round++, value);
		now_ns = clock_ns(CLOCK_MONOTONIC);
		histogram_add(rounds, now_ns - before_ns);
		before_ns = now_ns;
		if (now_ns >= end_ns)
			atomic_store(&common->stop, true);
	}
	task->rounds = round;
	task->value = value;
	task->end_ns = before_ns;
}

/* While it still is where it worked. */
static void look_around(const struct thread_arg *arg, struct numa_task *task)
{
	const struct numa_nodes *nodes = &arg->numa->run.nodes;
	int cpu = sched_getcpu();

	task->end_node = cpu < 0 ? -1 : numa_node_of_cpu(nodes, (unsigned int)cpu);
	if (task->end_node < 0 || !arg->numa->run.plan.sliced ||
	    numa_pages_local(&task->end_local, 0, task->ranges[RANGE_PROCESS],
			     nodes->nodes[task->end_node].id))
		task->end_local = -1;
}

static int thread_main(void *arg_, struct error *err)
{
	const struct thread_arg *arg = arg_;
	struct numa *numa = arg->numa;
	const struct numa_plan *plan = &numa->run.plan;
	struct numa_task *task = &numa->run.tasks[task_index(arg)];
	int ret = 0;

	task->tid = (pid_t)syscall(SYS_gettid);
	if (binds_threads(plan))
		ret = bind_part(&numa->run, arg->thread, plan->threads, err);
	if (!ret)
		ret = set_ranges(arg, task, err);
	if (!ret) {
		gate_pass(numa->start);
		if (plan->touch == TOUCH_MAIN)
			gate_pass(numa->filled[arg->process]);
		if (plan->touch == TOUCH_THREADS)
			ret = touch_by_thread(arg, err);
	}
	if (!ret) {
		do_rounds(arg, task);
		look_around(arg, task);
	} else {
		error_prefix(err, "thread %" PRIu64 " of process %" PRIu64, arg->thread,
			     arg->process);
	}
	return ret;
}

/* In a process: its own memory, touched before the start if the test wants it so. */
static int make_memory(const struct thread_arg *args, struct numa_process *process,
		       struct error *err)
{
	const struct numa_run *run = &args->numa->run;
	int ret = 0;

	if (binds_processes(&run->plan))
		ret = bind_part(run, args->process, run->plan.processes, err);
	if (!ret)
		ret = numa_map(&process->memory, run->plan.size_bytes, false, run->plan.cfg->thp,
			       "a process's memory", err);
	if (!ret && run->plan.touch == TOUCH_SET_UP && run->plan.size_bytes)
		ret = touch_by_main(args, err);
	return ret;
}

static int make_threads(struct team *team, struct thread_arg *args, struct error *err)
{
	int ret = 0;

	for (uint64_t i = 0; !ret && i < args->numa->run.plan.threads; i++)
		ret = team_add(team, "numa thread", thread_main, &args[i], err);
	return ret;
}

static int touch_when_started(struct thread_arg *args, struct numa_process *process,
			      struct error *err)
{
	struct numa *numa = args->numa;
	int ret;

	gate_pass(numa->start);
	ret = touch_by_main(args, err);
	process->touched_ns = clock_ns(CLOCK_MONOTONIC);
	gate_open(numa->filled[args->process]);
	return ret;
}

/* Its memory stays until the last look is done. */
static int process_main(void *arg, struct error *err)
{
	static const char token = '*';
	struct thread_arg *args = arg;
	struct numa *numa = args->numa;
	const struct numa_plan *plan = &numa->run.plan;
	struct numa_process *process = &numa->run.processes[args->process];
	struct team *team = NULL;
	int ret;

	process->pid = getpid();
	ret = make_memory(args, process, err);
	if (!ret)
		ret = team_new(&team, numa->harness, true, (size_t)plan->threads, err);
	if (!ret)
		ret = make_threads(team, args, err);
	if (!ret && plan->touch == TOUCH_MAIN)
		ret = touch_when_started(args, process, err);
	if (!ret)
		ret = team_wait(team, err);
	if (team)
		team_free(team); /* a failure may leave threads, which this process's end ends */
	if (ret)
		return ret;
	process->joined_ns = clock_ns(CLOCK_MONOTONIC);
	if (write(numa->joined[1], &token, 1) != 1)
		return error_set(err, errno, "write to the worker: %s", strerror(errno));
	gate_pass(numa->leave);
	return 0;
}

static int make_global(struct numa *numa, struct error *err)
{
	const struct numa_plan *plan = &numa->run.plan;
	int ret = numa_map(&numa->run.global, plan->global_bytes, true, THP_SYSTEM,
			   "the memory of all processes", err);

	if (ret || !plan->global_bytes)
		return ret;
	ret = begin_first_touch(plan, err);
	if (!ret)
		numa_fill(numa->run.global, plan->cfg->seed, 2 * nr_tasks(plan));
	return ret ? ret : end_first_touch(plan, err);
}

/* Before the processes are forked. */
static int make_shared(struct numa *numa, struct error *err)
{
	const struct numa_plan *plan = &numa->run.plan;
	const size_t tasks = (size_t)nr_tasks(plan), processes = (size_t)plan->processes;

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
	uint64_t arrivals = nr_tasks(plan) + (plan->touch == TOUCH_MAIN ? plan->processes : 0);
	int ret;

	numa->args = xcalloc((size_t)nr_tasks(plan), sizeof(*numa->args));
	for (uint64_t i = 0; i < nr_tasks(plan); i++)
		numa->args[i] = (struct thread_arg){ numa, i / plan->threads, i % plan->threads };
	ret = team_new(&numa->team, numa->harness, false, (size_t)plan->processes, err);
	for (uint64_t i = 0; !ret && i < plan->processes; i++)
		ret = team_add(numa->team, "numa process", process_main,
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

static uint64_t last_joined_ns(const struct numa *numa)
{
	uint64_t last_ns = 0;

	for (uint64_t i = 0; i < numa->run.plan.processes; i++)
		if (numa->run.processes[i].joined_ns > last_ns)
			last_ns = numa->run.processes[i].joined_ns;
	return last_ns;
}

static uint64_t last_touched_ns(const struct numa *numa)
{
	const struct numa_plan *plan = &numa->run.plan;
	uint64_t last_ns = 0, ns;

	for (uint64_t i = 0; i < nr_tasks(plan); i++) {
		ns = plan->touch == TOUCH_MAIN ? numa->run.processes[i / plan->threads].touched_ns
					       : numa->run.tasks[i].touched_ns;
		last_ns = ns > last_ns ? ns : last_ns;
	}
	return last_ns;
}

static uint64_t round_bytes(const struct numa_task *task)
{
	uint64_t bytes = 0;

	for (int i = 0; i < NR_RANGES; i++)
		bytes += task->ranges[i].bytes;
	return bytes;
}

static void sample_tasks(const struct numa *numa, struct run *run)
{
	struct histogram *finish = xcalloc(1, sizeof(*finish));
	double bytes = 0, speed = 0;

	for (uint64_t i = 0; i < nr_tasks(&numa->run.plan); i++) {
		const struct numa_task *task = &numa->run.tasks[i];
		double mine = (double)task->rounds * (double)round_bytes(task);

		histogram_add(finish, task->end_ns - run->start_ns);
		bytes += mine;
		if (numa->rounds[i].sum)
			speed += mine / ((double)numa->rounds[i].sum / 1e9);
	}
	run_sample(run, "finish-mean", histogram_mean(finish));
	run_sample(run, "speed", speed);
	run_sample(run, "bytes", bytes);
	run_histogram(run, "finish", finish);
	free(finish);
}

static void note_balancing(struct run *run)
{
	char *line = file_read_line(AT_FDCWD, "/proc/sys/kernel/numa_balancing");

	if (line)
		run_note(run, "balancing", "kernel.numa_balancing = %s", line);
	else
		run_note(run, "balancing", "the kernel has no NUMA balancing");
	free(line);
}

static void note_machine(const struct numa *numa, struct run *run)
{
	struct strbuf sb = { 0 };

	numa_nodes_print(&numa->run.nodes, &sb);
	run_note(run, "nodes", "%s", sb.s);
	strbuf_release(&sb);
	note_balancing(run);
}

static void sample(struct numa *numa, struct run *run)
{
	const struct numa_plan *plan = &numa->run.plan;
	const uint64_t teardown_ns = run->stop_ns - numa->leave_ns;

	run_sample(run, "time",
		   (double)(last_joined_ns(numa) - run->start_ns) + (double)teardown_ns);
	run_sample(run, "teardown", (double)teardown_ns);
	run_sample(run, "setup", (double)numa->setup_ns);
	if (plan->touch != TOUCH_SET_UP)
		run_sample(run, "first-touch", (double)(last_touched_ns(numa) - run->start_ns));
	sample_tasks(numa, run);
	run_histogram(run, "round", shared_histograms_sum(numa->rounds, (size_t)nr_tasks(plan)));
	numa_watch_report(numa->watch, run);
	numa_vmstat_report(&numa->before, &numa->after, run);
	run_sample(run, "nodes", numa->run.nodes.nr);
	run_sample(run, "cpus", cpumask_weight(&numa->allowed));
	run_sample(run, "processes", (double)plan->processes);
	run_sample(run, "threads", (double)plan->threads);
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
	note_machine(numa, run);
	if (!ret)
		ret = play(numa, run, err);
	if (!ret)
		sample(numa, run);
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
	.original = numa_original,
};
