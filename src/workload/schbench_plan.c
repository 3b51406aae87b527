// SPDX-License-Identifier: GPL-2.0-only
/* workload/schbench_plan.c - what each generation of schbench makes of its parameters. */
#include "workload/schbench.h"

#include "base/opt.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define NS_PER_S UINT64_C(1000000000)

/**
 * struct generation - where the four differ
 * @threads: 0: as many as there are CPUs, divided among the message threads
 */
struct generation {
	uint64_t messengers;
	uint64_t threads;
	uint64_t warmup_ns;
	uint64_t footprint_bytes;
	uint64_t queue;
	int work;
	int arrivals;
	bool work_first;
	bool pauses;   /* its message threads sleep after each batch */
	bool thinks;   /* and spin before that */
	bool requests; /* its workers nap and take locks */
};

static const struct generation generations[] = {
	[GEN_A] = { .messengers = 2,
		    .threads = 16,
		    .footprint_bytes = 6 << 20,
		    .queue = 4096,
		    .work = WORK_SPIN,
		    .arrivals = REQUESTS_BATCH,
		    .work_first = true,
		    .pauses = true },
	[GEN_B] = { .messengers = 2,
		    .threads = 16,
		    .warmup_ns = 5 * NS_PER_S,
		    .footprint_bytes = 6 << 20,
		    .queue = 8,
		    .work = WORK_SPIN,
		    .arrivals = REQUESTS_BATCH,
		    .pauses = true,
		    .thinks = true },
	[GEN_C] = { .messengers = 2,
		    .threads = 16,
		    .warmup_ns = 5 * NS_PER_S,
		    .footprint_bytes = 6 << 20,
		    .queue = 8,
		    .work = WORK_SPIN,
		    .arrivals = REQUESTS_BATCH,
		    .pauses = true,
		    .thinks = true },
	[GEN_D] = { .messengers = 1,
		    .footprint_bytes = 256 << 10,
		    .queue = 128,
		    .work = WORK_MATRIX,
		    .arrivals = REQUESTS_BURST,
		    .requests = true },
};

uint64_t schbench_cpus(void)
{
	const long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (uint64_t)n : 1;
}

/* Three square matrices of 8-byte numbers fill the footprint. */
static uint64_t matrix_side(uint64_t bytes)
{
	return (uint64_t)sqrt((double)bytes / 3 / sizeof(uint64_t));
}

static uint64_t or_default(uint64_t value, uint64_t def)
{
	return value ? value : def;
}

static int parse_warmup(uint64_t *ns, const char *text, uint64_t def, struct error *err)
{
	int ret = 0;

	if (!text || !*text || !strcmp(text, "auto"))
		*ns = def;
	else
		ret = parse_ns(ns, text, err);
	if (!ret && *ns > 86400 * NS_PER_S)
		ret = error_set(err, ERANGE, "'%.80s' is more than a day", text);
	if (ret)
		error_prefix(err, "warmup");
	return ret;
}

static int parse_cpus(struct cpumask *mask, const char *name, const char *text, struct error *err)
{
	int ret;

	if (!text || !strcmp(text, "free"))
		return 0;
	ret = cpumask_parse(mask, text, err);
	if (!ret && !cpumask_weight(mask))
		ret = error_set(err, EINVAL, "'%.80s' is no CPU", text);
	if (ret)
		error_prefix(err, "%s", name);
	return ret;
}

static int parse_texts(struct schbench_plan *plan, const struct schbench_cfg *cfg,
		       const struct generation *gen, struct error *err)
{
	int ret = parse_warmup(&plan->warmup_ns, cfg->warmup, gen->warmup_ns, err);

	plan->apart = cfg->message_cpus && !strcmp(cfg->message_cpus, "auto");
	if (!ret && !plan->apart)
		ret = parse_cpus(&plan->message_cpus, "message-cpus", cfg->message_cpus, err);
	if (!ret)
		ret = parse_cpus(&plan->worker_cpus, "worker-cpus", cfg->worker_cpus, err);
	if (!ret && plan->apart && plan->worker_cpus.words)
		ret = error_set(err, EINVAL,
				"worker-cpus: the others with message-cpus=auto, leave it free");
	return ret;
}

static int check_modes(const struct schbench_cfg *cfg, struct error *err)
{
	if (cfg->pipe_bytes && (cfg->rps || cfg->auto_rps > 0))
		return error_set(err, EINVAL, "pipe: excludes rps and auto-rps");
	if (cfg->calibrate && cfg->gen != GEN_D)
		return error_set(err, EINVAL, "calibrate: only generation D has a nap");
	return 0;
}

/* Generation D's own steps of a request; the others have none of them. */
static void plan_request(struct schbench_plan *plan, const struct schbench_cfg *cfg,
			 const struct generation *gen)
{
	plan->nap_ns = gen->requests ? cfg->nap_ns : 0;
	plan->nap_counts = !cfg->calibrate;
	plan->lock = gen->requests && cfg->lock;
}

static void plan_work(struct schbench_plan *plan, const struct schbench_cfg *cfg,
		      const struct generation *gen)
{
	plan->work = cfg->work == WORK_AUTO ? gen->work : cfg->work;
	plan->think_ns = plan->work == WORK_SPIN || plan->work == WORK_UNITS ? cfg->think_ns : 0;
	plan->operations = cfg->operations;
	if (plan->work == WORK_MATRIX)
		plan->side = matrix_side(or_default(cfg->footprint_bytes, gen->footprint_bytes));
}

/* Hops through memory and nothing else. */
static void plan_pipe(struct schbench_plan *plan)
{
	plan->work = WORK_NONE;
	plan->work_first = false;
	plan->think_ns = plan->side = plan->nap_ns = 0;
	plan->sleep_ns = plan->message_think_ns = 0;
	plan->lock = false;
}

int schbench_plan_init(struct schbench_plan *plan, const struct schbench_cfg *cfg, uint64_t cpus,
		       struct error *err)
{
	const struct generation *gen = &generations[cfg->gen];
	uint64_t messengers = or_default(cfg->messengers, gen->messengers);
	int ret;

	*plan = (struct schbench_plan){
		.messengers = messengers,
		.threads = or_default(cfg->threads, or_default(gen->threads, (cpus + messengers -
									      1) / messengers)),
		.runtime_ns = cfg->runtime_ns,
		.work_first = gen->work_first,
		.sleep_ns = gen->pauses ? cfg->sleep_ns : 0,
		.message_think_ns = gen->thinks ? cfg->message_think_ns : 0,
		.pipe_bytes = cfg->pipe_bytes,
		.rps = cfg->auto_rps > 0 ? or_default(cfg->rps, 10) : cfg->rps,
		.auto_rps = cfg->auto_rps,
		.arrivals = cfg->arrivals == REQUESTS_AUTO ? gen->arrivals : cfg->arrivals,
		.queue = or_default(cfg->queue, gen->queue),
		.seed = cfg->seed,
	};
	plan_request(plan, cfg, gen);
	plan_work(plan, cfg, gen);
	if (cfg->pipe_bytes)
		plan_pipe(plan);
	if (plan->rps)
		plan->work_first = false;
	ret = check_modes(cfg, err);
	if (!ret)
		ret = parse_texts(plan, cfg, gen, err);
	return ret;
}

void schbench_plan_release(struct schbench_plan *plan)
{
	cpumask_release(&plan->message_cpus);
	cpumask_release(&plan->worker_cpus);
}
