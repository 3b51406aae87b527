// SPDX-License-Identifier: GPL-2.0-only
/* workload/hotplug_original.c - a result in the lines of bash's "time ppc64_cpu --smt=off", then of "=on". */
#include "workload/hotplug.h"

#include <inttypes.h>
#include <stdio.h>

static void add_line(struct strbuf *sb, const char *label, const struct result *result,
		     const char *name)
{
	const struct value *value = result_metric(result, name);
	uint64_t ms;

	value = value ? value : result_counter(result, name);
	ms = value ? (uint64_t)(value->value / 1e6) : 0;
	strbuf_addf(sb, "%s\t%" PRIu64 "m%" PRIu64 ".%03" PRIu64 "s\n", label, ms / 60000,
		    ms / 1000 % 60, ms % 1000);
}

void hotplug_original(const struct result *result, const void *cfg, struct strbuf *sb)
{
	static const char *const phases[] = { "off", "on" };

	(void)cfg;
	for (int i = 0; i < 2; i++) {
		char name[16];

		strbuf_addch(sb, '\n');
		snprintf(name, sizeof(name), "%s-time", phases[i]);
		add_line(sb, "real", result, name);
		snprintf(name, sizeof(name), "%s-user", phases[i]);
		add_line(sb, "user", result, name);
		snprintf(name, sizeof(name), "%s-sys", phases[i]);
		add_line(sb, "sys", result, name);
	}
}
