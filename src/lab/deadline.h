/* SPDX-License-Identifier: GPL-2.0-only */
/* lab/deadline.h - what SCHED_DEADLINE can't run, said before anything runs. */
#ifndef LAB_DEADLINE_H
#define LAB_DEADLINE_H

#include "base/error.h"
#include "host/host.h"
#include "lab/experiment.h"

/**
 * deadline_check() - can each variant with policy = deadline run each point?
 *
 * The kernel admits a deadline task only where it may run on every CPU, and only while runtime / period of all of
 * them stays within sched_rt_runtime_us / sched_rt_period_us of each online CPU. What passes may still be refused at
 * run time, if others hold a part.
 *
 * Return: 0, or -EINVAL (a workload that binds its tasks) or -EBUSY (too much bandwidth), with variant and point.
 */
int deadline_check(const struct experiment *experiment, const struct host *host, struct error *err);

#endif
