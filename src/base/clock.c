// SPDX-License-Identifier: GPL-2.0-only
#include "base/clock.h"

#include <errno.h>

uint64_t clock_ns(clockid_t clock)
{
	struct timespec now = { 0 };

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void clock_sleep_until(clockid_t clock, uint64_t ns)
{
	const struct timespec until = { .tv_sec = (time_t)(ns / UINT64_C(1000000000)),
					.tv_nsec = (long)(ns % UINT64_C(1000000000)) };

	while (clock_nanosleep(clock, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}
