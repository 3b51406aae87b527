// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/task_actor_ops.c - the operations of a task program on a simulated machine, each as a row of parts: a part starts one
 * operation of the sim, or none where there is nothing to wait for.
 */
#include "workload/task_actor.h"

#include <errno.h>
#include <string.h>

/* Of a run, between two looks at whether the time is over. */
#define CHUNK_NS    1000000
#define CHUNK_BYTES (UINT64_C(256) << 10)
#define LINE_BYTES  64

/* Return: whether an operation was started */
typedef bool (*part)(struct task_actor *a, struct sim_task *task);

static const struct task_op *op_of(const struct task_actor *a)
{
	return &a->task->phases[a->phase].ops[a->op];
}

static struct model_object *object_of(const struct task_actor *a)
{
	return &a->model->objects[op_of(a)->object];
}

/* That of the operation itself, or beside its object. */
static size_t mutex_index(const struct task_actor *a)
{
	const struct task_op *op = op_of(a);

	return op->kind == TASK_LOCK || op->kind == TASK_UNLOCK ? op->object : op->mutex;
}

static struct model_object *mutex_of(const struct task_actor *a)
{
	return &a->model->objects[mutex_index(a)];
}

static uint64_t now_of(const struct sim_task *task)
{
	return sim_now(sim_of(task));
}

static bool lock(struct task_actor *a, struct sim_task *task)
{
	if (mutex_of(a)->owner == a) {
		task_actor_fail(a, task, EDEADLK, "lock", mutex_index(a));
		return true;
	}
	sim_lock(task, mutex_of(a)->mutex);
	return true;
}

static bool own(struct task_actor *a, struct sim_task *task)
{
	(void)task;
	mutex_of(a)->owner = a;
	return false;
}

static bool unlock(struct task_actor *a, struct sim_task *task)
{
	if (mutex_of(a)->owner != a) {
		task_actor_fail(a, task, EPERM,
				op_of(a)->kind == TASK_UNLOCK ? "unlock" : "wait with mutex",
				mutex_index(a));
		return true;
	}
	mutex_of(a)->owner = NULL;
	sim_unlock(task, mutex_of(a)->mutex);
	return true;
}

static bool lock_if_needed(struct task_actor *a, struct sim_task *task)
{
	a->took = mutex_of(a)->owner != a;
	return a->took && lock(a, task);
}

static bool unlock_if_taken(struct task_actor *a, struct sim_task *task)
{
	const bool took = a->took;

	a->took = false;
	return took && unlock(a, task);
}

static bool look(struct task_actor *a, struct sim_task *task)
{
	(void)task;
	a->seen = sim_futex_value(object_of(a)->futex);
	return false;
}

static bool sleep_there(struct task_actor *a, struct sim_task *task)
{
	if (task_actor_is_over(a, now_of(task)))
		return false;
	sim_futex_wait(task, object_of(a)->futex, a->seen);
	return true;
}

static void wake(struct task_actor *a, struct sim_task *task, uint32_t n)
{
	struct sim_futex *futex = object_of(a)->futex;

	sim_futex_set(futex, sim_futex_value(futex) + 1);
	sim_futex_wake(task, futex, n);
}

static bool wake_one(struct task_actor *a, struct sim_task *task)
{
	wake(a, task, 1);
	return true;
}

static bool wake_all(struct task_actor *a, struct sim_task *task)
{
	wake(a, task, UINT32_MAX);
	return true;
}

static bool arrive(struct task_actor *a, struct sim_task *task)
{
	struct model_object *barrier = object_of(a);

	a->seen = sim_futex_value(barrier->futex);
	if (++barrier->arrived < a->model->program->objects[op_of(a)->object].users)
		return sleep_there(a, task);
	barrier->arrived = 0;
	return wake_all(a, task);
}

/* A call only where somebody waits. */
static bool post(struct task_actor *a, struct sim_task *task)
{
	struct model_object *semaphore = object_of(a);

	sim_futex_set(semaphore->futex, sim_futex_value(semaphore->futex) + 1);
	if (!semaphore->waiting)
		return false;
	if (!semaphore->posted_ns)
		semaphore->posted_ns = now_of(task);
	sim_futex_wake(task, semaphore->futex, 1);
	return true;
}

