// SPDX-License-Identifier: GPL-2.0-only
/* workload/schbench_run.c - one run of schbench: set up, warm up, look once a second, collect. */
#include "workload/schbench.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "workload/place.h"
#include "workload/team.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S UINT64_C(1000000000)

/**
 * struct waits - what the kernel says of threads, /proc/PID/task/TID/schedstat
 * @known: it says something
 */
struct waits {
	bool known;
	uint64_t wait_ns;
	uint64_t times;
};

/* struct both_waits - before the start, and when all have ended: the threads sleep at a gate then, and don't disturb */
struct both_waits {
	struct waits messages;
	struct waits workers;
};

static size_t nr_workers(const struct schbench *sb)
{
	return sb->plan.messengers * sb->plan.threads;
}

static size_t nr_threads(const struct schbench *sb)
{
	return sb->plan.messengers + nr_workers(sb);
}

/* "ON-CPU-NS WAIT-NS TIMES" */
static void add_waits(struct waits *waits, pid_t tid)
{
	uint64_t figures[3] = { 0 };
	char path[64];
	char *line, *end;
	size_t n = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", (int)tid);
	line = file_read_line(AT_FDCWD, path);
	for (char *at = line; at && n < ARRAY_SIZE(figures); at = end) {
		figures[n] = strtoull(at, &end, 10);
		if (end == at)
			break;
		n++;
	}
	free(line);
	if (n < ARRAY_SIZE(figures))
		return;
	waits->known = true;
	waits->wait_ns += figures[1];
	waits->times += figures[2];
}

static void read_waits(struct both_waits *waits, const struct schbench *sb)
{
	for (size_t i = 0; i < sb->plan.messengers; i++)
		add_waits(&waits->messages, sb->messengers[i].tid);
	for (size_t i = 0; i < nr_workers(sb); i++)
		add_waits(&waits->workers, sb->workers[i].tid);
}

/* The first CPUs that are allowed for the message threads, the others for the workers. */
static int set_apart(struct schbench_plan *plan, struct error *err)
{
	struct cpumask allowed = { 0 };
	unsigned int cpu;
	size_t n = 0;
	int ret = place_allowed(&allowed, err);

	if (!ret) {
		cpumask_for_each (cpu, &allowed)
			cpumask_set(n++ < plan->messengers ? &plan->message_cpus
							   : &plan->worker_cpus,
				    cpu);
	}
	cpumask_release(&allowed);
	if (!ret && !cpumask_weight(&plan->worker_cpus))
		ret = error_set(err, EOPNOTSUPP,
				"message-cpus: auto needs a CPU more than message threads");
	return ret;
}

static void init_worker(struct schbench *sb, size_t nr)
{
	const uint64_t matrices = schbench_work_matrices(sb->plan.side) / sizeof(uint64_t);

	sb->workers[nr] = (struct worker){
		.sb = sb,
		.messenger = &sb->messengers[nr / sb->plan.threads],
		.due = sb->due ? sb->due + nr * sb->plan.queue : NULL,
		.matrices = sb->matrices ? sb->matrices + nr * matrices : NULL,
		.pipe = sb->pipes ? sb->pipes + nr * sb->plan.pipe_bytes : NULL,
		.wakeup = &sb->wakeup[nr],
		.request = &sb->request[nr],
		.response = &sb->response[nr],
	};
}

static void init_messenger(struct schbench *sb, size_t nr)
{
	struct messenger *messenger = &sb->messengers[nr];

	*messenger = (struct messenger){ .sb = sb, .nr = nr };
	rng_seed(&messenger->rng, sb->plan.seed, "sleep", nr);
}

/* NULL where @bytes is 0, which is fine. */
static int take_memory(void *out, size_t bytes, const char *what, struct error *err)
{
	void *p;

	if (!bytes)
		return 0;
	p = shared_new(bytes, what, err);
	memcpy(out, &p, sizeof(p));
	return p ? 0 : -ENOMEM;
}

static int take_histograms(struct schbench *sb, struct error *err)
{
	struct histogram **const all[] = { &sb->wakeup, &sb->request, &sb->response };
	const size_t n = nr_workers(sb);

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		*all[i] = shared_histograms(
			n, n > SCHBENCH_TOUCHED_WORKERS ? 0 : SCHBENCH_TOUCHED_NS, err);
		if (!*all[i])
			return -ENOMEM;
	}
	return 0;
}

