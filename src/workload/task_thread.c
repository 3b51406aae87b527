// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/task_thread.c - one task's way through its program. Nothing of a stop is left to chance: sleeps end at the end
 * of the time, work looks at the clock each millisecond, and who waits for a condition is woken until it has gone.
 */
#include "workload/task_exec.h"

#include "base/clock.h"
#include "workload/place.h"
#include "workload/task_thread.h"
#include "workload/sched_attr.h"
#include "workload/work.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>

void task_sleep_until(const struct task_exec *exec, uint64_t ns)
{
	clock_sleep_until(CLOCK_MONOTONIC, task_is_over(exec, ns) ? exec->stop_ns : ns);
}

/* Return: the time when it was done */
static uint64_t do_run(struct task_thread *t, uint64_t ns, uint64_t at_ns)
{
	const struct task_exec *exec = t->exec;

	t->line.units += work_units(exec->unit_ns, ns);
	for (; ns > TASK_CHUNK_NS && !task_is_over(exec, at_ns); ns -= TASK_CHUNK_NS) {
		work_do(exec->chunk_units);
		at_ns = task_now();
	}
	if (!task_is_over(exec, at_ns))
		work_do(work_units(exec->unit_ns, ns));
	return task_now();
}

static uint64_t do_runtime(struct task_thread *t, uint64_t ns, uint64_t at_ns)
{
	const struct task_exec *exec = t->exec;
	const uint64_t from_ns = at_ns;
	const uint64_t units =
		ns < TASK_LOOK_NS ? work_units(exec->unit_ns, ns / 8) : exec->look_units;

	do {
		work_do(units);
		t->line.units += units;
		at_ns = task_now();
	} while (at_ns - from_ns < ns && !task_is_over(exec, at_ns));
	return at_ns;
}

static void do_work(struct task_thread *t, const struct task_op *op)
{
	uint64_t from_ns = task_now();
	uint64_t to_ns =
		op->kind == TASK_RUN ? do_run(t, op->ns, from_ns) : do_runtime(t, op->ns, from_ns);

	t->line.run_ns += to_ns - from_ns;
	t->line.asked_ns += op->ns;
	t->worked = true;
	if (task_is_over(t->exec, to_ns))
		return;
	t->counts.runs++;
	t->counts.work_ns += to_ns - from_ns;
	t->counts.asked_ns += op->ns;
}

/* How much later than it was meant to be, or recorded: who is early is 0 late. */
static void look_how_late(struct task_thread *t, const struct task_op *op)
{
	const uint64_t due_ns = t->exec->start_ns + op->ns;
	const uint64_t at_ns = task_now();

	task_sample(t, TASK_SAMPLES_LATE, at_ns > due_ns ? at_ns - due_ns : 0);
}

/* The new one inherits what this one set. */
static int start_task(struct task_thread *t, size_t task, struct error *err)
{
	const size_t n = atomic_fetch_add(&t->exec->forks[task], 1);
	const size_t i = t->exec->first[task] + n;
	struct task_thread *child = &t->exec->threads[i];

	if (n >= t->exec->program->tasks[task].instances)
		return error_set(err, EAGAIN,
				 "fork: '%.80s' was forked %zu times, which is the limit",
				 t->exec->program->tasks[task].name, n);
	child->cpus = t->cpus;
	child->sched = t->sched;
	atomic_fetch_add(&t->exec->started, 1);
	return team_start(t->exec->team, i, err);
}

static int do_op(struct task_thread *t, const struct task_op *op, struct error *err)
{
	switch (op->kind) {
	case TASK_RUN:
	case TASK_RUNTIME:
		do_work(t, op);
		return 0;
	case TASK_SLEEP:
		task_sleep_until(t->exec, task_now() + op->ns);
		return 0;
	case TASK_YIELD:
		sched_yield();
		return 0;
	case TASK_FORK:
		return start_task(t, op->object, err);
	case TASK_MARK:
		look_how_late(t, op);
		return 0;
	case TASK_FILL:
	case TASK_WRITE:
	case TASK_READ:
	case TASK_CHASE:
	case TASK_IO:
		return task_memory_op(t, op, err);
	default:
		return task_object_op(t, op, err);
	}
}

static int set_clamps(const struct task_sched *sched, struct error *err)
{
	struct task_clamps clamps = { .attr.flags = TASK_ATTR_KEEP,
				      .util_min = sched->util_min.util,
				      .util_max = sched->util_max.util };

	if (sched->util_min.given)
		clamps.attr.flags |= TASK_ATTR_UTIL_MIN;
	if (sched->util_max.given)
		clamps.attr.flags |= TASK_ATTR_UTIL_MAX;
	if (!task_clamps_set(&clamps))
		return 0;
	return error_set(err, errno, "util_min and util_max: %s%s", strerror(errno),
			 errno == EOPNOTSUPP || errno == E2BIG
				 ? ": this kernel has no CONFIG_UCLAMP_TASK"
				 : "");
}

