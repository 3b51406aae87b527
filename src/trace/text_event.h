/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace/text_event.h - what ftrace and perf print of the scheduler's events, in the kernel's own form
 * ("prev_comm=a prev_pid=1 ...") and in that of trace-cmd's and perf's plugin ("a:1 [120] S ==> b:2 [120]").
 *
 * Each takes the text apart in place: names point into it. Names of tasks may hold anything that the form itself is made
 * of: they end where all that is behind them fits.
 */
#ifndef TRACE_TEXT_EVENT_H
#define TRACE_TEXT_EVENT_H

#include "trace/trace.h"

/** Return: 0, or -EINVAL where the text is of neither form. Members that it tells are set in @event */
int text_switch(struct trace_event *event, char *text);
int text_wake(struct trace_event *event, char *text);
int text_migrate(struct trace_event *event, char *text);
int text_exit(struct trace_event *event, char *text);

#endif
