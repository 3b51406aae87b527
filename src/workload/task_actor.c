// SPDX-License-Identifier: GPL-2.0-only
/* workload/task_actor.c - one simulated task's way through its program, as task_thread.c has it. */
#include "workload/task_actor.h"

#include <errno.h>
#include <string.h>

/* Operations in a row that take no time and are no call: then a microsecond passes, as a clock was looked at each time. */
#define FREE_OPS 64
#define FREE_NS	 1000

static void fail(struct task_actor *a, struct sim_task *task)
{
	sim_stop(a->model->sim);
	sim_exit(task);
}

void task_actor_fail(struct task_actor *a, struct sim_task *task, int code, const char *what,
		     size_t mutex)
{
	struct task_model *m = a->model;

	if (!m->wrong.code)
		error_set(&m->wrong, code, "task '%.80s': %s '%.80s': the task %s", a->task->name,
			  what, m->program->objects[mutex].name,
			  code == EDEADLK ? "holds it already" : "does not hold it");
	fail(a, task);
}

/* What the core was asked for it may refuse, as the kernel does. Return: whether it did, and the run has failed */
static bool refused(struct task_actor *a, struct sim_task *task)
{
	struct error *wrong = &a->model->wrong;
	const int code = a->asked ? -sim_result(task) : 0;

	if (code && !wrong->code && a->asked == TASK_ASKS_CPUS)
		error_set(wrong, code, "task '%.80s': cpus: %s", a->task->name, strerror(code));
	else if (code && !wrong->code)
		error_set(wrong, code, "task '%.80s': %s, priority %d: %s%s", a->task->name,
			  task_policy_name(a->sched->policy), a->sched->priority, strerror(code),
			  code == EBUSY	       ? ", no bandwidth is left for it"
			  : code == EOPNOTSUPP ? ": the core has no such class"
					       : "");
	a->asked = TASK_ASKS_NOTHING;
	if (code)
		fail(a, task);
	return code;
}

static const struct task_phase *phase_of(const struct task_actor *a)
{
	return &a->task->phases[a->phase];
}

static int policy_of(enum task_policy policy)
{
	static const int policies[] = {
		[TASK_OTHER] = CORE_NORMAL, [TASK_BATCH] = CORE_BATCH,
		[TASK_IDLE] = CORE_IDLE,    [TASK_RR] = CORE_RR,
		[TASK_FIFO] = CORE_FIFO,    [TASK_DEADLINE] = CORE_DEADLINE,
	};

	return policies[policy];
}

static bool set_sched(struct task_actor *a, struct sim_task *task, const struct task_sched *sched)
{
	const bool rt = sched->policy == TASK_RR || sched->policy == TASK_FIFO;
	const bool deadline = sched->policy == TASK_DEADLINE;
	const struct core_sched attr = {
		.policy = policy_of(sched->policy),
		.nice = rt || deadline ? 0 : sched->priority,
		.priority = rt ? sched->priority : 0,
		.runtime_ns = rt ? 0 : sched->runtime_ns,
		.deadline_ns = deadline ? sched->deadline_ns : 0,
		.period_ns = deadline ? sched->period_ns : 0,
	};

	if (!sched->given || a->sched == sched)
		return false;
	a->sched = sched;
	a->asked = TASK_ASKS_SCHED;
	sim_set_sched(task, &attr);
	return true;
}

static bool set_affinity(struct task_actor *a, struct sim_task *task)
{
	const uint64_t *words = a->affinity[1 + a->phase];

	if (!words)
		words = a->affinity[0] ? a->affinity[0] : a->model->everywhere;
	if (a->bound == words)
		return false;
	a->bound = words;
	a->asked = TASK_ASKS_CPUS;
	sim_set_affinity(task, words);
	return true;
}

