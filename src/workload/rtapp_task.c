// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/rtapp_task.c - one task's way through its program. Nothing of a stop is left to chance: sleeps end at the end
 * of the time, work looks at the clock each millisecond, and who waits for a condition is woken until it has gone.
 */
#include "workload/rtapp_task.h"

#include "base/clock.h"
#include "workload/place.h"
#include "workload/rtapp_exec.h"
#include "workload/sched_attr.h"
#include "workload/work.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>

int64_t rtapp_timer_advance(struct rtapp_timer *timer, uint64_t *due_ns, uint64_t first_ns,
			    uint64_t now_ns, uint64_t period_ns, bool absolute)
{
	int64_t slack;

	if (!timer->begun)
		*timer = (struct rtapp_timer){ .begun = true, .next_ns = first_ns };
	timer->next_ns += period_ns;
	*due_ns = timer->next_ns;
	slack = (int64_t)(timer->next_ns - now_ns);
	if (slack <= 0 && !absolute)
		timer->next_ns = now_ns;
	return slack;
}

static uint64_t now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static bool is_over(const struct rtapp_exec *exec, uint64_t now_ns)
{
	return exec->program->ends_by_time && now_ns >= exec->stop_ns;
}

/* Is it time to leave, whatever is next? */
static bool stops(const struct rtapp_exec *exec)
{
	return atomic_load_explicit(&exec->stop, memory_order_relaxed);
}

static void sleep_until(const struct rtapp_exec *exec, uint64_t ns)
{
	clock_sleep_until(CLOCK_MONOTONIC, is_over(exec, ns) ? exec->stop_ns : ns);
}

static const char *object_name(const struct rtapp_thread *t, size_t index)
{
	return t->exec->program->objects[index].name;
}

/* The words for what pthread_mutex_*() and pthread_cond_wait() can say of mutexes that check. */
static int mutex_failed(const struct rtapp_thread *t, const char *what, size_t mutex, int code,
			struct error *err)
{
	const char *name = object_name(t, mutex);

	if (code == EDEADLK)
		return error_set(err, code, "%s '%.80s': the task holds it already", what, name);
	if (code == EPERM)
		return error_set(err, code, "%s '%.80s': the task does not hold it", what, name);
	return error_set(err, code, "%s '%.80s': %s", what, name, strerror(code));
}

static int lock(const struct rtapp_thread *t, size_t mutex, struct error *err)
{
	int code = pthread_mutex_lock(&t->exec->objects[mutex].mutex);

	return code ? mutex_failed(t, "lock", mutex, code, err) : 0;
}

static int unlock(const struct rtapp_thread *t, size_t mutex, struct error *err)
{
	int code = pthread_mutex_unlock(&t->exec->objects[mutex].mutex);

	return code ? mutex_failed(t, "unlock", mutex, code, err) : 0;
}

static int wait_condition(const struct rtapp_thread *t, size_t condition, size_t mutex,
			  struct error *err)
{
	struct rtapp_object *objects = t->exec->objects;
	int code = stops(t->exec) ? 0
				  : pthread_cond_wait(&objects[condition].condition,
						      &objects[mutex].mutex);

	return code ? mutex_failed(t, "wait with mutex", mutex, code, err) : 0;
}

static void signal_one(const struct rtapp_thread *t, size_t condition)
{
	pthread_cond_signal(&t->exec->objects[condition].condition);
}

static int signal_and_wait(const struct rtapp_thread *t, const struct task_op *op,
			   struct error *err)
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

static int suspend(const struct rtapp_thread *t, const struct task_op *op, struct error *err)
{
	int ret = lock(t, op->mutex, err);

	if (!ret)
		ret = wait_condition(t, op->object, op->mutex, err);
	return ret ? ret : unlock(t, op->mutex, err);
}

static int resume(const struct rtapp_thread *t, const struct task_op *op, struct error *err)
{
	int ret = lock(t, op->mutex, err);

	if (ret)
		return ret;
	pthread_cond_broadcast(&t->exec->objects[op->object].condition);
	return unlock(t, op->mutex, err);
}

