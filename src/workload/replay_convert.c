// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/replay_convert.c - goes through a trace twice: to see who ran how long, then, when it is known who is replayed, to
 * write down what they did. Both times it keeps what each task and each CPU is doing.
 */
#include "workload/replay_convert.h"

#include "base/mem.h"
#include "workload/replay_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NICE_0 120

static uint64_t first_ns(const struct replay_walk *w)
{
	return w->log->events[0].time_ns;
}

static void begin_state(struct replay_actor *actor, enum replay_state state, uint64_t time_ns)
{
	actor->state = state;
	actor->since_ns = time_ns;
	actor->woken = false;
}

/* The second time it is the same one that it was the first time. */
static struct replay_actor *new_actor(struct replay_walk *w, uint32_t task)
{
	struct replay_actor *actor = &w->actors[w->nr_actors++];

	actor->task = task;
	actor->exits = false;
	actor->run_ns = 0;
	if (!w->building)
		actor->priority = NICE_0;
	begin_state(actor, REPLAY_UNSEEN, first_ns(w));
	w->by_task[task] = (uint32_t)w->nr_actors;
	return actor;
}

/* The one with that number, who has been there since before the trace if nothing was heard of it; NULL: the idle task. */
static struct replay_actor *find_actor(struct replay_walk *w, uint32_t task, uint32_t name)
{
	struct replay_actor *actor;

	if (!task)
		return NULL;
	actor = w->by_task[task] ? &w->actors[w->by_task[task] - 1] : new_actor(w, task);
	if (name)
		actor->name = name;
	return actor;
}

/* It ran up to @time_ns: what of it lies in the part. */
static void account(struct replay_walk *w, struct replay_actor *actor, uint64_t time_ns)
{
	uint64_t from_ns = actor->since_ns > w->begin_ns ? actor->since_ns : w->begin_ns;

	if (actor->state != REPLAY_RUNNING || time_ns <= from_ns)
		return;
	actor->since_ns = time_ns;
	actor->run_ns += time_ns - from_ns;
	if (!w->building)
		actor->cpu_ns += time_ns - from_ns;
}

/* Whoever is still there has been switched out, and nobody told. */
static void displace(struct replay_walk *w, struct replay_cpu *cpu, uint64_t time_ns)
{
	struct replay_actor *actor = cpu->actor;

	cpu->actor = NULL;
	cpu->since_ns = time_ns;
	if (!actor || actor->state != REPLAY_RUNNING)
		return;
	account(w, actor, time_ns);
	begin_state(actor, REPLAY_READY, time_ns);
}

static void put_on(struct replay_walk *w, struct replay_actor *actor, uint32_t cpu,
		   uint64_t since_ns)
{
	w->cpus[cpu].actor = actor;
	w->cpus[cpu].known = true;
	if (!actor)
		return;
	account(w, actor, since_ns); /* on another CPU, of which it was not told when it left */
	begin_state(actor, REPLAY_RUNNING, since_ns);
	if (!w->building)
		cpumask_set(&actor->cpus, cpu);
}

/* An event tells that @actor is the one who runs on @cpu: it did all the time of which nobody told otherwise. */
static void find_running(struct replay_walk *w, struct replay_actor *actor, uint32_t cpu,
			 uint64_t time_ns)
{
	struct replay_cpu *c = &w->cpus[cpu];
	uint64_t since_ns = time_ns;

	if (c->actor == actor && actor->state == REPLAY_RUNNING)
		return;
	if (!c->known && (actor->state == REPLAY_UNSEEN || actor->state == REPLAY_READY))
		since_ns = c->since_ns > actor->since_ns ? c->since_ns : actor->since_ns;
	displace(w, c, time_ns);
	put_on(w, actor, cpu, since_ns);
}

static bool sleeps(const struct replay_actor *actor)
{
	return actor->state == REPLAY_UNSEEN || actor->state == REPLAY_BLOCKED;
}

/* @waker NULL: something that isn't replayed. */
static void add_wake(struct replay_walk *w, struct replay_actor *actor, struct replay_actor *waker,
		     uint64_t time_ns)
{
	if (waker) {
		account(w, waker, time_ns);
		account(w, actor, time_ns);
		replay_add_handover(w, waker, actor);
	} else if (sleeps(actor)) {
		replay_add_sleep(w, actor, time_ns);
	}
	if (!sleeps(actor)) {
		w->facts->awake += waker != NULL;
		return;
	}
	w->facts->sleeps++;
	w->facts->matched += waker != NULL;
}

