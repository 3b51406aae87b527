/* SPDX-License-Identifier: GPL-2.0-only */
/* host/sched_attr.h - sched_setattr() and sched_getattr(), which glibc wraps only since 2.41. */
#ifndef HOST_SCHED_ATTR_H
#define HOST_SCHED_ATTR_H

#include "host/settings.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

/**
 * struct task_attr - the kernel's struct sched_attr in its first version, which every kernel takes
 * @runtime_ns: of a deadline task; of a fair task its slice, 0 for the usual one
 */
struct task_attr {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns;
	uint64_t deadline_ns;
	uint64_t period_ns;
};

/** both on the calling task. Return: 0 or -1 with errno */
static inline int task_attr_set(struct task_attr *attr)
{
	attr->size = sizeof(*attr);
	return (int)syscall(SYS_sched_setattr, 0, attr, 0);
}

static inline int task_attr_get(struct task_attr *attr)
{
	return (int)syscall(SYS_sched_getattr, 0, attr, (unsigned int)sizeof(*attr), 0);
}

/**
 * task_attr_ask() - change @attr to what @settings asks for
 * @attr: of the calling task as it is now
 *
 * Return: false if @settings asks for nothing that is in it; then it is unchanged.
 */
bool task_attr_ask(struct task_attr *attr, const struct settings *settings);

/** task_attr_refused() - the words for @code (positive errno) of task_attr_set(). Return: -@code */
int task_attr_refused(const struct settings *settings, int code, struct error *err);

#endif
