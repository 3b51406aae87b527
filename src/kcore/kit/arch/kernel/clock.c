// SPDX-License-Identifier: GPL-2.0-only
/* clock.c - time: the host's, from which jiffies follow */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/sched/loadavg.h>
#include <linux/timekeeping.h>
#include "kit.h"

u64 jiffies_64 = INITIAL_JIFFIES;
__asm__(".globl jiffies\n.hidden jiffies\n.set jiffies, jiffies_64");

static u64 next_jiffy;
static u64 blocks, blocks_told;

/* The host counts in steps, one of which is a CPU looked at: 20 blocks are 130 instructions (sim/costs.h). */
#define STEP_BLOCKS 20

/* Called by each basic block of a build that counts the cost. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	blocks++;
}

/* Of what was computed since the last time here the host makes time, and *now_ns has it. */
static u64 now(void)
{
	if (blocks - blocks_told >= STEP_BLOCKS) {
		u64 steps = (blocks - blocks_told) / STEP_BLOCKS;

		blocks_told += steps * STEP_BLOCKS;
		if (kit.cost)
			kit.host->work(kit.host->ctx, raw_smp_processor_id(), steps);
	}
	return *kit.host->now_ns;
}

/* Each event sees the jiffies of its time; no CPU has the duty to count them. */
void kit_clock_update(void)
{
	u64 time = now();

	while (time >= next_jiffy) {
		if (next_jiffy)
			jiffies_64++;
		next_jiffy += TICK_NSEC;
		calc_global_load();
	}
}

unsigned long long notrace sched_clock(void)
{
	return now();
}

ktime_t ktime_get(void)
{
	return now();
}

u64 ktime_get_mono_fast_ns(void)
{
	return now();
}

ktime_t ktime_get_with_offset(enum tk_offsets offset)
{
	return now();
}

void ktime_get_real_ts64(struct timespec64 *ts)
{
	*ts = (struct timespec64){ .tv_sec = now() / NSEC_PER_SEC,
				   .tv_nsec = now() % NSEC_PER_SEC };
}
