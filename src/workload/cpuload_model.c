// SPDX-License-Identifier: GPL-2.0-only
/* workload/cpuload_model.c - cpuload.c's tasks on a simulated machine. */
#include "workload/cpuload.h"

#include "base/mem.h"
#include "workload/model_team.h"

#include <stdlib.h>

enum state {
	STATE_COMES,
	STATE_STARTS,
	STATE_HAS_COMPUTED,
	STATE_HAS_SLEPT,
};

/**
 * struct computer - a task
 * @left:   operations
 * @n:      of the slice under way
 * @until_ns: end of its sleep
 */
struct computer {
	struct cpuload_sim *load;
	struct cpuload_account *account;
	enum state state;
	uint32_t cpu;
	uint64_t left, n;
	uint64_t start_ns, start_cpu_ns;
	uint64_t slice_ns, slice_cpu_ns;
	uint64_t until_ns, late_ns;
};

struct cpuload_sim {
	struct cpuload_cfg cfg; /* with the number of tasks */
	uint64_t quota;
	struct model_team team;
	struct computer *computers;
	struct cpuload_account *accounts;
	struct histogram *late;
};

static void start(struct computer *c, struct sim_task *task)
{
	c->start_ns = sim_now(sim_of(task));
	c->start_cpu_ns = sim_task_runtime(task);
	c->cpu = sim_task_cpu(task);
	c->left = c->load->quota;
}

static void begin_slice(struct computer *c, struct sim_task *task)
{
	const struct cpuload_cfg *cfg = &c->load->cfg;

	c->account->moves += sim_task_cpu(task) != c->cpu;
	c->cpu = sim_task_cpu(task);
	c->n = c->left < cfg->slice ? c->left : cfg->slice;
	c->slice_ns = sim_now(sim_of(task));
	c->slice_cpu_ns = sim_task_runtime(task);
	c->state = STATE_HAS_COMPUTED;
	sim_run(task, model_work(sim_of(task), c->n * cfg->work));
}

static uint64_t pause_until(const struct computer *c, uint64_t now_ns, uint64_t cpu_ns)
{
	const struct cpuload_cfg *cfg = &c->load->cfg;
	const struct slice slice = { .cpu_ns = cpu_ns - c->slice_cpu_ns,
				     .wall_ns = now_ns - c->slice_ns,
				     .late_ns = c->late_ns };

	return cfg->pacing == PACING_STRESS_NG
		       ? now_ns + cpuload_sleep(&slice, cfg->load)
		       : cpuload_until(c->start_ns, cpu_ns - c->start_cpu_ns, cfg->load);
}

/* Return: whether it sleeps now, or has ended */
static bool end_slice(struct computer *c, struct sim_task *task)
{
	const uint64_t now_ns = sim_now(sim_of(task)), cpu_ns = sim_task_runtime(task);

	c->account->user_ns += cpu_ns - c->slice_cpu_ns;
	c->left -= c->n;
	if (!c->left) {
		c->account->cpu_ns = cpu_ns - c->start_cpu_ns;
		c->account->sys_ns = c->account->cpu_ns - c->account->user_ns;
		c->account->end_ns = now_ns;
		sim_exit(task);
		return true;
	}
	if (c->load->cfg.load == 100)
		return false;
	c->until_ns = pause_until(c, now_ns, cpu_ns);
	c->late_ns = 0;
	if (c->until_ns <= now_ns)
		return false;
	c->state = STATE_HAS_SLEPT;
	sim_sleep_until(task, c->until_ns);
	return true;
}

static void computer_step(struct sim_task *task, void *data)
{
	struct computer *c = data;

	switch (c->state) {
	case STATE_COMES:
		c->state = STATE_STARTS;
		model_gate_pass(&c->load->team.gate, task);
		return;
	case STATE_STARTS:
		start(c, task);
		break;
	case STATE_HAS_COMPUTED:
		if (end_slice(c, task))
			return;
		break;
	case STATE_HAS_SLEPT:
		c->late_ns = sim_now(sim_of(task)) - c->until_ns;
		histogram_add(c->load->late, c->late_ns);
		break;
	}
	begin_slice(c, task);
}

static void make(struct model_team *team, struct sim_task *task, uint64_t i)
{
	struct cpuload_sim *load = team->data;
	const struct sim_task_spec spec = { .name = "compute",
					    .step = computer_step,
					    .data = &load->computers[i] };

	load->computers[i] = (struct computer){ .load = load, .account = &load->accounts[i] };
	sim_fork(task, &spec);
}

static void report(struct run *run, const struct cpuload_sim *load, double unit_ns)
{
	const struct cpuload_figures figures = {
		.cfg = &load->cfg,
		.nr_tasks = load->cfg.tasks,
		.quota = load->quota,
		.accounts = load->accounts,
		.late = load->late,
		.setup_ns = load->team.setup_ns,
		.unit_ns = unit_ns,
	};

	cpuload_report(run, &figures);
}

int cpuload_model(struct run *run, struct sim *sim, const void *cfg, struct error *err)
{
	struct cpuload_sim *load = sim_alloc(sim, sizeof(*load));
	size_t n;
	int ret;

	load->cfg = *(const struct cpuload_cfg *)cfg;
	if (!load->cfg.tasks)
		load->cfg.tasks = model_cpus(sim);
	n = (size_t)load->cfg.tasks;
	load->quota = cpuload_quota(&load->cfg);
	load->computers = sim_alloc(sim, n * sizeof(*load->computers));
	load->accounts = xaligned(SHARED_ALIGN, n * sizeof(*load->accounts));
	if (load->cfg.load < 100)
		load->late = xcalloc(1, sizeof(*load->late));
	load->team = (struct model_team){ .run = run, .size = n, .make = make, .data = load };
	ret = model_team_play(&load->team, sim, err);
	if (!ret)
		report(run, load, model_unit(sim));
	free(load->late);
	free(load->accounts);
	return ret;
}
