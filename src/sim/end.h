/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/end.h - why a sim ends, in words. */
#ifndef SIM_END_H
#define SIM_END_H

#include "sim/state.h"

/** sim_end_with() - it ends after this event; what is told first counts. The words get the simulated time in front */
void sim_end_with(struct sim *sim, enum sim_end end, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** sim_end_deadlock() - all tasks wait: since when and for what */
void sim_end_deadlock(struct sim *sim);

/** sim_end_code() - of sim_go(). Return: 0 or -errno */
int sim_end_code(enum sim_end end);

/** sim_task_comm() - "idle" for NULL */
const char *sim_task_comm(const struct sim_task *task);

/** sim_task_state_name() - with a verb: "is ready on", "is running on", "is waiting, last on" */
const char *sim_task_state_name(const struct sim_task *task);

#endif
