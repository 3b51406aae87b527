// SPDX-License-Identifier: GPL-2.0-only
/* workload/numa_model.c - numa's processes and threads on a simulated machine: who touches which memory, and when. */
#include "workload/numa.h"

#include "base/mem.h"
#include "workload/model_team.h"

#include <errno.h>
#include <stdlib.h>

#define PAGE_BYTES 4096

enum {
	RANGE_GLOBAL,
	RANGE_PROCESS, /* or the task's part of it */
	RANGE_THREAD,
	NR_RANGES,
};

enum process_state {
	P_BEGINS,
	P_MAKES,
	P_COMES,
	P_STARTS,
	P_TOUCHED,
	P_WAITS,
	P_SAYS_SO,
	P_LEAVES,
	P_ENDS,
};

enum thread_state {
	T_BEGINS,
	T_COMES,
	T_STARTS,
	T_TOUCHES,
	T_TOUCHED,
	T_WORKS,
};

struct range {
	struct sim_memory *memory;
	uint64_t offset, bytes;
};

/* struct process - @counted: threads that were made, or waited for; @touched_ns: since the start (TOUCH_MAIN) */
struct process {
	struct numa_sim *numa;
	enum process_state state;
	struct sim_memory *memory;
	struct model_gate filled;
	uint64_t counted;
	uint64_t touched_ns, joined_ns;
	struct thread *threads;
};

/* struct thread - @at: the range that is next in a round; @sum_ns: of its rounds; @local: bytes on its node at the end */
struct thread {
	struct process *process;
	enum thread_state state;
	struct range ranges[NR_RANGES];
	int at;
	uint64_t rounds, before_ns, sum_ns;
	uint64_t touched_ns, end_ns;
	uint64_t local;
};

/* struct numa_sim - @stop: the time limit has come; @said, @left: processes whose threads have ended, and that have
 * themselves, as the main task knows */
struct numa_sim {
	struct numa_plan plan;
	struct model_team team;
	struct model_gate leave;
	struct sim_pipe *joined;
	struct sim_memory *global;
	struct process *processes;
	struct histogram *round;
	bool stop;
	uint64_t said, left, leave_ns;
};

static uint64_t since_start(const struct numa_sim *numa, const struct sim_task *task)
{
	return sim_now(sim_of(task)) - numa->team.run->start_ns;
}

/* A round of the ranges that there are; false: it is done. */
static bool touch_next(struct thread *t, struct sim_task *task)
{
	while (t->at < NR_RANGES) {
		const struct range *range = &t->ranges[t->at++];

		if (!range->bytes)
			continue;
		sim_touch(task, range->memory, range->offset, range->bytes);
		return true;
	}
	return false;
}

static void end_round(struct thread *t, struct sim_task *task)
{
	struct numa_sim *numa = t->process->numa;
	const uint64_t now_ns = sim_now(sim_of(task));

	histogram_add(numa->round, now_ns - t->before_ns);
	t->sum_ns += now_ns - t->before_ns;
	t->before_ns = now_ns;
	t->rounds++;
	t->at = 0;
	if (numa->plan.limit_ns && since_start(numa, task) >= numa->plan.limit_ns)
		numa->stop = true;
}

static void end_thread(struct thread *t, struct sim_task *task)
{
	const struct core_cpu *cpu = &sim_machine(sim_of(task))->cpu[sim_task_cpu(task)];
	const struct range *range = &t->ranges[RANGE_PROCESS];

	t->end_ns = since_start(t->process->numa, task);
	if (range->bytes)
		t->local = sim_memory_on(range->memory, (uint32_t)cpu->node, range->offset,
					 range->bytes);
	sim_exit(task);
}

static void work(struct thread *t, struct sim_task *task)
{
	struct numa_sim *numa = t->process->numa;

	if (t->at && touch_next(t, task))
		return;
	if (t->at)
		end_round(t, task);
	if (t->rounds < numa->plan.rounds && !numa->stop && touch_next(t, task))
		return;
	end_thread(t, task);
}

static void thread_step(struct sim_task *task, void *data)
{
	struct thread *t = data;
	struct numa_sim *numa = t->process->numa;
	const struct range *own = &t->ranges[RANGE_THREAD];

	switch (t->state) {
	case T_BEGINS:
		t->state = T_COMES;
		if (own->bytes) {
			sim_touch(task, own->memory, 0, own->bytes);
			return;
		}
		/* fall through */
	case T_COMES:
		t->state = T_STARTS;
		model_gate_pass(&numa->team.gate, task);
		return;
	case T_STARTS:
		t->state = T_TOUCHES;
		if (numa->plan.touch == TOUCH_MAIN) {
			model_gate_pass(&t->process->filled, task);
			return;
		}
		/* fall through */
	case T_TOUCHES:
		t->state = T_TOUCHED;
		if (numa->plan.touch == TOUCH_THREADS && t->process->memory) {
			sim_touch(task, t->process->memory, 0, numa->plan.size_bytes);
			return;
		}
		/* fall through */
	case T_TOUCHED:
		t->touched_ns = since_start(numa, task);
		t->before_ns = sim_now(sim_of(task));
		t->state = T_WORKS;
		/* fall through */
	case T_WORKS:
		work(t, task);
		break;
	}
}

