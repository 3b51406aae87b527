/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace/text_head.h - what stands in front of an event in ftrace's and perf script's text:
 *
 *	          comm-pid     (tgid) [cpu] flags  seconds.fraction: event: ...
 *	          comm-pid     cpuflags seconds.fraction: event: ...             trace-cmd report -l
 *	comm  pid/tid [cpu] seconds.fraction:   period  system:event: ...        perf script
 *
 * Names of tasks may hold anything, also blanks, brackets and '-'.
 */
#ifndef TRACE_TEXT_HEAD_H
#define TRACE_TEXT_HEAD_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct text_head - a line taken apart in place
 * @pid, @comm: whom the event happened in; NULL where the name isn't told
 * @has_flags:  of the CPU's state were told: @softirq and @hardirq mean something
 * @perf:       written by perf
 * @event:      name without its system
 * @rest:       what is behind it
 */
struct text_head {
	uint64_t time_ns;
	uint32_t pid;
	uint32_t cpu;
	const char *comm;
	bool has_flags;
	bool softirq;
	bool hardirq;
	bool perf;
	const char *event;
	char *rest;
};

/** text_head_parse() - @line is terminated and changed in place if it is one. Return: is it one? Its CPU may be any */
bool text_head_parse(struct text_head *head, char *line);

/** text_number() - digits that fit into 32 bits, @at goes on behind them. Return: were there any? */
bool text_number(const char **at, uint32_t *value);

/** text_comm() - NULL where @comm says that it isn't known */
const char *text_comm(const char *comm);

#endif
