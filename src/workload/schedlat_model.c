// SPDX-License-Identifier: GPL-2.0-only
/* workload/schedlat_model.c - schedlat.c's tasks on a simulated machine. */
#include "workload/schedlat.h"

#include "base/mem.h"
#include "workload/model_team.h"

#include <errno.h>
#include <stdlib.h>

enum state {
	STATE_BINDS,
	STATE_SETS_CLASS,
	STATE_COMES,
	STATE_STARTS,
	STATE_SLEEPS, /* to its time, or to a cycle's begin */
	STATE_COMPUTES,
};

/* struct waker - @told: of it alone, the histograms are all tasks' */
struct waker {
	struct schedlat_sim *sl;
	size_t nr;
	enum state state;
	struct schedlat_times times;
	struct schedlat_told *told;
	uint64_t sum_ns;
};

struct loader {
	struct schedlat_sim *sl;
	enum state state;
	uint64_t cycle_ns;
};

/* struct schedlat_sim - @shown: what the main task does between start and end: its operations so far */
struct schedlat_sim {
	const struct schedlat_cfg *cfg;
	struct model_team team;
	struct model_gate exit;
	struct waker *wakers;
	struct loader *loaders;
	struct schedlat_figures figures;
	uint64_t base_ns, until_ns;
	unsigned int shown;
};

static void count(struct waker *waker, uint64_t now_ns)
{
	struct schedlat_told *told = waker->told;
	uint64_t ns;

	schedlat_awake(&waker->times, now_ns, waker->sl->until_ns);
	ns = waker->times.last_ns;
	told->last_ns = ns;
	told->max_ns = ns > told->max_ns ? ns : told->max_ns;
	told->min_ns = !told->count || ns < told->min_ns ? ns : told->min_ns;
	told->count++;
	waker->sum_ns += ns;
}

static void wait_for_next(struct waker *waker, struct sim_task *task)
{
	if (waker->times.next_ns < waker->sl->until_ns) {
		waker->state = STATE_SLEEPS;
		sim_sleep_until(task, waker->times.next_ns);
		return;
	}
	waker->sl->figures.missed += waker->times.missed;
	if (waker->told->count)
		waker->told->mean_ns = waker->sum_ns / waker->told->count;
	sim_exit(task);
}

static void waker_step(struct sim_task *task, void *data)
{
	struct waker *waker = data;
	const struct schedlat_cfg *cfg = waker->sl->cfg;
	const struct core_sched fifo = { .policy = CORE_FIFO, .priority = (int)cfg->prio };

	if (waker->state == STATE_BINDS) {
		if (cfg->slack_ns)
			sim_set_slack(task, cfg->slack_ns);
		waker->state = STATE_SETS_CLASS;
		if (cfg->bind == BIND_EACH) {
			sim_set_affinity(task, model_cpu(sim_of(task), waker->nr));
			return;
		}
	}
	if (waker->state == STATE_SETS_CLASS) {
		waker->state = STATE_COMES;
		if (cfg->prio) {
			sim_set_sched(task, &fifo);
			return;
		}
	}
	if (waker->state == STATE_COMES) {
		waker->state = STATE_STARTS;
		model_gate_pass(&waker->sl->team.gate, task);
		return;
	}
	if (waker->state == STATE_STARTS)
		waker->times.next_ns = waker->sl->base_ns + waker->times.interval_ns;
	else
		count(waker, sim_now(sim_of(task)));
	wait_for_next(waker, task);
}

static void begin_cycle(struct loader *loader, struct sim_task *task)
{
	if (loader->cycle_ns < loader->sl->until_ns) {
		loader->state = STATE_SLEEPS;
		sim_sleep_until(task, loader->cycle_ns);
		return;
	}
	loader->sl->figures.load_cpu_ns += sim_task_runtime(task);
	sim_exit(task);
}

static void loader_step(struct sim_task *task, void *data)
{
	struct loader *loader = data;
	const struct schedlat_cfg *cfg = loader->sl->cfg;
	struct core_sched sched = *sim_task_sched(task);

	switch (loader->state) {
	case STATE_BINDS:
	case STATE_SETS_CLASS:
		loader->state = STATE_COMES;
		if (cfg->load_nice) {
			sched.nice = (int)cfg->load_nice;
			sim_set_sched(task, &sched);
			break;
		}
		/* fall through */
	case STATE_COMES:
		loader->state = STATE_STARTS;
		model_gate_pass(&loader->sl->team.gate, task);
		break;
	case STATE_STARTS:
		loader->cycle_ns = loader->sl->base_ns;
		begin_cycle(loader, task);
		break;
	case STATE_SLEEPS:
		loader->state = STATE_COMPUTES;
		sim_run_until(task, loader->cycle_ns + cfg->duty * (SCHEDLAT_CYCLE_NS / 100));
		break;
	case STATE_COMPUTES:
		loader->cycle_ns += SCHEDLAT_CYCLE_NS;
		begin_cycle(loader, task);
		break;
	}
}

