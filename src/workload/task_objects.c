// SPDX-License-Identifier: GPL-2.0-only
/* workload/task_objects.c - what a task does with what it shares with others, and with its timers. */
#include "workload/task_thread.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

int64_t task_timer_advance(struct task_timer *timer, uint64_t *due_ns, uint64_t first_ns,
			   uint64_t now_ns, uint64_t period_ns, bool absolute)
{
	int64_t slack;

	if (!timer->begun)
		*timer = (struct task_timer){ .begun = true, .next_ns = first_ns };
	timer->next_ns += period_ns;
	*due_ns = timer->next_ns;
	slack = (int64_t)(timer->next_ns - now_ns);
	if (slack <= 0 && !absolute)
		timer->next_ns = now_ns;
	return slack;
}

void task_line_timer(struct task_line *line, uint64_t period_ns, int64_t slack_ns, bool adds_up)
{
	line->period_ns += period_ns;
	line->slack_ns = (adds_up ? line->slack_ns : 0) + slack_ns;
	if (slack_ns <= 0)
		line->wakeup_ns = 0;
}

static const char *object_name(const struct task_thread *t, size_t index)
{
	return t->exec->program->objects[index].name;
}

/* The words for what pthread_mutex_*() and pthread_cond_wait() can say of mutexes that check. */
static int mutex_failed(const struct task_thread *t, const char *what, size_t mutex, int code,
			struct error *err)
{
	const char *name = object_name(t, mutex);

	if (code == EDEADLK)
		return error_set(err, code, "%s '%.80s': the task holds it already", what, name);
	if (code == EPERM)
		return error_set(err, code, "%s '%.80s': the task does not hold it", what, name);
	return error_set(err, code, "%s '%.80s': %s", what, name, strerror(code));
}

static int lock(const struct task_thread *t, size_t mutex, struct error *err)
{
	int code = pthread_mutex_lock(&t->exec->objects[mutex].mutex);

	return code ? mutex_failed(t, "lock", mutex, code, err) : 0;
}

static int unlock(const struct task_thread *t, size_t mutex, struct error *err)
{
	int code = pthread_mutex_unlock(&t->exec->objects[mutex].mutex);

	return code ? mutex_failed(t, "unlock", mutex, code, err) : 0;
}

static int wait_condition(const struct task_thread *t, size_t condition, size_t mutex,
			  struct error *err)
{
	struct exec_object *objects = t->exec->objects;
	int code = task_stops(t->exec) ? 0
				       : pthread_cond_wait(&objects[condition].condition,
							   &objects[mutex].mutex);

	return code ? mutex_failed(t, "wait with mutex", mutex, code, err) : 0;
}

static void signal_one(const struct task_thread *t, size_t condition)
{
	pthread_cond_signal(&t->exec->objects[condition].condition);
}

static int signal_and_wait(const struct task_thread *t, const struct task_op *op, struct error *err)
{
	int code = pthread_mutex_lock(&t->exec->objects[op->mutex].mutex);
	int ret;

	if (code && code != EDEADLK)
		return mutex_failed(t, "lock", op->mutex, code, err);
	signal_one(t, op->object);
	ret = wait_condition(t, op->object, op->mutex, err);
	if (ret || code == EDEADLK)
		return ret;
	return unlock(t, op->mutex, err);
}

static int suspend(const struct task_thread *t, const struct task_op *op, struct error *err)
{
	int ret = lock(t, op->mutex, err);

	if (!ret)
		ret = wait_condition(t, op->object, op->mutex, err);
	return ret ? ret : unlock(t, op->mutex, err);
}

static int resume(const struct task_thread *t, const struct task_op *op, struct error *err)
{
	int ret = lock(t, op->mutex, err);

	if (ret)
		return ret;
	pthread_cond_broadcast(&t->exec->objects[op->object].condition);
	return unlock(t, op->mutex, err);
}

