// SPDX-License-Identifier: GPL-2.0-only
/* fuzz/topo_qemu_fuzz.c - QEMU arguments: no input harms, and what is read is a machine. */
#include "topo_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_text(struct machine **m, const char *text, size_t size,
		     const struct source_opts *opts, struct error *err)
{
	(void)size;
	return qemu_parse(m, text, opts, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return check_reader(read_text, data, size);
}
