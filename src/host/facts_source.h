/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host/facts_source.h - one function a fact: each appends the value to @sb, or nothing where it can't be
 * known. Control characters and outer spaces in the value are facts_read()'s to clean.
 */
#ifndef HOST_FACTS_SOURCE_H
#define HOST_FACTS_SOURCE_H

#include "base/strbuf.h"
#include "host/host.h"

/* facts_kernel.c: /proc/version and its relatives */
void fact_kernel_release(const struct host *host, struct strbuf *sb);
void fact_kernel_build(const struct host *host, struct strbuf *sb);
void fact_kernel_cmdline(const struct host *host, struct strbuf *sb);
void fact_kernel_compiler(const struct host *host, struct strbuf *sb);
void fact_kernel_preempt(const struct host *host, struct strbuf *sb);
void fact_kernel_hz(const struct host *host, struct strbuf *sb);

/* facts_cpu.c: /proc/cpuinfo, cpufreq, vulnerabilities */
void fact_cpu_model(const struct host *host, struct strbuf *sb);
void fact_cpu_microcode(const struct host *host, struct strbuf *sb);
void fact_cpu_online(const struct host *host, struct strbuf *sb);
void fact_cpu_smt(const struct host *host, struct strbuf *sb);
void fact_cpu_governor(const struct host *host, struct strbuf *sb);
void fact_cpu_driver(const struct host *host, struct strbuf *sb);
void fact_cpu_turbo(const struct host *host, struct strbuf *sb);
void fact_cpu_mitigations(const struct host *host, struct strbuf *sb);

/* facts_topology.c: counted from sysfs */
void fact_cpu_topology(const struct host *host, struct strbuf *sb);

/* facts_knobs.c: scheduler, memory, the machine as a whole, this program */
void fact_sched_features(const struct host *host, struct strbuf *sb);
void fact_sched_base_slice(const struct host *host, struct strbuf *sb);
void fact_sched_numa_balancing(const struct host *host, struct strbuf *sb);
void fact_sched_autogroup(const struct host *host, struct strbuf *sb);
void fact_mem_thp(const struct host *host, struct strbuf *sb);
void fact_mem_total(const struct host *host, struct strbuf *sb);
void fact_host_hypervisor(const struct host *host, struct strbuf *sb);
void fact_host_clocksource(const struct host *host, struct strbuf *sb);
void fact_host_load(const struct host *host, struct strbuf *sb);
void fact_build_compiler(const struct host *host, struct strbuf *sb);

/* Shared by the files above. */

/** fact_add_line() - append the first line of a file, if it can be read */
void fact_add_line(struct strbuf *sb, int dir_fd, const char *path);

/** fact_add_chosen() - append the word that a line like "none [madvise] (full)" has in brackets */
void fact_add_chosen(struct strbuf *sb, const char *line);

/**
 * fact_cpuinfo() - distinct values of @key in /proc/cpuinfo, in order of appearance, joined by "; "
 *
 * Return: the text, "" if there is none; the caller's to free.
 */
char *fact_cpuinfo(const struct host *host, const char *key);

#endif
