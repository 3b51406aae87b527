/* SPDX-License-Identifier: GPL-2.0-only */
/* host/facts.h - what a figure depends on and nobody writes down: kernel, CPUs, knobs. */
#ifndef HOST_FACTS_H
#define HOST_FACTS_H

#include "base/strbuf.h"
#include "host/host.h"
#include "host/settings.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * struct fact - one line
 * @name:     dotted, stable: "kernel.release", "cpu.governor", "sched.features"; static
 * @value:    "?" where it can't be read is not stored: the fact is then absent; heap
 * @restless: changes by itself (load average): kept with a session, never compared
 */
struct fact {
	const char *name;
	char *value;
	bool restless;
};

/**
 * struct facts - all that could be read, in a fixed order; free with facts_release()
 *
 * kernel.release, kernel.build (version and build time), kernel.cmdline (without BOOT_IMAGE and initrd),
 * kernel.compiler, kernel.preempt, kernel.hz where it can be known, cpu.model, cpu.microcode,
 * cpu.topology ("1 package, 1 die, 2 cores, 1 thread each, 1 node"), cpu.online, cpu.smt, cpu.governor,
 * cpu.driver, cpu.turbo, cpu.mitigations, sched.features, sched.base_slice, sched.numa_balancing,
 * sched.autogroup, mem.thp, mem.total, host.hypervisor, host.clocksource, host.load, build.compiler
 */
struct facts {
	struct fact *facts;
	size_t n;
};

void facts_read(struct facts *facts, const struct host *host);
void facts_release(struct facts *facts);

/** facts_write() - append a JSON object name: value; @restless says whether restless facts are among them */
void facts_write(const struct facts *facts, bool restless, struct strbuf *sb);

/**
 * facts_note() - append a line for each kind of fact that a scheduler figure depends on and that can't be read
 * here: the scheduler's features (why debugfs is closed), the CPU frequency
 */
void facts_note(const struct facts *facts, const struct host *host, struct strbuf *notes);

/**
 * facts_asked() - does a variant with @settings itself ask to change the fact @name?
 *
 * governor asks for cpu.governor, kernel for kernel.release, kernel.build and kernel.compiler (but not for
 * kernel.cmdline or sched.features), sysctl.kernel.numa_balancing for sched.numa_balancing, and so on.
 */
bool facts_asked(const struct settings *settings, const char *name);

/** fact_name_at() - the @i-th name that facts_read() knows, NULL behind the last */
const char *fact_name_at(size_t i);

#endif
