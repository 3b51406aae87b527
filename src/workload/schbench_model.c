// SPDX-License-Identifier: GPL-2.0-only
/* workload/schbench_model.c - schbench_run.c on a simulated machine: set up, warm up, look once a second, collect. */
#include "workload/schbench_model.h"

#include "base/mem.h"
#include "workload/work.h"

#include <errno.h>
#include <stdlib.h>

#define NS_PER_S UINT64_C(1000000000)

/* What the main task does between the start and the ends of the threads. */
enum {
	STAGE_TUNES,
	STAGE_TUNED,
	STAGE_WARMS_UP,
	STAGE_STARTS,
	STAGE_LOOKS,
	STAGE_LOOKED,
	STAGE_STOPS,
	STAGE_WAKES,
};

static size_t nr_workers(const struct schbench_sim *sb)
{
	return sb->plan.messengers * sb->plan.threads;
}

static void open_window(struct schbench_sim *sb, uint64_t earliest_ns)
{
	sb->measure_ns = schbench_begin(&sb->plan, sb->base_ns, earliest_ns);
	sb->until_ns = sb->measure_ns + sb->plan.runtime_ns;
}

static void start(struct model_team *team, struct sim_task *task)
{
	struct schbench_sim *sb = team->data;

	sb->base_ns = sim_now(sim_of(task)) + (sb->plan.rps ? SCHBENCH_SETTLE_NS : 0);
	if (!(sb->plan.auto_rps > 0))
		open_window(sb, sb->base_ns + sb->plan.warmup_ns);
}

static void read_stat(const struct sim *sim, uint64_t *busy_ns, uint64_t *all_ns)
{
	struct sim_counts counts;

	sim_counts(sim, &counts);
	*busy_ns = counts.busy_ns;
	*all_ns = counts.busy_ns + counts.idle_ns;
}

/* The old rate's last pause ends within a second of the new one. */
static void tune(struct schbench_sim *sb, const struct sim *sim)
{
	const uint64_t now_ns = sim_now(sim);
	uint64_t busy_ns, all_ns;

	read_stat(sim, &busy_ns, &all_ns);
	sb->figures.busy = 100 * (double)(busy_ns - sb->busy_ns) / (double)(all_ns - sb->all_ns);
	sb->stage = STAGE_TUNES;
	if (schbench_found_rps(&sb->goal_rps, sb->figures.busy, sb->plan.auto_rps)) {
		open_window(sb, now_ns + NS_PER_S + sb->plan.warmup_ns);
		sb->stage = STAGE_WARMS_UP;
		return;
	}
	sb->base_ns = now_ns;
	sb->busy_ns = busy_ns;
	sb->all_ns = all_ns;
	if (++sb->looks == SCHBENCH_LOOKS_MAX) {
		open_window(sb, now_ns + NS_PER_S + sb->plan.warmup_ns);
		sb->stage = STAGE_WARMS_UP;
	}
}

static void count_second(struct schbench_sim *sb, uint64_t now_ns)
{
	now_ns = now_ns < sb->until_ns ? now_ns : sb->until_ns;
	sb->next_ns += NS_PER_S;
	sb->stage = STAGE_LOOKS;
	if (now_ns - sb->last_ns < NS_PER_S / 2)
		return;
	histogram_add(sb->rps, schbench_rate(sb->figures.done - sb->last, now_ns - sb->last_ns));
	sb->last = sb->figures.done;
	sb->last_ns = now_ns;
}

static void begin(struct schbench_sim *sb, uint64_t now_ns)
{
	run_start_at(sb->team.run, now_ns);
	sb->last_ns = sb->measure_ns;
	sb->next_ns = sb->last_ns + NS_PER_S;
	sb->stage = STAGE_LOOKS;
}

/* Return: whether there was one left that sleeps */
static bool wake_next(struct schbench_sim *sb, struct sim_task *task)
{
	const size_t messengers = sb->plan.messengers;

	while (sb->woken < messengers + nr_workers(sb)) {
		const size_t i = sb->woken++;

		if (schbench_sim_post(task, i < messengers ? sb->messengers[i].blocked
							   : sb->workers[i - messengers].blocked))
			return true;
	}
	return false;
}

/* What is to be looked at first, then the operation of the stage that follows. */
static bool measure(struct model_team *team, struct sim_task *task)
{
	struct schbench_sim *sb = team->data;
	struct sim *sim = sim_of(task);
	const uint64_t now_ns = sim_now(sim);

	if (sb->stage == STAGE_TUNED)
		tune(sb, sim);
	else if (sb->stage == STAGE_STARTS)
		begin(sb, now_ns);
	else if (sb->stage == STAGE_LOOKED)
		count_second(sb, now_ns);
	switch (sb->stage) {
	case STAGE_TUNES:
		if (!sb->looks && !sb->all_ns)
			read_stat(sim, &sb->busy_ns, &sb->all_ns);
		sb->stage = STAGE_TUNED;
		sim_sleep_until(task, now_ns + SCHBENCH_LOOK_NS);
		return true;
	case STAGE_WARMS_UP:
		sb->stage = STAGE_STARTS;
		sim_sleep_until(task, sb->measure_ns);
		return true;
	case STAGE_LOOKS:
		sb->stage = sb->next_ns <= sb->until_ns ? STAGE_LOOKED : STAGE_STOPS;
		sim_sleep_until(task, sb->stage == STAGE_LOOKED ? sb->next_ns : sb->until_ns);
		return true;
	case STAGE_STOPS:
		sb->stop = true;
		sb->stage = STAGE_WAKES;
		sim_futex_wake(task, sb->nobody, UINT32_MAX);
		return true;
	default:
		if (wake_next(sb, task))
			return true;
		run_stop_at(team->run, now_ns);
		return false;
	}
}

