/* SPDX-License-Identifier: GPL-2.0-only */
/* base/clock.h - what time it is. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/** clock_ns() - time of CLOCK_MONOTONIC, CLOCK_REALTIME, ... */
uint64_t clock_ns(clockid_t clock);

#endif
