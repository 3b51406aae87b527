/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * agree/pair.h - two scheduler cores in lock step: each event goes to both, then what they told their host and the states of what
 * it touched are compared. The first core leads: ticks, IPIs and switches are made events as it asks for them. Nothing
 * takes time: computing costs nothing, an IPI arrives after a fixed delay.
 *
 * After the first difference the states part, and later ones are its consequences: then nothing is done or counted any more.
 */
#ifndef AGREE_PAIR_H
#define AGREE_PAIR_H

#include "agree/op.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "core/host.h"

#include <setjmp.h>

/*
 * Kinds of decisions, in the order in which one event makes them: of several that differ after one event the first is counted, and
 * those behind it aren't compared.
 */
enum agree_kind {
	AGREE_WAKE,    /* CPU that a wakeup chose */
	AGREE_FORK,    /* that of a new task */
	AGREE_EXEC,    /* and of one that executes a program */
	AGREE_BALANCE, /* tasks moved by balancing or a stopper, of events in which some were */
	AGREE_PASSES, /* counts of passes and of their outcome, as /proc/schedstat has them, at a run's end */
	AGREE_PREEMPT, /* is the CPU to choose anew, after a tick or a wakeup */
	AGREE_PICK,    /* who runs next, of events in which a CPU switched */
	AGREE_IPI,     /* interrupts asked for, and whether the tick goes on */
	AGREE_ENTITY, /* vruntime, deadline, slice, lag, runtime and queueing of a task; tasks of a queue */
	AGREE_PELT, /* sums and averages of a task or a queue, util_est and capacity */
	NR_AGREE_KINDS,
};

/** agree_kind_name() - "wake", "fork" ...; agree_kind_words() - what it is about, for a person */
const char *agree_kind_name(enum agree_kind kind);
const char *agree_kind_words(enum agree_kind kind);

/** struct agree_counts - decisions */
struct agree_counts {
	uint64_t compared[NR_AGREE_KINDS];
	uint64_t agreed[NR_AGREE_KINDS];
};

/**
 * struct agree_config - what to hold against each other; all borrowed while the pair lives
 * @ops:    [0] leads
 * @knobs:  of each, knobs[i][nr_knobs[i]]
 * @lags:   both know deadlines, slices and lags (EEVDF)
 * @ready:  called for the leading core after the warm-up, when each CPU has run something; may be NULL
 * @passes: compare passes after each event, not at the end of a run alone: at which did one differ?
 * @why:    ask the second one for its reasons; agree_pair.why has those of the last event
 */
struct agree_config {
	const struct core_machine *machine;
	const struct core_ops *ops[2];
	const char *const *knobs[2];
	uint32_t nr_knobs[2];
	void (*ready)(const struct core_ops *ops, struct core *core, uint32_t nr_cpus);
	bool lags;
	bool passes;
	bool why;
};

enum agree_said_kind {
	SAID_IPI,
	SAID_SWITCH,
	SAID_MIGRATE,
};

/** struct agree_said - what a core told: an IPI to @cpu, kind @a; @cpu from task @a to @b; task @a from @b to @cpu for @c */
struct agree_said {
	enum agree_said_kind kind;
	uint32_t cpu;
	uint32_t a, b, c;
};

/**
 * struct agree_task - a task of the script; its address is the cookie
 * @of:      each core's side of it; NULL: not there
 * @running: on @cpu, by the leading core
 * @asleep:  it blocked and wasn't woken up since
 */
struct agree_task {
	struct core_task *of[2];
	uint32_t nr;
	uint32_t cpu;
	bool running;
	bool asleep;
};

struct agree_pair;
struct agree_watch;

/** struct agree_side - one of the two */
struct agree_side {
	struct agree_pair *pair;
	const struct core_ops *ops;
	struct core *core;
	struct core_host host;
	struct agree_said *said;
	uint32_t nr_said, room;
	struct core_now now; /* of the last settle() */
	char *passes;	     /* schedstat at the end of the warm-up */
	struct core_memory memory;
};

/* What follows from scripts. */
enum agree_event_kind {
	AGREE_EVENT_TICK,
	AGREE_EVENT_IPI,
	AGREE_EVENT_TIMER,
};

/** struct agree_event - @number: of the tick, the timer's generation or the kind of IPI; @side: whose timer */
struct agree_event {
	uint64_t when_ns, seq;
	enum agree_event_kind kind;
	uint32_t cpu;
	uint32_t side;
	void *timer;
	uint64_t number;
};

/** struct agree_queue - a heap by time, then by the order in which they were put in */
struct agree_queue {
	struct agree_event *event;
	size_t nr, room;
	uint64_t seq;
};

void agree_queue_push(struct agree_queue *queue, struct agree_event event);
struct agree_event agree_queue_pop(struct agree_queue *queue);

/**
 * struct agree_pair - read only from outside
 * @now_ns:   of both
 * @start_ns: end of the warm-up, time 0 of scripts
 * @events:   delivered since then
 * @event:    what the last one was, for a person
 * @differs:  a difference was found: of kind @kind, @words say what
 * @failed:   a core warned, gave up or broke what must always hold (agree/watch.h): @words; nothing is compared any more
 * @switched: told of each switch after the warm-up; may be NULL
 */
struct agree_pair {
	const struct agree_config *config;
	struct agree_side side[2];
	struct agree_task *task; /* task[AGREE_TASKS] */
	uint32_t nr_tasks;	 /* the greatest number used, and 1 */
	struct agree_queue queue;
	struct agree_watch *watch;
	bool *ticking;
	uint64_t *tick_number;
	uint8_t *touched; /* CPUs of the last event */
	uint64_t now_ns, start_ns;
	uint64_t events;
	bool comparing;
	char event[96];
	uint32_t event_cpu;
	struct agree_counts counts;
	bool differs, failed;
	enum agree_kind kind;
	struct strbuf words;
	struct strbuf why;
	void (*switched)(void *ctx, uint32_t task, bool in);
	void *ctx;
	jmp_buf escape;
};

/**
 * agree_pair_new() - boot both, and warm up: CPU 0 runs a pinned task until the averages it was booted with are gone,
 * then each of the others one for a while
 *
 * Return: 0; -EIO with what a core said where it doesn't boot.
 */
int agree_pair_new(struct agree_pair **out, const struct agree_config *config, struct error *err);
void agree_pair_free(struct agree_pair *pair);

/** agree_pair_over() - it differs or has failed: nothing more is done */
static inline bool agree_pair_over(const struct agree_pair *pair)
{
	return pair->differs || pair->failed;
}

/** agree_pair_next() - when the next event is due that follows from earlier ones, since @start_ns; UINT64_MAX: none */
uint64_t agree_pair_next(const struct agree_pair *pair);

/** agree_pair_step() - deliver it */
void agree_pair_step(struct agree_pair *pair);

/** agree_pair_until() - deliver all that is due up to a time */
void agree_pair_until(struct agree_pair *pair, uint64_t time_ns);

/** agree_pair_do() - deliver what is due up to the time of @op, then @op. Return: false where it was passed over */
bool agree_pair_do(struct agree_pair *pair, const struct agree_op *op);

/** agree_pair_end() - compare all states and counts of passes; the end of a run */
void agree_pair_end(struct agree_pair *pair);

/** agree_pair_tell() - append the last event, what each core said, and the states that differ */
void agree_pair_tell(const struct agree_pair *pair, const char *const name[2], struct strbuf *sb);

#endif
