/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/replay_walk.h - what the files of replay_convert.h share: going through a trace, who is there and who is replayed. */
#ifndef WORKLOAD_REPLAY_WALK_H
#define WORKLOAD_REPLAY_WALK_H

#include "base/cpumask.h"
#include "workload/replay_convert.h"

enum replay_state {
	REPLAY_UNSEEN, /* it sleeps since before the trace, or is ready */
	REPLAY_BLOCKED,
	REPLAY_READY,
	REPLAY_RUNNING,
	REPLAY_GONE,
};

/**
 * struct replay_actor - a task of a trace: a number that was given away again is another one
 * @task:     its number; @name: index of its last name
 * @priority: the last one
 * @cpu_ns:   that it had in the part
 * @cpus:     on which it ran
 * @chosen:   it is replayed, as task @index of the program
 *
 * The rest is what is known of it at one time of the trace:
 * @state:    since @since_ns
 * @exits:    it is about to
 * @woken:    it is ready after a sleep, of which the trace told the end
 * @run_ns:   what it ran in the part and isn't in the program yet
 * @due_ns:   where its timer of the program stands
 * @semaphore: object of the program that it takes from, where @has_semaphore
 */
struct replay_actor {
	uint32_t task;
	uint32_t name;
	int32_t priority;
	uint64_t cpu_ns;
	struct cpumask cpus;
	bool chosen;
	size_t index;

	enum replay_state state;
	uint64_t since_ns;
	bool exits;
	bool woken;
	bool has_semaphore;
	uint64_t run_ns;
	uint64_t due_ns;
	size_t semaphore;
};

/**
 * struct replay_cpu - @actor runs on it, NULL: none
 * @known: so; else not yet, or not any longer, since @since_ns
 */
struct replay_cpu {
	struct replay_actor *actor;
	bool known;
	uint64_t since_ns;
};

/**
 * struct replay_walk - through a log
 * @building: the second time
 * @begin_ns, @end_ns: of the part
 * @actors:   in the order of their first event
 * @by_task:  1 + index of who has that number now
 */
struct replay_walk {
	const struct replay_log *log;
	const struct replay_choice *choice;
	struct replay_facts *facts;
	struct task_program *program;
	struct histogram *waits;
	bool building;
	uint64_t begin_ns;
	uint64_t end_ns;
	struct replay_actor *actors;
	size_t nr_actors;
	uint32_t *by_task;
	struct replay_cpu cpus[CPUMASK_MAX];
};

/**
 * replay_choose() - which of actors[n] are replayed; sets @chosen, @index and what @facts tells of it
 *
 * Return: 0, or -EINVAL where none is left.
 */
int replay_choose(struct replay_facts *facts, struct replay_actor *actors, size_t n,
		  const struct replay_log *log, const struct replay_choice *choice,
		  struct error *err);

/** replay_add_tasks() - those that are chosen */
void replay_add_tasks(struct replay_walk *w);

/** replay_writes() - is what this one does at that time part of the program? */
static inline bool replay_writes(const struct replay_walk *w, const struct replay_actor *actor,
				 uint64_t time_ns)
{
	return w->building && actor->chosen && time_ns >= w->begin_ns;
}

/** replay_add_mark() - what it ran so far, and that it is done with it at that time */
void replay_add_mark(struct replay_walk *w, struct replay_actor *actor, uint64_t time_ns);

/** replay_add_sleep() - until it is woken by something that isn't replayed */
void replay_add_sleep(struct replay_walk *w, struct replay_actor *actor, uint64_t time_ns);

/** replay_add_handover() - what both ran so far; one posts and the other takes */
void replay_add_handover(struct replay_walk *w, struct replay_actor *from, struct replay_actor *to);

/** replay_add_fork() - what @parent ran so far, and a new one */
void replay_add_fork(struct replay_walk *w, struct replay_actor *parent,
		     const struct replay_actor *child);

#endif
