/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/sync.h - futexes, mutexes and barriers in words. */
#ifndef SIM_SYNC_H
#define SIM_SYNC_H

#include "sim/task.h"

#include "base/strbuf.h"

uint32_t sim_futex_nr(const struct sim_futex *futex);

/** sim_mutex_tell(), sim_barrier_tell() - append what one who waits there does */
void sim_mutex_tell(const struct sim_mutex *mutex, struct strbuf *sb);
void sim_barrier_tell(const struct sim_barrier *barrier, struct strbuf *sb);

#endif