static int set_policy(const struct task_sched *sched, struct error *err)
{
	static const uint32_t policies[] = {
		[TASK_OTHER] = SCHED_OTHER, [TASK_BATCH] = SCHED_BATCH,
		[TASK_IDLE] = SCHED_IDLE,   [TASK_RR] = SCHED_RR,
		[TASK_FIFO] = SCHED_FIFO,   [TASK_DEADLINE] = SCHED_DEADLINE,
	};
	const bool rt = sched->policy == TASK_RR || sched->policy == TASK_FIFO;
	const bool deadline = sched->policy == TASK_DEADLINE;
	struct task_attr attr = {
		.policy = policies[sched->policy],
		.nice = rt || deadline ? 0 : sched->priority,
		.priority = rt ? (uint32_t)sched->priority : 0,
		.runtime_ns = rt ? 0 : sched->runtime_ns,
		.deadline_ns = deadline ? sched->deadline_ns : 0,
		.period_ns = deadline ? sched->period_ns : 0,
	};

	if (!sched->given)
		return 0;
	if (task_attr_set(&attr))
		return error_set(err, errno, "%s, priority %d: %s%s",
				 task_policy_name(sched->policy), sched->priority, strerror(errno),
				 errno == EBUSY ? ", no bandwidth is left for it" : "");
	return 0;
}

static int set_sched(struct task_thread *t, const struct task_sched *sched, struct error *err)
{
	int ret;

	if (t->sched == sched || (!sched->given && !sched->clamps))
		return 0;
	ret = set_policy(sched, err);
	if (!ret && sched->clamps)
		ret = set_clamps(sched, err);
	t->sched = sched;
	return ret;
}

static int set_cpus(struct task_thread *t, const struct task_phase *phase, struct error *err)
{
	const struct cpumask *cpus = phase->bound     ? &phase->cpus
				     : t->task->bound ? &t->task->cpus
						      : &t->exec->allowed;
	int ret;

	if (t->cpus == cpus)
		return 0;
	ret = place_bind(cpus, err);
	if (!ret)
		t->cpus = cpus;
	return ret;
}

static int go_through(struct task_thread *t, const struct task_phase *phase, struct error *err)
{
	uint64_t from_ns, to_ns;
	int ret = set_cpus(t, phase, err);

	if (!ret && cpumask_weight(&phase->nodes))
		ret = task_memory_bind(&phase->nodes, err);
	if (!ret)
		ret = set_sched(t, &phase->sched, err);
	t->line = (struct task_line){ 0 };
	t->worked = false;
	from_ns = task_now();
	for (size_t i = 0; !ret && i < phase->nr_ops && !task_stops(t->exec); i++)
		ret = do_op(t, &phase->ops[i], err);
	to_ns = task_now();
	/* whoever sees it first: the worker itself may get no CPU beside real-time tasks */
	if (task_is_over(t->exec, to_ns))
		atomic_store(&t->exec->stop, true);
	if (ret || task_stops(t->exec))
		return ret;
	t->counts.phases++;
	t->line.start_ns = from_ns;
	t->line.end_ns = to_ns;
	task_log_add(&t->exec->logs[t - t->exec->threads], &t->line);
	task_sample(t, TASK_SAMPLES_PERIOD, to_ns - from_ns);
	if (t->worked)
		task_sample(t, TASK_SAMPLES_WORK, t->line.run_ns);
	return 0;
}

static int do_phases(struct task_thread *t, struct error *err)
{
	const struct task *task = t->task;
	int ret = 0;

	for (size_t i = 0; i < task->nr_phases; i++) {
		const struct task_phase *phase = &task->phases[i];

		for (uint64_t k = 0; phase->endless || k < phase->loops; k++) {
			if (ret || task_stops(t->exec))
				return ret;
			ret = go_through(t, phase, err);
		}
	}
	return ret;
}

/* Who has gone holds nothing: the others are to end as well. */
static void release_mutexes(const struct task_thread *t)
{
	for (size_t i = 0; i < t->exec->program->nr_objects; i++)
		if (t->exec->program->objects[i].kind == TASK_MUTEX)
			pthread_mutex_unlock(&t->exec->objects[i].mutex); /* EPERM: it didn't */
}

static int do_task(struct task_thread *t, struct error *err)
{
	const struct task *task = t->task;
	int ret;

	t->first_ns = t->exec->start_ns + task->delay_ns;
	if (task->delay_ns)
		task_sleep_until(t->exec, t->first_ns);
	ret = set_sched(t, &task->sched, err);
	for (uint64_t k = 0; !ret && !task_stops(t->exec) && (task->endless || k < task->loops);
	     k++)
		ret = do_phases(t, err);
	release_mutexes(t);
	if (ret)
		error_prefix(err, "task '%.80s'", task->name);
	return ret;
}

int task_thread_main(void *arg, struct error *err)
{
	struct task_thread *t = arg;
	struct task_exec *exec = t->exec;
	int ret;

	ret = task_memory_begin(t, err);
	if (ret)
		error_prefix(err, "task '%.80s'", t->task->name);
	if (!ret) {
		gate_pass(exec->gate);
		ret = do_task(t, err);
	}
	atomic_fetch_add(&exec->ended, 1);
	syscall(SYS_futex, &exec->ended, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return ret;
}
