/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/state.h - what the files of the simulator share: a sim, its CPUs, its tasks.
 *
 * The way of an event: sim.c finds the CPU that is next and the earliest of its slots; cpu.c calls the core on that CPU, once,
 * settles, and charges the CPU with what that takes. Until then (busy_until) the CPU takes no other event and its task
 * does not go on. A task's operation is work that is left, and a function that goes on when none is.
 */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "base/arena.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "core/host.h"
#include "sim/costs.h"
#include "sim/events.h"
#include "sim/sim.h"
#include "sim/task.h"
#include "trace/trace.h"

#include <setjmp.h>

#define SIM_COMM 16

/* Work is ns times speed; a CPU of capacity 1024 at its highest frequency that has its core for itself has this one. */
#define SPEED_SHIFT 16
#define SPEED_ONE   (UINT32_C(1) << SPEED_SHIFT)

/* The longest work in one piece, 39 hours: longer ones are cut. */
#define SIM_WORK_MAX (UINT64_C(1) << (63 - SPEED_SHIFT))

/* No event is later than 292 years. */
#define SIM_TIME_MAX (UINT64_MAX / 2)

/* The sim's clock when it boots: a time of 0 means "not yet" in more than one place of a kernel. */
#define SIM_BOOT_NS 1000000

enum sim_slot {
	SLOT_RUN,
	SLOT_TICK,
	SLOT_IPI,
	SLOT_TIMER = SLOT_IPI + NR_CORE_IPIS, /* the heap, no slot */
};

enum sim_task_state {
	TASK_NEW,
	TASK_READY,
	TASK_RUNNING,
	TASK_BLOCKED,
	TASK_ZOMBIE, /* has exited, is not waited for yet */
	TASK_GONE,   /* to be used again */
};

/** enum sim_wait - what a blocked task waits for */
enum sim_wait {
	WAIT_TIME,
	WAIT_IO,
	WAIT_READ,
	WAIT_WRITE,
	WAIT_POLL,
	WAIT_FUTEX,
	WAIT_MUTEX,
	WAIT_BARRIER,
	WAIT_CHILD,
};

/** struct task_list - tasks one behind the other, by their @next; a task is on one at most */
struct task_list {
	struct sim_task *first;
	struct sim_task *last;
};

/**
 * struct sim_pace - how fast a CPU is
 * @speed:    of SPEED_ONE
 * @slowness: 2^64 by it, rounded up; 0: the speed is 1
 */
struct sim_pace {
	uint64_t slowness;
	uint32_t speed;
};

/**
 * struct sim_cpu - @nr; what the end of a task's work looks at comes first, in one cache line, what other events do in the next
 * @task:       that has it
 * @busy_until: with what came last
 * @since:      the @task's work has been counted up to here
 * @run_ns, @run_seq: the end of that work; @other_ns, @other_seq: the first of all else that waits, @first_other, unless that is @stale
 * @speed, @slowness: a struct sim_pace's
 * @paces:      paces[n]: where n threads of its core are busy
 * @awake:      it idles, but an interrupt is getting it out of that
 * @busy:       it does not idle: has a @task, or a thread of the core's
 * @pending:    slots that wait, bit by bit
 * @sibling:    next CPU of the same core, in a ring
 * @perf:       frequency, of 1024
 * @switched_ns: since when it has who it has
 * @heir:       it goes down as soon as its task is gone, and that one gets what it waited for
 * @idle_since: when it began to idle
 * @entered:    how often a task got it
 * @space_nr:   of the last address space that was on it
 * @spaces:     of the last spaces_kept, the last first; NULL: that costs nothing, or there was none yet
 * @online_ns:  it was up, before @online_since
 * @told_ns:    time of the last event that was told of it
 * @nr_ready:   tasks that are ready on it, counted where the sim's account is; without a pause since @queue_ns
 * @nr_free:    of them those that may run anywhere
 */
