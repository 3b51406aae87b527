// SPDX-License-Identifier: GPL-2.0-only
/* workload/numa_work.c - processes and threads of numa: where they are bound, who touches memory first, the rounds. */
#include "workload/numa_work.h"

#include "base/clock.h"
#include "workload/numa_memory.h"
#include "workload/numa_pages.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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

int numa_first_touch_begin(const struct numa_plan *plan, struct error *err)
{
	return plan->first_node < 0 ? 0
				    : numa_bind_memory_node((unsigned int)plan->first_node, err);
}

int numa_first_touch_end(const struct numa_plan *plan, struct error *err)
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

static struct numa_range slice(const struct numa_arg *arg)
{
	const struct numa_run *run = &arg->numa->run;

	return numa_slice(run->processes[arg->process].memory, arg->thread, run->plan.threads,
			  (uint64_t)sysconf(_SC_PAGESIZE));
}

/* All memory of the process by its first task, where threads are bound each part where it belongs. */
static int touch_by_main(const struct numa_arg *args, struct error *err)
{
	const struct numa *numa = args->numa;
	const struct numa_plan *plan = &numa->run.plan;
	int ret = numa_first_touch_begin(plan, err);

	for (uint64_t i = 0; !ret && i < plan->threads; i++) {
		if (binds_threads(plan))
			ret = bind_part(&numa->run, i, plan->threads, err);
		if (!ret && plan->touch == TOUCH_MAIN)
			clear(plan, slice(&args[i]));
		else if (!ret)
			numa_fill(slice(&args[i]), plan->cfg->seed, numa_task_index(&args[i]));
	}
	return ret ? ret : numa_first_touch_end(plan, err);
}

static int touch_by_thread(const struct numa_arg *arg, struct error *err)
{
	const struct numa_plan *plan = &arg->numa->run.plan;
	int ret = numa_first_touch_begin(plan, err);

	if (!ret) {
		clear(plan, arg->numa->run.processes[arg->process].memory);
		ret = numa_first_touch_end(plan, err);
	}
	arg->numa->run.tasks[numa_task_index(arg)].touched_ns = clock_ns(CLOCK_MONOTONIC);
	return ret;
}

/* What a thread works on; its own memory is made here. */
static int set_ranges(const struct numa_arg *arg, struct numa_task *task, struct error *err)
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
	ret = numa_first_touch_begin(plan, err);
	if (!ret)
		numa_fill(task->ranges[RANGE_THREAD], plan->cfg->seed,
			  numa_nr_tasks(plan) + numa_task_index(arg));
	return ret ? ret : numa_first_touch_end(plan, err);
}

/* The place of a task among those that share a range, which makes it start elsewhere than they do. */
static uint64_t do_round(const struct numa_arg *arg, const struct numa_task *task, uint64_t round,
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
		walk.seed = plan->cfg->seed + numa_task_index(arg);
		numa_walk_set(&walk, task->ranges[i].bytes / sizeof(uint64_t), shared[i].nr,
			      shared[i].of, round, plan->rounds);
		value = numa_access(task->ranges[i], &walk, value);
	}
	return value;
}

static void do_rounds(const struct numa_arg *arg, struct numa_task *task)
{
	const struct numa_plan *plan = &arg->numa->run.plan;
	struct numa_common *common = arg->numa->run.common;
	struct histogram *rounds = &arg->numa->rounds[numa_task_index(arg)];
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
static void look_around(const struct numa_arg *arg, struct numa_task *task)
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
	const struct numa_arg *arg = arg_;
	struct numa *numa = arg->numa;
	const struct numa_plan *plan = &numa->run.plan;
	struct numa_task *task = &numa->run.tasks[numa_task_index(arg)];
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
static int make_memory(const struct numa_arg *args, struct numa_process *process, struct error *err)
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

static int make_threads(struct team *team, struct numa_arg *args, struct error *err)
{
	int ret = 0;

	for (uint64_t i = 0; !ret && i < args->numa->run.plan.threads; i++)
		ret = team_add(team, "numa thread", thread_main, &args[i], err);
	return ret;
}

static int touch_when_started(struct numa_arg *args, struct numa_process *process,
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
int numa_process_main(void *arg, struct error *err)
{
	static const char token = '*';
	struct numa_arg *args = arg;
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
