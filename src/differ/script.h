/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * differ/script.h - what was done to a scheduler core, call by call: recorded by tap.h, done again by play.h without any engine,
 * and a text that a person can read and shorten:
 *
 *   0 fork t1 on 0 comm=hackbench policy=0 nice=0 rt=0
 *   0 start t1 on 0
 *   1200 block t1 on 0
 *   4000000 tick on 3
 *   4000150 ipi on 2 kind=1
 *   4000200 wake t1 on 2 sync
 *
 * A time in ns, a word, a task, the CPU it is done on. After each call but fork the core settles on that CPU.
 *
 * Memory: one arena a script, freed whole.
 */
#ifndef DIFFER_SCRIPT_H
#define DIFFER_SCRIPT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "core/core.h"

/* The most that is read from a file. */
#define SCRIPT_MAX_EVENTS 4000000
#define SCRIPT_MAX_TASKS  1000000
#define SCRIPT_COMM	  16

enum script_kind {
	SCRIPT_FORK,
	SCRIPT_START,
	SCRIPT_WAKE,
	SCRIPT_BLOCK,
	SCRIPT_YIELD,
	SCRIPT_EXEC,
	SCRIPT_EXIT,
	SCRIPT_FREE,
	SCRIPT_SCHED,
	SCRIPT_AFFINITY,
	SCRIPT_TICK,
	SCRIPT_TIMER,  /* the earliest that the core asked for on this CPU */
	SCRIPT_IPI,    /* of kind @ipi */
	SCRIPT_SETTLE, /* by itself: a thread of the core's own goes on */
	NR_SCRIPT_KINDS,
};

/**
 * struct script_event - one call
 * @task: 1 .. SCRIPT_MAX_TASKS, 0: none
 * @sync: of wake; @io: of block
 * @cpus: of fork and affinity: list of CPUs, NULL: all; the script's
 */
struct script_event {
	uint64_t time_ns;
	enum script_kind kind;
	uint32_t cpu;
	uint32_t task;
	uint32_t ipi;
	bool sync;
	bool io;
	struct core_sched sched;
	char comm[SCRIPT_COMM];
	const char *cpus;
};

/**
 * struct script - initialise with script_init()
 * @machine: as schedproof topo takes it
 * @before, @after: names of the cores that it was found with
 * @seed:    that they were booted with
 * @boot_ns: the time at which they were
 * @lacks:   what was done that a script can't say, static; NULL: nothing
 */
struct script {
	struct arena *arena;
	char *machine;
	char *before, *after;
	uint64_t seed;
	uint64_t boot_ns;
	const char *lacks;
	struct script_event *events;
	size_t nr, room;
};

void script_init(struct script *script);
void script_release(struct script *script);

/** script_text() - a copy of @text that lives as long as the script */
char *script_text(struct script *script, const char *text);

/** script_add() - a new event at the end, its texts are the script's already */
void script_add(struct script *script, const struct script_event *event);

/** script_print_event() - append it, without the newline */
void script_print_event(const struct script_event *event, struct strbuf *sb);

/**
 * script_print() - append the file
 * @keep: keep[script->nr]: only those; NULL: all
 */
void script_print(const struct script *script, const bool *keep, struct strbuf *sb);

/**
 * script_parse() - the opposite; @script is initialised
 * @path: for the words
 *
 * Return: 0, or -EINVAL / -ERANGE with "path:line: what".
 */
int script_parse(struct script *script, const char *path, const char *text, struct error *err);

#endif