struct sim_cpu {
	_Alignas(64) struct sim *sim;
	struct sim_task *task;
	uint64_t busy_until;
	uint64_t since;
	uint64_t run_ns;
	uint64_t other_ns;
	uint32_t run_seq;
	uint32_t other_seq;
	uint32_t speed;
	uint16_t nr;
	bool awake : 1;
	bool busy : 1;
	bool stale : 1;
	bool online : 1;
	uint8_t first_other;

	uint64_t slowness;
	uint32_t pending;
	uint32_t sibling;
	uint64_t switched_ns;
	uint64_t entered;
	uint64_t space_nr;
	uint64_t *spaces;
	uint64_t busy_ns;
	uint64_t idle_since;
	struct timers timers;

	struct event_key slot[SLOT_TIMER]; /* but for SLOT_RUN's */
	struct sim_pace *paces;
	struct sim_cpu *heir;
	uint64_t online_since;
	uint64_t online_ns;
	uint64_t told_ns;
	uint32_t perf;
	uint64_t queue_ns;
	uint32_t nr_ready;
	uint32_t nr_free;
	uint32_t counted_waiting; /* waiting.c's */
	bool counted_idle;
};

typedef void sim_go_on(struct sim_task *task);

/** struct sim_doubt - checks.c's: by how much a runtime of the core's may be less or more than it was */
struct sim_doubt {
	uint64_t less_ns;
	uint64_t more_ns;
};

/**
 * struct sim_task - @nr from 1 on; what an event, a switch, an operation and a random number need is a cache line each
 * @go_on:    called when it runs and has no work @left
 * @until_ns: it computes until then, whatever work that is; 0: it doesn't
 * @core_task: NULL before it starts and when it has exited
 * @allowed:  where it may run, as it asked for; NULL: anywhere. @group_cpus: the same of its group
 * @capped:   in a group with a quota, or DEADLINE: it may be ready and rightly not run
 * @since_ns: when it became what it is
 * @last_cpu: that it ran on; @warm_ns: what it ran there since it came
 * @next, @prev_all: its neighbours on a list of waiting tasks, and among all tasks
 * @object, @amount, @value, @piece: of the operation under way
 * @to_wake:  tasks that this operation is about to wake
 * @able_ns:  since when it has been ready or running, with the affinity and the attributes that it has
 * @parent, @sibling, @children: by fork; children that have exited wait in @zombies
 */
struct sim_task {
	struct sim *sim;
	uint64_t left;
	uint64_t until_ns;
	sim_go_on *go_on;
	sim_step step;
	void *data;
	uint64_t step_ns;   /* time of the last step */
	uint32_t steps_now; /* steps at that time */
	bool chosen;	    /* the step under way has chosen its operation */
	bool ran;
	bool capped;
	bool paging; /* forks, exits, or has the faults after a fork: other CPUs wait for it, see paging_shared */
	bool was_special; /* FIFO, RR or DEADLINE: its load average is not kept then */

	enum sim_task_state state;
	enum sim_wait wait;
	uint32_t cpu;
	uint32_t last_cpu;
	uint64_t since_ns;
	uint64_t runtime_ns;
	uint64_t warm_ns;
	uint64_t entered; /* its CPU's, when it got that */
	uint64_t waited_ns;
	uint64_t times; /* that it got a CPU */
	struct core_task *core_task;

	void *object;
	uint64_t amount;
	uint64_t value;
	uint64_t piece;
	struct task_list to_wake;
	sim_go_on *then; /* when all of them are woken */
	struct sim_task *next;

	struct rng rng;
	uint64_t slack_ns;
	struct core_sched sched;

	uint32_t nr;
	int result;
	bool forked;	   /* its pages are its parent's as well */
	bool reaped;	   /* waited for before it was quite gone */
	bool counted_free; /* waiting.c's, and its place there */
	size_t bound_at;
	uint64_t told_ns; /* checks.c's: its runtime, as the core said when it left a CPU */
	uint64_t able_ns;
	struct sim_doubt doubt;
	struct sim_task *child;
	struct sim_poller *pollers;
	size_t nr_pollers;
	size_t pollers_size;
	struct sim_space *space;
	struct sim_task *parent;
	struct sim_task *next_child;
	struct sim_task *prev_child;
	struct sim_task *children;
	struct task_list zombies;
	struct sim_task *next_all;
	struct sim_task *prev_all;

