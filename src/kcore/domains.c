// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/domains.h"

#include "core/host.h"

#include <errno.h>
#include <setjmp.h>

/**
 * struct boot - an instance that only boots
 * @gave_up: where fail() goes, since it must not return
 * @memory:  that it has; freed here where it gave up
 */
struct boot {
	jmp_buf gave_up;
	struct strbuf *log;
	struct error *err;
	bool warned;
	struct core_memory memory;
};

static void on_print(void *ctx, const char *line)
{
	struct boot *boot = ctx;

	strbuf_addf(boot->log, "%s\n", line);
}

static void on_warn(void *ctx, const char *text)
{
	struct boot *boot = ctx;

	if (!boot->warned)
		error_set(boot->err, EPROTO, "the kernel complains: %s%s", text,
			  core_boot_advice(text));
	boot->warned = true;
}

__attribute__((noreturn)) static void on_fail(void *ctx, const char *text)
{
	struct boot *boot = ctx;

	error_set(boot->err, EFAULT, "the kernel gives up: %s", text);
	longjmp(boot->gave_up, 1);
}

/* Nothing happens but the boot: what it asks to be called for later never comes. */
static void on_ipi(void *ctx, uint32_t cpu, enum core_ipi kind)
{
	(void)ctx;
	(void)cpu;
	(void)kind;
}

static void on_timer(void *ctx, uint32_t cpu, void *timer, uint64_t when_ns, uint64_t generation)
{
	(void)ctx;
	(void)cpu;
	(void)timer;
	(void)when_ns;
	(void)generation;
}

static void on_switched(void *ctx, uint32_t cpu, void *prev, void *next)
{
	(void)ctx;
	(void)cpu;
	(void)prev;
	(void)next;
}

static void on_migrated(void *ctx, void *task, uint32_t from, uint32_t to, enum core_reason reason)
{
	(void)ctx;
	(void)task;
	(void)from;
	(void)to;
	(void)reason;
}

static void *take_memory(void *ctx, size_t size)
{
	return core_memory_alloc(&((struct boot *)ctx)->memory, size);
}

/* In a function of its own: what a longjmp() comes back to has no variables that changed. */
static void boot_once(struct boot *boot, const struct core_ops *ops,
		      const struct core_config *config, const struct core_host *host)
{
	struct core *core;

	if (setjmp(boot->gave_up))
		return;
	core = ops->boot(config, host);
	if (core)
		ops->release(core);
	else if (!boot->warned)
		error_set(boot->err, EPROTO, "the kernel refuses the machine");
}

int kcore_domains(const struct core_ops *ops, const struct core_machine *machine,
		  struct strbuf *log, struct error *err)
{
	static const uint64_t now_ns;
	struct error own = { 0 };
	struct boot boot = { .log = log, .err = err ? err : &own };
	const struct core_config config = { .machine = machine, .verbose = true };
	const struct core_host host = {
		.ctx = &boot,
		.now_ns = &now_ns,
		.ipi = on_ipi,
		.timer = on_timer,
		.switched = on_switched,
		.migrated = on_migrated,
		.work = core_ignore_work,
		.frequency = core_ignore_frequency,
		.numa_scan = core_ignore_numa_scan,
		.print = on_print,
		.warn = on_warn,
		.fail = on_fail,
		.alloc = take_memory,
		.free = core_memory_free,
		.numa_moved = core_ignore_numa_moved,
	};

	boot_once(&boot, ops, &config, &host);
	core_memory_release(&boot.memory);
	return -boot.err->code;
}