/* Passed one gate, a task passes the other: who it was is no part of its state. */
static void idle_step(struct sim_task *task, void *data)
{
	struct schedlat_sim *sl = data;

	if (!sim_futex_value(sl->team.gate.open))
		model_gate_pass(&sl->team.gate, task);
	else if (!sim_futex_value(sl->exit.open))
		model_gate_pass(&sl->exit, task);
	else
		sim_exit(task);
}

static void make(struct model_team *team, struct sim_task *task, uint64_t i)
{
	struct schedlat_sim *sl = team->data;
	const struct schedlat_cfg *cfg = sl->cfg;
	struct sim_task_spec spec = {
		.name = "idle", .step = idle_step, .data = sl, .thread = true
	};

	if (i >= cfg->idle + cfg->load) {
		spec.name = "waker";
		spec.step = waker_step;
		spec.data = &sl->wakers[i - cfg->idle - cfg->load];
	} else if (i >= cfg->idle) {
		spec.name = "load";
		spec.step = loader_step;
		spec.data = &sl->loaders[i - cfg->idle];
	}
	sim_fork(task, &spec);
}

static void open_gate(struct model_team *team, struct sim_task *task)
{
	struct schedlat_sim *sl = team->data;

	sl->base_ns = sim_now(sim_of(task)) + SCHEDLAT_SETTLE_NS;
	sl->until_ns = sl->base_ns + sl->cfg->runtime_ns;
}

static bool measure(struct model_team *team, struct sim_task *task)
{
	struct schedlat_sim *sl = team->data;
	const uint64_t now_ns = sim_now(sim_of(task));

	switch (sl->shown++) {
	case 0:
		sim_sleep_until(task, sl->base_ns);
		return true;
	case 1:
		run_start_at(team->run, now_ns);
		sim_sleep_until(task, sl->until_ns);
		return true;
	case 2:
		run_stop_at(team->run, now_ns);
		model_gate_open(&sl->exit, task);
		return true;
	default:
		return false;
	}
}

static void set_up(struct schedlat_sim *sl, struct run *run, struct sim *sim)
{
	const struct schedlat_cfg *cfg = sl->cfg;
	struct schedlat_told *told = sim_alloc(sim, cfg->tasks * sizeof(*told));

	sl->team = (struct model_team){ .run = run,
					.size = cfg->tasks + cfg->load + cfg->idle,
					.make = make,
					.open = open_gate,
					.between = measure,
					.data = sl };
	model_gate_init(&sl->exit, sim);
	sl->wakers = sim_alloc(sim, cfg->tasks * sizeof(*sl->wakers));
	sl->loaders = sim_alloc(sim, cfg->load * sizeof(*sl->loaders));
	for (size_t i = 0; i < cfg->load; i++)
		sl->loaders[i].sl = sl;
	for (size_t i = 0; i < cfg->tasks; i++) {
		told[i].tid = i + 1;
		sl->wakers[i] = (struct waker){
			.sl = sl,
			.nr = i,
			.told = &told[i],
			.times = { .interval_ns = cfg->interval_ns + i * cfg->distance_ns },
		};
	}
	sl->figures = (struct schedlat_figures){ .cfg = cfg, .told = told };
}

int schedlat_model(struct run *run, struct sim *sim, const void *cfg, struct error *err)
{
	struct schedlat_sim *sl = sim_alloc(sim, sizeof(*sl));
	struct histogram *h;
	int ret;

	sl->cfg = cfg;
	if (sl->cfg->awake)
		sim_limit_idle(sim, 0);
	set_up(sl, run, sim);
	h = xcalloc(2, sizeof(*h));
	for (size_t i = 0; i < sl->cfg->tasks; i++) {
		sl->wakers[i].times.wakeup = &h[0];
		sl->wakers[i].times.late = &h[1];
	}
	sl->figures.wakeup = &h[0];
	sl->figures.late = &h[1];
	ret = model_team_play(&sl->team, sim, err);
	if (!ret)
		ret = schedlat_report(run, &sl->figures, err);
	free(h);
	return ret;
}