/* Who was woken looks again: another one may have been quicker. */
static bool take(struct task_actor *a, struct sim_task *task)
{
	struct model_object *semaphore = object_of(a);
	const uint32_t left = sim_futex_value(semaphore->futex);

	if (a->took)
		semaphore->waiting--;
	if (left || task_actor_is_over(a, now_of(task))) {
		if (left)
			sim_futex_set(semaphore->futex, left - 1);
		if (left && a->took && semaphore->posted_ns)
			task_actor_sample(a, TASK_SAMPLES_WOKEN,
					  now_of(task) - semaphore->posted_ns);
		a->took = false;
		return false;
	}
	semaphore->posted_ns = 0;
	semaphore->waiting++;
	a->took = true;
	a->part--; /* and again */
	sim_futex_wait(task, semaphore->futex, 0);
	return true;
}

static bool begin_run(struct task_actor *a, struct sim_task *task)
{
	a->at_ns = now_of(task);
	a->left_ns = op_of(a)->ns;
	return false;
}

static bool run(struct task_actor *a, struct sim_task *task)
{
	const bool cut = a->model->program->ends_by_time && a->left_ns > CHUNK_NS;
	const uint64_t ns = cut ? CHUNK_NS : a->left_ns;

	if (!ns || task_actor_is_over(a, now_of(task)))
		return false;
	a->left_ns -= ns;
	a->part--;
	sim_run(task, ns);
	return true;
}

static bool run_time(struct task_actor *a, struct sim_task *task)
{
	uint64_t until_ns = a->at_ns + op_of(a)->ns;

	if (task_actor_is_over(a, until_ns))
		until_ns = a->model->stop_ns;
	sim_run_until(task, until_ns);
	return true;
}

static bool end_run(struct task_actor *a, struct sim_task *task)
{
	struct task_counts *counts = &a->model->counts[a->task - a->model->program->tasks];
	const uint64_t took_ns = now_of(task) - a->at_ns;

	a->line.run_ns += took_ns;
	a->line.asked_ns += op_of(a)->ns;
	a->worked = true;
	if (task_actor_is_over(a, now_of(task)))
		return false;
	counts->runs++;
	counts->work_ns += took_ns;
	counts->asked_ns += op_of(a)->ns;
	return false;
}

static bool nap_until(struct task_actor *a, struct sim_task *task, uint64_t ns)
{
	sim_sleep_until(task, task_actor_is_over(a, ns) ? a->model->stop_ns : ns);
	return true;
}

static bool nap(struct task_actor *a, struct sim_task *task)
{
	return nap_until(a, task, now_of(task) + op_of(a)->ns);
}

static bool begin_timer(struct task_actor *a, struct sim_task *task)
{
	const size_t i = op_of(a)->object;
	const struct task_object *object = &a->model->program->objects[i];
	struct task_timer *timer =
		object->own ? &a->timers[a->model->slots[i]] : &a->model->objects[i].timer;
	int64_t slack = task_timer_advance(timer, &a->at_ns, a->first_ns, now_of(task),
					   op_of(a)->ns, object->absolute);

	task_line_timer(&a->line, op_of(a)->ns, slack, a->model->program->adds_slack);
	a->took = slack > 0;
	if (slack <= 0) {
		task_actor_sample(a, TASK_SAMPLES_OVERRUN, (uint64_t)-slack);
		return false;
	}
	task_actor_sample(a, TASK_SAMPLES_SLACK, (uint64_t)slack);
	return nap_until(a, task, a->at_ns);
}

static bool end_timer(struct task_actor *a, struct sim_task *task)
{
	if (a->took && !task_actor_is_over(a, a->at_ns)) {
		task_actor_sample(a, TASK_SAMPLES_WAKEUP, now_of(task) - a->at_ns);
		a->line.wakeup_ns += now_of(task) - a->at_ns;
	}
	a->took = false;
	return false;
}

static bool yield(struct task_actor *a, struct sim_task *task)
{
	(void)a;
	sim_yield(task);
	return true;
}

