// SPDX-License-Identifier: GPL-2.0-only
#include "workload/numa_watch.h"

#include "base/clock.h"
#include "base/mem.h"
#include "workload/numa_looks.h"
#include "workload/numa_pages.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define BUFFER_BYTES (64 << 10)
#define NS_PER_MS    UINT64_C(1000000)

int numa_watch_new(struct numa_watch **out, const struct numa_run *nr, struct error *err)
{
	struct numa_watch *watch = xcalloc(1, sizeof(*watch));

	watch->nr = nr;
	watch->stride = 1;
	watch->buffer = xcalloc(1, BUFFER_BYTES);
	watch->pages = xcalloc(numa_watch_nr_rows(watch) * nr->nodes.nr, sizeof(*watch->pages));
	watch->task_nodes = xcalloc(numa_watch_nr_tasks(watch), sizeof(*watch->task_nodes));
	memset(watch->task_nodes, -1, numa_watch_nr_tasks(watch) * sizeof(*watch->task_nodes));
	watch->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (watch->stop_fd < 0) {
		int ret = error_set(err, errno, "eventfd: %s", strerror(errno));

		numa_watch_free(watch);
		return ret;
	}
	*out = watch;
	return 0;
}

void numa_watch_free(struct numa_watch *watch)
{
	if (!watch)
		return;
	if (watch->stop_fd >= 0)
		close(watch->stop_fd);
	free(watch->buffer);
	free(watch->pages);
	free(watch->task_nodes);
	free(watch);
}

struct wanted {
	const struct numa_watch *watch;
	size_t process;
};

static bool inside(uint64_t start, struct numa_range range)
{
	uint64_t first = (uint64_t)(uintptr_t)range.start;

	return start >= first && start < first + range.bytes;
}

/* What all processes share is counted in the first one. */
static uint64_t *row_of(uint64_t start, const void *arg)
{
	const struct wanted *wanted = arg;
	const struct numa_run *nr = wanted->watch->nr;
	const size_t first = wanted->process * (size_t)nr->plan.threads;

	if (inside(start, nr->processes[wanted->process].memory))
		return numa_watch_row(wanted->watch, wanted->process);
	if (wanted->process == 0 && inside(start, nr->global))
		return numa_watch_global_row(wanted->watch);
	for (uint64_t i = 0; nr->plan.thread_bytes && i < nr->plan.threads; i++)
		if (inside(start, nr->tasks[first + i].ranges[RANGE_THREAD]))
			return numa_watch_task_row(wanted->watch, first + i);
	return NULL;
}

/* Return: 0 or -errno */
static int count_pages(struct numa_watch *watch, size_t process)
{
	const struct numa_run *nr = watch->nr;
	const struct wanted wanted = { watch, process };
	const struct numa_maps_reader reader = {
		.nodes = &nr->nodes,
		.row = row_of,
		.arg = &wanted,
		.page_kb = (unsigned int)sysconf(_SC_PAGESIZE) / 1024,
	};

	return numa_maps_read(&reader, nr->processes[process].pid, watch->buffer, BUFFER_BYTES);
}

static void count_all_pages(struct numa_watch *watch)
{
	memset(watch->pages, 0,
	       numa_watch_nr_rows(watch) * watch->nr->nodes.nr * sizeof(*watch->pages));
	for (size_t i = 0; !watch->pages_error && i < watch->nr->plan.processes; i++)
		watch->pages_error = count_pages(watch, i);
}

/* Where the tasks are, and whether each process keeps to one node. Return: all are known */
static bool find_tasks(struct numa_watch *watch, bool *converged)
{
	const uint64_t threads = watch->nr->plan.threads;

	*converged = true;
	for (size_t i = 0; i < numa_watch_nr_tasks(watch); i++) {
		int node = numa_task_node(&watch->nr->nodes, watch->nr->tasks[i].tid);

		if (node < 0)
			return false;
		watch->moves += watch->task_nodes[i] >= 0 && node != watch->task_nodes[i];
		watch->task_nodes[i] = node;
		if (node != watch->task_nodes[i / threads * threads])
			*converged = false;
	}
	return true;
}

/* Percent of a row's pages on a node, -1 where there are none. */
static double row_share(const struct numa_watch *watch, const uint64_t *counts, int node)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < watch->nr->nodes.nr; i++)
		sum += counts[i];
	return sum ? 100 * (double)counts[node] / (double)sum : -1;
}

/* Only a part of a mapping needs a look of its own. */
static double slice_share(struct numa_watch *watch, size_t i, int node, bool end)
{
	const struct numa_task *task = &watch->nr->tasks[i];
	double share;
	int ret;

	if (end)
		return task->end_local;
	ret = numa_pages_local(&share, numa_watch_process_of(watch, i)->pid,
			       task->ranges[RANGE_PROCESS], watch->nr->nodes.nodes[node].id);
	if (ret == -EPERM || ret == -ENOSYS)
		watch->local_error = ret;
	return ret ? -1 : share;
}

