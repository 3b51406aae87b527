// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_loop.c - a loop that does nothing but look at the time: where it was interrupted. */
#include "host/calibrate_bench.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define MAX_GAPS  20000
#define TICKS_NS  200000000
#define PERIOD_NS UINT64_C(5000000)
#define TIMERS	  40

/* Shorter ones are no interrupts. */
static uint64_t least_gap(const struct bench *bench)
{
	return 100 + (uint64_t)(4 * bench->clock_ns);
}

static size_t find_gaps(const struct bench *bench, struct calibrate_gap *gap, uint64_t end_ns)
{
	const uint64_t least_ns = least_gap(bench);
	uint64_t last_ns = bench_now(), now_ns = last_ns;
	size_t n = 0;

	for (; now_ns < end_ns && n < MAX_GAPS; last_ns = now_ns) {
		now_ns = bench_now();
		if (now_ns - last_ns > least_ns)
			gap[n++] = (struct calibrate_gap){
				last_ns, now_ns - last_ns - (uint64_t)bench->clock_ns
			};
	}
	return n;
}

static double measure_timer(struct bench *bench, struct calibrate_gap *gap)
{
	const int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	const uint64_t first_ns = bench_now() + PERIOD_NS;
	const struct itimerspec spec = {
		.it_value = { (time_t)(first_ns / 1000000000), (long)(first_ns % 1000000000) },
		.it_interval = { .tv_nsec = PERIOD_NS },
	};
	double ns = NAN;
	size_t n;

	if (fd < 0)
		return ns;
	if (!timerfd_settime(fd, TFD_TIMER_ABSTIME, &spec, NULL)) {
		n = find_gaps(bench, gap, first_ns + TIMERS * PERIOD_NS);
		ns = calibrate_interrupt(gap, n, first_ns, PERIOD_NS, TIMERS);
	}
	close(fd);
	return ns;
}

void bench_gaps(struct bench *bench)
{
	struct calibrate_gap *gap = xcalloc(MAX_GAPS, sizeof(*gap));
	double *ns = bench->raws->ns;
	uint64_t from_ns;
	size_t n;

	if (!bench_be(bench->cpu, BENCH_FIFO)) {
		from_ns = bench_now();
		n = find_gaps(bench, gap, from_ns + TICKS_NS);
		ns[RAW_TICK] = calibrate_tick(gap, n, from_ns, from_ns + TICKS_NS);
		ns[RAW_INTERRUPT] = measure_timer(bench, gap);
	}
	free(gap);
}
