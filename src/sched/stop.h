/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/stop.h - stop_one_cpu() of model.h, and the stopper itself. */
#ifndef SCHED_STOP_H
#define SCHED_STOP_H

#include "sched/model.h"

/** stop_run() - the stopper of @rq runs: all its works, then it sleeps */
void stop_run(struct rq *rq);

/** stop_now() - somebody waits for the works of @rq: they are done, and @rq has chosen anew */
void stop_now(struct rq *rq);

#endif
