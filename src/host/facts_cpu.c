// SPDX-License-Identifier: GPL-2.0-only
#include "host/facts_source.h"

#include "base/file.h"
#include "base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPU_DIR		  "sys/devices/system/cpu/"
#define CPUINFO_MAX_BYTES (64u << 20)

/**
 * struct group - CPUs that have a value in common
 */
struct group {
	char *value;
	struct cpumask cpus;
};

struct groups {
	struct group *groups;
	size_t n;
};

static struct group *groups_get(struct groups *groups, const char *value)
{
	for (size_t i = 0; i < groups->n; i++)
		if (!strcmp(groups->groups[i].value, value))
			return &groups->groups[i];
	groups->groups = xreallocarray(groups->groups, groups->n + 1, sizeof(*groups->groups));
	groups->groups[groups->n] = (struct group){ .value = xstrdup(value) };
	return &groups->groups[groups->n++];
}

static void groups_release(struct groups *groups)
{
	for (size_t i = 0; i < groups->n; i++) {
		free(groups->groups[i].value);
		cpumask_release(&groups->groups[i].cpus);
	}
	free(groups->groups);
}

/* The value alone where all CPUs share it, else "performance (cpu 0-3), powersave (cpu 4)". */
static void groups_print(const struct groups *groups, struct strbuf *sb)
{
	for (size_t i = 0; i < groups->n; i++) {
		strbuf_addstr(sb, i ? ", " : "");
		strbuf_addstr(sb, groups->groups[i].value);
		if (groups->n == 1)
			break;
		strbuf_addstr(sb, " (cpu ");
		cpumask_print(&groups->groups[i].cpus, sb);
		strbuf_addch(sb, ')');
	}
}

/* If @line is "key<tab>: value", copies the value. */
static char *cpuinfo_value(const char *line, size_t len, const char *key)
{
	size_t n = strlen(key);

	if (len <= n || strncmp(line, key, n) != 0)
		return NULL;
	while (n < len && (line[n] == ' ' || line[n] == '\t'))
		n++;
	if (n == len || line[n] != ':')
		return NULL;
	n++;
	while (n < len && (line[n] == ' ' || line[n] == '\t'))
		n++;
	return xstrndup(line + n, len - n);
}

char *fact_cpuinfo(const struct host *host, const char *key)
{
	struct strbuf text = { 0 }, out = { 0 };
	struct groups seen = { 0 };
	size_t len;

	file_read(&text, host->root_fd, "proc/cpuinfo", CPUINFO_MAX_BYTES, NULL);
	for (const char *line = strbuf_str(&text); *line; line += len + (line[len] == '\n')) {
		char *value;

		len = strcspn(line, "\n");
		value = cpuinfo_value(line, len, key);
		if (value)
			groups_get(&seen, value);
		free(value);
	}
	for (size_t i = 0; i < seen.n; i++)
		strbuf_addf(&out, "%s%s", i ? "; " : "", seen.groups[i].value);
	groups_release(&seen);
	strbuf_release(&text);
	return strbuf_take(&out);
}

/* Appends "label value" for a key of cpuinfo that is there. */
static void add_cpuinfo(struct strbuf *sb, const struct host *host, const char *label,
			const char *key)
{
	char *value = fact_cpuinfo(host, key);

	if (*value)
		strbuf_addf(sb, "%s%s%s", sb->len ? " " : "", label, value);
	free(value);
}

/*
 * The name alone says little on a virtual machine ("AMD EPYC"), and Arm gives numbers only. The keys of other
 * architectures than the running one are not there.
 */
void fact_cpu_model(const struct host *host, struct strbuf *sb)
{
	add_cpuinfo(sb, host, "", "model name");
	add_cpuinfo(sb, host, "family ", "cpu family");
	add_cpuinfo(sb, host, "model ", "model");
	add_cpuinfo(sb, host, "stepping ", "stepping");
	add_cpuinfo(sb, host, "implementer ", "CPU implementer");
	add_cpuinfo(sb, host, "part ", "CPU part");
	add_cpuinfo(sb, host, "", "cpu");
	add_cpuinfo(sb, host, "", "uarch");
}

void fact_cpu_microcode(const struct host *host, struct strbuf *sb)
{
	add_cpuinfo(sb, host, "", "microcode");
}

void fact_cpu_online(const struct host *host, struct strbuf *sb)
{
	cpumask_print(&host->online, sb);
}

void fact_cpu_smt(const struct host *host, struct strbuf *sb)
{
	fact_add_line(sb, host->root_fd, CPU_DIR "smt/control");
}

static int is_policy(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "policy", strlen("policy"));
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* "0 1 2", as cpufreq prints them, or nothing if it can't be read. */
static void set_cpus(struct cpumask *mask, int dir_fd, const char *path)
{
	char *line = file_read_line(dir_fd, path);
	char *rest = line, *word;

	while ((word = strsep(&rest, " "))) {
		struct cpumask one = { 0 };
		unsigned int cpu;

		if (!cpumask_parse(&one, word, NULL))
			cpumask_for_each (cpu, &one)
				cpumask_set(mask, cpu);
		cpumask_release(&one);
	}
	free(line);
}

/* What @file says in each cpufreq policy. */
static void add_of_policies(struct strbuf *sb, const struct host *host, const char *file)
{
	struct groups groups = { 0 };
	struct dirent **policies;
	int n = scandirat(host->root_fd, CPU_DIR "cpufreq", &policies, is_policy, versionsort);

	for (int i = 0; i < n; i++) {
		char *dir = xasprintf(CPU_DIR "cpufreq/%s/", policies[i]->d_name);
		char *path = xasprintf("%s%s", dir, file);
		char *cpus = xasprintf("%saffected_cpus", dir);
		char *value = file_read_line(host->root_fd, path);

		if (value)
			set_cpus(&groups_get(&groups, value)->cpus, host->root_fd, cpus);
		free(value);
		free(cpus);
		free(path);
		free(dir);
		free(policies[i]);
	}
	if (n >= 0)
		free(policies);
	groups_print(&groups, sb);
	groups_release(&groups);
}

void fact_cpu_governor(const struct host *host, struct strbuf *sb)
{
	add_of_policies(sb, host, "scaling_governor");
}

void fact_cpu_driver(const struct host *host, struct strbuf *sb)
{
	add_of_policies(sb, host, "scaling_driver");
}

void fact_cpu_turbo(const struct host *host, struct strbuf *sb)
{
	/* the file, and what it says when turbo is on */
	static const char *const files[][2] = {
		{ CPU_DIR "intel_pstate/no_turbo", "0" },
		{ CPU_DIR "cpufreq/boost", "1" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char *line = file_read_line(host->root_fd, files[i][0]);

		if (line && !sb->len)
			strbuf_addstr(sb, strcmp(line, files[i][1]) ? "off" : "on");
		free(line);
	}
}

void fact_cpu_mitigations(const struct host *host, struct strbuf *sb)
{
	struct dirent **names;
	int n = scandirat(host->root_fd, CPU_DIR "vulnerabilities", &names, is_visible, alphasort);

	for (int i = 0; i < n; i++) {
		char *path = xasprintf(CPU_DIR "vulnerabilities/%s", names[i]->d_name);
		char *line = file_read_line(host->root_fd, path);

		/* a newer kernel that knows of more does nothing more for what it isn't affected by */
		if (line && strcmp(line, "Not affected") != 0)
			strbuf_addf(sb, "%s%s: %s", sb->len ? "; " : "", names[i]->d_name, line);
		free(line);
		free(path);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	if (n > 0 && !sb->len)
		strbuf_addstr(sb, "not affected");
}
