// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/config.h"

#include "base/mem.h"

#include <inttypes.h>
#include <string.h>

/* What decides how the scheduler decides, by name; '*' ends the beginning of several. */
static const char *const options[] = {
	"CFS_BANDWIDTH",
	"CGROUP_SCHED",
	"CPUSETS",
	"CPU_FREQ_DEFAULT_GOV_*",
	"CPU_FREQ_GOV_SCHEDUTIL",
	"ENERGY_MODEL",
	"EXT_GROUP_SCHED",
	"FAIR_GROUP_SCHED",
	"GROUP_SCHED_*",
	"HIGH_RES_TIMERS",
	"HZ",
	"HZ_*",
	"IRQ_TIME_ACCOUNTING",
	"NO_HZ",
	"NO_HZ_*",
	"NUMA_BALANCING",
	"NUMA_BALANCING_*",
	"PREEMPT",
	"PREEMPT_*",
	"PSI",
	"PSI_*",
	"RT_GROUP_SCHED",
	"RT_GROUP_SCHED_*",
	"SCHED_*",
	"UCLAMP_*",
};

/* Of those, what the kit stands on, or can't do: as it has them, and told where the user's differ. */
static const char *const fixed[] = {
	"CGROUP_SCHED",	   "CPUSETS",	    "ENERGY_MODEL", "EXT_GROUP_SCHED", "HZ_PERIODIC",
	"NO_HZ",	   "NO_HZ_*",	    "PSI",	    "PSI_*",	       "SCHED_AUTOGROUP",
	"SCHED_CLASS_EXT", "SCHED_CLUSTER", "SCHED_CORE",   "SCHED_DEBUG",     "SCHED_HRTICK",
	"SCHED_INFO",	   "SCHED_MC",	    "SCHED_SMT",    "UCLAMP_*",
};

/* What only has a name like those. */
static const char *const others[] = {
	"NO_HZ_COMMON",		 "PREEMPT_NOTIFIERS",	   "PREEMPT_TRACER",
	"PREEMPTIRQ_*",		 "SCHED_HW_PRESSURE",	   "SCHED_OMIT_FRAME_POINTER",
	"SCHED_STACK_END_CHECK", "SCHED_THERMAL_PRESSURE", "SCHED_TRACER",
};

static bool in_table(const char *const *table, size_t rows, const char *name, size_t n)
{
	for (size_t i = 0; i < rows; i++) {
		size_t len = strcspn(table[i], "*");

		if (!strncmp(table[i], name, len < n ? len : n) &&
		    (table[i][len] ? n >= len : n == len))
			return true;
	}
	return false;
}

/* Decides how the scheduler decides, whoever chooses it. */
static bool is_schedulers(const char *name, size_t n)
{
	return in_table(options, ARRAY_SIZE(options), name, n) &&
	       !in_table(others, ARRAY_SIZE(others), name, n);
}

bool config_is_option(const char *name, size_t n)
{
	return is_schedulers(name, n) && !in_table(fixed, ARRAY_SIZE(fixed), name, n);
}

/**
 * struct line - "CONFIG_NAME=value" or "# CONFIG_NAME is not set"
 * @value: NULL: not set
 */
struct line {
	const char *name, *value;
	size_t name_len, value_len;
};

/* The next line of a .config that is about a symbol. */
static bool next_line(struct line *line, const char **at)
{
	while (**at) {
		const char *text = *at;
		size_t len = strcspn(text, "\n");
		bool unset = !strncmp(text, "# CONFIG_", 9);

		*at += len + (text[len] ? 1 : 0);
		if (!unset && strncmp(text, "CONFIG_", 7))
			continue;
		line->name = text + (unset ? 9 : 7);
		line->name_len = strcspn(line->name, unset ? " \n" : "=\n");
		if (unset) {
			line->value = NULL;
			line->value_len = 0;
			return true;
		}
		if (line->name[line->name_len] != '=')
			continue;
		line->value = line->name + line->name_len + 1;
		line->value_len = strcspn(line->value, "\r\n");
		if (line->value_len == 1 && *line->value == 'n')
			line->value = NULL;
		return true;
	}
	return false;
}

static bool find_line(struct line *line, const char *config, const char *name, size_t n)
{
	while (next_line(line, &config))
		if (line->name_len == n && !memcmp(line->name, name, n))
			return true;
	return false;
}

void config_value(struct strbuf *sb, const char *config, const char *name, size_t n)
{
	struct line line;

	if (find_line(&line, config, name, n) && line.value)
		strbuf_add(sb, line.value, line.value_len);
	else
		strbuf_addch(sb, 'n');
}

static void put_line(struct strbuf *sb, const struct line *line)
{
	if (line->value)
		strbuf_addf(sb, "CONFIG_%.*s=%.*s\n", (int)line->name_len, line->name,
			    (int)line->value_len, line->value);
	else
		strbuf_addf(sb, "# CONFIG_%.*s is not set\n", (int)line->name_len, line->name);
}

void config_merge(struct strbuf *sb, const char *base, const char *user, uint64_t cpus)
{
	static const char nr_cpus[] = "NR_CPUS";
	const char *at = base;
	struct line line;

	while (next_line(&line, &at)) {
		if (user && config_is_option(line.name, line.name_len))
			continue;
		if (cpus && line.name_len == sizeof(nr_cpus) - 1 &&
		    !memcmp(line.name, nr_cpus, line.name_len))
			continue;
		put_line(sb, &line);
	}
	if (cpus)
		strbuf_addf(sb, "CONFIG_NR_CPUS=%" PRIu64 "\n", cpus);
	for (at = user ? user : ""; next_line(&line, &at);)
		if (config_is_option(line.name, line.name_len))
			put_line(sb, &line);
}

size_t config_compare(struct strbuf *changed, const char *user, const char *made)
{
	struct line line;
	size_t same = 0;

	while (next_line(&line, &user)) {
		struct strbuf there = { 0 }, here = { 0 };

		if (!is_schedulers(line.name, line.name_len))
			continue;
		if (line.value)
			strbuf_add(&there, line.value, line.value_len);
		else
			strbuf_addch(&there, 'n');
		config_value(&here, made, line.name, line.name_len);
		if (!strcmp(there.s, here.s))
			same++;
		else
			strbuf_addf(changed, "%.*s: %s there, %s here\n", (int)line.name_len,
				    line.name, there.s, here.s);
		strbuf_release(&there);
		strbuf_release(&here);
	}
	return same;
}
