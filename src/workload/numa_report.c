// SPDX-License-Identifier: GPL-2.0-only
/* workload/numa_report.c - what a good run of numa says. */
#include "base/file.h"
#include "base/mem.h"
#include "workload/numa_work.h"

#include <fcntl.h>
#include <stdlib.h>

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

	for (uint64_t i = 0; i < numa_nr_tasks(plan); i++) {
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

	for (uint64_t i = 0; i < numa_nr_tasks(&numa->run.plan); i++) {
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

void numa_note_machine(const struct numa *numa, struct run *run)
{
	struct strbuf sb = { 0 };

	numa_nodes_print(&numa->run.nodes, &sb);
	run_note(run, "nodes", "%s", sb.s);
	strbuf_release(&sb);
	note_balancing(run);
}

void numa_report(struct numa *numa, struct run *run)
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
	run_histogram(run, "round",
		      shared_histograms_sum(numa->rounds, (size_t)numa_nr_tasks(plan)));
	numa_watch_report(numa->watch, run);
	numa_vmstat_report(&numa->before, &numa->after, run);
	run_sample(run, "nodes", numa->run.nodes.nr);
	run_sample(run, "cpus", cpumask_weight(&numa->allowed));
	run_sample(run, "processes", (double)plan->processes);
	run_sample(run, "threads", (double)plan->threads);
}
