/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/events.h - which CPU is next: a winner tree of one key a CPU, and a heap of timers for each of them. A CPU that waits
 * for nothing has the key EVENT_NEVER and costs nothing. Nothing is allocated but while a heap grows.
 */
#ifndef SIM_EVENTS_H
#define SIM_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_NEVER UINT64_MAX

/** struct event_key - events are in the order of their times, and of their making where these are equal */
struct event_key {
	uint64_t time_ns;
	uint32_t seq;
};

static inline bool event_before(struct event_key a, struct event_key b)
{
	return a.time_ns < b.time_ns || (a.time_ns == b.time_ns && a.seq < b.seq);
}

/*
 * Sequences are below 2^EVENT_SEQ_BITS; from EVENT_SEQ_MANY on those that wait are to be numbered anew (slots_renumber()). So
 * time, sequence and CPU are one number of 64 bits, of which the least is a comparison and a conditional move: which of two
 * CPUs comes first can't be foreseen, and a branch would mostly be mispredicted.
 */
#define EVENT_SEQ_BITS 25
#define EVENT_SEQ_MANY (UINT32_C(1) << (EVENT_SEQ_BITS - 1))
#define EVENT_SEQ_MASK ((UINT32_C(1) << EVENT_SEQ_BITS) - 1)
#define EVENT_CPUS_MAX (UINT32_C(1) << 14)

/**
 * struct events - the keys of all CPUs; events_init() allocates, events_release() frees
 * @tree:    of [2 x width] nodes, from 1 on: the least number below each, those of the CPUs are the last half; [1] is the root
 * @late:    late[n]: keys of CPUs whose numbers don't tell them, as they are out of reach
 * @base_ns: times in these numbers are since then, up to @reach; what is later is that late there
 * @far:     the least number of those
 * @shift:   of the time; @cpu_mask: of the CPU
 * @width:   power of two, at least 2
 */
struct events {
	uint64_t *tree;
	struct event_key *late;
	uint64_t base_ns;
	uint64_t reach;
	uint64_t far;
	uint64_t cpu_mask;
	uint32_t cpu_bits;
	uint32_t shift;
	uint32_t width;
	uint32_t n;
};

/** events_init() - for @n CPUs, up to EVENT_CPUS_MAX */
void events_init(struct events *events, uint32_t n);
void events_release(struct events *events);

/** events_rebase() - all keys are out of reach: the first of them is the new base, if it is up to @until_ns. Return: whether it is */
bool events_rebase(struct events *events, uint64_t until_ns);

/** events_none() - waits nobody for anything? O(n) */
bool events_none(const struct events *events);

/** events_key() - of CPU @i */
static inline struct event_key events_key(const struct events *events, uint32_t i)
{
	const uint64_t number = events->tree[events->width + i];

	if (number >= events->far)
		return events->late[i];
	return (struct event_key){ events->base_ns + (number >> events->shift),
				   (uint32_t)(number >> events->cpu_bits) & EVENT_SEQ_MASK };
}

/** events_first_ns() - time of the first of all events, which is in reach: after events_first() */
static inline uint64_t events_first_ns(const struct events *events)
{
	return events->base_ns + (events->tree[1] >> events->shift);
}

/**
 * events_first() - @cpu has the first of all events, if that is up to @until_ns. Return: whether it is
 *
 * Keys that are set from then on are no earlier than @until_ns or that event, whichever is earlier.
 */
static inline bool events_first(struct events *events, uint64_t until_ns, uint32_t *cpu)
{
	if (events->tree[1] >= events->far && !events_rebase(events, until_ns))
		return false;
	*cpu = (uint32_t)(events->tree[1] & events->cpu_mask);
	return events_first_ns(events) <= until_ns;
}

/** events_second() - whose event would be next if that of @first, which is, were not */
static inline uint32_t events_second(const struct events *events, uint32_t first)
{
	const uint64_t *tree = events->tree;
	uint64_t least = events->far | first;

	for (size_t at = events->width + first; at > 1; at /= 2)
		least = tree[at ^ 1] < least ? tree[at ^ 1] : least;
	return (uint32_t)(least & events->cpu_mask);
}

/* What CPU @i has in the tree. */
static inline uint64_t events_number(struct events *events, uint32_t i, struct event_key key)
{
	uint64_t since = key.time_ns - events->base_ns;

	if (since >= events->reach) {
		events->late[i] = key;
		since = events->reach;
	}
	return since << events->shift | (uint64_t)key.seq << events->cpu_bits | i;
}

/** events_set() - CPU @i is next at @key. O(log n) */
static inline void events_set(struct events *events, uint32_t i, struct event_key key)
{
	uint64_t *tree = events->tree, number = events_number(events, i, key), other;
	size_t at = events->width + i;

	tree[at] = number;
	do {
		other = tree[at ^ 1];
		at /= 2;
		number = other < number ? other : number;
		tree[at] = number;
	} while (at != 1);
}

struct sim_task;

/**
 * struct timer - a sleeping task's, or one of the core's own
 * @key:     when at the latest
 * @soft_ns: when at the earliest: then it goes off together with what else interrupts the CPU
 * @task:    NULL: the core's, with @timer and @generation
 */
struct timer {
	struct event_key key;
	uint64_t soft_ns;
	struct sim_task *task;
	void *timer;
	uint64_t generation;
};

/** struct timers - a heap by key; initialise with { 0 } */
struct timers {
	struct timer *heap;
	size_t nr;
	size_t size;
};

void timers_release(struct timers *timers);
void timers_add(struct timers *timers, const struct timer *timer);

/** timers_pop() - take the first one out; there is one */
struct timer timers_pop(struct timers *timers);

/** timers_hasten() - the first one is due at @time_ns, which is before its own time */
static inline void timers_hasten(struct timers *timers, uint64_t time_ns)
{
	timers->heap[0].key.time_ns = time_ns;
}

#endif
