// SPDX-License-Identifier: GPL-2.0-only
#include "workload/numa_watch.h"

#include "base/clock.h"
#include "base/mem.h"
#include "workload/numa_pages.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define BUFFER_BYTES (64 << 10)
#define NS_PER_MS    UINT64_C(1000000)

/* Looks that are told one by one: when there are more, every second one is dropped, as often as needed. */
#define POINTS 12

/* Nodes that are told one by one at each of them. */
#define POINT_NODES 8

/* struct point - one look: share of local memory, and pages by node, of all tasks and processes */
struct point {
	uint64_t at_ns;
	double local;
	uint64_t pages[POINT_NODES];
};

struct numa_watch {
	const struct numa_run *nr;
	char *buffer;
	uint64_t *
		pages; /* by node, at the last look: rows of each process, of what all share, of each task */
	int *task_nodes; /* at the last look; -1: not known yet */
	struct point points[POINTS];
	unsigned int nr_points;
	uint64_t stride; /* every how many looks there is a point */
	uint64_t looks;
	uint64_t looks_local;
	double local_sum;
	double local_end;
	uint64_t cost_ns;
	uint64_t moves;
	bool converged;
	uint64_t converged_ns;
	int pages_error;
	int local_error;
	uint64_t interval_ns;
	bool started;
	int stop_fd;
	pthread_t thread;
};

static size_t nr_tasks(const struct numa_watch *watch)
{
	return (size_t)(watch->nr->plan.processes * watch->nr->plan.threads);
}

static size_t nr_rows(const struct numa_watch *watch)
{
	return (size_t)watch->nr->plan.processes + 1 + nr_tasks(watch);
}

static uint64_t *row(const struct numa_watch *watch, size_t i)
{
	return &watch->pages[i * watch->nr->nodes.nr];
}

static uint64_t *task_row(const struct numa_watch *watch, size_t task)
{
	return row(watch, (size_t)watch->nr->plan.processes + 1 + task);
}

static uint64_t *global_row(const struct numa_watch *watch)
{
	return row(watch, (size_t)watch->nr->plan.processes);
}

static const struct numa_process *process_of(const struct numa_watch *watch, size_t task)
{
	return &watch->nr->processes[task / watch->nr->plan.threads];
}

int numa_watch_new(struct numa_watch **out, const struct numa_run *nr, struct error *err)
{
	struct numa_watch *watch = xcalloc(1, sizeof(*watch));

	watch->nr = nr;
	watch->stride = 1;
	watch->buffer = xcalloc(1, BUFFER_BYTES);
	watch->pages = xcalloc(nr_rows(watch) * nr->nodes.nr, sizeof(*watch->pages));
	watch->task_nodes = xcalloc(nr_tasks(watch), sizeof(*watch->task_nodes));
	memset(watch->task_nodes, -1, nr_tasks(watch) * sizeof(*watch->task_nodes));
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
		return row(wanted->watch, wanted->process);
	if (wanted->process == 0 && inside(start, nr->global))
		return global_row(wanted->watch);
	for (uint64_t i = 0; nr->plan.thread_bytes && i < nr->plan.threads; i++)
		if (inside(start, nr->tasks[first + i].ranges[RANGE_THREAD]))
			return task_row(wanted->watch, first + i);
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
	memset(watch->pages, 0, nr_rows(watch) * watch->nr->nodes.nr * sizeof(*watch->pages));
	for (size_t i = 0; !watch->pages_error && i < watch->nr->plan.processes; i++)
		watch->pages_error = count_pages(watch, i);
}

