// SPDX-License-Identifier: GPL-2.0-only
/* workload/hackbench_original.c - a result in the lines of the programs that people know. */
#include "workload/hackbench.h"

#include <inttypes.h>

#define NS_PER_MS UINT64_C(1000000)

/* All of them cut to milliseconds. */
static void add_seconds(struct strbuf *sb, const struct result *result)
{
	const struct value *time = result_metric(result, "time");
	uint64_t ms = time ? (uint64_t)time->value / NS_PER_MS : 0;

	strbuf_addf(sb, "%" PRIu64 ".%03" PRIu64, ms / 1000, ms % 1000);
}

static void rt_tests_lines(const struct result *result, const struct hackbench_cfg *cfg,
			   struct strbuf *sb)
{
	strbuf_addf(sb,
		    "Running in %s mode with %" PRIu64 " groups using %" PRIu64
		    " file descriptors each (== %" PRIu64 " tasks)\n",
		    cfg->mode == MODE_THREAD ? "threaded" : "process", cfg->groups, 2 * cfg->fds,
		    2 * cfg->fds * cfg->groups);
	strbuf_addf(sb, "Each sender will pass %" PRIu64 " messages of %" PRIu64 " bytes\nTime: ",
		    cfg->loops, cfg->size_bytes);
	add_seconds(sb, result);
	strbuf_addch(sb, '\n');
}

static void ltp_lines(const struct result *result, const struct hackbench_cfg *cfg,
		      struct strbuf *sb)
{
	strbuf_addf(sb, "Running with %" PRIu64 "*40 (== %" PRIu64 ") tasks.\nTime: ", cfg->groups,
		    40 * cfg->groups);
	add_seconds(sb, result);
	strbuf_addch(sb, '\n');
}

static void perf_lines(const struct result *result, const struct hackbench_cfg *cfg,
		       struct strbuf *sb)
{
	const char *tasks = cfg->mode == MODE_THREAD ? "threads" : "processes";

	strbuf_addf(sb,
		    "# Running 'sched/messaging' benchmark:\n"
		    "# %" PRIu64 " sender and receiver %s per group\n"
		    "# %" PRIu64 " groups == %" PRIu64 " %s run\n\n"
		    " %14s: ",
		    cfg->fds, tasks, cfg->groups, 2 * cfg->fds * cfg->groups, tasks, "Total time");
	add_seconds(sb, result);
	strbuf_addstr(sb, " [sec]\n");
}

void hackbench_original(const struct result *result, const void *cfg_, struct strbuf *sb)
{
	const struct hackbench_cfg *cfg = cfg_;

	switch (cfg->flavor) {
	case FLAVOR_LTP:
		ltp_lines(result, cfg, sb);
		break;
	case FLAVOR_PERF:
		perf_lines(result, cfg, sb);
		break;
	default:
		rt_tests_lines(result, cfg, sb);
		break;
	}
}