/* Rounds are counted, so that one who comes round again before the others are awake waits for the next one. */
static void pass_barrier(const struct task_thread *t, size_t index)
{
	struct exec_object *barrier = &t->exec->objects[index];
	uint64_t round;

	pthread_mutex_lock(&barrier->mutex);
	round = barrier->rounds;
	if (++barrier->arrived == t->exec->program->objects[index].users) {
		barrier->arrived = 0;
		barrier->rounds++;
		pthread_cond_broadcast(&barrier->condition);
	}
	while (barrier->rounds == round && !task_stops(t->exec))
		pthread_cond_wait(&barrier->condition, &barrier->mutex);
	pthread_mutex_unlock(&barrier->mutex);
}

static int64_t advance_timer(struct task_thread *t, const struct task_op *op, uint64_t *due_ns)
{
	const struct task_object *timer = &t->exec->program->objects[op->object];
	struct exec_object *shared = &t->exec->objects[op->object];
	int64_t slack;

	if (timer->own)
		return task_timer_advance(&t->timers[t->exec->slots[op->object]], due_ns,
					  t->first_ns, task_now(), op->ns, timer->absolute);
	pthread_mutex_lock(&shared->mutex);
	slack = task_timer_advance(&shared->timer, due_ns, t->first_ns, task_now(), op->ns,
				   timer->absolute);
	pthread_mutex_unlock(&shared->mutex);
	return slack;
}

static void wait_timer(struct task_thread *t, const struct task_op *op)
{
	uint64_t due_ns;
	int64_t slack = advance_timer(t, op, &due_ns);
	uint64_t late_ns;

	task_line_timer(&t->line, op->ns, slack, t->exec->program->adds_slack);
	if (slack <= 0) {
		task_sample(t, TASK_SAMPLES_OVERRUN, (uint64_t)-slack);
		return;
	}
	task_sample(t, TASK_SAMPLES_SLACK, (uint64_t)slack);
	task_sleep_until(t->exec, due_ns);
	if (task_is_over(t->exec, due_ns))
		return;
	late_ns = task_now() - due_ns;
	t->line.wakeup_ns += late_ns;
	task_sample(t, TASK_SAMPLES_WAKEUP, late_ns);
}

static void post(const struct task_thread *t, size_t index)
{
	struct exec_object *semaphore = &t->exec->objects[index];

	/* a clock is read for who sleeps only */
	if (!atomic_load(&semaphore->posted_ns)) {
		uint64_t nobody = 0;

		atomic_compare_exchange_strong(&semaphore->posted_ns, &nobody, task_now());
	}
	sem_post(&semaphore->semaphore);
}

static void take(struct task_thread *t, size_t index)
{
	struct exec_object *semaphore = &t->exec->objects[index];
	uint64_t posted_ns;

	if (!sem_trywait(&semaphore->semaphore))
		return;
	atomic_store(&semaphore->posted_ns, 0);
	while (sem_wait(&semaphore->semaphore) && errno == EINTR)
		;
	posted_ns = atomic_load(&semaphore->posted_ns);
	/* 0: it came between the two looks, and nobody slept */
	if (posted_ns && !task_stops(t->exec))
		task_sample(t, TASK_SAMPLES_WOKEN, task_now() - posted_ns);
}

int task_object_op(struct task_thread *t, const struct task_op *op, struct error *err)
{
	switch (op->kind) {
	case TASK_TIMER_WAIT:
		wait_timer(t, op);
		return 0;
	case TASK_LOCK:
		return lock(t, op->object, err);
	case TASK_UNLOCK:
		return unlock(t, op->object, err);
	case TASK_WAIT:
		return wait_condition(t, op->object, op->mutex, err);
	case TASK_SIGNAL:
		signal_one(t, op->object);
		return 0;
	case TASK_BROADCAST:
		pthread_cond_broadcast(&t->exec->objects[op->object].condition);
		return 0;
	case TASK_SYNC:
		return signal_and_wait(t, op, err);
	case TASK_SUSPEND:
		return suspend(t, op, err);
	case TASK_RESUME:
		return resume(t, op, err);
	case TASK_BARRIER_WAIT:
		pass_barrier(t, op->object);
		return 0;
	case TASK_POST:
		post(t, op->object);
		return 0;
	case TASK_TAKE:
		take(t, op->object);
		return 0;
	default:
		assert(!"an operation with an object");
		return 0;
	}
}
