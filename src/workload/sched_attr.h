/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/sched_attr.h - sched_setattr() and sched_getattr(), which glibc wraps only since 2.41. */
#ifndef WORKLOAD_SCHED_ATTR_H
#define WORKLOAD_SCHED_ATTR_H

#include <sched.h>
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

#define TASK_ATTR_KEEP	   0x18 /* policy and parameters */
#define TASK_ATTR_UTIL_MIN 0x20
#define TASK_ATTR_UTIL_MAX 0x40

/* struct task_clamps - the struct with the fields that Linux 5.3 added, of which @attr's flags say what is set */
struct task_clamps {
	struct task_attr attr;
	uint32_t util_min;
	uint32_t util_max;
};

/** both on the calling task. Return: 0 or -1 with errno */
static inline int task_attr_set(struct task_attr *attr)
{
	attr->size = sizeof(*attr);
	return (int)syscall(SYS_sched_setattr, 0, attr, 0);
}

static inline int task_clamps_set(struct task_clamps *clamps)
{
	clamps->attr.size = sizeof(*clamps);
	return (int)syscall(SYS_sched_setattr, 0, clamps, 0);
}

static inline int task_attr_get(struct task_attr *attr)
{
	return (int)syscall(SYS_sched_getattr, 0, attr, (unsigned int)sizeof(*attr), 0);
}

#endif
