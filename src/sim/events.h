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
	uint64_t seq;
};

static inline bool event_before(struct event_key a, struct event_key b)
{
	return a.time_ns < b.time_ns || (a.time_ns == b.time_ns && a.seq < b.seq);
}

/** event_first() - the earlier of two, by conditional moves: which one it is can't be foreseen */
static inline struct event_key event_first(struct event_key a, struct event_key b)
{
	const unsigned __int128 x = (unsigned __int128)a.time_ns << 64 | a.seq;
	const unsigned __int128 y = (unsigned __int128)b.time_ns << 64 | b.seq;
	const bool before = y < x;

	a.time_ns = before ? b.time_ns : a.time_ns;
	a.seq = before ? b.seq : a.seq;
	return a;
}

/* In the tree a sequence has the number of its CPU behind it. */
#define EVENT_CPU_BITS 14

/**
 * struct events - the keys of all CPUs; events_init() allocates, events_release() frees
 * @time_ns, @seq: of [2 x width] nodes, from 1 on: the first key below each, those of the CPUs are the last half; [1] is the root.
 *                 Apart from each other, as both are then loaded by the node's number alone
 * @width:         power of two, at least 2
 */
struct events {
	uint64_t *time_ns;
	uint64_t *seq;
	uint32_t width;
};

void events_init(struct events *events, uint32_t n);
void events_release(struct events *events);

/** events_time() - of the first of all; events_cpu(): whose it is */
static inline uint64_t events_time(const struct events *events)
{
	return events->time_ns[1];
}

static inline uint32_t events_cpu(const struct events *events)
{
	return events->seq[1] & ((1u << EVENT_CPU_BITS) - 1);
}

/* From node @at, which gets @key, up to the root; with @ends up to a node that has its key already. */
static inline void events_climb(struct events *events, size_t at, struct event_key key, bool ends)
{
	uint64_t *time_ns = events->time_ns, *seq = events->seq;

	while (at > 1) {
		if (ends && time_ns[at] == key.time_ns && seq[at] == key.seq)
			return;
		time_ns[at] = key.time_ns;
		seq[at] = key.seq;
		key = event_first(key, (struct event_key){ time_ns[at ^ 1], seq[at ^ 1] });
		at /= 2;
	}
	time_ns[1] = key.time_ns;
	seq[1] = key.seq;
}

/** events_set() - CPU @i is next at @key. O(log n), less where it changes nothing further up */
static inline void events_set(struct events *events, uint32_t i, struct event_key key)
{
	const size_t at = events->width + i;

	key.seq = key.seq << EVENT_CPU_BITS | i;
	/* all nodes above the first of all have its key and change: mostly it is its event that has just been */
	if (events_cpu(events) == i)
		events_climb(events, at, key, false);
	else
		events_climb(events, at, key, true);
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
