// SPDX-License-Identifier: GPL-2.0-only
/* workload/numa_looks.c - metrics and notes of where tasks and pages of numa were. */
#include "workload/numa_looks.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
		counts[n] = numa_watch_row(watch, process)[n] +
			    (process ? 0 : numa_watch_global_row(watch)[n]);
		for (uint64_t i = 0; i < threads; i++)
			counts[n] += numa_watch_task_row(watch, process * threads + i)[n];
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
