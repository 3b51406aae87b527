/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/wake_scan.h - how many CPUs of a cache's domain a wake-up may look at for an idle one (wake.scan_limit). */
#ifndef SCHED_WAKE_SCAN_H
#define SCHED_WAKE_SCAN_H

#include <stdint.h>

/**
 * scan_by_util() - nr_idle_scan of a domain
 * @sum_util: utilisation of its CPUs
 * @pct:      its imbalance_pct: at 100 / pct full there are none
 */
uint32_t scan_by_util(uint64_t sum_util, uint32_t llc_size, unsigned int pct);

/**
 * scan_by_cost() - SIS_PROP's number
 * @idle_ns: how long the waker's CPU idles on average, wake_avg_idle
 * @cost_ns: what a scan takes on average, avg_scan_cost
 */
uint64_t scan_by_cost(uint64_t idle_ns, uint64_t cost_ns, uint32_t llc_size);

#endif
