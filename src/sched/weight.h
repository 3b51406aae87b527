/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/weight.h - what niceness weighs, and time scaled by weights as the kernel's integers do it. */
#ifndef SCHED_WEIGHT_H
#define SCHED_WEIGHT_H

#include <stdint.h>

#define WEIGHT_NICE_0 1024U
#define WEIGHT_IDLE   3U

/**
 * struct weight - of an entity
 * @inverse: 2^32 / weight, rounded; 0: virtual time is divided by the weight, exactly
 */
struct weight {
	uint32_t weight;
	uint32_t inverse;
};

/** weight_of_nice() - -20 .. 19; each step is a quarter more or less */
struct weight weight_of_nice(int nice);

/** weight_of_idle() - of the idle policy */
struct weight weight_of_idle(void);

/** weight_virtual() - virtual time in which @w gets @ns of service */
uint64_t weight_virtual(uint64_t ns, struct weight w);

/** weight_share() - @ns * @weight / @total, with a queue's inverse rounded down; @total > 0 */
uint64_t weight_share(uint64_t ns, uint32_t weight, uint64_t total);

#endif
