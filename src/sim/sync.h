/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/sync.h - futexes, mutexes and barriers in words. */
#ifndef SIM_SYNC_H
#define SIM_SYNC_H

#include "sim/task.h"

#include "base/strbuf.h"

/** sim_futex_tell(), sim_mutex_tell(), sim_barrier_tell() - append what one who waits there does */
void sim_futex_tell(const struct sim_futex *futex, struct strbuf *sb);
void sim_mutex_tell(const struct sim_mutex *mutex, struct strbuf *sb);
void sim_barrier_tell(const struct sim_barrier *barrier, struct strbuf *sb);

#endif
