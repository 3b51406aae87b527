/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * differ/play.h - the calls of a script made to a core, without an engine: nothing takes time, and an event that can't be (a
 * task blocks that doesn't run, an interrupt that nobody sent) is passed over. So any part of a script is a script.
 */
#ifndef DIFFER_PLAY_H
#define DIFFER_PLAY_H

#include "core/core.h"
#include "differ/script.h"

enum play_what {
	PLAY_SWITCH,  /* @cpu from task @a to @b */
	PLAY_MIGRATE, /* task @a from CPU @b to @cpu for @reason */
	PLAY_FAIL,    /* the core warned or gave up: nothing comes behind it */
};

/**
 * struct play_decision - what a core decided; tasks as in the script, 0: none
 * @event: index in the script
 */
struct play_decision {
	uint32_t event;
	uint32_t what;
	uint32_t cpu;
	uint32_t a, b;
	uint32_t reason;
};

#define PLAY_WORDS 160

/**
 * struct play_out - shared with the process that plays; @decision has @room
 * @done:  done[script->nr]: the event could be
 * @words: of a core that failed
 * @more:  there were more decisions than room
 */
struct play_out {
	struct play_decision *decision;
	size_t nr, room;
	bool *done;
	char words[PLAY_WORDS];
	bool more;
};

/**
 * struct play - what to play
 * @keep:  keep[script->nr]: only those events; NULL: all
 * @knobs: "NAME=VALUE", as to boot with
 */
struct play {
	const struct core_ops *ops;
	const struct core_machine *machine;
	const char *const *knobs;
	uint32_t nr_knobs;
	const struct script *script;
	const bool *keep;
	struct play_out *out;
	/* of the last event, behind it; may be NULL */
	void (*end)(void *ctx, const struct core_ops *ops, struct core *core);
	void *ctx;
};

/** play_here() - @ctx is a struct play; in a process that ends then (apart.h): what the core has taken stays taken */
void play_here(void *ctx);

/** play_task() - number of a task by the cookie that the core has */
uint32_t play_task(const void *cookie);

/** play_check() - is the script one for @machine? Return: 0 or -ERANGE with the event */
int play_check(const struct script *script, const struct core_machine *machine, struct error *err);

#endif
