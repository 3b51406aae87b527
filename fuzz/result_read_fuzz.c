// SPDX-License-Identifier: GPL-2.0-only
/* Property: what is read, written and read again is equal, and is written the same. */
#include "workload/result.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be(int truth)
{
	if (!truth)
		abort();
}

static void must_equal(const struct value *a, const struct value *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		must_be(!strcmp(a[i].name, b[i].name) && a[i].unit == b[i].unit &&
			a[i].better == b[i].better && a[i].value == b[i].value &&
			a[i].counted == b[i].counted);
}

static void check(const struct result *a)
{
	struct strbuf first = { 0 }, second = { 0 };
	struct result b = { 0 };

	result_write(a, &first);
	must_be(!result_read(&b, first.s, first.len, NULL));
	must_be(a->status == b.status && !strcmp(a->workload, b.workload));
	must_be(!a->reason == !b.reason && (!a->reason || !strcmp(a->reason, b.reason)));
	must_be(a->nr_metrics == b.nr_metrics && a->nr_counters == b.nr_counters);
	must_equal(a->metrics, b.metrics, a->nr_metrics);
	must_equal(a->counters, b.counters, a->nr_counters);
	must_be(a->nr_histograms == b.nr_histograms && a->nr_notes == b.nr_notes);
	result_write(&b, &second);
	must_be(!strcmp(first.s, second.s));
	strbuf_release(&first);
	strbuf_release(&second);
	result_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result result = { 0 };
	struct error err = { 0 };

	if (!result_read(&result, (const char *)data, size, &err))
		check(&result);
	else
		must_be(err.code == 22 && *err.text && !result.workload);
	result_release(&result);
	return 0;
}
