// SPDX-License-Identifier: GPL-2.0-only
/* workload/rr_original.c - a run of rr in the lines of netperf and tbench. */
#include "workload/rr.h"

#include <inttypes.h>
#include <stdio.h>

static double figure(const struct value *value)
{
	return value ? value->value : 0;
}

/* Both ends have the same buffers here. One block, whatever the number of pairs: their sum. */
static void netperf_lines(const struct result *result, const struct rr_cfg *cfg, struct strbuf *sb)
{
	const uint64_t sent = (uint64_t)figure(result_counter(result, "send-buffer"));
	const uint64_t received = (uint64_t)figure(result_counter(result, "receive-buffer"));

	strbuf_addf(sb,
		    "MIGRATED %s REQUEST/RESPONSE TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to "
		    "127.0.0.1 () port 0 AF_INET : first burst 0\n",
		    cfg->transport == RR_UDP ? "UDP" : "TCP");
	strbuf_addstr(sb, "Local /Remote\n"
			  "Socket Size   Request  Resp.   Elapsed  Trans.\n"
			  "Send   Recv   Size     Size    Time     Rate         \n"
			  "bytes  Bytes  bytes    bytes   secs.    per sec   \n\n");
	strbuf_addf(sb, "%-6" PRIu64 " %-6" PRIu64 " %-6" PRIu64 "   %-6" PRIu64 "  %-6.2f   ",
		    sent, received, cfg->request_bytes, cfg->response_bytes,
		    (double)(cfg->time_ns - cfg->warmup_ns) / 1e9);
	strbuf_addf(sb, "%7.2f   \n", figure(result_metric(result, "transactions")));
	strbuf_addf(sb, "%-6" PRIu64 " %-6" PRIu64 "\n", sent, received);
}

/* The note has "NAME COUNT MEAN MAX, ...", in ms. A kind without a request has no line, as in the original. */
static void operation_lines(const char *note, struct strbuf *sb)
{
	char name[16];
	uint64_t count;
	double mean_ms, max_ms;
	int n;

	while (note && sscanf(note, "%15s %" SCNu64 " %lf %lf%n", name, &count, &mean_ms, &max_ms,
			      &n) == 4) {
		if (count)
			strbuf_addf(sb, " %-12s %7" PRIu64 " %9.03f %9.03f\n", name, count, mean_ms,
				    max_ms);
		note += n;
		note += *note == ',';
	}
}

static void tbench_lines(const struct result *result, const struct rr_cfg *cfg, struct strbuf *sb)
{
	const double max_ns = figure(result_metric(result, "latency-max"));

	strbuf_addf(sb,
		    "dbench version 4.00 - Copyright Andrew Tridgell 1999-2004\n\n"
		    "Running for %" PRIu64 " seconds with load 'client.txt' and minimum warmup "
		    "%" PRIu64 " secs\n",
		    (cfg->time_ns - cfg->warmup_ns) / 1000000000, cfg->warmup_ns / 1000000000);
	strbuf_addstr(sb, "\n Operation      Count    AvgLat    MaxLat\n"
			  " ----------------------------------------\n");
	operation_lines(result_note(result, "operations"), sb);
	strbuf_addf(sb,
		    "\nThroughput %g MB/sec  %" PRIu64 " clients  %" PRIu64
		    " procs  max_latency=%.03f ms\n",
		    figure(result_metric(result, "payload")) / 1e6, cfg->pairs, cfg->pairs,
		    max_ns / 1e6);
}

void rr_original(const struct result *result, const void *cfg_, struct strbuf *sb)
{
	const struct rr_cfg *cfg = cfg_;

	if (cfg->flavor == RR_TBENCH)
		tbench_lines(result, cfg, sb);
	else
		netperf_lines(result, cfg, sb);
}
