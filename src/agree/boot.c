// SPDX-License-Identifier: GPL-2.0-only
/* agree/boot.c - a pair begins: both cores are booted and warmed up; and ends. */
#include "agree/parts.h"
#include "agree/watch.h"

#include "base/mem.h"
#include "core/host.h"

#include <errno.h>
#include <stdlib.h>

#define BOOT_NS	     UINT64_C(1000000)
#define FIRST_NS     UINT64_C(10000000000)
#define WARM_STEP_NS 20000
#define WARM_RUN_NS  UINT64_C(20000000)
/* what CPU 0 was booted with is gone after 63 half-lives of 32 ms */
#define WARM_FIRST_NS UINT64_C(2200000000)
#define WARM_IDLE_NS  UINT64_C(100000000)
#define CAPACITY      1024

static void boot(struct agree_pair *pair, const void *arg)
{
	(void)arg;
	for (int i = 0; i < 2; i++) {
		struct agree_side *side = &pair->side[i];
		const struct core_config config = { .machine = pair->config->machine,
						    .seed = 1,
						    .knobs = pair->config->knobs[i],
						    .nr_knobs = pair->config->nr_knobs[i] };

		side->core = side->ops->boot(&config, &side->host);
		if (!side->core && !pair->failed)
			side->host.warn(side, "it doesn't boot");
		if (!side->core)
			return;
	}
}

static void settle_cpu(struct agree_pair *pair, const void *arg)
{
	const uint32_t cpu = *(const uint32_t *)arg;

	agree_begin(pair, cpu, "boot", AGREE_TASKS);
	agree_finish(pair, cpu);
}

static void warm_cpu(struct agree_pair *pair, enum agree_op_kind kind, uint32_t cpu,
		     uint64_t time_ns)
{
	struct agree_op op = { .kind = kind,
			       .task = AGREE_TASKS + cpu,
			       .cpu = cpu,
			       .bound = true,
			       .time_ns = time_ns };

	op.affinity[cpu / 64] = UINT64_C(1) << cpu % 64;
	agree_pair_do(pair, &op);
}

static void get_ready(struct agree_pair *pair, const void *arg)
{
	const struct agree_config *config = pair->config;

	(void)arg;
	if (config->ready)
		config->ready(pair->side[0].ops, pair->side[0].core, config->machine->nr_cpus);
	agree_passes_begin(pair);
}

static void warm_up(struct agree_pair *pair)
{
	const uint32_t nr_cpus = pair->config->machine->nr_cpus;
	/* averages of a slow CPU age more slowly */
	const uint64_t first_ns = WARM_FIRST_NS * CAPACITY / pair->config->machine->cpu[0].capacity;
	const uint64_t from_ns = FIRST_NS + first_ns + WARM_RUN_NS;

	for (uint32_t cpu = 0; cpu < nr_cpus && !pair->failed; cpu++)
		if (agree_cpu_is_up(pair, cpu))
			agree_call(pair, settle_cpu, &cpu);
	warm_cpu(pair, AGREE_OP_FORK, 0, FIRST_NS);
	warm_cpu(pair, AGREE_OP_EXIT, 0, FIRST_NS + first_ns);
	for (uint32_t cpu = 1; cpu < nr_cpus; cpu++)
		warm_cpu(pair, AGREE_OP_FORK, cpu, from_ns + (uint64_t)cpu * WARM_STEP_NS);
	for (uint32_t cpu = 1; cpu < nr_cpus; cpu++)
		warm_cpu(pair, AGREE_OP_EXIT, cpu,
			 from_ns + WARM_RUN_NS + (uint64_t)cpu * WARM_STEP_NS);
	agree_pair_until(pair, from_ns + WARM_RUN_NS + WARM_IDLE_NS);
	pair->start_ns = pair->now_ns;
	if (!pair->failed)
		agree_call(pair, get_ready, NULL);
	pair->comparing = true;
}

int agree_pair_new(struct agree_pair **out, const struct agree_config *config, struct error *err)
{
	const uint32_t nr_cpus = config->machine->nr_cpus;
	struct agree_pair *pair;
	int ret = 0;

	if (nr_cpus > AGREE_CPUS)
		return error_set(err, EINVAL, "%u CPUs: scripts are for up to %d", nr_cpus,
				 AGREE_CPUS);
	pair = xcalloc(1, sizeof(*pair));
	pair->config = config;
	pair->now_ns = BOOT_NS;
	pair->task = xcalloc(AGREE_TASKS + nr_cpus, sizeof(*pair->task));
	pair->ticking = xcalloc(nr_cpus, sizeof(*pair->ticking));
	pair->tick_number = xcalloc(nr_cpus, sizeof(*pair->tick_number));
	pair->touched = xcalloc(nr_cpus, sizeof(*pair->touched));
	pair->watch = agree_watch_new(pair);
	for (int i = 0; i < 2; i++) {
		pair->side[i] = (struct agree_side){ .pair = pair, .ops = config->ops[i] };
		agree_host_init(&pair->side[i]);
	}
	agree_call(pair, boot, NULL);
	if (!pair->failed)
		warm_up(pair);
	if (pair->failed) {
		ret = error_set(err, EIO, "%s%s", strbuf_str(&pair->words),
				core_boot_advice(strbuf_str(&pair->words)));
		agree_pair_free(pair);
	} else {
		*out = pair;
	}
	return ret;
}

void agree_pair_free(struct agree_pair *pair)
{
	if (!pair)
		return;
	for (int i = 0; i < 2; i++) {
		struct agree_side *side = &pair->side[i];

		if (side->core)
			side->ops->release(side->core);
		agree_host_release(side);
		free(side->said);
		free(side->passes);
	}
	free(pair->task);
	free(pair->ticking);
	free(pair->tick_number);
	free(pair->touched);
	agree_watch_free(pair->watch);
	free(pair->queue.event);
	strbuf_release(&pair->words);
	strbuf_release(&pair->why);
	free(pair);
}
