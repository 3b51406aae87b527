// SPDX-License-Identifier: GPL-2.0-only
/* Property: what is read is written the same, byte for byte, and its quantiles rise from minimum to maximum. */
#include "base/histogram.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be(int truth)
{
	if (!truth)
		abort();
}

static void check(const struct histogram *h, const char *text)
{
	struct strbuf sb = { 0 };
	uint64_t before = h->min;

	histogram_write(h, &sb);
	must_be(!strcmp(sb.s, text));
	for (int i = 0; i <= 10; i++) {
		uint64_t value = histogram_quantile(h, i / 10.0);

		must_be(value >= before && value <= h->max);
		before = value;
	}
	must_be(before == h->max);
	strbuf_release(&sb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xstrndup((const char *)data, size);
	struct histogram *h = xcalloc(1, sizeof(*h));
	struct error err = { 0 };

	if (!histogram_read(h, text, &err))
		check(h, text);
	else
		must_be(err.code == 22 && !h->count && histogram_read(NULL, text, NULL) == -22);
	free(h);
	free(text);
	return 0;
}
