// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whatever parses keeps to the limits, and means the same when it is read again and when comments are added.
 */
#include "base/mem.h"
#include "lab/experiment.h"
#include "lab/plan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_limits(const struct experiment *e)
{
	uint64_t blocks = plan_most_blocks(e);

	if (e->nr_variants < 2 || e->nr_variants > EXPERIMENT_MAX_VARIANTS || e->nr_points < 1 ||
	    e->nr_points > EXPERIMENT_MAX_POINTS || blocks < 1 || blocks > EXPERIMENT_MAX_BLOCKS ||
	    (blocks + e->warmup) * plan_block_size(e) > EXPERIMENT_MAX_RUNS)
		abort();
	for (size_t i = 0; i < e->nr_points; i++)
		if (!*e->points[i].label || !e->points[i].timeout_ns)
			abort();
}

static char *fingerprint(const struct experiment *experiment)
{
	struct experiment_row row;
	char *copy;

	experiment_row(experiment, &row);
	copy = xstrdup(row.fingerprint);
	experiment_row_release(&row);
	return copy;
}

static void check_same(const char *text, size_t n, const char *expect)
{
	struct experiment *experiment;
	char *got;

	if (experiment_parse(&experiment, "fuzz.ini", text, n, NULL))
		abort();
	got = fingerprint(experiment);
	if (strcmp(got, expect) != 0)
		abort();
	free(got);
	experiment_free(experiment);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char comment[] = "\n # a comment\n\n";
	struct experiment *experiment;
	struct strbuf text = { 0 };
	char *print;

	if (experiment_parse(&experiment, "fuzz.ini", (const char *)data, size, NULL))
		return 0;
	check_limits(experiment);
	print = fingerprint(experiment);
	check_same((const char *)data, size, print);
	strbuf_add(&text, data, size);
	strbuf_addstr(&text, comment);
	check_same(text.s, text.len, print);
	strbuf_release(&text);
	free(print);
	experiment_free(experiment);
	return 0;
}