static bool fork_task(struct task_actor *a, struct sim_task *task)
{
	struct task_model *m = a->model;
	const size_t i = op_of(a)->object, n = m->forks[i]++;
	struct task_actor *child = &m->actors[m->first[i] + n];
	const struct sim_task_spec spec = {
		.name = child->name, .step = task_actor_step, .data = child, .thread = true
	};

	if (n >= m->program->tasks[i].instances) {
		error_set(&m->wrong, EAGAIN,
			  "task '%.80s': fork: '%.80s' was forked %zu times, which is the limit",
			  a->task->name, m->program->tasks[i].name, n);
		sim_stop(m->sim);
		sim_exit(task);
		return true;
	}
	child->bound = a->bound;
	child->sched = a->sched;
	m->at_work++;
	sim_fork(task, &spec);
	return true;
}

static bool mark(struct task_actor *a, struct sim_task *task)
{
	const uint64_t due_ns = a->model->start_ns + op_of(a)->ns;
	const uint64_t at_ns = now_of(task);

	task_actor_sample(a, TASK_SAMPLES_LATE, at_ns > due_ns ? at_ns - due_ns : 0);
	return false;
}

static bool begin_bytes(struct task_actor *a, struct sim_task *task)
{
	(void)task;
	a->touched = 0;
	return false;
}

/* Each place once more until as many are. A pointer is a cache line. */
static bool touch(struct task_actor *a, struct sim_task *task)
{
	const struct task_op *op = op_of(a);
	const struct task_object *object = &a->model->program->objects[op->object];
	struct sim_memory *memory =
		object->own ? a->memories[a->model->slots[op->object]] : object_of(a)->memory;
	const uint64_t count = op->kind == TASK_CHASE ? op->count * LINE_BYTES : op->count;
	const uint64_t from = a->touched % object->bytes;
	uint64_t bytes = count - a->touched;

	if (!bytes || task_actor_is_over(a, now_of(task)))
		return false;
	bytes = bytes < object->bytes - from ? bytes : object->bytes - from;
	bytes = bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
	a->touched += bytes;
	a->part--;
	sim_touch(task, memory, from, bytes);
	return true;
}

/* As many writes as it takes. Only a file has a device behind it; there is no page cache, so each write waits for it. */
static bool write_out(struct task_actor *a, struct sim_task *task)
{
	const struct task_program *program = a->model->program;
	const struct task_op *op = op_of(a);
	const bool device = strncmp(program->io_path, "/dev/", 5);
	uint64_t bytes = op->count - a->touched;

	if (!bytes || task_actor_is_over(a, now_of(task)))
		return false;
	if (bytes > program->objects[op->object].bytes)
		bytes = program->objects[op->object].bytes;
	a->touched += bytes;
	a->part--;
	sim_io(task, device ? bytes : 0, device ? sim_costs(a->model->sim)->io_ns : 0);
	return true;
}

#define MAX_PARTS 10 /* the last one is none */

static const part parts[][MAX_PARTS] = {
	[TASK_RUN] = { begin_run, run, end_run },
	[TASK_RUNTIME] = { begin_run, run_time, end_run },
	[TASK_SLEEP] = { nap },
	[TASK_TIMER_WAIT] = { begin_timer, end_timer },
	[TASK_LOCK] = { lock, own },
	[TASK_UNLOCK] = { unlock },
	[TASK_WAIT] = { look, unlock, sleep_there, lock, own },
	[TASK_SIGNAL] = { wake_one },
	[TASK_BROADCAST] = { wake_all },
	[TASK_SYNC] = { lock_if_needed, own, wake_one, look, unlock, sleep_there, lock, own,
			unlock_if_taken },
	[TASK_SUSPEND] = { lock, own, look, unlock, sleep_there, lock, own, unlock },
	[TASK_RESUME] = { lock, own, wake_all, unlock },
	[TASK_BARRIER_WAIT] = { arrive },
	[TASK_POST] = { post },
	[TASK_TAKE] = { take },
	[TASK_FORK] = { fork_task },
	[TASK_MARK] = { mark },
	[TASK_YIELD] = { yield },
	[TASK_FILL] = { begin_bytes, touch },
	[TASK_WRITE] = { begin_bytes, touch },
	[TASK_READ] = { begin_bytes, touch },
	[TASK_CHASE] = { begin_bytes, touch },
	[TASK_IO] = { begin_bytes, write_out },
};

bool task_actor_op(struct task_actor *a, struct sim_task *task)
{
	const part *row = parts[op_of(a)->kind];

	while (row[a->part])
		if (row[a->part++](a, task))
			return true;
	a->part = 0;
	return false;
}
