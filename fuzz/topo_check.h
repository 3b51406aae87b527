/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz/topo_check.h - what holds for every machine a reader gives: written in our own format and read again
 * it is the same text, in JSON too, and its domains can be built, whatever it looks like.
 */
#ifndef FUZZ_TOPO_CHECK_H
#define FUZZ_TOPO_CHECK_H

#include "topo/machine_json.h"
#include "topo/print.h"
#include "topo/source.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Larger ones take long to print; nothing in the build depends on the size alone. */
#define CHECK_CPUS 256

static inline void check_domains(const struct machine *m)
{
	struct release r;

	for (unsigned int arch = 0; arch < NR_ARCHS && m->nr_cpus <= CHECK_CPUS; arch++) {
		struct strbuf text = { 0 };
		struct hotplug *h;

		release_preset(&r, arch & 1 ? 6 : 7, arch & 1 ? 12 : 3, (enum machine_arch)arch);
		h = hotplug_boot(m, &r);
		print_dump_state(h, &text);
		hotplug_free(h);
		strbuf_release(&text);
	}
}

static inline void check_text(const struct machine *m, const struct source_opts *opts)
{
	struct strbuf once = { 0 }, twice = { 0 };
	struct machine *again = NULL;

	machine_file_print(m, &once);
	if (machine_file_parse(&again, strbuf_str(&once), opts, NULL))
		abort();
	machine_file_print(again, &twice);
	if (strcmp(strbuf_str(&once), strbuf_str(&twice)))
		abort();
	machine_free(again);
	strbuf_release(&once);
	strbuf_release(&twice);
}

static inline void check_json(const struct machine *m, const struct source_opts *opts)
{
	struct strbuf once = { 0 }, twice = { 0 };
	struct json_out out = { .sb = &once }, out2 = { .sb = &twice };
	struct machine *again = NULL;

	machine_json(m, NULL, &out);
	if (machine_json_parse(&again, once.s, once.len, opts, NULL))
		abort();
	machine_json(again, NULL, &out2);
	if (strcmp(once.s, twice.s))
		abort();
	machine_free(again);
	strbuf_release(&once);
	strbuf_release(&twice);
}

typedef int topo_reader(struct machine **m, const char *text, size_t size,
			const struct source_opts *opts, struct error *err);

static inline int check_reader(topo_reader *read, const uint8_t *data, size_t size)
{
	struct release r;
	struct source_opts opts = { .release = &r };
	struct error err = { 0 };
	struct machine *m = NULL;
	char *text = xstrndup((const char *)data, size);

	release_preset(&r, 6, 12, size & 1 ? ARCH_ARM64 : ARCH_X86);
	/* texts end at a NUL; an archive is the bytes themselves */
	if (!read(&m, text, size, &opts, &err)) {
		check_text(m, &opts);
		check_json(m, &opts);
		check_domains(m);
		machine_free(m);
	} else if (!err.code) {
		abort(); /* an error without words */
	}
	free(text);
	return 0;
}

#endif