static bool touch_all(const struct process *p, struct sim_task *task, enum numa_touch touch)
{
	if (p->numa->plan.touch != touch || !p->memory)
		return false;
	sim_touch(task, p->memory, 0, p->numa->plan.size_bytes);
	return true;
}

static void make_thread(struct process *p, struct sim_task *task)
{
	const struct sim_task_spec spec = { .name = "numa thread",
					    .step = thread_step,
					    .data = &p->threads[p->counted++],
					    .thread = true };

	sim_fork(task, &spec);
}

/* Return: whether an operation was started; if not, the next state is asked */
static bool process_goes_on(struct process *p, struct sim_task *task)
{
	struct numa_sim *numa = p->numa;
	const bool touches = numa->plan.touch == TOUCH_MAIN;

	switch (p->state) {
	case P_BEGINS:
		p->state = P_MAKES;
		return touch_all(p, task, TOUCH_SET_UP);
	case P_MAKES:
		if (p->counted < numa->plan.threads) {
			make_thread(p, task);
			return true;
		}
		p->counted = 0;
		p->state = touches ? P_COMES : P_WAITS;
		return false;
	case P_COMES:
		p->state = P_STARTS;
		model_gate_pass(&numa->team.gate, task);
		return true;
	case P_STARTS:
		p->state = P_TOUCHED;
		return touch_all(p, task, TOUCH_MAIN);
	case P_TOUCHED:
		p->touched_ns = since_start(numa, task);
		p->state = P_WAITS;
		model_gate_open(&p->filled, task);
		return true;
	case P_WAITS:
		if (p->counted++ < numa->plan.threads) {
			sim_wait(task);
			return true;
		}
		p->joined_ns = since_start(numa, task);
		p->state = P_SAYS_SO;
		return false;
	case P_SAYS_SO:
		p->state = P_LEAVES;
		sim_write(task, numa->joined, 1);
		return true;
	case P_LEAVES:
		p->state = P_ENDS;
		model_gate_pass(&numa->leave, task);
		return true;
	case P_ENDS:
		sim_exit(task);
		return true;
	}
	return true;
}

static void process_step(struct sim_task *task, void *data)
{
	while (!process_goes_on(data, task))
		;
}

static void make_process(struct model_team *team, struct sim_task *task, uint64_t i)
{
	struct numa_sim *numa = team->data;
	const struct sim_task_spec spec = { .name = "numa process",
					    .step = process_step,
					    .data = &numa->processes[i] };

	sim_fork(task, &spec);
}

/* All have done their work; then they may leave, and are waited for. */
static bool between(struct model_team *team, struct sim_task *task)
{
	struct numa_sim *numa = team->data;

	if (numa->said < numa->plan.processes) {
		numa->said++;
		sim_read(task, numa->joined, 1);
	} else if (!sim_futex_value(numa->leave.open)) {
		numa->leave_ns = since_start(numa, task);
		model_gate_open(&numa->leave, task);
	} else if (numa->left < numa->plan.processes) {
		numa->left++;
		sim_wait(task);
	} else {
		run_stop_at(team->run, sim_now(sim_of(task)));
		return false;
	}
	return true;
}

static struct range slice_of(const struct numa_plan *plan, struct sim_memory *memory, uint64_t i)
{
	const uint64_t pages = plan->size_bytes / PAGE_BYTES;
	const uint64_t begin = i * pages / plan->threads * PAGE_BYTES;
	const uint64_t end = i + 1 == plan->threads ? plan->size_bytes
						    : (i + 1) * pages / plan->threads * PAGE_BYTES;

	return (struct range){ memory, begin, end - begin };
}

static struct sim_memory *new_memory(const struct numa_sim *numa, struct sim *sim, uint64_t bytes)
{
	return bytes ? sim_memory_new(sim, numa->plan.first_node, bytes) : NULL;
}

static void init_process(struct numa_sim *numa, struct process *p, struct sim *sim)
{
	const struct numa_plan *plan = &numa->plan;

	p->numa = numa;
	p->memory = new_memory(numa, sim, plan->size_bytes);
	model_gate_init(&p->filled, sim);
	p->threads = sim_alloc(sim, plan->threads * sizeof(*p->threads));
	for (uint64_t i = 0; i < plan->threads; i++) {
		struct thread *t = &p->threads[i];

		t->process = p;
		t->ranges[RANGE_GLOBAL] = (struct range){ numa->global, 0, plan->global_bytes };
		t->ranges[RANGE_PROCESS] =
			plan->sliced ? slice_of(plan, p->memory, i)
				     : (struct range){ p->memory, 0, plan->size_bytes };
		t->ranges[RANGE_THREAD] = (struct range){ new_memory(numa, sim, plan->thread_bytes),
							  0, plan->thread_bytes };
	}
}