/* How much of what task @i works on is on its node, weighted by the ranges' lengths; -1: not known. */
static double task_local(struct numa_watch *watch, size_t i, bool end)
{
	const struct numa_plan *plan = &watch->nr->plan;
	const struct numa_range *ranges = watch->nr->tasks[i].ranges;
	const int node = watch->task_nodes[i];
	double shares[NR_RANGES], bytes = 0, local = 0;

	if (node < 0)
		return -1;
	shares[RANGE_GLOBAL] = row_share(watch, numa_watch_global_row(watch), node);
	shares[RANGE_PROCESS] =
		plan->sliced ? slice_share(watch, i, node, end)
			     : row_share(watch, numa_watch_row(watch, i / plan->threads), node);
	shares[RANGE_THREAD] = row_share(watch, numa_watch_task_row(watch, i), node);
	for (int r = 0; r < NR_RANGES; r++) {
		if (!ranges[r].bytes || shares[r] < 0)
			continue;
		bytes += (double)ranges[r].bytes;
		local += (double)ranges[r].bytes * shares[r];
	}
	return bytes > 0 ? local / bytes : -1;
}

/* Mean of the tasks' shares; -1 if one is not known. */
static double all_local(struct numa_watch *watch, bool end)
{
	double sum = 0;

	for (size_t i = 0; i < numa_watch_nr_tasks(watch); i++) {
		double share = task_local(watch, i, end);

		if (share < 0)
			return -1;
		sum += share;
	}
	return sum / (double)numa_watch_nr_tasks(watch);
}

static void add_local(struct numa_watch *watch, double local)
{
	if (local < 0)
		return;
	watch->local_sum += local;
	watch->looks_local++;
}

static void thin_points(struct numa_watch *watch)
{
	for (unsigned int i = 0; i < POINTS / 2; i++)
		watch->points[i] = watch->points[2 * i + 1];
	watch->nr_points = POINTS / 2;
	watch->stride *= 2;
}

static void add_point(struct numa_watch *watch, uint64_t at_ns, double local)
{
	struct point *point;

	if (watch->looks % watch->stride)
		return;
	if (watch->nr_points == POINTS)
		thin_points(watch);
	if (watch->looks % watch->stride)
		return;
	point = &watch->points[watch->nr_points++];
	*point = (struct point){ .at_ns = at_ns, .local = local };
	for (size_t i = 0; i < numa_watch_nr_rows(watch); i++)
		for (unsigned int n = 0; n < watch->nr->nodes.nr && n < POINT_NODES; n++)
			point->pages[n] += numa_watch_row(watch, i)[n];
}

static void note_convergence(struct numa_watch *watch, bool converged, uint64_t at_ns)
{
	if (converged && !watch->converged)
		watch->converged_ns = at_ns;
	watch->converged = converged;
}

/* A task or process that ends meanwhile spoils a look: then it is none. */
static void look(struct numa_watch *watch)
{
	const uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	const uint64_t at_ns = begin_ns - watch->nr->common->start_ns;
	double local;
	bool converged;

	if (!find_tasks(watch, &converged))
		return;
	count_all_pages(watch);
	local = all_local(watch, false);
	add_local(watch, local);
	note_convergence(watch, converged, at_ns);
	watch->looks++;
	add_point(watch, at_ns, local);
	watch->cost_ns += clock_ns(CLOCK_MONOTONIC) - begin_ns;
}

/* Return: it is time to stop */
static bool sleep_until(const struct numa_watch *watch, uint64_t at_ns)
{
	struct pollfd stop = { .fd = watch->stop_fd, .events = POLLIN };
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t left_ms = at_ns > now_ns ? (at_ns - now_ns + NS_PER_MS - 1) / NS_PER_MS : 0;

	return poll(&stop, 1, left_ms > INT32_MAX ? INT32_MAX : (int)left_ms) > 0;
}

static void *watch_main(void *arg)
{
	struct numa_watch *watch = arg;
	uint64_t next_ns = watch->nr->common->start_ns + watch->interval_ns;

	while (!sleep_until(watch, next_ns)) {
		look(watch);
		next_ns += watch->interval_ns;
	}
	return NULL;
}

int numa_watch_start(struct numa_watch *watch, uint64_t interval_ns, struct error *err)
{
	int code;

	if (!interval_ns)
		return 0;
	watch->interval_ns = interval_ns;
	code = pthread_create(&watch->thread, NULL, watch_main, watch);
	if (code)
		return error_set(err, code, "the task that looks at pages: %s", strerror(code));
	watch->started = true;
	return 0;
}

void numa_watch_stop(struct numa_watch *watch)
{
	const uint64_t one = 1;

	if (!watch->started)
		return;
	if (write(watch->stop_fd, &one, sizeof(one)) == sizeof(one))
		pthread_join(watch->thread, NULL);
	watch->started = false;
}

void numa_watch_end(struct numa_watch *watch)
{
	if (watch->pages_error == -ENOENT || watch->pages_error == -ESRCH)
		watch->pages_error = 0; /* a process was about to end; none has */
	count_all_pages(watch);
	for (size_t i = 0; i < numa_watch_nr_tasks(watch); i++) {
		const int node = watch->nr->tasks[i].end_node;

		watch->moves += watch->task_nodes[i] >= 0 && node != watch->task_nodes[i];
		watch->task_nodes[i] = node;
	}
	watch->local_end = all_local(watch, true);
	add_local(watch, watch->local_end);
}
