/* SPDX-License-Identifier: GPL-2.0-only */
/* host/sched_attr.h - what settings ask of sched_setattr(). */
#ifndef HOST_SCHED_ATTR_H
#define HOST_SCHED_ATTR_H

#include "host/settings.h"
#include "workload/sched_attr.h"

#include <stdbool.h>

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
