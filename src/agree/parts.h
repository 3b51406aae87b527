/* SPDX-License-Identifier: GPL-2.0-only */
/* agree/parts.h - between the parts of a pair. */
#ifndef AGREE_PARTS_H
#define AGREE_PARTS_H

#include "agree/pair.h"

/** agree_host_init() - what a side's core may ask for; agree_host_release() - memory that it didn't give back */
void agree_host_init(struct agree_side *side);
void agree_host_release(struct agree_side *side);

/** agree_call() - call @fn, and with it a core: one that gives up comes back here */
void agree_call(struct agree_pair *pair, void (*fn)(struct agree_pair *pair, const void *arg),
		const void *arg);

/**
 * agree_begin() - an event on @cpu, by name, of @task (AGREE_TASKS: none); then both cores are called
 *
 * agree_finish() - and it is settled, compared, and what the leading core asked for made events.
 */
void agree_begin(struct agree_pair *pair, uint32_t cpu, const char *what, uint32_t task);
void agree_finish(struct agree_pair *pair, uint32_t cpu);

/** agree_cpu_is_up() - is there such a CPU, and is it online? */
bool agree_cpu_is_up(const struct agree_pair *pair, uint32_t cpu);

/** agree_task_of() - number of a cookie, and 1; 0: none */
uint32_t agree_task_of(const void *cookie);

/** agree_judge() - count a decision, and note the first difference with its words. Return: @same */
bool agree_judge(struct agree_pair *pair, enum agree_kind kind, bool same, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/** agree_compare_place() - where is @task now? */
void agree_compare_place(struct agree_pair *pair, enum agree_kind kind, uint32_t task);

/** agree_compare_preempt() - are @cpu and that of @task (AGREE_TASKS: none) to choose anew? */
void agree_compare_preempt(struct agree_pair *pair, uint32_t cpu, uint32_t task);

/** agree_compare_said() - all that was said in the event; agree_compare_states() - of what it touched, or of all */
void agree_compare_said(struct agree_pair *pair);
void agree_compare_states(struct agree_pair *pair, bool all);

/** agree_passes_begin() - remember what /proc/schedstat counts; agree_compare_passes() - what it counted of balancing since */
void agree_passes_begin(struct agree_pair *pair);
void agree_compare_passes(struct agree_pair *pair);

/* Does it differ in what ENTITY and PELT are about? */
bool agree_task_entity(const struct agree_pair *pair, const struct core_task_state s[2]);
bool agree_task_pelt(const struct core_task_state s[2]);
bool agree_rq_entity(const struct core_rq_state s[2]);
bool agree_rq_pelt(const struct core_rq_state s[2]);

/* Looks at both. */
void agree_task_look(const struct agree_pair *pair, uint32_t task, struct core_task_state s[2]);
void agree_rq_look(const struct agree_pair *pair, uint32_t cpu, struct core_rq_state s[2]);

#endif
