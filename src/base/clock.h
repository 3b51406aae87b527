/* SPDX-License-Identifier: GPL-2.0-only */
/* base/clock.h - what time it is. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/** clock_ns() - time of CLOCK_MONOTONIC, CLOCK_REALTIME, ... */
uint64_t clock_ns(clockid_t clock);

/** clock_sleep_until() - sleep to a time of @clock, through signals; at once if it has passed */
void clock_sleep_until(clockid_t clock, uint64_t ns);

#endif
