// SPDX-License-Identifier: GPL-2.0-only
/* fuzz/topo_xml_fuzz.c - hwloc's XML: no input harms, and what is read is a machine. */
#include "topo_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libhwloc 2.9 loses memory where it refuses an input; what is ours is looked at all the same. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libhwloc";
}

static int read_text(struct machine **m, const char *text, size_t size,
		     const struct source_opts *opts, struct error *err)
{
	(void)size;
	return hwloc_parse(m, text, strlen(text), opts, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return check_reader(read_text, data, size);
}
