// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/agree_pair.h"

#include "base/mem.h"
#include "cmd/cmd.h"
#include "sched/model_core.h"
#include "sched/preset.h"
#include "topo/source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A stable release that the model knows, or the mainline release it is of; of one that is newer than those, the last. */
static char *preset_of(const char *release)
{
	char *name = xasprintf("k%s", release);
	char *dot;

	for (size_t i = 0; model_preset_at(i); i++)
		if (!strcmp(model_preset_at(i), name))
			return name;
	dot = strchr(name, '.');
	if (dot)
		dot[1 + strspn(dot + 1, "0123456789")] = '\0';
	if (preset_check(name, NULL)) {
		free(name);
		name = xstrdup("k" RELEASE_LAST);
	}
	return name;
}

int agree_kernel_find(struct agree_kernel *kernel, const char *name, struct error *err)
{
	struct kcore *kcore = NULL;
	int ret = kcore_open(&kcore, name, err);

	if (ret)
		return ret;
	kcore_close(kcore);
	ret = kcore_find(&kernel->facts, name, err);
	if (!ret)
		kernel->preset = preset_of(kernel->facts.release);
	return ret;
}

void agree_kernel_release(struct agree_kernel *kernel)
{
	kcore_facts_release(&kernel->facts);
	free(kernel->preset);
	*kernel = (struct agree_kernel){ 0 };
}

static int open_kernel(void *ctx, const struct core_ops **ops, void **handle, struct error *err)
{
	const struct agree_bench *bench = ctx;
	struct kcore *kcore = NULL;
	int ret = kcore_open(&kcore, bench->kernel->facts.name, err);

	if (ret)
		return ret;
	*ops = kcore_ops(kcore);
	*handle = kcore;
	return 0;
}

static void close_kernel(void *ctx, void *handle)
{
	(void)ctx;
	kcore_close(handle);
}

/*
 * The model has no server that keeps RT tasks from starving fair ones, and scripts have no RT tasks: its timers, each of which updates
 * the clocks of a CPU, would be all that differs. A kernel without it (up to 6.11) doesn't know the knob, a CPU that is down refuses it.
 */
static void stop_fair_servers(const struct core_ops *ops, struct core *core, uint32_t nr_cpus)
{
	for (uint32_t cpu = 0; cpu < nr_cpus; cpu++) {
		char *name = xasprintf("fair_server/cpu%u/runtime", cpu);

		(void)ops->knob(core, name, "0");
		free(name);
	}
}

static int read_machine(struct agree_bench *bench, const char *what, struct error *err)
{
	struct release release;
	const struct source_opts opts = { .release = &release };
	int ret = release_parse(&release, bench->kernel->facts.release, ARCH_X86, err);

	if (!ret)
		ret = source_open(&bench->source, what, &opts, err);
	if (!ret)
		ret = release_parse(&release, bench->kernel->facts.release, bench->source->arch,
				    err);
	if (!ret)
		ret = sim_machine_make(&bench->machine, bench->source, &release, err);
	if (!ret && bench->machine.of.nr_cpus > bench->kernel->facts.cpus)
		ret = error_set(err, EINVAL,
				"%s: %u CPUs, but kernel core %s is for up to %" PRIu64
				": schedproof kernel build --cpus",
				what, bench->machine.of.nr_cpus, bench->kernel->facts.name,
				bench->kernel->facts.cpus);
	return ret;
}

/* HZ is the kernel's own: it is known once one has been booted, and is asked of one that isn't. */
static int find_hz(uint64_t *hz, const struct agree_bench *bench, struct error *err)
{
	const struct core_ops *ops;
	void *handle;
	int ret = open_kernel((void *)bench, &ops, &handle, err);

	if (ret)
		return ret;
	*hz = UINT64_C(1000000000) / ops->tick_ns(NULL);
	close_kernel(NULL, handle);
	return 0;
}

static int add_knobs(struct agree_bench *bench, const char *set, struct error *err)
{
	struct agree_config *config = &bench->setup.config;
	uint64_t hz;
	char *save = NULL;
	int ret = find_hz(&hz, bench, err);

	if (ret)
		return ret;
	bench->preset = xasprintf("preset=%s", bench->kernel->preset);
	bench->hz = xasprintf("hz=%" PRIu64, hz);
	bench->kernel_knob[config->nr_knobs[0]++] = "NO_NI_RANDOM";
	bench->kernel_knob[config->nr_knobs[0]++] = "sched_schedstats=1";
	bench->model_knob[config->nr_knobs[1]++] = bench->preset;
	bench->model_knob[config->nr_knobs[1]++] = bench->hz;
	bench->model_knob[config->nr_knobs[1]++] = "NO_NI_RANDOM";
	bench->set = set ? xstrdup(set) : NULL;
	for (char *word = set ? strtok_r(bench->set, "\n", &save) : NULL; word;
	     word = strtok_r(NULL, "\n", &save)) {
		if (config->nr_knobs[1] == AGREE_KNOBS)
			return error_set(err, EINVAL, "set: too many");
		bench->model_knob[config->nr_knobs[1]++] = word;
	}
	return 0;
}

int agree_bench_init(struct agree_bench *bench, const struct agree_kernel *kernel,
		     const char *machine, const char *set, struct error *err)
{
	struct agree_setup *setup = &bench->setup;
	int ret;

	*bench = (struct agree_bench){ .kernel = kernel };
	ret = read_machine(bench, machine, err);
	if (!ret)
		ret = add_knobs(bench, set, err);
	if (ret) {
		agree_bench_release(bench);
		return ret;
	}
	setup->config.machine = &bench->machine.of;
	setup->config.ops[1] = &core_model;
	setup->config.knobs[0] = bench->kernel_knob;
	setup->config.knobs[1] = bench->model_knob;
	/* from 6.6 on */
	setup->config.lags = strcmp(kernel->preset, "k6.1") && strncmp(kernel->preset, "k6.1.", 5);
	setup->config.ready = stop_fair_servers;
	setup->open = open_kernel;
	setup->close = close_kernel;
	setup->ctx = bench;
	setup->name[0] = "kernel";
	setup->name[1] = "model";
	setup->stop = &stop_signal;
	return 0;
}

void agree_bench_release(struct agree_bench *bench)
{
	sim_machine_release(&bench->machine);
	machine_free(bench->source);
	free(bench->preset);
	free(bench->hz);
	free(bench->set);
	*bench = (struct agree_bench){ 0 };
}
