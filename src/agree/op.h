/* SPDX-License-Identifier: GPL-2.0-only */
/* agree/op.h - a script of events: what happens to tasks from outside, one line each. Ticks, IPIs and timers follow from it. */
#ifndef AGREE_OP_H
#define AGREE_OP_H

#include "base/error.h"
#include "base/strbuf.h"
#include "core/core.h"

#define AGREE_CPUS  1024
#define AGREE_WORDS (AGREE_CPUS / 64)
#define AGREE_TASKS 4096

enum agree_op_kind {
	AGREE_OP_FORK,
	AGREE_OP_WAKE,
	AGREE_OP_BLOCK,
	AGREE_OP_YIELD,
	AGREE_OP_EXEC,
	AGREE_OP_EXIT,
	AGREE_OP_SCHED,
	AGREE_OP_AFFINITY,
	NR_AGREE_OPS,
};

/** agree_op_name() - "fork", "wake" ... */
const char *agree_op_name(enum agree_op_kind kind);

/**
 * struct agree_op - one event
 * @time_ns: since the end of the warm-up
 * @task:    0 .. AGREE_TASKS - 1; the script gives each fork a number of its own
 * @cpu:     of fork, wake, sched, affinity: where it is done; the others happen where the task runs
 * @sync:    of wake
 * @sched:   of sched
 * @affinity: of affinity, and of fork where @bound
 *
 * One that doesn't fit (a wake of a task that isn't asleep, a block of one that doesn't run) is passed over, so that any
 * part of a script is a script.
 */
struct agree_op {
	uint64_t time_ns;
	enum agree_op_kind kind;
	uint32_t task;
	uint32_t cpu;
	bool sync;
	bool bound;
	struct core_sched sched;
	uint64_t affinity[AGREE_WORDS];
};

/**
 * struct agree_ops - op[nr], in the order of their times; zeroed, then agree_ops_add()
 * @end_ns: up to when what follows from them counts
 */
struct agree_ops {
	struct agree_op *op;
	size_t nr, room;
	uint64_t end_ns;
};

void agree_ops_add(struct agree_ops *ops, const struct agree_op *op);
void agree_ops_release(struct agree_ops *ops);

/** agree_ops_print() - append it, "1250 wake t3 on 5 sync" a line, and "99000 end" */
void agree_ops_print(const struct agree_ops *ops, struct strbuf *sb);

/**
 * agree_ops_parse() - read that back; '#' begins a comment
 *
 * Return: 0, or -EINVAL with the line; @ops is to be released in both cases.
 */
int agree_ops_parse(struct agree_ops *ops, const char *text, struct error *err);

#endif