/* Who is woken while it is still awake was about to sleep, and now does not: it needed what the other one did all the same. */
static void wake(struct replay_walk *w, struct replay_actor *actor, struct replay_actor *waker,
		 uint64_t time_ns)
{
	if (waker == actor || (waker && !waker->chosen))
		waker = NULL;
	if (replay_writes(w, actor, time_ns))
		add_wake(w, actor, waker, time_ns);
	if (!sleeps(actor))
		return;
	begin_state(actor, REPLAY_READY, time_ns);
	actor->woken = true;
}

static void switch_out(struct replay_walk *w, const struct replay_event *e)
{
	struct replay_actor *actor = find_actor(w, e->task, e->comm);

	if (!actor)
		return;
	find_running(w, actor, e->cpu, e->time_ns);
	account(w, actor, e->time_ns);
	actor->priority = e->priority;
	if (e->runnable) {
		begin_state(actor, REPLAY_READY, e->time_ns);
		return;
	}
	if (replay_writes(w, actor, e->time_ns))
		replay_add_mark(w, actor, e->time_ns);
	begin_state(actor, actor->exits || e->dead ? REPLAY_GONE : REPLAY_BLOCKED, e->time_ns);
}

static void switch_in(struct replay_walk *w, const struct replay_event *e)
{
	struct replay_actor *actor = find_actor(w, e->other, e->other_comm);

	displace(w, &w->cpus[e->cpu], e->time_ns);
	if (actor && sleeps(actor)) { /* nobody told who woke it */
		wake(w, actor, NULL, e->time_ns);
		actor->woken = false;
	}
	if (actor && actor->woken && w->waits && actor->since_ns >= w->begin_ns &&
	    replay_writes(w, actor, e->time_ns))
		histogram_add(w->waits, e->time_ns - actor->since_ns);
	if (actor)
		actor->priority = e->other_priority;
	put_on(w, actor, e->cpu, e->time_ns);
}

/* NULL: none that runs here, so it was an interrupt, or something is missing in the trace. */
static struct replay_actor *find_waker(struct replay_walk *w, const struct replay_event *e)
{
	struct replay_actor *waker = find_actor(w, e->other, 0);

	if (waker && !w->cpus[e->cpu].known)
		find_running(w, waker, e->cpu, e->time_ns);
	return w->cpus[e->cpu].actor == waker ? waker : NULL;
}

static void see_waking(struct replay_walk *w, const struct replay_event *e)
{
	struct replay_actor *waker = find_waker(w, e);
	struct replay_actor *actor = find_actor(w, e->task, e->comm);

	if (actor && actor->state != REPLAY_GONE)
		wake(w, actor, waker, e->time_ns);
}

/* Beside sched_waking it tells nothing new, unless that one was lost. */
static void see_wakeup(struct replay_walk *w, const struct replay_event *e)
{
	const struct replay_actor *actor = find_actor(w, e->task, e->comm);

	if (actor && (!w->log->has_waking || sleeps(actor)))
		see_waking(w, e);
}

static void add_new(struct replay_walk *w, struct replay_actor *child, struct replay_actor *parent,
		    uint64_t time_ns)
{
	if (parent && parent->chosen) {
		account(w, parent, time_ns);
		replay_add_fork(w, parent, child);
		return;
	}
	child->since_ns = w->begin_ns;
	replay_add_sleep(w, child, time_ns);
}

static void see_new(struct replay_walk *w, const struct replay_event *e)
{
	struct replay_actor *parent = find_waker(w, e);
	struct replay_actor *child;

	if (!e->task)
		return;
	child = new_actor(w, e->task);
	child->name = e->comm;
	if (replay_writes(w, child, e->time_ns))
		add_new(w, child, parent, e->time_ns);
	begin_state(child, REPLAY_READY, e->time_ns);
}

static void see_exit(struct replay_walk *w, const struct replay_event *e)
{
	struct replay_actor *actor = find_actor(w, e->task, e->comm);

	if (actor)
		actor->exits = true;
}

