// SPDX-License-Identifier: GPL-2.0-only
/* workload/oltp_original.c - a run of oltp in the lines of sysbench oltp_read_write. */
#include "workload/oltp.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

#define READS  14
#define WRITES 4
#define OTHERS 2

static double figure(const struct result *result, const char *name)
{
	const struct value *value = result_counter(result, name);

	return value ? value->value : 0;
}

static void add_head(struct strbuf *sb, const struct oltp_cfg *cfg)
{
	strbuf_addf(sb,
		    "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\n"
		    "Running the test with following options:\n"
		    "Number of threads: %" PRIu64 "\n",
		    cfg->clients);
	if (cfg->rate)
		strbuf_addf(sb, "Target transaction rate: %" PRIu64 "/sec\n", cfg->rate);
	strbuf_addf(sb,
		    "Initializing random number generator from seed (%" PRIu64 ").\n\n\n"
		    "Initializing worker threads...\n\nThreads started!\n\n",
		    cfg->seed);
}

static void add_counts(struct strbuf *sb, uint64_t n, double seconds)
{
	strbuf_addf(sb,
		    "SQL statistics:\n"
		    "    queries performed:\n"
		    "        read:                            %" PRIu64 "\n"
		    "        write:                           %" PRIu64 "\n"
		    "        other:                           %" PRIu64 "\n"
		    "        total:                           %" PRIu64 "\n",
		    n * READS, n * WRITES, n * OTHERS, n * OLTP_STATEMENTS);
	strbuf_addf(sb,
		    "    transactions:                        %-6" PRIu64 " (%.2f per sec.)\n"
		    "    queries:                             %-6" PRIu64 " (%.2f per sec.)\n",
		    n, (double)n / seconds, n * OLTP_STATEMENTS,
		    (double)(n * OLTP_STATEMENTS) / seconds);
	strbuf_addf(sb,
		    "    ignored errors:                      %-6d (%.2f per sec.)\n"
		    "    reconnects:                          %-6d (%.2f per sec.)\n\n",
		    0, 0.0, 0, 0.0);
	strbuf_addf(sb,
		    "General statistics:\n"
		    "    total time:                          %.4fs\n"
		    "    total number of events:              %" PRIu64 "\n\n",
		    seconds, n);
}

static void add_latencies(struct strbuf *sb, const struct histogram *h)
{
	strbuf_addf(sb,
		    "Latency (ms):\n"
		    "         min: %39.2f\n"
		    "         avg: %39.2f\n"
		    "         max: %39.2f\n"
		    "       %3dth percentile: %27.2f\n"
		    "         sum: %39.2f\n\n",
		    (double)h->min / 1e6, histogram_mean(h) / 1e6, (double)h->max / 1e6, 95,
		    (double)histogram_quantile(h, 0.95) / 1e6, (double)h->sum / 1e6);
}

/* The warm-up is no event of sysbench's either; who counts it has a time that is longer. */
void oltp_original(const struct result *result, const void *cfg_, struct strbuf *sb)
{
	const struct oltp_cfg *cfg = cfg_;
	const double clients = (double)cfg->clients;
	struct histogram *h = xcalloc(1, sizeof(*h));
	const double total = figure(result, "total");

	result_histogram(result, "latency", h);
	add_head(sb, cfg);
	add_counts(sb, (uint64_t)total, (double)cfg->time_ns / 1e9);
	add_latencies(sb, h);
	strbuf_addf(sb,
		    "Threads fairness:\n"
		    "    events (avg/stddev):           %.4f/%3.2f\n"
		    "    execution time (avg/stddev):   %.4f/%3.2f\n\n",
		    total / clients, figure(result, "client-events-stddev"),
		    (double)h->sum / 1e9 / clients, figure(result, "client-time-stddev") / 1e9);
	free(h);
}
