// SPDX-License-Identifier: GPL-2.0-only
/* workload/schbench_original.c - a result in the lines of the four programs that are called schbench. */
#include "workload/schbench.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

#define NS_PER_US UINT64_C(1000)
#define NS_PER_S  UINT64_C(1000000000)

/* The percentile that is starred, and those of a table; 0 ends it. */
#define STARRED 99.0

static const double percentiles_old[] = { 50, 75, 90, 95, 99, 99.5, 99.9, 0 };
static const double percentiles_new[] = { 50, 90, 99, 99.9, 0 };
static const double percentiles_pipe[] = { 20, 50, 90, 99, 99.9, 0 };
static const double percentiles_rps[] = { 20, 50, 90, 0 };

/**
 * struct table - one of a program's
 * @title:   NULL: "Latency percentiles", as the old ones
 * @divisor: from our unit to its
 * @starred: percentile that has a star
 */
struct table {
	const char *title;
	const char *unit;
	const double *percentiles;
	double starred;
	uint64_t divisor;
};

/* Samples in the bucket of @value and in those below it. */
static uint64_t count_to(const struct histogram *h, uint64_t value)
{
	const unsigned int last = histogram_index(value);
	uint64_t count = 0;

	for (unsigned int i = 0; i <= last; i++)
		count += h->buckets[i];
	return count;
}

static double metric_or_0(const struct result *result, const char *name)
{
	const struct value *value = result_metric(result, name);

	if (!value)
		value = result_counter(result, name);
	return value ? value->value : 0;
}

/* The oldest has no numbers of samples, B puts the star before the number and the others before a blank. */
static void add_line(struct strbuf *sb, int gen, bool star, double percentile, uint64_t value,
		     uint64_t samples)
{
	if (gen == GEN_A)
		strbuf_addf(sb, "\t%s%2.1fth: %" PRIu64 "\n", star ? "*" : "", percentile, value);
	else if (gen == GEN_B)
		strbuf_addf(sb, "\t%s%2.1fth: %" PRIu64 " (%" PRIu64 " samples)\n", star ? "*" : "",
			    percentile, value, samples);
	else
		strbuf_addf(sb, "\t%s%2.1fth: %-10" PRIu64 " (%" PRIu64 " samples)\n",
			    star ? "* " : "  ", percentile, value, samples);
}

static void add_lines(struct strbuf *sb, int gen, const struct table *table,
		      const struct histogram *h)
{
	uint64_t before = 0;

	for (const double *p = table->percentiles; *p > 0; p++) {
		const uint64_t value = histogram_quantile(h, *p / 100);
		const uint64_t count = h->count ? count_to(h, value) : 0;

		add_line(sb, gen, *p == table->starred, *p, value / table->divisor, count - before);
		before = count;
	}
	strbuf_addf(sb, "\t%smin=%" PRIu64 ", max=%" PRIu64 "\n", gen < GEN_C ? "" : "  ",
		    h->min / table->divisor, h->max / table->divisor);
}

static void add_table(struct strbuf *sb, const struct schbench_cfg *cfg, const struct table *table,
		      const struct histogram *h)
{
	if (table->title)
		strbuf_addf(sb, "%s percentiles (%s)", table->title, table->unit);
	else
		strbuf_addstr(sb, "Latency percentiles (usec)");
	if (cfg->gen != GEN_A)
		strbuf_addf(sb, " runtime %" PRIu64 " (s) (%" PRIu64 " total samples)",
			    cfg->runtime_ns / NS_PER_S, h->count);
	strbuf_addch(sb, '\n');
	add_lines(sb, cfg->gen, table, h);
}

/* Of each worker; in multiples of 1024, though they are called KB. */
static void add_transfer(struct strbuf *sb, const struct result *result,
			 const struct schbench_cfg *cfg)
{
	static const char *const units[] = { "B", "KB", "MB", "GB", "TB" };
	const double workers = metric_or_0(result, "workers");
	const double ops = workers > 0 ? metric_or_0(result, "rps") / workers : 0;
	double bytes = ops * (double)cfg->pipe_bytes;
	size_t i = 0;

	for (; bytes >= 1024 && i + 1 < ARRAY_SIZE(units); i++)
		bytes /= 1024;
	strbuf_addf(sb, "avg worker transfer: %.2f ops/sec %.2f%s/s\n", ops, bytes, units[i]);
}