static void see_lost(struct replay_walk *w, const struct replay_event *e)
{
	displace(w, &w->cpus[e->cpu], e->time_ns);
	w->cpus[e->cpu].known = false;
}

static void see_event(struct replay_walk *w, const struct replay_event *e)
{
	switch (e->kind) {
	case TRACE_SWITCH:
		switch_out(w, e);
		switch_in(w, e);
		break;
	case TRACE_WAKING:
		see_waking(w, e);
		break;
	case TRACE_WAKEUP:
		see_wakeup(w, e);
		break;
	case TRACE_NEW:
		see_new(w, e);
		break;
	case TRACE_EXIT:
		see_exit(w, e);
		break;
	default:
		see_lost(w, e);
	}
}

/* Of who is at work when the part ends, or waits for a CPU to go on with it. */
static void end_all(struct replay_walk *w)
{
	for (size_t i = 0; i < w->nr_actors; i++) {
		struct replay_actor *actor = &w->actors[i];

		account(w, actor, w->end_ns);
		if (actor->run_ns && replay_writes(w, actor, w->end_ns))
			replay_add_mark(w, actor, actor->since_ns);
	}
}

static void go_through(struct replay_walk *w, bool building)
{
	const struct replay_log *log = w->log;

	w->building = building;
	w->nr_actors = 0;
	memset(w->by_task, 0, ((size_t)log->max_task + 1) * sizeof(*w->by_task));
	for (size_t i = 0; i < CPUMASK_MAX; i++)
		w->cpus[i] = (struct replay_cpu){ .since_ns = first_ns(w) };
	for (size_t i = 0; i < log->nr_events && log->events[i].time_ns <= w->end_ns; i++)
		see_event(w, &log->events[i]);
	end_all(w);
}

/* How many there may be: each number once, and once more for each new task. */
static size_t count_actors(const struct replay_log *log, uint32_t *seen)
{
	size_t n = 0;

	for (size_t i = 0; i < log->nr_events; i++) {
		const struct replay_event *e = &log->events[i];

		n += e->kind == TRACE_NEW;
		n += !seen[e->task]++;
		n += !seen[e->other]++;
	}
	return n;
}

static int set_part(struct replay_walk *w, struct error *err)
{
	const struct replay_log *log = w->log;
	const uint64_t last_ns = log->events[log->nr_events - 1].time_ns;
	const uint64_t length_ns = last_ns - first_ns(w);

	if (w->choice->from_ns > length_ns)
		return error_set(err, EINVAL, "from: the trace ends %.6f s after its first event",
				 (double)length_ns / 1e9);
	w->begin_ns = first_ns(w) + w->choice->from_ns;
	w->end_ns = last_ns;
	if (w->choice->to_ns && w->choice->to_ns < length_ns)
		w->end_ns = first_ns(w) + w->choice->to_ns;
	return 0;
}

static int build(struct replay_walk *w, struct error *err)
{
	int ret = set_part(w, err);

	if (ret)
		return ret;
	go_through(w, false);
	ret = replay_choose(w->facts, w->actors, w->nr_actors, w->log, w->choice, err);
	if (ret)
		return ret;
	replay_add_tasks(w);
	go_through(w, true);
	return 0;
}

int replay_convert(struct task_program *out, struct replay_facts *facts, struct histogram *waits,
		   const struct replay_log *log, const struct replay_choice *choice,
		   struct error *err)
{
	struct replay_walk *w = xcalloc(1, sizeof(*w));
	struct task_program program = { 0 };
	struct replay_facts found = { 0 };
	size_t max_actors;
	int ret;

	w->log = log;
	w->choice = choice;
	w->facts = &found;
	w->program = &program;
	w->waits = waits;
	w->by_task = xcalloc((size_t)log->max_task + 1, sizeof(*w->by_task));
	max_actors = count_actors(log, w->by_task);
	w->actors = xcalloc(max_actors, sizeof(*w->actors));
	ret = build(w, err);
	for (size_t i = 0; i < max_actors; i++)
		cpumask_release(&w->actors[i].cpus);
	free(w->actors);
	free(w->by_task);
	free(w);
	if (ret)
		return ret;
	*out = program;
	*facts = found;
	return 0;
}