static int take_gates(struct schbench *sb, struct error *err)
{
	sb->gate = gate_new(err);
	sb->exit = sb->gate ? gate_new(err) : NULL;
	return sb->exit ? 0 : -ENOMEM;
}

static int set_up(struct schbench *sb, struct error *err)
{
	const struct schbench_plan *plan = &sb->plan;
	const size_t n = nr_workers(sb);
	int ret = plan->apart ? set_apart(&sb->plan, err) : 0;

	if (!ret)
		ret = schbench_work_init(&sb->work, plan, err);
	if (!ret)
		ret = take_histograms(sb, err);
	if (!ret)
		ret = take_memory(&sb->messengers, plan->messengers * sizeof(*sb->messengers),
				  "message threads", err);
	if (!ret)
		ret = take_memory(&sb->workers, n * sizeof(*sb->workers), "workers", err);
	if (!ret)
		ret = take_memory(&sb->matrices, n * schbench_work_matrices(plan->side), "matrices",
				  err);
	if (!ret)
		ret = take_memory(&sb->pipes, n * plan->pipe_bytes, "pipes", err);
	if (!ret)
		ret = take_gates(sb, err);
	if (!ret)
		ret = take_memory(&sb->due, plan->rps ? n * plan->queue * sizeof(*sb->due) : 0,
				  "queues", err);
	return ret;
}

/* With matrices that the first worker will have; it fills them again. */
static double measure_work(const struct schbench *sb)
{
	if (sb->work.kind != WORK_MATRIX && sb->work.kind != WORK_UNITS)
		return 0;
	if (sb->matrices)
		schbench_work_fill(sb->matrices, sb->plan.side);
	return schbench_work_measure(&sb->work, sb->matrices);
}

static int make_threads(struct schbench *sb, struct team *team, struct error *err)
{
	const size_t threads = sb->plan.threads;
	int ret = 0;

	for (size_t i = 0; i < sb->plan.messengers; i++)
		init_messenger(sb, i);
	for (size_t i = 0; i < nr_workers(sb); i++)
		init_worker(sb, i);
	for (size_t i = 0; !ret && i < sb->plan.messengers; i++) {
		ret = team_add(team, "messenger", schbench_messenger, &sb->messengers[i], err);
		for (size_t j = 0; !ret && j < threads; j++)
			ret = team_add(team, "worker", schbench_worker,
				       &sb->workers[i * threads + j], err);
	}
	return ret ? ret : gate_wait_full(sb->gate, team, (uint32_t)nr_threads(sb), err);
}

static void open_window(struct schbench *sb, uint64_t earliest_ns)
{
	const uint64_t start_ns = schbench_begin(&sb->plan, sb->base_ns, earliest_ns);

	sb->end.until_ns = start_ns + sb->plan.runtime_ns;
	sb->measure_ns = start_ns;
}

/* The old rate's last pause ends within a second of the new one. */
static int start(struct schbench *sb, double *busy, struct error *err)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	int ret = 0;

	sb->base_ns = sb->plan.rps ? now_ns + SCHBENCH_SETTLE_NS : now_ns;
	if (sb->plan.auto_rps > 0) {
		gate_open(sb->gate);
		ret = schbench_tune(sb, busy, err);
		now_ns = clock_ns(CLOCK_MONOTONIC);
		open_window(sb, now_ns + NS_PER_S + sb->plan.warmup_ns);
	} else {
		open_window(sb, sb->base_ns + sb->plan.warmup_ns);
		gate_open(sb->gate);
	}
	return ret;
}

/* Whole seconds only, or more where this thread gets no CPU: a shorter one at the end is in the average. */
static int look_every_second(struct schbench *sb, struct team *team, struct histogram *rps,
			     struct error *err)
{
	const uint64_t end_ns = sb->end.until_ns;
	uint64_t last_ns = sb->measure_ns, last = 0;
	int ret = 0;

	for (uint64_t at_ns = last_ns + NS_PER_S; !ret && at_ns <= end_ns; at_ns += NS_PER_S) {
		uint64_t now_ns, done;

		clock_sleep_until(CLOCK_MONOTONIC, at_ns);
		done = schbench_done(sb);
		now_ns = clock_ns(CLOCK_MONOTONIC);
		now_ns = now_ns < end_ns ? now_ns : end_ns;
		ret = team_check(team, err);
		if (now_ns - last_ns < NS_PER_S / 2)
			continue;
		histogram_add(rps, schbench_rate(done - last, now_ns - last_ns));
		last = done;
		last_ns = now_ns;
	}
	if (!ret)
		clock_sleep_until(CLOCK_MONOTONIC, end_ns);
	return ret;
}

