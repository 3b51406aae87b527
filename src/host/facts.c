// SPDX-License-Identifier: GPL-2.0-only
#include "host/facts.h"

#include "base/json_out.h"
#include "base/mem.h"
#include "host/facts_source.h"

#include <stdlib.h>
#include <string.h>

/**
 * struct source - one row of the table of facts
 * @asked_by: keys of settings that ask to change it
 */
static const struct source {
	const char *name;
	void (*read)(const struct host *host, struct strbuf *sb);
	const char *asked_by[3];
	bool restless;
} sources[] = {
	{ "kernel.release", fact_kernel_release, { "kernel" } },
	{ "kernel.build", fact_kernel_build, { "kernel" } },
	{ "kernel.cmdline", fact_kernel_cmdline },
	{ "kernel.compiler", fact_kernel_compiler, { "kernel" } },
	{ "kernel.preempt", fact_kernel_preempt, { "sched.preempt" } },
	{ "kernel.hz", fact_kernel_hz },
	{ "cpu.model", fact_cpu_model },
	{ "cpu.microcode", fact_cpu_microcode },
	{ "cpu.topology", fact_cpu_topology },
	{ "cpu.online", fact_cpu_online },
	{ "cpu.smt", fact_cpu_smt },
	{ "cpu.governor", fact_cpu_governor, { "governor" } },
	{ "cpu.driver", fact_cpu_driver },
	{ "cpu.turbo", fact_cpu_turbo },
	{ "cpu.mitigations", fact_cpu_mitigations },
	{ "sched.features", fact_sched_features, { "features" } },
	{ "sched.base_slice",
	  fact_sched_base_slice,
	  { "sched.base_slice_ns", "sched.min_granularity_ns",
	    "sysctl.kernel.sched_min_granularity_ns" } },
	{ "sched.numa_balancing", fact_sched_numa_balancing, { "sysctl.kernel.numa_balancing" } },
	{ "sched.autogroup", fact_sched_autogroup, { "sysctl.kernel.sched_autogroup_enabled" } },
	{ "mem.thp", fact_mem_thp, { "thp" } },
	{ "mem.total", fact_mem_total },
	{ "host.hypervisor", fact_host_hypervisor },
	{ "host.clocksource", fact_host_clocksource },
	{ "host.load", fact_host_load, .restless = true },
	{ "build.compiler", fact_build_compiler },
};

static bool is_blank(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f;
}

/* Each run of spaces and control characters becomes one space; none at the ends. In place. */
static char *clean(char *text, size_t n)
{
	char *to = text;

	for (size_t i = 0; i < n; i++) {
		if (!is_blank(text[i]))
			*to++ = text[i];
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	}
	if (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
	return text;
}

void facts_read(struct facts *facts, const struct host *host)
{
	facts->facts = xcalloc(ARRAY_SIZE(sources), sizeof(*facts->facts));
	facts->n = 0;
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		struct strbuf sb = { 0 };
		size_t n;
		char *value;

		sources[i].read(host, &sb);
		n = sb.len;
		value = clean(strbuf_take(&sb), n);
		if (!*value) {
			free(value);
			continue;
		}
		facts->facts[facts->n++] = (struct fact){ .name = sources[i].name,
							  .value = value,
							  .restless = sources[i].restless };
	}
}

void facts_release(struct facts *facts)
{
	for (size_t i = 0; i < facts->n; i++)
		free(facts->facts[i].value);
	free(facts->facts);
	*facts = (struct facts){ 0 };
}

void facts_write(const struct facts *facts, bool restless, struct strbuf *sb)
{
	struct json_out out = { .sb = sb };

	json_out_object(&out, NULL);
	for (size_t i = 0; i < facts->n; i++)
		if (restless || !facts->facts[i].restless)
			json_out_str(&out, facts->facts[i].name, facts->facts[i].value);
	json_out_end_object(&out);
}

static bool has_fact(const struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->n; i++)
		if (!strcmp(facts->facts[i].name, name))
			return true;
	return false;
}

void facts_note(const struct facts *facts, const struct host *host, struct strbuf *notes)
{
	if (!has_fact(facts, "sched.features"))
		strbuf_addf(notes, "scheduler features and base slice are not known: %s\n",
			    host->debugfs_why ? host->debugfs_why
					      : "this kernel keeps them closed");
	if (!has_fact(facts, "cpu.governor"))
		strbuf_addstr(notes, "no cpufreq here: governor and driver are not known\n");
}

static const struct source *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (!strcmp(sources[i].name, name))
			return &sources[i];
	return NULL;
}

bool facts_asked(const struct settings *settings, const char *name)
{
	const struct source *source = find(name);

	for (size_t i = 0; source && i < ARRAY_SIZE(source->asked_by); i++)
		if (source->asked_by[i] && settings_get(settings, source->asked_by[i]))
			return true;
	return false;
}

const char *fact_name_at(size_t i)
{
	return i < ARRAY_SIZE(sources) ? sources[i].name : NULL;
}
