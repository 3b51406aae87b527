/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace/trace.h - what happened on a machine, event by event: what a simulator tells whoever wants to write it down, and what
 * is read from a recorded trace of a real one. The other files here write Perfetto's format, ftrace's text and JSON lines, read
 * them and what perf prints, and find out who waited for whom.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "core/core.h"

#include <stdbool.h>
#include <stdint.h>

enum trace_kind {
	TRACE_SWITCH, /* on @cpu from @task to @other; 0: idle */
	TRACE_WAKING, /* @task is woken by @other, 0: a timer or interrupt */
	TRACE_WAKEUP, /* @task is ready on @target */
	TRACE_NEW,    /* @task, forked by @other, is ready on @target */
	TRACE_EXIT,
	TRACE_MIGRATE, /* @task from @cpu to @target for @reason */
	TRACE_BLOCK,   /* @task waits: @text says for what */
	TRACE_TICK,
	TRACE_IPI, /* kind @value arrives at @cpu */
	TRACE_TIMER,
	TRACE_FREQUENCY, /* @value of 1024 */
	TRACE_HOTPLUG,	 /* @target went up (@value 1) or down */
	TRACE_MARK,	 /* @text: a warning, a breach, the begin of the measured part */
	TRACE_WHY,	 /* @why */
	NR_TRACE_KINDS,
};

/**
 * struct trace_event - one line of a trace
 * @time_ns: never less than the one before on the same CPU
 * @cpu:     it happens on
 * @task, @other: numbers of tasks from 1 on ("pid"), 0: none
 * @comm, @other_comm: their names
 * @priority: kernel's prio of @task, 0 .. 139 (120: nice 0)
 * @runnable: of a switch: @task is still ready (preempted)
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
	uint32_t target;
	enum core_reason reason;
	int64_t value;
	const char *text;
	const struct core_why *why;
};

/** struct trace_sink - a listener; embed it */
struct trace_sink {
	void (*event)(struct trace_sink *sink, const struct trace_event *event);
	bool why; /* it wants the core's reasons too */
};

#endif
