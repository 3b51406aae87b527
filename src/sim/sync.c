// SPDX-License-Identifier: GPL-2.0-only
#include "sim/sync.h"

#include "sim/cpu.h"
#include "sim/op.h"

#include <inttypes.h>

struct sim_futex {
	uint32_t nr;
	const char *name;
	uint32_t value;
	struct task_list waiting;
};

/* struct sim_mutex - @owner: NULL: free */
struct sim_mutex {
	uint32_t nr;
	const char *name;
	struct sim_task *owner;
	struct task_list waiting;
};

struct sim_barrier {
	uint32_t nr;
	uint64_t users;
	uint64_t arrived;
	uint64_t generation;
	struct task_list waiting;
};

struct sim_futex *sim_futex_new(struct sim *sim)
{
	struct sim_futex *futex = arena_alloc(sim->arena, sizeof(*futex));

	futex->nr = ++sim->nr_futexes;
	return futex;
}

void sim_futex_name(struct sim_futex *futex, const char *name)
{
	futex->name = name;
}

void sim_futex_tell(const struct sim_futex *futex, struct strbuf *sb)
{
	if (futex->name)
		strbuf_addf(sb, "waits at %s", futex->name);
	else
		strbuf_addf(sb, "waits at futex %" PRIu32, futex->nr);
}

uint32_t sim_futex_value(const struct sim_futex *futex)
{
	return futex->value;
}

void sim_futex_set(struct sim_futex *futex, uint32_t value)
{
	futex->value = value;
}

static void futex_wait_now(struct sim_task *task)
{
	struct sim_futex *futex = task->object;

	op_end(task);
	if (futex->value != (uint32_t)task->value)
		return;
	task_list_add(&futex->waiting, task);
	op_block(task, WAIT_FUTEX, sim_task_step);
}

void sim_futex_wait(struct sim_task *task, struct sim_futex *futex, uint32_t value)
{
	task->object = futex;
	task->value = value;
	op_call(task, task->sim->costs->futex_wait_ns, futex_wait_now);
}

/* Which they are is clear at once, though waking them takes time. */
static void futex_wake_now(struct sim_task *task)
{
	struct sim_futex *futex = task->object;

	for (uint64_t n = 0; n < task->amount && futex->waiting.first; n++)
		task_list_add(&task->to_wake, task_list_take(&futex->waiting));
	op_wake(task);
}

void sim_futex_wake(struct sim_task *task, struct sim_futex *futex, uint32_t n)
{
	task->object = futex;
	task->amount = n;
	op_call(task, task->sim->costs->futex_wake_ns, futex_wake_now);
}

struct sim_mutex *sim_mutex_new(struct sim *sim)
{
	struct sim_mutex *mutex = arena_alloc(sim->arena, sizeof(*mutex));

	mutex->nr = ++sim->nr_mutexes;
	return mutex;
}

void sim_mutex_name(struct sim_mutex *mutex, const char *name)
{
	mutex->name = name;
}

void sim_mutex_tell(const struct sim_mutex *mutex, struct strbuf *sb)
{
	const struct sim_task *owner = mutex->owner;

	if (mutex->name)
		strbuf_addf(sb, "locks %s", mutex->name);
	else
		strbuf_addf(sb, "locks mutex %" PRIu32, mutex->nr);
	if (owner)
		strbuf_addf(sb, ", which '%s' (%" PRIu32 ") holds", owner->comm, owner->nr);
}

static void lock_again(struct sim_task *task);

static bool take_mutex(struct sim_task *task)
{
	struct sim_mutex *mutex = task->object;

	if (mutex->owner)
		return false;
	mutex->owner = task;
	op_end(task);
	return true;
}

static void lock_now(struct sim_task *task)
{
	struct sim_mutex *mutex = task->object;

	if (take_mutex(task))
		return;
	task_list_add(&mutex->waiting, task);
	op_block(task, WAIT_MUTEX, lock_again);
}

/* Woken, it may find that somebody was faster; then it waits anew, before all others. */
static void lock_again(struct sim_task *task)
{
	struct sim_mutex *mutex = task->object;

	if (take_mutex(task))
		return;
	task_list_put(&mutex->waiting, task);
	op_block(task, WAIT_MUTEX, lock_again);
}

void sim_lock(struct sim_task *task, struct sim_mutex *mutex)
{
	assert(mutex->owner != task);
	task->object = mutex;
	if (mutex->owner)
		op_call(task, task->sim->costs->futex_wait_ns, lock_now);
	else
		op_begin(task, 0, lock_now);
}

static void unlock_now(struct sim_task *task)
{
	struct sim_mutex *mutex = task->object;
	struct sim_task *next = task_list_take(&mutex->waiting);

	op_end(task);
	if (next)
		sim_cpu_wake(sim_cpu_of(task), next, false);
}

/* It is free at once; telling who waits takes time. */
void sim_unlock(struct sim_task *task, struct sim_mutex *mutex)
{
	assert(mutex->owner == task);
	mutex->owner = NULL;
	task->object = mutex;
	if (mutex->waiting.first)
		op_call(task, task->sim->costs->futex_wake_ns, unlock_now);
	else
		op_begin(task, 0, sim_task_step);
}

struct sim_barrier *sim_barrier_new(struct sim *sim, uint64_t users)
{
	struct sim_barrier *barrier = arena_alloc(sim->arena, sizeof(*barrier));

	assert(users);
	barrier->nr = ++sim->nr_barriers;
	barrier->users = users;
	return barrier;
}

void sim_barrier_tell(const struct sim_barrier *barrier, struct strbuf *sb)
{
	strbuf_addf(sb, "waits at barrier %" PRIu32 ", where %" PRIu64 " of %" PRIu64 " are",
		    barrier->nr, barrier->arrived, barrier->users);
}

/* Who was told too early waits on; who was let go on before it waits doesn't begin to. */
static void barrier_wait_now(struct sim_task *task)
{
	struct sim_barrier *barrier = task->object;

	if (barrier->generation != task->value) {
		op_end(task);
		return;
	}
	task_list_add(&barrier->waiting, task);
	op_block(task, WAIT_BARRIER, barrier_wait_now);
}

static void barrier_open(struct sim_task *task)
{
	struct sim_barrier *barrier = task->object;

	task->to_wake = barrier->waiting;
	barrier->waiting.first = NULL;
	op_wake(task);
}

/* Coming is free and at once, only the two calls take time. */
void sim_barrier_wait(struct sim_task *task, struct sim_barrier *barrier)
{
	const struct costs *costs = task->sim->costs;

	task->object = barrier;
	task->value = barrier->generation;
	if (++barrier->arrived < barrier->users) {
		op_call(task, costs->futex_wait_ns, barrier_wait_now);
		return;
	}
	barrier->arrived = 0;
	barrier->generation++;
	op_call(task, costs->futex_wake_ns, barrier_open);
}