/* Rounds are counted, so that one who comes round again before the others are awake waits for the next one. */
static void pass_barrier(const struct rtapp_thread *t, size_t index)
{
	struct rtapp_object *barrier = &t->exec->objects[index];
	uint64_t round;

	pthread_mutex_lock(&barrier->mutex);
	round = barrier->rounds;
	if (++barrier->arrived == t->exec->program->objects[index].users) {
		barrier->arrived = 0;
		barrier->rounds++;
		pthread_cond_broadcast(&barrier->condition);
	}
	while (barrier->rounds == round && !stops(t->exec))
		pthread_cond_wait(&barrier->condition, &barrier->mutex);
	pthread_mutex_unlock(&barrier->mutex);
}

static int64_t advance_timer(struct rtapp_thread *t, const struct task_op *op, uint64_t *due_ns)
{
	const struct task_object *timer = &t->exec->program->objects[op->object];
	struct rtapp_object *shared = &t->exec->objects[op->object];
	int64_t slack;

	if (timer->own)
		return rtapp_timer_advance(&t->timers[op->object], due_ns, t->first_ns, now(),
					   op->ns, timer->absolute);
	pthread_mutex_lock(&shared->mutex);
	slack = rtapp_timer_advance(&shared->timer, due_ns, t->first_ns, now(), op->ns,
				    timer->absolute);
	pthread_mutex_unlock(&shared->mutex);
	return slack;
}

static void wait_timer(struct rtapp_thread *t, const struct task_op *op)
{
	uint64_t due_ns;
	int64_t slack = advance_timer(t, op, &due_ns);

	if (slack <= 0) {
		histogram_add(&t->samples[RTAPP_OVERRUN], (uint64_t)-slack);
		return;
	}
	histogram_add(&t->samples[RTAPP_SLACK], (uint64_t)slack);
	sleep_until(t->exec, due_ns);
	if (!is_over(t->exec, due_ns))
		histogram_add(&t->samples[RTAPP_WAKEUP], now() - due_ns);
}

/* Return: the time when it was done */
static uint64_t do_run(const struct rtapp_exec *exec, uint64_t ns, uint64_t at_ns)
{
	for (; ns > RTAPP_CHUNK_NS && !is_over(exec, at_ns); ns -= RTAPP_CHUNK_NS) {
		work_do(exec->chunk_units);
		at_ns = now();
	}
	if (!is_over(exec, at_ns))
		work_do(work_units(exec->unit_ns, ns));
	return now();
}

static uint64_t do_runtime(const struct rtapp_exec *exec, uint64_t ns, uint64_t at_ns)
{
	const uint64_t from_ns = at_ns;

	do {
		work_do(exec->runtime_units);
		at_ns = now();
	} while (at_ns - from_ns < ns && !is_over(exec, at_ns));
	return at_ns;
}

static void do_work(struct rtapp_thread *t, const struct task_op *op)
{
	uint64_t from_ns = now();
	uint64_t to_ns = op->kind == TASK_RUN ? do_run(t->exec, op->ns, from_ns)
					      : do_runtime(t->exec, op->ns, from_ns);

	t->in_phase_ns += to_ns - from_ns;
	t->worked = true;
	if (is_over(t->exec, to_ns))
		return;
	t->counts.runs++;
	t->counts.work_ns += to_ns - from_ns;
	t->counts.asked_ns += op->ns;
}

static int do_op(struct rtapp_thread *t, const struct task_op *op, struct error *err)
{
	switch (op->kind) {
	case TASK_RUN:
	case TASK_RUNTIME:
		do_work(t, op);
		return 0;
	case TASK_SLEEP:
		sleep_until(t->exec, now() + op->ns);
		return 0;
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
	case TASK_YIELD:
		sched_yield();
		return 0;
	}
	return 0;
}

