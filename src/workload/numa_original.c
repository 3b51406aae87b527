// SPDX-License-Identifier: GPL-2.0-only
/* workload/numa_original.c - a run in the lines of autonuma-benchmark or of perf bench numa mem. */
#include "workload/numa.h"

#include <inttypes.h>
#include <math.h>

#define MIB (1 << 20)

static double figure(const struct result *result, const char *name)
{
	const struct value *value = result_metric(result, name);

	if (!value)
		value = result_counter(result, name);
	return value ? value->value : 0;
}

/* The program's name, then what time -f %e says: cut to hundredths. */
static void autonuma_lines(const struct result *result, const struct numa_cfg *cfg,
			   struct strbuf *sb)
{
	static const char *const names[] = {
		[NUMA01] = "numa01",
		[NUMA01_THREAD_LOCAL] = "numa01_THREAD_ALLOC",
		[NUMA02] = "numa02",
		[NUMA02_SMT] = "numa02_SMT",
	};
	static const char *const binds[] = {
		[BIND_FREE] = "",
		[BIND_HARD] = "_HARD_BIND",
		[BIND_INVERSE] = "_INVERSE_BIND",
	};
	uint64_t hundredths = (uint64_t)(figure(result, "time") / 1e7);
	int node = -1;

	numa_first_parse(&node, cfg->first, NULL);
	strbuf_addf(sb, "%s%s%s\n%" PRIu64 ".%02" PRIu64 "\n", names[cfg->test],
		    node >= 0 ? "_NO_BIND_FORCE_SAME_NODE" : "", binds[cfg->bind], hundredths / 100,
		    hundredths % 100);
}

/* The command line that asks perf for the same, since perf repeats it. */
static void perf_command(const struct numa_plan *plan, struct strbuf *sb)
{
	static const char *const accesses[] = {
		[ACCESS_ZERO] = " -Z",
		[ACCESS_STREAM] = " -Z",
		[ACCESS_READ] = " --no-data_writes",
		[ACCESS_WRITE] = " --no-data_reads",
		[ACCESS_UPDATE] = "",
	};
	static const char *const orders[] = {
		[ORDER_FORWARD] = " --no-data_backwards --no-data_rand_walk",
		[ORDER_BOTH] = " --no-data_rand_walk",
		[ORDER_RANDOM] = "",
	};
	static const char *const thps[] = {
		[THP_SYSTEM] = "",
		[THP_NEVER] = " --thp -1",
		[THP_ALWAYS] = " --thp 1",
	};

	strbuf_addf(sb, "perf bench numa numa-mem -p %" PRIu64 " -t %" PRIu64 " -G %g -P %g -T %g",
		    plan->processes, plan->threads, (double)plan->global_bytes / MIB,
		    (double)plan->size_bytes / MIB, (double)plan->thread_bytes / MIB);
	if (plan->rounds != NUMA_ROUNDS_EVER)
		strbuf_addf(sb, " -l %" PRIu64, plan->rounds);
	strbuf_addf(sb, " -s %" PRIu64 "%s%s%s%s", plan->limit_ns / 1000000000,
		    accesses[plan->access], orders[plan->order], thps[plan->cfg->thp],
		    plan->first_node == 0 ? " -0" : "");
}

static void perf_head(const struct result *result, const struct numa_plan *plan, struct strbuf *sb)
{
	const uint64_t tasks = plan->processes * plan->threads;
	const int rounds = (int)plan->rounds; /* without a limit it prints -1, and so does this */

	strbuf_addstr(sb, "# Running 'numa/mem' benchmark:\n\n # Running main, \"");
	perf_command(plan, sb);
	strbuf_addf(sb,
		    "\"\n#\n#\n\n ###\n # %" PRIu64
		    " task%s will execute (on %.0f nodes, %.0f CPUs):\n",
		    tasks, tasks == 1 ? "" : "s", figure(result, "nodes"), figure(result, "cpus"));
	strbuf_addf(sb, " #      %5dx %5" PRIu64 "MB global  shared mem operations\n", rounds,
		    plan->global_bytes / MIB);
	strbuf_addf(sb, " #      %5dx %5" PRIu64 "MB process shared mem operations\n", rounds,
		    plan->size_bytes / MIB);
	strbuf_addf(sb, " #      %5dx %5" PRIu64 "MB thread  local  mem operations\n", rounds,
		    plan->thread_bytes / MIB);
	strbuf_addf(sb,
		    " ###\n\n ###\n #\n"
		    " # Startup synchronization: ... threads initialized in %.6f seconds.\n"
		    " #\n\n ###\n\n",
		    figure(result, "setup") / 1e9);
}

static void perf_line(struct strbuf *sb, double value, const char *unit, const char *what)
{
	strbuf_addf(sb, " %-30s %15.3f, %-15s %s\n", "main,", value, unit, what);
}

/* Its time of the quickest task is in whole seconds. */
static void perf_figures(const struct result *result, double tasks, struct strbuf *sb)
{
	const double max_s = figure(result, "time") / 1e9;
	const double min_s = floor(figure(result, "finish-min") / 1e9);
	const double bytes = figure(result, "bytes");

	perf_line(sb, max_s, "secs,", "runtime-max/thread");
	perf_line(sb, min_s, "secs,", "runtime-min/thread");
	perf_line(sb, figure(result, "finish-mean") / 1e9, "secs,", "runtime-avg/thread");
	perf_line(sb, (max_s - min_s) / 2 / max_s * 100, "%,", "spread-runtime/thread");
	perf_line(sb, bytes / tasks / 1e9, "GB,", "data/thread");
	perf_line(sb, bytes / 1e9, "GB,", "data-total");
	perf_line(sb, max_s * 1e9 / (bytes / tasks), "nsecs,", "runtime/byte/thread");
	perf_line(sb, bytes / tasks / 1e9 / max_s, "GB/sec,", "thread-speed");
	perf_line(sb, bytes / max_s / 1e9, "GB/sec,", "total-speed");
}

void numa_original(const struct result *result, const void *cfg_, struct strbuf *sb)
{
	const struct numa_cfg *cfg = cfg_;
	struct numa_plan plan;

	if (cfg->test <= NUMA02_SMT) {
		autonuma_lines(result, cfg, sb);
		return;
	}
	numa_plan(&plan, cfg, 1, 1, NULL);
	plan.processes = (uint64_t)figure(result, "processes");
	plan.threads = (uint64_t)figure(result, "threads");
	perf_head(result, &plan, sb);
	perf_figures(result, (double)(plan.processes * plan.threads), sb);
}