/* Where the tasks are, and whether each process keeps to one node. Return: all are known */
static bool find_tasks(struct numa_watch *watch, bool *converged)
{
	const uint64_t threads = watch->nr->plan.threads;

	*converged = true;
	for (size_t i = 0; i < nr_tasks(watch); i++) {
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
	ret = numa_pages_local(&share, process_of(watch, i)->pid, task->ranges[RANGE_PROCESS],
			       watch->nr->nodes.nodes[node].id);
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
	shares[RANGE_GLOBAL] = row_share(watch, global_row(watch), node);
	shares[RANGE_PROCESS] = plan->sliced
					? slice_share(watch, i, node, end)
					: row_share(watch, row(watch, i / plan->threads), node);
	shares[RANGE_THREAD] = row_share(watch, task_row(watch, i), node);
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

	for (size_t i = 0; i < nr_tasks(watch); i++) {
		double share = task_local(watch, i, end);

		if (share < 0)
			return -1;
		sum += share;
	}
	return sum / (double)nr_tasks(watch);
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
	for (size_t i = 0; i < nr_rows(watch); i++)
		for (unsigned int n = 0; n < watch->nr->nodes.nr && n < POINT_NODES; n++)
			point->pages[n] += row(watch, i)[n];
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
	for (size_t i = 0; i < nr_tasks(watch); i++) {
		const int node = watch->nr->tasks[i].end_node;

		watch->moves += watch->task_nodes[i] >= 0 && node != watch->task_nodes[i];
		watch->task_nodes[i] = node;
	}
	watch->local_end = all_local(watch, true);
	add_local(watch, watch->local_end);
}

/* "60.0 % node 0, 40.0 % node 1" */
static void print_shares(struct strbuf *sb, const struct numa_nodes *nodes, const uint64_t *counts)
{
	uint64_t sum = 0;
	const char *comma = "";

	for (unsigned int i = 0; i < nodes->nr; i++)
		sum += counts[i];
	for (unsigned int i = 0; i < nodes->nr; i++) {
		if (!counts[i])
			continue;
		strbuf_addf(sb, "%s%.1f %% node %u", comma, 100 * (double)counts[i] / (double)sum,
			    nodes->nodes[i].id);
		comma = ", ";
	}
	if (!sum)
		strbuf_addstr(sb, "none");
}

/* What all share is the first one's. */
static void add_process_pages(const struct numa_watch *watch, size_t process, uint64_t *counts)
{
	const uint64_t threads = watch->nr->plan.threads;

	for (unsigned int n = 0; n < watch->nr->nodes.nr; n++) {
		counts[n] = row(watch, process)[n] + (process ? 0 : global_row(watch)[n]);
		for (uint64_t i = 0; i < threads; i++)
			counts[n] += task_row(watch, process * threads + i)[n];
	}
}

static void print_process(struct strbuf *sb, const struct numa_watch *watch, size_t process)
{
	const struct numa_nodes *nodes = &watch->nr->nodes;
	const uint64_t threads = watch->nr->plan.threads;
	uint64_t *counts = xcalloc(nodes->nr, sizeof(*counts));

	for (uint64_t i = 0; i < threads; i++) {
		int node = watch->task_nodes[process * threads + i];

		if (node >= 0)
			counts[node]++;
	}
	strbuf_addf(sb, "%sprocess %zu: tasks ", process ? "; " : "", process);
	print_shares(sb, nodes, counts);
	if (!watch->pages_error) {
		add_process_pages(watch, process, counts);
		strbuf_addstr(sb, ", pages ");
		print_shares(sb, nodes, counts);
	}
	free(counts);
}

static void report_placement(const struct numa_watch *watch, struct run *run)
{
	struct strbuf sb = { 0 };

	for (size_t i = 0; i < watch->nr->plan.processes; i++)
		print_process(&sb, watch, i);
	run_note(run, "placement", "%s", sb.s);
	strbuf_release(&sb);
}

static void print_point(struct strbuf *sb, const struct numa_watch *watch,
			const struct point *point)
{
	const unsigned int nr = watch->nr->nodes.nr;
	uint64_t sum = 0;

	strbuf_addf(sb, "%s%.3g s:", sb->len ? "; " : "", (double)point->at_ns / 1e9);
	if (point->local >= 0)
		strbuf_addf(sb, " local %.0f %%", point->local);
	for (unsigned int i = 0; i < nr && i < POINT_NODES; i++)
		sum += point->pages[i];
	if (nr > POINT_NODES || !sum)
		return;
	strbuf_addstr(sb, ", nodes");
	for (unsigned int i = 0; i < nr; i++)
		strbuf_addf(sb, "%s%.0f", i ? "/" : " ",
			    100 * (double)point->pages[i] / (double)sum);
	strbuf_addstr(sb, " %");
}

static void report_over_time(const struct numa_watch *watch, struct run *run)
{
	struct strbuf sb = { 0 };

	for (unsigned int i = 0; i < watch->nr_points; i++)
		print_point(&sb, watch, &watch->points[i]);
	if (watch->nr_points)
		run_note(run, "pages-over-time", "%s", sb.s);
	if (watch->looks)
		run_note(run, "looks", "%" PRIu64 ", every %.3g s, %.3g ms each", watch->looks,
			 (double)watch->interval_ns / 1e9,
			 (double)watch->cost_ns / 1e6 / (double)watch->looks);
	strbuf_release(&sb);
}

static void report_local(const struct numa_watch *watch, struct run *run)
{
	if (watch->looks_local)
		run_sample(run, "local", watch->local_sum / (double)watch->looks_local);
	if (watch->local_end >= 0)
		run_sample(run, "local-end", watch->local_end);
}

static void report_not_shown(const struct numa_watch *watch, struct run *run)
{
	const bool one = watch->nr->nodes.nr == 1;
	struct strbuf sb = { 0 };

	if (one)
		strbuf_addstr(&sb, "this machine has one NUMA node: all memory is local, nothing "
				   "can be far, converge or migrate");
	if (one && watch->nr->plan.cfg->bind == BIND_INVERSE)
		strbuf_addstr(&sb, "; bind=inverse is the same as hard");
	if (watch->local_error)
		strbuf_addf(&sb, "%slocal memory (move_pages: %s)", sb.len ? "; " : "",
			    strerror(-watch->local_error));
	if (watch->pages_error)
		strbuf_addf(&sb, "%spages by node (numa_maps: %s)", sb.len ? "; " : "",
			    strerror(-watch->pages_error));
	if (sb.len)
		run_note(run, "not-shown", "%s", sb.s);
	strbuf_release(&sb);
}

/* With one node the figures would say 100 % and look like a success. */
void numa_watch_report(const struct numa_watch *watch, struct run *run)
{
	if (watch->nr->nodes.nr > 1) {
		report_local(watch, run);
		if (watch->converged)
			run_sample(run, "converged", (double)watch->converged_ns);
		if (watch->looks)
			run_sample(run, "node-moves", (double)watch->moves);
	}
	report_placement(watch, run);
	report_over_time(watch, run);
	report_not_shown(watch, run);
}
