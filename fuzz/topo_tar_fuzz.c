// SPDX-License-Identifier: GPL-2.0-only
/* fuzz/topo_tar_fuzz.c - archives of /sys and /proc: no input harms, and what is read is a machine. */
#include "topo_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct release r;
	struct source_opts opts = { .release = &r };
	struct error err = { 0 };
	struct machine *m = NULL;

	release_preset(&r, 6, 12, ARCH_X86);
	if (!tar_read(&m, (const char *)data, size, &opts, &err)) {
		check_text(m, &opts);
		check_json(m, &opts);
		check_domains(m);
		machine_free(m);
	} else if (!err.code) {
		abort(); /* an error without words */
	}
	return 0;
}
