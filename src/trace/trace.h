/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace/trace.h - what happened on a machine, event by event: what a simulator tells whoever wants to write it down, and what
 * is read from a recorded trace of a real one. write.h has those who write it down, read.h those who read it back, analyse.h
 * finds out who waited for whom.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "core/core.h"

#include <stdbool.h>
#include <stdint.h>

/* Beside @time_ns and @cpu each kind has the members named here; the others are 0. */
enum trace_kind {
	TRACE_SWITCH,  /* on @cpu from @task to @other, 0: idle; @runnable and @state of @task */
	TRACE_WAKING,  /* @task, last on @target, is woken by @other, 0: a timer or interrupt */
	TRACE_WAKEUP,  /* @task is ready on @target; @other as above, 0 also where it isn't known */
	TRACE_NEW,     /* @task, forked by @other, is ready on @target */
	TRACE_EXIT,    /* @task */
	TRACE_MIGRATE, /* @task from @cpu to @target for @reason */
	TRACE_BLOCK,   /* @task waits: @text says for what */
	TRACE_TICK,
	TRACE_IPI, /* kind @value, enum core_ipi, arrives at @cpu */
	TRACE_TIMER,
	TRACE_FREQUENCY, /* @value of 1024 of @cpu's highest one; in kHz where it was recorded */
	TRACE_HOTPLUG,	 /* @target went up (@value 1) or down */
	TRACE_MARK,	 /* @text: a warning, a breach, the begin of the measured part */
	TRACE_WHY,	 /* @why, about @task; its cookie isn't looked at */
	TRACE_AFFINITY,	 /* @task may be on the CPUs of @text, list form, from now on */
	TRACE_LOST,	 /* @value events of @cpu were lost here, 0: an unknown number */
	NR_TRACE_KINDS,
};

/**
 * struct trace_event - one line of a trace; texts are borrowed while it is told
 * @time_ns: never less than the one before on the same CPU
 * @cpu:     it happens on
 * @task, @other: numbers of tasks from 1 on ("pid"), 0: none, of which nothing else is looked at
 * @comm, @other_comm: their names, NULL where they aren't known
 * @priority: kernel's prio of @task, -1 (deadline) .. 139 (120: nice 0)
 * @runnable: of a switch: @task is still ready (preempted)
 * @state:   of a switch: the letter of its state as the kernel shows it: 'S', 'D', 'X' ..., 'R' where it gave way, '+' where it
 *           was preempted; 0: not told
 * @value:   see the kinds
 */
struct trace_event {
	uint64_t time_ns;
	enum trace_kind kind;
	uint32_t cpu;
	uint32_t task;
	uint32_t other;
	const char *comm;
	const char *other_comm;
	int32_t priority;
	int32_t other_priority;
	bool runnable;
	char state;
	uint32_t target;
	enum core_reason reason;
	int64_t value;
	const char *text;
	const struct core_why *why;
};

/** trace_kind_name() - "switch", "waking" ...; trace_kind_parse() - Return: 0, or -EINVAL if @name is none */
const char *trace_kind_name(enum trace_kind kind);
int trace_kind_parse(enum trace_kind *kind, const char *name);

/** trace_reason_name() - "wake", "fork", "newidle" ...; trace_reason_parse() - Return: 0 or -EINVAL */
const char *trace_reason_name(enum core_reason reason);
int trace_reason_parse(enum core_reason *reason, const char *name);

/**
 * struct trace_sink - a listener; embed it
 * @why:    it wants the core's reasons too
 * @enough: it has seen enough: who tells may stop
 */
struct trace_sink {
	void (*event)(struct trace_sink *sink, const struct trace_event *event);
	bool why;
	bool enough;
};

#endif