static void add_rps(struct strbuf *sb, const struct result *result, const struct schbench_cfg *cfg,
		    const struct histogram *h)
{
	const uint64_t p95 = histogram_quantile(h, 0.95) / NS_PER_US;
	const uint64_t p99 = histogram_quantile(h, 0.99) / NS_PER_US;
	const double think = cfg->think_ns ? (double)cfg->think_ns / NS_PER_US : 1;

	strbuf_addf(sb,
		    "rps: %.2f p95 (usec) %" PRIu64 " p99 (usec) %" PRIu64
		    " p95/cputime %.2f%% p99/cputime %.2f%%\n",
		    metric_or_0(result, "rps"), p95, p99, 100 * (double)p95 / think,
		    100 * (double)p99 / think);
}

/* What they call latency ends when the worker runs or, with rps and in generation C, when its work is done. */
static void old_lines(struct strbuf *sb, const struct result *result,
		      const struct schbench_cfg *cfg, struct histogram *h)
{
	static const struct table table = { .percentiles = percentiles_old,
					    .starred = STARRED,
					    .divisor = NS_PER_US };
	const bool rps = cfg->rps || cfg->auto_rps > 0;
	const bool ends = rps || cfg->gen == GEN_C;

	result_histogram(result, ends && !cfg->pipe_bytes ? "response" : "wakeup", h);
	if (rps && cfg->gen != GEN_A)
		strbuf_addf(sb, "final rps was %.0f\n",
			    metric_or_0(result, "goal-rps") /
				    (double)(cfg->messengers ? cfg->messengers : 2));
	add_table(sb, cfg, &table, h);
	if (cfg->pipe_bytes)
		add_transfer(sb, result, cfg);
	else if (rps)
		add_rps(sb, result, cfg, h);
}

static void new_tables(struct strbuf *sb, const struct result *result,
		       const struct schbench_cfg *cfg, struct histogram *h)
{
	static const struct table tables[] = {
		{ "Wakeup Latencies", "usec", percentiles_new, STARRED, NS_PER_US },
		{ "Request Latencies", "usec", percentiles_new, STARRED, NS_PER_US },
		{ "RPS", "requests", percentiles_rps, 50, 1 },
	};
	static const char *const names[] = { "wakeup", "request", "rps" };

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		if (!result_histogram(result, names[i], h))
			*h = (struct histogram){ 0 };
		add_table(sb, cfg, &tables[i], h);
	}
}

static void new_lines(struct strbuf *sb, const struct result *result,
		      const struct schbench_cfg *cfg, struct histogram *h)
{
	static const struct table pipe = { "Wakeup Latencies", "usec", percentiles_pipe, STARRED,
					   NS_PER_US };

	if (!cfg->threads)
		strbuf_addf(sb, "setting worker threads to %.0f\n",
			    metric_or_0(result, "workers") /
				    (double)(cfg->messengers ? cfg->messengers : 1));
	if (cfg->pipe_bytes) {
		result_histogram(result, "wakeup", h);
		add_table(sb, cfg, &pipe, h);
		add_transfer(sb, result, cfg);
		return;
	}
	new_tables(sb, result, cfg, h);
	if (cfg->auto_rps > 0)
		strbuf_addf(sb, "final rps goal was %.0f\n",
			    metric_or_0(result, "goal-rps") /
				    (double)(cfg->messengers ? cfg->messengers : 1));
	else
		strbuf_addf(sb, "average rps: %.2f\n", metric_or_0(result, "rps"));
	strbuf_addf(sb, "sched delay: message %.0f (usec) worker %.0f (usec)\n",
		    metric_or_0(result, "message-delay") / NS_PER_US,
		    metric_or_0(result, "worker-delay") / NS_PER_US);
}

void schbench_original(const struct result *result, const void *cfg_, struct strbuf *sb)
{
	const struct schbench_cfg *cfg = cfg_;
	struct histogram *h = xcalloc(1, sizeof(*h));

	if (cfg->gen == GEN_D)
		new_lines(sb, result, cfg, h);
	else
		old_lines(sb, result, cfg, h);
	free(h);
}
