/* SPDX-License-Identifier: GPL-2.0-only */
/* differ/play_parts.h - between play.c, which makes the calls, and play_host.c, which answers what the core asks for. */
#ifndef DIFFER_PLAY_PARTS_H
#define DIFFER_PLAY_PARTS_H

#include "core/host.h"
#include "differ/play.h"

/* One that was asked for. */
struct play_timer {
	uint64_t when_ns;
	void *timer;
	uint64_t generation;
	bool gone;
};

/** struct play_slot - a CPU: @running: its task, @pending: by kind, @timers: in the order in which they were asked for */
struct play_slot {
	uint32_t running;
	bool tick;
	bool pending[NR_CORE_IPIS];
	struct play_timer *timers;
	size_t nr, room;
};

/** struct play_actor - a task; its address is the cookie. @started: it can be woken up again when it has blocked */
struct play_actor {
	struct core_task *core;
	uint32_t nr;
	bool started, asleep, exited;
};

/** struct player - all of it stays until the process ends */
struct player {
	const struct play *play;
	struct core *core;
	struct core_host host;
	struct core_memory memory;
	struct play_slot *slot;
	struct play_actor *actor;
	uint64_t *words; /* of a list of CPUs */
	uint64_t now_ns;
	uint32_t event;
};

/** play_init_host() - fill player->host */
void play_init_host(struct player *player);

/** play_fail() - the core can't go on: the last decision, and the end of the process */
void play_fail(struct player *player, const char *words) __attribute__((noreturn));

#endif