	struct core_group *group;
	struct core_sched wanted;
	const uint64_t *allowed;
	const uint64_t *group_cpus;
	uint64_t *words; /* room for two sets: that of @allowed, and one that is asked for */
	char comm[SIM_COMM];
};

/**
 * struct sim - the whole
 * @time:   of the event under way; @now: with what it took so far, the core reads it
 * @here:   the CPU of the event
 * @in_wake: a wake-up is under way, since @wake_since
 * @escape: where a core that failed goes; set while one may be called
 */
struct sim {
	const struct core_ops *ops;
	struct core *core;
	const struct core_machine *machine;
	const struct costs *costs;
	const struct costs_pairs *pairs; /* NULL: none */
	struct core_host host;
	struct arena *arena;
	uint64_t seed;

	uint64_t time;
	uint64_t now;
	uint32_t seq;
	uint64_t same_time; /* events at that time */
	uint64_t tick_ns;
	uint64_t idle_limit_ns; /* sim_limit_idle() */
	struct events events;
	struct sim_cpu *cpus;
	struct sim_cpu *here;
	bool in_wake;
	uint64_t wake_since;

	struct sim_task *all;
	struct sim_task *gone;
	struct task_list spawned;
	uint32_t nr_tasks; /* ever made */
	uint32_t nr_live;
	uint32_t nr_asleep; /* blocked with nothing but another task to wake them */

	bool stopped;
	bool dead; /* the core failed: it must not be called any more */
	bool ended;
	enum sim_end end;
	struct strbuf words;
	jmp_buf escape;
	bool may_escape;

	uint64_t nr_spaces; /* ever made */
	uint64_t under_way; /* messages in all pipes */
	uint32_t nr_pipes, nr_futexes, nr_mutexes, nr_barriers;
	struct sim_pipe *pipes;
	struct sim_space *spaces; /* unused ones, and parts of them */
	struct sim_part *parts;
	struct sim_block *faulting;
	struct sim_bandwidth *bandwidth; /* NULL: there is no memory yet */
	struct sim_group *groups;
	struct core_group *begin_in; /* of tasks without a group of their own */
	uint64_t *outside;	     /* CPUs of no partition; NULL: there is none */
	struct core_memory core_memory;

	bool account; /* who waits while CPUs idle is counted */
	struct sim_waiting *waiting;
	bool check;
	struct sim_check *checks;
	uint64_t next_look;
	volatile uint64_t *seen_ns; /* may be NULL */

	struct trace_sink *trace;
	void (*print)(void *ctx, const char *line);
	void *print_ctx;
	struct sim_counts counts;
};

static inline void task_list_add(struct task_list *list, struct sim_task *task)
{
	task->next = NULL;
	if (list->first)
		list->last->next = task;
	else
		list->first = task;
	list->last = task;
}

/** task_list_put() - before all others */
static inline void task_list_put(struct task_list *list, struct sim_task *task)
{
	task->next = list->first;
	if (!list->first)
		list->last = task;
	list->first = task;
}

static inline struct sim_task *task_list_take(struct task_list *list)
{
	struct sim_task *task = list->first;

	if (task)
		list->first = task->next;
	return task;
}

/** sim_waits_for_task() - or for a timer or a device, which come by themselves */
static inline bool sim_waits_for_task(enum sim_wait wait)
{
	return wait > WAIT_IO;
}

static inline struct sim_cpu *sim_cpu_of(const struct sim_task *task)
{
	return &task->sim->cpus[task->cpu];
}

static inline enum sim_distance sim_cpu_distance(const struct sim *sim, uint32_t a, uint32_t b)
{
	return a == b ? SIM_SAME : sim_distance(sim->machine, a, b);
}

#endif
