// SPDX-License-Identifier: GPL-2.0-only
#include "host/facts_source.h"

#include "base/file.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

void fact_add_line(struct strbuf *sb, int dir_fd, const char *path)
{
	char *line = file_read_line(dir_fd, path);

	if (line)
		strbuf_addstr(sb, line);
	free(line);
}

void fact_add_chosen(struct strbuf *sb, const char *line)
{
	const char *open = line + strcspn(line, "[(");

	if (*open)
		strbuf_add(sb, open + 1, strcspn(open + 1, "])"));
}

/* Until Linux 5.13 the files lay beside one another, "sched_features". */
void fact_sched_features(const struct host *host, struct strbuf *sb)
{
	if (host->debugfs_fd < 0)
		return;
	fact_add_line(sb, host->debugfs_fd, "sched/features");
	if (!sb->len)
		fact_add_line(sb, host->debugfs_fd, "sched_features");
}

/* EEVDF's slice; before it CFS's granularity, which until Linux 5.13 was a sysctl. */
void fact_sched_base_slice(const struct host *host, struct strbuf *sb)
{
	if (host->debugfs_fd >= 0) {
		fact_add_line(sb, host->debugfs_fd, "sched/base_slice_ns");
		if (!sb->len)
			fact_add_line(sb, host->debugfs_fd, "sched/min_granularity_ns");
	}
	if (!sb->len)
		fact_add_line(sb, host->root_fd, "proc/sys/kernel/sched_min_granularity_ns");
	if (sb->len)
		strbuf_addstr(sb, " ns");
}

void fact_sched_numa_balancing(const struct host *host, struct strbuf *sb)
{
	fact_add_line(sb, host->root_fd, "proc/sys/kernel/numa_balancing");
}

void fact_sched_autogroup(const struct host *host, struct strbuf *sb)
{
	fact_add_line(sb, host->root_fd, "proc/sys/kernel/sched_autogroup_enabled");
}

void fact_mem_thp(const struct host *host, struct strbuf *sb)
{
	char *line = file_read_line(host->root_fd, "sys/kernel/mm/transparent_hugepage/enabled");

	if (line)
		fact_add_chosen(sb, line);
	free(line);
}

/* Rounded, since each kernel keeps some MiB more or less for itself. */
void fact_mem_total(const struct host *host, struct strbuf *sb)
{
	static const char key[] = "MemTotal:";
	char *line = file_read_line(host->root_fd, "proc/meminfo");
	double mib = 0;

	if (line && !strncmp(line, key, strlen(key)))
		mib = strtod(line + strlen(key), NULL) / 1024; /* from KiB */
	if (mib >= 1024)
		strbuf_addf(sb, "%.1f GiB", mib / 1024);
	else if (mib > 0)
		strbuf_addf(sb, "%.0f MiB", mib);
	free(line);
}

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p += n)
		if ((p == text || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

/* Firmware's name of a machine that is not made of metal, on CPUs that don't say it themselves. */
static bool is_virtual_vendor(const char *vendor)
{
	static const char *const vendors[] = { "QEMU", "KVM", "VMware", "innotek", "Xen" };

	for (size_t i = 0; i < ARRAY_SIZE(vendors); i++)
		if (!strncmp(vendor, vendors[i], strlen(vendors[i])))
			return true;
	return false;
}

static void add_firmware(struct strbuf *sb, const struct host *host, bool is_virtual)
{
	char *vendor = file_read_line(host->root_fd, "sys/class/dmi/id/sys_vendor");
	char *product = file_read_line(host->root_fd, "sys/class/dmi/id/product_name");

	if (vendor && (is_virtual || is_virtual_vendor(vendor)))
		strbuf_addf(sb, "%s%s%s", vendor, product ? " " : "", product ? product : "");
	free(vendor);
	free(product);
}

/* What the hypervisor calls itself, "KVMKVMKVM"; x86 only. */
static void add_cpuid_signature(struct strbuf *sb)
{
#ifdef __x86_64__
	unsigned int max, words[3];

	__cpuid(0x40000000, max, words[0], words[1], words[2]);
	if (max >= 0x40000000)
		strbuf_add(sb, words, strnlen((const char *)words, sizeof(words)));
#else
	(void)sb;
#endif
}

void fact_host_hypervisor(const struct host *host, struct strbuf *sb)
{
	char *flags = fact_cpuinfo(host, "flags"); /* x86 */
	bool is_virtual = has_word(flags, "hypervisor");

	fact_add_line(sb, host->root_fd, "sys/hypervisor/type");
	if (!sb->len)
		add_firmware(sb, host, is_virtual);
	if (!sb->len) /* device tree: its strings end with a NUL byte */
		fact_add_line(sb, host->root_fd, "proc/device-tree/hypervisor/compatible");
	if (!sb->len && is_virtual && host->live)
		add_cpuid_signature(sb);
	if (!sb->len && *flags)
		strbuf_addstr(sb, is_virtual ? "yes, unnamed" : "none");
	free(flags);
}

void fact_host_clocksource(const struct host *host, struct strbuf *sb)
{
	fact_add_line(sb, host->root_fd,
		      "sys/devices/system/clocksource/clocksource0/current_clocksource");
}

/* "0.50 1.25 2.00 3/456 789": three averages, and behind them figures of the moment. */
void fact_host_load(const struct host *host, struct strbuf *sb)
{
	char *line = file_read_line(host->root_fd, "proc/loadavg");
	size_t n = 0;

	for (int i = 0; line && i < 3; i++) {
		n += strspn(line + n, " ");
		n += strcspn(line + n, " ");
	}
	if (line)
		strbuf_add(sb, line, n);
	free(line);
}

void fact_build_compiler(const struct host *host, struct strbuf *sb)
{
	(void)host;
#ifdef __clang__
	strbuf_addstr(sb, __VERSION__);
#else
	strbuf_addstr(sb, "gcc " __VERSION__);
#endif
}