static int set_sched(struct rtapp_thread *t, const struct task_sched *sched, struct error *err)
{
	static const struct {
		const char *name;
		uint32_t policy;
	} policies[] = {
		[TASK_OTHER] = { "SCHED_OTHER", SCHED_OTHER },
		[TASK_BATCH] = { "SCHED_BATCH", SCHED_BATCH },
		[TASK_IDLE] = { "SCHED_IDLE", SCHED_IDLE },
		[TASK_RR] = { "SCHED_RR", SCHED_RR },
		[TASK_FIFO] = { "SCHED_FIFO", SCHED_FIFO },
		[TASK_DEADLINE] = { "SCHED_DEADLINE", SCHED_DEADLINE },
	};
	const bool rt = sched->policy == TASK_RR || sched->policy == TASK_FIFO;
	const bool deadline = sched->policy == TASK_DEADLINE;
	struct task_attr attr = {
		.policy = policies[sched->policy].policy,
		.nice = rt || deadline ? 0 : sched->priority,
		.priority = rt ? (uint32_t)sched->priority : 0,
		.runtime_ns = rt ? 0 : sched->runtime_ns,
		.deadline_ns = deadline ? sched->deadline_ns : 0,
		.period_ns = deadline ? sched->period_ns : 0,
	};

	if (!sched->given || t->sched == sched)
		return 0;
	if (task_attr_set(&attr))
		return error_set(err, errno, "%s, priority %d: %s%s", policies[sched->policy].name,
				 sched->priority, strerror(errno),
				 errno == EBUSY ? ", no bandwidth is left for it" : "");
	t->sched = sched;
	return 0;
}

static int set_cpus(struct rtapp_thread *t, const struct task_phase *phase, struct error *err)
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

static int go_through(struct rtapp_thread *t, const struct task_phase *phase, struct error *err)
{
	uint64_t from_ns, to_ns;
	int ret = set_cpus(t, phase, err);

	if (!ret)
		ret = set_sched(t, &phase->sched, err);
	t->in_phase_ns = 0;
	t->worked = false;
	from_ns = now();
	for (size_t i = 0; !ret && i < phase->nr_ops && !stops(t->exec); i++)
		ret = do_op(t, &phase->ops[i], err);
	to_ns = now();
	/* whoever sees it first: the worker itself may get no CPU beside real-time tasks */
	if (is_over(t->exec, to_ns))
		atomic_store(&t->exec->stop, true);
	if (ret || stops(t->exec))
		return ret;
	t->counts.phases++;
	histogram_add(&t->samples[RTAPP_PERIOD], to_ns - from_ns);
	if (t->worked)
		histogram_add(&t->samples[RTAPP_WORK], t->in_phase_ns);
	return 0;
}

static int do_phases(struct rtapp_thread *t, struct error *err)
{
	const struct task *task = t->task;
	int ret = 0;

	for (size_t i = 0; i < task->nr_phases; i++) {
		const struct task_phase *phase = &task->phases[i];

		for (uint64_t k = 0; phase->endless || k < phase->loops; k++) {
			if (ret || stops(t->exec))
				return ret;
			ret = go_through(t, phase, err);
		}
	}
	return ret;
}

/* Who has gone holds nothing: the others are to end as well. */
static void release_mutexes(const struct rtapp_thread *t)
{
	for (size_t i = 0; i < t->exec->program->nr_objects; i++)
		if (t->exec->program->objects[i].kind == TASK_MUTEX)
			pthread_mutex_unlock(&t->exec->objects[i].mutex); /* EPERM: it didn't */
}

static int do_task(struct rtapp_thread *t, struct error *err)
{
	const struct task *task = t->task;
	int ret;

	t->first_ns = t->exec->start_ns + task->delay_ns;
	if (task->delay_ns)
		sleep_until(t->exec, t->first_ns);
	ret = set_sched(t, &task->sched, err);
	for (uint64_t k = 0; !ret && !stops(t->exec) && (task->endless || k < task->loops); k++)
		ret = do_phases(t, err);
	release_mutexes(t);
	if (ret)
		error_prefix(err, "task '%.80s'", task->name);
	return ret;
}

int rtapp_thread_main(void *arg, struct error *err)
{
	struct rtapp_thread *t = arg;
	struct rtapp_exec *exec = t->exec;
	int ret;

	gate_pass(exec->gate);
	ret = do_task(t, err);
	atomic_fetch_add(&exec->ended, 1);
	syscall(SYS_futex, &exec->ended, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return ret;
}