static int measure(struct schbench *sb, struct run *run, struct team *team, struct histogram *rps,
		   double *busy, struct error *err)
{
	int ret = start(sb, busy, err);

	if (ret)
		return ret;
	clock_sleep_until(CLOCK_MONOTONIC, sb->measure_ns);
	run_start(run);
	ret = look_every_second(sb, team, rps, err);
	if (ret)
		return ret;
	schbench_stop(sb);
	run_stop(run);
	return gate_wait_full(sb->exit, team, (uint32_t)nr_threads(sb), err);
}

/* All 0 where the kernel doesn't say. */
static struct schbench_delay delay_of(const struct waits *start, const struct waits *end)
{
	struct schbench_delay delay = { 0 };

	if (start->known && end->known) {
		delay.wait_ns = end->wait_ns - start->wait_ns;
		delay.times = end->times - start->times;
	}
	return delay;
}

static int sample(struct run *run, struct schbench *sb, const struct both_waits waits[2],
		  const struct histogram *rps, double busy, double work_ns, struct error *err)
{
	const size_t n = nr_workers(sb);
	struct schbench_figures figures = {
		.plan = &sb->plan,
		.wakeup = shared_histograms_sum(sb->wakeup, n),
		.request = shared_histograms_sum(sb->request, n),
		.response = shared_histograms_sum(sb->response, n),
		.rps = rps,
		.done = schbench_done(sb),
		.messages = delay_of(&waits[0].messages, &waits[1].messages),
		.workers = delay_of(&waits[0].workers, &waits[1].workers),
		.goal_rps = sb->goal_rps,
		.busy = busy,
		.work_ns = work_ns,
		.unit_ns = sb->work.unit_ns,
	};

	for (size_t i = 0; i < sb->plan.messengers; i++) {
		figures.dropped += sb->messengers[i].dropped;
		if (sb->messengers[i].deepest > figures.deepest)
			figures.deepest = sb->messengers[i].deepest;
	}
	return schbench_report(run, &figures, err);
}

static int play(struct schbench *sb, struct run *run, struct team *team, struct error *err)
{
	struct histogram *rps = xcalloc(1, sizeof(*rps));
	struct both_waits waits[2] = { 0 };
	double busy = 0, work_ns = measure_work(sb);
	int ret = make_threads(sb, team, err);

	if (!ret) {
		read_waits(&waits[0], sb);
		ret = measure(sb, run, team, rps, &busy, err);
	}
	if (!ret) {
		read_waits(&waits[1], sb);
		gate_open(sb->exit);
		ret = team_wait(team, err);
	}
	if (!ret)
		ret = sample(run, sb, waits, rps, busy, work_ns, err);
	free(rps);
	return ret;
}

static void schbench_free(struct schbench *sb)
{
	const size_t n = nr_workers(sb);

	shared_free(sb->wakeup, n * sizeof(*sb->wakeup));
	shared_free(sb->request, n * sizeof(*sb->request));
	shared_free(sb->response, n * sizeof(*sb->response));
	shared_free(sb->messengers, sb->plan.messengers * sizeof(*sb->messengers));
	shared_free(sb->workers, n * sizeof(*sb->workers));
	shared_free(sb->matrices, n * schbench_work_matrices(sb->plan.side));
	shared_free(sb->pipes, n * sb->plan.pipe_bytes);
	shared_free(sb->due, n * sb->plan.queue * sizeof(*sb->due));
	schbench_work_release(&sb->work);
	if (sb->gate)
		gate_free(sb->gate);
	if (sb->exit)
		gate_free(sb->exit);
	schbench_plan_release(&sb->plan);
	shared_free(sb, sizeof(*sb));
}

int schbench_run(struct run *run, const void *cfg, struct error *err)
{
	struct schbench *sb = shared_new(sizeof(*sb), "the run", err);
	struct team *team = NULL;
	int ret;

	if (!sb)
		return -ENOMEM;
	sb->measure_ns = UINT64_MAX;
	sb->end.until_ns = UINT64_MAX;
	ret = schbench_plan_init(&sb->plan, cfg, schbench_cpus(), err);
	sb->goal_rps = sb->plan.rps;
	if (!ret)
		ret = set_up(sb, err);
	if (!ret)
		ret = team_new(&team, run, true, nr_threads(sb), err);
	if (!ret)
		ret = play(sb, run, team, err);
	if (!team || team_free(team))
		schbench_free(sb);
	return ret;
}
