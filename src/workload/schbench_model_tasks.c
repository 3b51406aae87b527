// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/schbench_model_tasks.c - schbench_task.c's and schbench_work.c's threads on a simulated machine. Each of their states is a
 * function that returns whether it has started an operation; if not, the next state is asked.
 */
#include "workload/schbench_model.h"

/* Between two looks at a lock that is held. */
#define SPIN_NS 5000

enum {
	/* a message thread's */
	M_COMES,
	M_BEGINS,
	M_SERVES,
	M_WAKES,
	M_AWAITS,
	M_THINKS,
	M_SLEEPS,
	M_REQUESTS,
	M_PUSHES,
	M_LEAVES,
	NR_M,
};

enum {
	/* a worker's */
	W_COMES,
	W_BEGINS,
	W_ASKS,
	W_POSTS,
	W_AWAITS,
	W_TAKES,
	W_AWAITS_REQUEST,
	W_HANDLES,
	W_NAPPED,
	W_LOCKS,
	W_WORKS,
	W_MULTIPLIES,
	W_WORKED,
	W_FINISHES,
	W_LEAVES,
	NR_W,
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static bool look(struct schbench_sim *sb, uint64_t now_ns)
{
	sb->stop |= now_ns >= sb->until_ns;
	return sb->stop;
}

static bool is_kept(const struct schbench_sim *sb, uint64_t due_ns)
{
	return due_ns >= sb->measure_ns && due_ns < sb->until_ns;
}

bool schbench_sim_post(struct sim_task *task, struct sim_futex *blocked)
{
	if (sim_futex_value(blocked) != STATE_BLOCKED)
		return false;
	sim_futex_set(blocked, STATE_RUNNING);
	sim_futex_wake(task, blocked, 1);
	return true;
}

static bool await(const struct schbench_sim *sb, struct sim_task *task, struct sim_futex *blocked)
{
	if (sb->stop || sim_futex_value(blocked) != STATE_BLOCKED)
		return false;
	sim_futex_wait(task, blocked, STATE_BLOCKED);
	return true;
}

static void leave(struct schbench_delay *delay, struct sim_task *task, uint64_t waited_ns,
		  uint64_t times)
{
	uint64_t times_now, waited_now = sim_task_waited(task, &times_now);

	delay->wait_ns += waited_now - waited_ns;
	delay->times += times_now - times;
	sim_exit(task);
}

static bool m_comes(struct sim_messenger *m, struct sim_task *task)
{
	m->waited_ns = sim_task_waited(task, &m->times);
	m->state = M_BEGINS;
	model_gate_pass(&m->sb->team.gate, task);
	return true;
}

static bool m_begins(struct sim_messenger *m, struct sim_task *task)
{
	(void)task;
	m->state = m->sb->plan.rps ? M_REQUESTS : M_SERVES;
	return false;
}

static bool m_serves(struct sim_messenger *m, struct sim_task *task)
{
	if (m->sb->stop) {
		m->state = M_LEAVES;
		return false;
	}
	sim_futex_set(m->blocked, STATE_BLOCKED);
	m->list = m->first;
	m->first = NULL;
	m->wake_ns = sim_now(sim_of(task));
	m->state = M_WAKES;
	return false;
}

static bool m_wakes(struct sim_messenger *m, struct sim_task *task)
{
	struct sim_worker *worker = m->list;

	if (!worker) {
		m->state = M_AWAITS;
		return false;
	}
	m->filled = worker->pipe && !m->filled;
	if (m->filled) {
		sim_touch(task, worker->pipe, 0, m->sb->plan.pipe_bytes);
		return true;
	}
	m->list = worker->next;
	worker->wake_ns = m->wake_ns;
	return schbench_sim_post(task, worker->blocked);
}

static bool m_awaits(struct sim_messenger *m, struct sim_task *task)
{
	if (await(m->sb, task, m->blocked))
		return true;
	m->state = M_THINKS;
	return false;
}

static bool m_thinks(struct sim_messenger *m, struct sim_task *task)
{
	const uint64_t now_ns = sim_now(sim_of(task)), think_ns = m->sb->plan.message_think_ns;

	m->state = m->sb->stop ? M_LEAVES : M_SLEEPS;
	if (m->sb->stop || !think_ns)
		return false;
	sim_run_until(task, least(now_ns + think_ns, m->sb->until_ns));
	return true;
}

static bool m_sleeps(struct sim_messenger *m, struct sim_task *task)
{
	const uint64_t now_ns = sim_now(sim_of(task)), sleep_ns = m->sb->plan.sleep_ns;

	m->state = M_SERVES;
	if (!sleep_ns || look(m->sb, now_ns))
		return false;
	sim_sleep_until(task, least(now_ns + sleep_ns + rng_below(&m->rng, sleep_ns / 4 + 1),
				    m->sb->until_ns));
	return true;
}

/* A new rate begins with the next of them. */
static bool m_requests(struct sim_messenger *m, struct sim_task *task)
{
	struct schbench_sim *sb = m->sb;

	m->state = sb->stop ? M_LEAVES : M_PUSHES;
	if (sb->stop)
		return false;
	if (sb->goal_rps != m->rps) {
		m->rps = sb->goal_rps;
		m->base_ns = sb->base_ns;
		schbench_requests(&m->arrivals, &sb->plan, m->nr, m->rps);
	}
	m->due_ns = m->base_ns + arrivals_next(&m->arrivals);
	if (m->due_ns <= sim_now(sim_of(task)))
		return false;
	sim_sleep_until(task, least(m->due_ns, sb->until_ns));
	return true;
}

static bool push(const struct sim_messenger *m, struct sim_worker *worker, struct sim_task *task)
{
	struct schbench_figures *f = &m->sb->figures;
	const uint64_t queue = m->sb->plan.queue, waiting = worker->tail - worker->head;
	const bool counts = is_kept(m->sb, m->due_ns);

	if (waiting >= queue) {
		f->dropped += counts;
		return false;
	}
	if (counts && waiting + 1 > f->deepest)
		f->deepest = waiting + 1;
	worker->due[worker->tail++ % queue] = m->due_ns;
	return schbench_sim_post(task, worker->blocked);
}

static bool m_pushes(struct sim_messenger *m, struct sim_task *task)
{
	const size_t threads = m->sb->plan.threads;
	struct sim_worker *worker = &m->sb->workers[m->nr * threads + m->at];

	m->state = M_REQUESTS;
	if (look(m->sb, sim_now(sim_of(task))))
		return false;
	m->at = (m->at + 1) % threads;
	return push(m, worker, task);
}

static bool m_leaves(struct sim_messenger *m, struct sim_task *task)
{
	leave(&m->sb->figures.messages, task, m->waited_ns, m->times);
	return true;
}

void schbench_sim_messenger(struct sim_task *task, void *data)
{
	static bool (*const states[NR_M])(struct sim_messenger *, struct sim_task *) = {
		[M_COMES] = m_comes,   [M_BEGINS] = m_begins,	  [M_SERVES] = m_serves,
		[M_WAKES] = m_wakes,   [M_AWAITS] = m_awaits,	  [M_THINKS] = m_thinks,
		[M_SLEEPS] = m_sleeps, [M_REQUESTS] = m_requests, [M_PUSHES] = m_pushes,
		[M_LEAVES] = m_leaves,
	};
	struct sim_messenger *m = data;

	while (!states[m->state](m, task))
		;
}

static bool w_comes(struct sim_worker *w, struct sim_task *task)
{
	w->waited_ns = sim_task_waited(task, &w->times);
	w->state = W_BEGINS;
	model_gate_pass(&w->sb->team.gate, task);
	return true;
}

/* What it does between two requests. */
static bool next_request(struct sim_worker *w)
{
	w->state = w->sb->plan.rps ? W_TAKES : W_ASKS;
	return false;
}

static bool w_begins(struct sim_worker *w, struct sim_task *task)
{
	(void)task;
	w->first = w->sb->plan.work_first;
	if (!w->first)
		return next_request(w);
	w->state = W_LOCKS;
	return false;
}

static bool w_asks(struct sim_worker *w, struct sim_task *task)
{
	w->state = W_POSTS;
	if (!w->pipe)
		return false;
	sim_touch(task, w->pipe, 0, w->sb->plan.pipe_bytes);
	return true;
}

static bool w_posts(struct sim_worker *w, struct sim_task *task)
{
	struct sim_messenger *m = w->messenger;

	w->wake_ns = 0;
	sim_futex_set(w->blocked, STATE_BLOCKED);
	w->next = m->first;
	m->first = w;
	w->state = W_AWAITS;
	return schbench_sim_post(task, m->blocked);
}

static bool w_awaits(struct sim_worker *w, struct sim_task *task)
{
	if (await(w->sb, task, w->blocked))
		return true;
	w->due_ns = w->wake_ns;
	w->state = w->due_ns ? W_HANDLES : W_LEAVES;
	return false;
}

static bool w_takes(struct sim_worker *w, struct sim_task *task)
{
	(void)task;
	if (w->tail == w->head) {
		sim_futex_set(w->blocked, STATE_BLOCKED);
		w->state = W_AWAITS_REQUEST;
		return false;
	}
	w->due_ns = w->due[w->head++ % w->sb->plan.queue];
	w->state = W_HANDLES;
	return false;
}

static bool w_awaits_request(struct sim_worker *w, struct sim_task *task)
{
	if (await(w->sb, task, w->blocked))
		return true;
	w->state = w->sb->stop ? W_LEAVES : W_TAKES;
	return false;
}

static bool w_handles(struct sim_worker *w, struct sim_task *task)
{
	struct schbench_sim *sb = w->sb;

	w->request_ns = sim_now(sim_of(task));
	if (is_kept(sb, w->due_ns))
		histogram_add(sb->wakeup, w->request_ns - w->due_ns);
	if (sb->stop)
		return next_request(w);
	w->state = sb->plan.nap_ns ? W_NAPPED : W_LOCKS;
	if (!sb->plan.nap_ns)
		return false;
	sim_sleep(task, sb->plan.nap_ns);
	return true;
}

static bool w_napped(struct sim_worker *w, struct sim_task *task)
{
	if (!w->sb->plan.nap_counts)
		w->request_ns = sim_now(sim_of(task));
	w->state = W_LOCKS;
	return false;
}

/* It spins for the lock of the CPU where it began to; with that it looks whether it still is there, and begins again if not. */
static bool take_lock(struct sim_worker *w, uint32_t cpu)
{
	bool *locks = w->sb->locks;

	if (!w->spins || !locks[w->lock])
		w->lock = cpu;
	w->spins = locks[w->lock];
	w->held = !w->spins;
	locks[w->lock] = true;
	return w->held;
}

static bool w_locks(struct sim_worker *w, struct sim_task *task)
{
	w->finished = false;
	w->state = W_WORKS;
	if (!w->sb->plan.lock || take_lock(w, sim_task_cpu(task)))
		return false;
	if (look(w->sb, sim_now(sim_of(task)))) {
		w->spins = false;
		w->state = W_FINISHES;
		return false;
	}
	w->state = W_LOCKS;
	sim_run(task, SPIN_NS);
	return true;
}

static bool w_works(struct sim_worker *w, struct sim_task *task)
{
	struct schbench_sim *sb = w->sb;
	const uint64_t now_ns = sim_now(sim_of(task));

	w->state = W_WORKED;
	w->target_ns = now_ns;
	if (sb->plan.work == WORK_SPIN) {
		w->target_ns += sb->plan.think_ns;
		sim_run_until(task, least(w->target_ns, sb->until_ns));
		return true;
	}
	if (sb->plan.work == WORK_UNITS && !look(sb, now_ns)) {
		sim_run(task, sb->work_ns);
		return true;
	}
	w->finished = sb->plan.work == WORK_NONE;
	w->left = sb->plan.operations;
	w->state = sb->plan.work == WORK_MATRIX ? W_MULTIPLIES : W_FINISHES;
	return false;
}

static bool w_multiplies(struct sim_worker *w, struct sim_task *task)
{
	w->finished = !w->left;
	if (w->finished || look(w->sb, sim_now(sim_of(task)))) {
		w->state = W_FINISHES;
		return false;
	}
	w->left--;
	sim_run(task, w->sb->product_ns);
	return true;
}

static bool w_worked(struct sim_worker *w, struct sim_task *task)
{
	const uint64_t now_ns = sim_now(sim_of(task));

	w->finished =
		w->sb->plan.work == WORK_SPIN ? now_ns >= w->target_ns : now_ns <= w->sb->until_ns;
	if (!w->finished)
		look(w->sb, now_ns);
	w->state = W_FINISHES;
	return false;
}

static void count(const struct sim_worker *w, uint64_t end_ns)
{
	struct schbench_sim *sb = w->sb;
	const uint64_t ns = end_ns - w->due_ns, think_ns = sb->plan.think_ns;

	if (is_kept(sb, w->due_ns)) {
		histogram_add(sb->request, end_ns - w->request_ns);
		histogram_add(sb->response, ns > think_ns ? ns - think_ns : 0);
	}
	sb->figures.done += is_kept(sb, end_ns);
	look(sb, end_ns);
}

static bool w_finishes(struct sim_worker *w, struct sim_task *task)
{
	if (w->held)
		w->sb->locks[w->lock] = false;
	w->held = false;
	if (w->finished && !w->first)
		count(w, sim_now(sim_of(task)));
	w->first = false;
	return next_request(w);
}

static bool w_leaves(struct sim_worker *w, struct sim_task *task)
{
	leave(&w->sb->figures.workers, task, w->waited_ns, w->times);
	return true;
}

void schbench_sim_worker(struct sim_task *task, void *data)
{
	static bool (*const states[NR_W])(struct sim_worker *, struct sim_task *) = {
		[W_COMES] = w_comes,
		[W_BEGINS] = w_begins,
		[W_ASKS] = w_asks,
		[W_POSTS] = w_posts,
		[W_AWAITS] = w_awaits,
		[W_TAKES] = w_takes,
		[W_AWAITS_REQUEST] = w_awaits_request,
		[W_HANDLES] = w_handles,
		[W_NAPPED] = w_napped,
		[W_LOCKS] = w_locks,
		[W_WORKS] = w_works,
		[W_MULTIPLIES] = w_multiplies,
		[W_WORKED] = w_worked,
		[W_FINISHES] = w_finishes,
		[W_LEAVES] = w_leaves,
	};
	struct sim_worker *w = data;

	while (!states[w->state](w, task))
		;
}
