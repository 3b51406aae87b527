// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/schbench_task.c - the threads of schbench. Who sleeps has marked itself as blocked first; who wakes it makes
 * that running again. So none sleeps through a wakeup, and one that is to come need not be called.
 */
#include "workload/schbench.h"

#include "base/clock.h"
#include "workload/place.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S UINT64_C(1000000000)

static void post(atomic_uint *state)
{
	unsigned int blocked = STATE_BLOCKED;

	if (atomic_compare_exchange_strong(state, &blocked, STATE_RUNNING))
		syscall(SYS_futex, state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void await(atomic_uint *state, const struct schbench *sb)
{
	while (atomic_load(state) == STATE_BLOCKED && !schbench_is_over(&sb->end))
		syscall(SYS_futex, state, FUTEX_WAIT_PRIVATE, STATE_BLOCKED, NULL, NULL, 0);
}

/* Or until the run stops. */
static void sleep_until(struct schbench *sb, uint64_t ns)
{
	const struct timespec until = { .tv_sec = (time_t)(ns / NS_PER_S),
					.tv_nsec = (long)(ns % NS_PER_S) };

	while (!schbench_is_over(&sb->end) && clock_ns(CLOCK_MONOTONIC) < ns)
		syscall(SYS_futex, &sb->end.stop, FUTEX_WAIT_BITSET_PRIVATE, 0, &until, NULL,
			FUTEX_BITSET_MATCH_ANY);
}

void schbench_stop(struct schbench *sb)
{
	const size_t workers = sb->plan.messengers * sb->plan.threads;

	atomic_store(&sb->end.stop, 1);
	syscall(SYS_futex, &sb->end.stop, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	for (size_t i = 0; i < sb->plan.messengers; i++)
		post(&sb->messengers[i].state);
	for (size_t i = 0; i < workers; i++)
		post(&sb->workers[i].state);
}

uint64_t schbench_done(const struct schbench *sb)
{
	const size_t workers = sb->plan.messengers * sb->plan.threads;
	uint64_t sum = 0;

	for (size_t i = 0; i < workers; i++)
		sum += atomic_load_explicit(&sb->workers[i].done, memory_order_relaxed);
	return sum;
}

/* The message thread's part of a hop through memory, if it is one. */
static void fill_pipe(const struct worker *worker, int byte)
{
	if (worker->pipe)
		memset(worker->pipe, byte, worker->sb->plan.pipe_bytes);
}

/* All who have asked, the last one first; the time is that of the decision, so being kept from waking is in it. */
static void wake_all(struct messenger *messenger)
{
	struct worker *worker = atomic_exchange(&messenger->first, NULL), *next;
	const uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);

	for (; worker; worker = next) {
		next = worker->next; /* it may ask again at once */
		fill_pipe(worker, 2);
		atomic_store_explicit(&worker->wake_ns, now_ns, memory_order_relaxed);
		post(&worker->state);
	}
}

static void pause_messenger(struct messenger *messenger)
{
	const struct schbench_plan *plan = &messenger->sb->plan;

	if (plan->message_think_ns)
		schbench_spin(plan->message_think_ns, &messenger->sb->end);
	if (plan->sleep_ns)
		sleep_until(messenger->sb,
			    clock_ns(CLOCK_MONOTONIC) + plan->sleep_ns +
				    rng_below(&messenger->rng, plan->sleep_ns / 4 + 1));
}

static void serve_workers(struct messenger *messenger)
{
	struct schbench *sb = messenger->sb;

	while (!schbench_is_over(&sb->end)) {
		atomic_store(&messenger->state, STATE_BLOCKED);
		wake_all(messenger);
		await(&messenger->state, sb);
		if (!schbench_is_over(&sb->end))
			pause_messenger(messenger);
	}
}

/* It became due in the measured time. */
static bool is_kept(const struct schbench *sb, uint64_t due_ns)
{
	return due_ns >= atomic_load_explicit(&sb->measure_ns, memory_order_relaxed) &&
	       due_ns < atomic_load_explicit(&sb->end.until_ns, memory_order_relaxed);
}

static void push(struct messenger *messenger, struct worker *worker, uint64_t due_ns)
{
	const struct schbench *sb = messenger->sb;
	const uint64_t tail = atomic_load_explicit(&worker->tail, memory_order_relaxed);
	const uint64_t waiting = tail - atomic_load(&worker->head);
	const bool counts = is_kept(sb, due_ns);

	if (waiting >= sb->plan.queue) {
		messenger->dropped += counts;
		return;
	}
	if (counts && waiting + 1 > messenger->deepest)
		messenger->deepest = waiting + 1;
	worker->due[tail % sb->plan.queue] = due_ns;
	atomic_store(&worker->tail, tail + 1);
	post(&worker->state);
}

/* Requests come by themselves; a new rate begins with the next of them. */
static void send_requests(struct messenger *messenger)
{
	struct schbench *sb = messenger->sb;
	const size_t threads = sb->plan.threads;
	struct worker *workers = &sb->workers[messenger->nr * threads];
	uint64_t rps = 0, base_ns = 0;

	for (size_t i = 0; !schbench_is_over(&sb->end); i = (i + 1) % threads) {
		const uint64_t goal = atomic_load(&sb->goal_rps);
		uint64_t due_ns;

		if (goal != rps) {
			rps = goal;
			base_ns = atomic_load(&sb->base_ns);
			schbench_requests(&messenger->arrivals, &sb->plan, messenger->nr, rps);
		}
		due_ns = base_ns + arrivals_next(&messenger->arrivals);
		sleep_until(sb, due_ns);
		if (!schbench_is_over(&sb->end))
			push(messenger, &workers[i], due_ns);
	}
}

/* Return: whether there is one; *@due_ns is when this worker was woken for it. */
static bool ask_for_work(struct worker *worker, uint64_t *due_ns)
{
	struct messenger *messenger = worker->messenger;
	struct worker *first = atomic_load(&messenger->first);

	fill_pipe(worker, 1);
	atomic_store_explicit(&worker->wake_ns, 0, memory_order_relaxed);
	atomic_store(&worker->state, STATE_BLOCKED);
	do
		worker->next = first;
	while (!atomic_compare_exchange_weak(&messenger->first, &first, worker));
	post(&messenger->state);
	await(&worker->state, worker->sb);
	*due_ns = atomic_load_explicit(&worker->wake_ns, memory_order_relaxed);
	return *due_ns;
}

/* Return: whether there is one; *@due_ns is when it was to come. */
static bool take_request(struct worker *worker, uint64_t *due_ns)
{
	const uint64_t head = atomic_load_explicit(&worker->head, memory_order_relaxed);

	while (atomic_load(&worker->tail) == head) {
		atomic_store(&worker->state, STATE_BLOCKED);
		if (atomic_load(&worker->tail) != head)
			break;
		await(&worker->state, worker->sb);
		if (schbench_is_over(&worker->sb->end))
			return false;
	}
	*due_ns = worker->due[head % worker->sb->plan.queue];
	atomic_store(&worker->head, head + 1);
	return true;
}

/* As usleep(): for a time and not to one, since the worker has nothing to be late for. */
static void nap(uint64_t ns)
{
	const struct timespec ts = { .tv_sec = (time_t)(ns / NS_PER_S),
				     .tv_nsec = (long)(ns % NS_PER_S) };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

static bool sleep_and_work(const struct worker *worker, uint64_t *request_ns)
{
	struct schbench *sb = worker->sb;

	if (sb->plan.nap_ns) {
		nap(sb->plan.nap_ns);
		if (!sb->plan.nap_counts)
			*request_ns = clock_ns(CLOCK_MONOTONIC);
	}
	return schbench_work_do(&sb->work, worker->matrices, &sb->end);
}

static void count(struct worker *worker, uint64_t end_ns)
{
	const uint64_t done = atomic_load_explicit(&worker->done, memory_order_relaxed);

	if (is_kept(worker->sb, end_ns))
		atomic_store_explicit(&worker->done, done + 1, memory_order_relaxed);
	schbench_look(&worker->sb->end, end_ns);
}

/* What the end of the run cuts off has begun, but isn't done. */
static void handle(struct worker *worker, uint64_t due_ns)
{
	const uint64_t think_ns = worker->sb->plan.think_ns;
	const uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t request_ns = begin_ns, end_ns;

	if (is_kept(worker->sb, due_ns))
		histogram_add(worker->wakeup, begin_ns - due_ns);
	if (schbench_is_over(&worker->sb->end) || !sleep_and_work(worker, &request_ns))
		return;
	end_ns = clock_ns(CLOCK_MONOTONIC);
	if (is_kept(worker->sb, due_ns)) {
		histogram_add(worker->request, end_ns - request_ns);
		histogram_add(worker->response,
			      end_ns - due_ns > think_ns ? end_ns - due_ns - think_ns : 0);
	}
	count(worker, end_ns);
}

static void work_until_stop(struct worker *worker)
{
	struct schbench *sb = worker->sb;
	uint64_t due_ns;

	if (sb->plan.work_first)
		schbench_work_do(&sb->work, worker->matrices, &sb->end);
	while (sb->plan.rps ? take_request(worker, &due_ns) : ask_for_work(worker, &due_ns))
		handle(worker, due_ns);
}

static int bind_to(const struct cpumask *mask, const char *name, struct error *err)
{
	int ret = cpumask_weight(mask) ? place_bind(mask, err) : 0;

	if (ret)
		error_prefix(err, "%s", name);
	return ret;
}

int schbench_worker(void *arg, struct error *err)
{
	struct worker *worker = arg;
	int ret = bind_to(&worker->sb->plan.worker_cpus, "worker-cpus", err);

	if (ret)
		return ret;
	/* its own CPU's node is where its pages are to be */
	if (worker->matrices)
		schbench_work_fill(worker->matrices, worker->sb->plan.side);
	fill_pipe(worker, 0);
	worker->tid = (pid_t)syscall(SYS_gettid);
	gate_pass(worker->sb->gate);
	work_until_stop(worker);
	gate_pass(worker->sb->exit);
	return 0;
}

/* The nth of the CPUs, beginning again behind the last. */
static unsigned int nth_cpu(const struct cpumask *mask, size_t n)
{
	unsigned int cpu = cpumask_next(mask, 0);

	for (n %= cpumask_weight(mask); n; n--)
		cpu = cpumask_next(mask, cpu + 1);
	return cpu;
}

int schbench_messenger(void *arg, struct error *err)
{
	struct messenger *messenger = arg;
	const struct schbench_plan *plan = &messenger->sb->plan;
	int ret;

	ret = plan->apart ? place_bind_cpu(nth_cpu(&plan->message_cpus, messenger->nr), err)
			  : bind_to(&plan->message_cpus, "message-cpus", err);
	if (ret)
		return ret;
	messenger->tid = (pid_t)syscall(SYS_gettid);
	gate_pass(messenger->sb->gate);
	if (plan->rps)
		send_requests(messenger);
	else
		serve_workers(messenger);
	gate_pass(messenger->sb->exit);
	return 0;
}