/* What it does once, before its first phase. Return: whether an operation was started */
static bool begin(struct task_actor *a, struct sim_task *task)
{
	struct task_model *m = a->model;

	switch (a->part++) {
	case 0: /* the gate, which is open for who is forked later */
		if (!a->task->forked && ++m->arrived == m->expected) {
			sim_futex_set(m->ready, 1);
			sim_futex_wake(task, m->ready, 1);
			return true;
		}
		return false;
	case 1:
		if (sim_futex_value(m->gate))
			return false;
		sim_futex_wait(task, m->gate, 0);
		return true;
	case 2:
		a->first_ns = m->start_ns + a->task->delay_ns;
		if (!a->task->delay_ns)
			return false;
		sim_sleep_until(task,
				task_actor_is_over(a, a->first_ns) ? m->stop_ns : a->first_ns);
		return true;
	case 3:
		return set_sched(a, task, &a->task->sched);
	default:
		a->part = 0;
		a->begun = true;
		return false;
	}
}

/* The same of a time through its phase. */
static bool begin_phase(struct task_actor *a, struct sim_task *task)
{
	switch (a->part++) {
	case 0:
		return set_affinity(a, task);
	case 1:
		return set_sched(a, task, &phase_of(a)->sched);
	default:
		a->part = 0;
		a->in_phase = true;
		a->line = (struct task_line){ 0 };
		a->worked = false;
		a->line.start_ns = sim_now(a->model->sim);
		return false;
	}
}

static void end_phase(struct task_actor *a, uint64_t now_ns)
{
	const struct task_phase *phase = phase_of(a);

	a->in_phase = false;
	a->op = 0;
	if (!task_actor_is_over(a, now_ns)) {
		a->model->counts[a->task - a->model->program->tasks].phases++;
		a->line.end_ns = now_ns;
		task_log_add(&a->model->logs[a - a->model->actors], &a->line);
		task_actor_sample(a, TASK_SAMPLES_PERIOD, now_ns - a->line.start_ns);
		if (a->worked)
			task_actor_sample(a, TASK_SAMPLES_WORK, a->line.run_ns);
	}
	a->phase_loop++;
	if (phase->endless || a->phase_loop < phase->loops)
		return;
	a->phase_loop = 0;
	if (++a->phase < a->task->nr_phases)
		return;
	a->phase = 0;
	a->loop++;
}

static bool has_more(const struct task_actor *a, uint64_t now_ns)
{
	return !task_actor_is_over(a, now_ns) && (a->task->endless || a->loop < a->task->loops);
}

/* Who leaves holds nothing, and the last one tells the main task. */
static void leave(struct task_actor *a, struct sim_task *task)
{
	struct task_model *m = a->model;

	for (; a->released < m->program->nr_objects; a->released++) {
		struct model_object *object = &m->objects[a->released];

		if (object->owner != a)
			continue;
		object->owner = NULL;
		sim_unlock(task, object->mutex);
		return;
	}
	if (a->begun)
		m->rounds[m->round].cpu_ns += sim_task_runtime(task);
	if (a->begun && !--m->at_work) {
		a->begun = false;
		run_stop_at(m->run, sim_now(m->sim));
		sim_futex_set(m->ended, 1);
		sim_futex_wake(task, m->ended, 1);
		return;
	}
	a->begun = false;
	sim_exit(task);
}

/* Return: whether an operation was started */
static bool go_on(struct task_actor *a, struct sim_task *task)
{
	const uint64_t now_ns = sim_now(a->model->sim);

	if (!a->begun)
		return begin(a, task);
	/* an operation that has begun is done to its end */
	if (a->in_phase && (a->part || (a->op < phase_of(a)->nr_ops && has_more(a, now_ns)))) {
		if (task_actor_op(a, task))
			return true;
		a->op++;
		return false;
	}
	if (a->in_phase) {
		end_phase(a, now_ns);
		return false;
	}
	if (has_more(a, now_ns))
		return begin_phase(a, task);
	leave(a, task);
	return true;
}

void task_actor_step(struct sim_task *task, void *data)
{
	struct task_actor *a = data;

	if (refused(a, task))
		return;
	for (int i = 0; i < FREE_OPS; i++)
		if (go_on(a, task))
			return;
	sim_run(task, FREE_NS);
}
