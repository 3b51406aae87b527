// SPDX-License-Identifier: GPL-2.0-only
/* workload/unixbench_original.c - a result in the lines of UnixBench 6.0.0's report, from its first rule on. */
#include "workload/unixbench.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *note(const struct result *result, const char *name)
{
	const char *text = result_note(result, name);

	return text ? text : "?";
}

/* In the test's own unit. */
static double score_of(const struct result *result, int test)
{
	const struct value *value = result_metric(result, ub_tests[test].name);

	return value ? value->value * ub_tests[test].per_s : 0;
}

static void add_scores(struct strbuf *sb, const struct result *result,
		       const struct unixbench_cfg *cfg)
{
	for (int test = 0; test < NR_UB; test++) {
		const struct ub_test *t = &ub_tests[test];
		const struct value *time = result_counter(result, t->time_name);

		if (ub_is_chosen(cfg, test))
			strbuf_addf(sb, "%-40s %12.1f %-5s (%.1f s, %d samples)\n", t->label,
				    score_of(result, test), t->per_s == 60 ? "lpm" : "lps",
				    time ? time->value / 1e9 : 0, 1);
	}
}

static void add_indexes(struct strbuf *sb, const struct result *result,
			const struct unixbench_cfg *cfg)
{
	for (int test = 0; test < NR_UB; test++) {
		const struct ub_test *t = &ub_tests[test];
		double score = score_of(result, test);

		if (ub_is_chosen(cfg, test))
			strbuf_addf(sb, "%-40s %12.1f %12.1f %8.1f\n", t->label, t->baseline, score,
				    ub_index(test, score / t->per_s));
	}
}

void unixbench_original(const struct result *result, const void *arg, struct strbuf *sb)
{
	const struct unixbench_cfg *cfg = arg;
	const struct value *index = result_metric(result, "index");
	const char *cpus = note(result, "cpus");
	uint64_t copies = ub_copies(cfg);

	strbuf_addf(sb,
		    "------------------------------------------------------------------------\n"
		    "Benchmark Run: %s\n"
		    "%s CPU%s in system; running %" PRIu64 " parallel cop%s of tests\n\n",
		    note(result, "benchmark-run"), cpus, strtol(cpus, NULL, 10) == 1 ? "" : "s",
		    copies, copies == 1 ? "y" : "ies");
	add_scores(sb, result, cfg);
	strbuf_addf(sb, "\n%-40s %12s %12s %8s\n", "System Benchmarks Partial Index", "BASELINE",
		    "RESULT", "INDEX");
	add_indexes(sb, result, cfg);
	strbuf_addf(sb, "%-40s %12s %12s %8s\n", "", "", "", "========");
	strbuf_addf(sb, "%-66s %8.1f\n\n", "System Benchmarks Index Score (Partial Only)",
		    index ? index->value : 0);
}