static void make(struct model_team *team, struct sim_task *task, uint64_t i)
{
	struct schbench_sim *sb = team->data;
	const uint64_t group = sb->plan.threads + 1, nr = i / group;
	struct sim_task_spec spec = { .thread = true };

	if (i % group) {
		spec.name = "worker";
		spec.step = schbench_sim_worker;
		spec.data = &sb->workers[i - nr - 1];
		spec.affinity = sb->worker_cpus;
	} else {
		spec.name = "messenger";
		spec.step = schbench_sim_messenger;
		spec.data = &sb->messengers[nr];
		spec.affinity = sb->plan.apart ? model_cpu(sim_of(task), nr) : sb->message_cpus;
	}
	sim_fork(task, &spec);
}

/* The first CPUs that are online for the message threads, the others for the workers. */
static int set_apart(struct schbench_plan *plan, const struct sim *sim, struct error *err)
{
	const struct core_machine *machine = sim_machine(sim);
	size_t n = 0;

	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++)
		if (sim_may_begin_on(sim, cpu))
			cpumask_set(n++ < plan->messengers ? &plan->message_cpus
							   : &plan->worker_cpus,
				    cpu);
	if (!cpumask_weight(&plan->worker_cpus))
		return error_set(err, EOPNOTSUPP,
				 "message-cpus: auto needs a CPU more than message threads");
	return 0;
}

static int bind(struct schbench_sim *sb, struct sim *sim, struct error *err)
{
	struct schbench_plan *plan = &sb->plan;
	int ret = plan->apart ? set_apart(plan, sim, err) : 0;

	if (!ret && cpumask_weight(&plan->message_cpus))
		ret = model_list(&sb->message_cpus, &plan->message_cpus, "message-cpus", sim, err);
	if (!ret && cpumask_weight(&plan->worker_cpus))
		ret = model_list(&sb->worker_cpus, &plan->worker_cpus, "worker-cpus", sim, err);
	return ret;
}

static void set_work(struct schbench_sim *sb, const struct sim *sim)
{
	const struct schbench_plan *plan = &sb->plan;
	const double steps = (double)plan->side * (double)plan->side * (double)plan->side;

	if (plan->work == WORK_UNITS) {
		sb->figures.unit_ns = model_unit(sim);
		sb->work_ns = model_work(sim, work_units(sb->figures.unit_ns, plan->think_ns));
		sb->figures.work_ns = (double)sb->work_ns;
	} else if (plan->work == WORK_MATRIX) {
		sb->product_ns =
			(uint64_t)(steps * (double)sim_costs(sim)->matrix_step_ps / 1000 + 0.5);
		sb->figures.work_ns = (double)(sb->product_ns * plan->operations);
	}
}

static void make_threads(struct schbench_sim *sb, struct sim *sim)
{
	const struct schbench_plan *plan = &sb->plan;
	const size_t n = nr_workers(sb);

	sb->messengers = sim_alloc(sim, plan->messengers * sizeof(*sb->messengers));
	sb->workers = sim_alloc(sim, n * sizeof(*sb->workers));
	for (size_t i = 0; i < plan->messengers; i++) {
		sb->messengers[i] =
			(struct sim_messenger){ .sb = sb, .nr = i, .blocked = sim_futex_new(sim) };
		rng_seed(&sb->messengers[i].rng, plan->seed, "sleep", i);
	}
	for (size_t i = 0; i < n; i++) {
		struct sim_worker *worker = &sb->workers[i];

		worker->sb = sb;
		worker->messenger = &sb->messengers[i / plan->threads];
		worker->blocked = sim_futex_new(sim);
		if (plan->pipe_bytes)
			worker->pipe = sim_memory_new(sim, -1, plan->pipe_bytes);
		if (plan->rps)
			worker->due = sim_alloc(sim, plan->queue * sizeof(*worker->due));
	}
}

static int play(struct schbench_sim *sb, struct run *run, struct sim *sim, struct error *err)
{
	struct histogram *h = xcalloc(4, sizeof(*h));
	int ret;

	set_work(sb, sim);
	make_threads(sb, sim);
	sb->locks = sim_alloc(sim, sim_machine(sim)->nr_cpus * sizeof(*sb->locks));
	sb->nobody = sim_futex_new(sim);
	sb->wakeup = &h[0];
	sb->request = &h[1];
	sb->response = &h[2];
	sb->rps = &h[3];
	sb->stage = sb->plan.auto_rps > 0 ? STAGE_TUNES : STAGE_WARMS_UP;
	sb->team = (struct model_team){ .run = run,
					.size = sb->plan.messengers + nr_workers(sb),
					.make = make,
					.open = start,
					.between = measure,
					.data = sb };
	ret = model_team_play(&sb->team, sim, err);
	if (!ret) {
		sb->figures.plan = &sb->plan;
		sb->figures.wakeup = sb->wakeup;
		sb->figures.request = sb->request;
		sb->figures.response = sb->response;
		sb->figures.rps = sb->rps;
		sb->figures.goal_rps = sb->goal_rps;
		ret = schbench_report(run, &sb->figures, err);
	}
	free(h);
	return ret;
}

int schbench_model(struct run *run, struct sim *sim, const void *cfg, struct error *err)
{
	struct schbench_sim *sb = sim_alloc(sim, sizeof(*sb));
	int ret = schbench_plan_init(&sb->plan, cfg, model_cpus(sim), err);

	sb->measure_ns = sb->until_ns = UINT64_MAX;
	sb->goal_rps = sb->plan.rps;
	if (!ret)
		ret = bind(sb, sim, err);
	if (!ret)
		ret = play(sb, run, sim, err);
	schbench_plan_release(&sb->plan);
	return ret;
}
