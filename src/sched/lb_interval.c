// SPDX-License-Identifier: GPL-2.0-only
#include "sched/lb_interval.h"

uint64_t lb_interval(uint64_t ms, bool busy, unsigned int hz, uint64_t max)
{
	uint64_t n = ((busy ? ms * LB_BUSY_FACTOR : ms) * hz + 999) / 1000 - busy;

	if (n < 1)
		return 1;
	return n > max ? max : n;
}