static void set_up(struct numa_sim *numa, struct run *run, struct sim *sim)
{
	const struct numa_plan *plan = &numa->plan;
	const uint64_t n = plan->processes;

	numa->global = new_memory(numa, sim, plan->global_bytes);
	numa->joined = sim_pipe_new(sim, SIM_PIPE, model_capacity(SIM_PIPE, 1), false);
	model_gate_init(&numa->leave, sim);
	numa->processes = sim_alloc(sim, n * sizeof(*numa->processes));
	for (uint64_t i = 0; i < n; i++)
		init_process(numa, &numa->processes[i], sim);
	numa->team = (struct model_team){
		.run = run,
		.size = n,
		.arrivals = n * plan->threads + (plan->touch == TOUCH_MAIN ? n : 0),
		.make = make_process,
		.between = between,
		.data = numa,
	};
}

/* struct sums - over all threads */
struct sums {
	struct histogram *finish;
	double bytes, speed, local, all;
	uint64_t touched_ns, joined_ns;
};

static void add_thread(struct sums *sums, const struct thread *t)
{
	const bool main = t->process->numa->plan.touch == TOUCH_MAIN;
	const uint64_t touched_ns = main ? t->process->touched_ns : t->touched_ns;
	double bytes = 0;

	for (int i = 0; i < NR_RANGES; i++)
		bytes += (double)t->rounds * (double)t->ranges[i].bytes;
	histogram_add(sums->finish, t->end_ns);
	sums->bytes += bytes;
	if (t->sum_ns)
		sums->speed += bytes * 1e9 / (double)t->sum_ns;
	sums->local += (double)t->local;
	sums->all += (double)t->ranges[RANGE_PROCESS].bytes;
	sums->touched_ns = touched_ns > sums->touched_ns ? touched_ns : sums->touched_ns;
}

static void report_sums(struct run *run, const struct numa_sim *numa, const struct sums *sums)
{
	const struct numa_plan *plan = &numa->plan;
	const uint64_t teardown_ns = run->stop_ns - run->start_ns - numa->leave_ns;

	run_sample(run, "time", (double)(sums->joined_ns + teardown_ns));
	run_sample(run, "teardown", (double)teardown_ns);
	run_sample(run, "setup", (double)numa->team.setup_ns);
	if (plan->touch != TOUCH_SET_UP)
		run_sample(run, "first-touch", (double)sums->touched_ns);
	run_sample(run, "finish-mean", histogram_mean(sums->finish));
	run_sample(run, "speed", sums->speed);
	run_sample(run, "bytes", sums->bytes);
	run_histogram(run, "finish", sums->finish);
	run_histogram(run, "round", numa->round);
	run_sample(run, "processes", (double)plan->processes);
	run_sample(run, "threads", (double)plan->threads);
}

static void report(struct run *run, const struct numa_sim *numa, const struct sim *sim)
{
	struct sums sums = { .finish = xcalloc(1, sizeof(*sums.finish)) };

	for (uint64_t i = 0; i < numa->plan.processes; i++) {
		const struct process *p = &numa->processes[i];

		sums.joined_ns = p->joined_ns > sums.joined_ns ? p->joined_ns : sums.joined_ns;
		for (uint64_t k = 0; k < numa->plan.threads; k++)
			add_thread(&sums, &p->threads[k]);
	}
	report_sums(run, numa, &sums);
	run_sample(run, "nodes", sim_machine(sim)->nr_nodes);
	run_sample(run, "cpus", model_cpus(sim));
	/* on one node there is no other to be on */
	if (sums.all > 0 && sim_machine(sim)->nr_nodes > 1)
		run_sample(run, "local-end", 100 * sums.local / sums.all);
	free(sums.finish);
}

static int refuse(const struct numa_cfg *cfg, const struct numa_plan *plan, const struct sim *sim,
		  struct error *err)
{
	if (cfg->bind != BIND_FREE)
		return error_set(err, EOPNOTSUPP, "bind: simulated memory has no policy");
	if (cfg->access != ACCESS_TEST || cfg->order != ORDER_TEST)
		return error_set(err, EOPNOTSUPP,
				 "access, order: simulated memory costs the same by any way");
	if (cfg->thp != THP_SYSTEM)
		return error_set(err, EOPNOTSUPP, "thp: simulated memory has pages of its own");
	if (plan->first_node >= (int)sim_machine(sim)->nr_nodes)
		return error_set(err, EOPNOTSUPP, "first: there is no node %d", plan->first_node);
	return 0;
}

int numa_model(struct run *run, struct sim *sim, const void *cfg, struct error *err)
{
	struct numa_sim *numa = sim_alloc(sim, sizeof(*numa));
	int ret = numa_plan(&numa->plan, cfg, model_cpus(sim), sim_machine(sim)->nr_nodes, err);

	if (!ret)
		ret = refuse(cfg, &numa->plan, sim, err);
	if (ret)
		return ret;
	set_up(numa, run, sim);
	numa->round = xcalloc(1, sizeof(*numa->round));
	ret = model_team_play(&numa->team, sim, err);
	if (!ret)
		report(run, numa, sim);
	free(numa->round);
	return ret;
}
