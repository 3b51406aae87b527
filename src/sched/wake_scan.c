// SPDX-License-Identifier: GPL-2.0-only
#include "sched/wake_scan.h"

#define SCALE	   1024
#define LEAST_SCAN 4

uint32_t scan_by_util(uint64_t sum_util, uint32_t llc_size, unsigned int pct)
{
	uint64_t x = sum_util / llc_size, used = x * x * pct * pct / (UINT64_C(10000) * SCALE);

	if (used >= SCALE)
		return 0;
	return (uint32_t)((SCALE - used) * llc_size / SCALE);
}

uint64_t scan_by_cost(uint64_t idle_ns, uint64_t cost_ns, uint32_t llc_size)
{
	uint64_t cost = cost_ns + 1, worth = llc_size * idle_ns;

	return worth > LEAST_SCAN * cost ? worth / cost : LEAST_SCAN;
}
