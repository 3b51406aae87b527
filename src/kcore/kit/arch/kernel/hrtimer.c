// SPDX-License-Identifier: GPL-2.0-only
/*
 * hrtimer.c - high-resolution timers, each an event of the host
 *
 * The host can't take an event back. A timer that was started anew or cancelled has another generation than the event that comes.
 */
#include <linux/hrtimer.h>
#include "kit.h"
#if __has_include(<linux/hrtimer_bases.h>)
#include <linux/hrtimer_bases.h>
#endif

#if SINCE(6, 15)
#define FUNCTION(timer) ACCESS_PRIVATE(timer, function)
#else
#define FUNCTION(timer) ((timer)->function)
#endif
#if SINCE(7, 0)
#define QUEUED(timer) ((timer)->is_queued)
#else
#define QUEUED(timer) ((timer)->state)
#endif

/* kept where the kernel's own queue would have its node */
struct queued {
	unsigned long generation;
	struct list_head list;
};

/* 7.3's word for hres_active */
DEFINE_STATIC_KEY_FALSE(hrtimer_highres_enabled_key);

static struct hrtimer_cpu_base cpu_base;
#if SINCE(6, 18)
static struct hrtimer_clock_base clock_base = { .cpu_base = &cpu_base };
#else
static struct hrtimer_clock_base clock_base = { .cpu_base = &cpu_base, .get_time = ktime_get };
#endif
static unsigned long last_generation;
static DEFINE_PER_CPU(struct list_head, queue);

static struct queued *queued_of(struct hrtimer *timer)
{
	BUILD_BUG_ON(sizeof(struct queued) > sizeof(struct rb_node));
	return (struct queued *)&timer->node;
}

static struct hrtimer *timer_of(struct queued *q)
{
	return container_of((void *)q, struct hrtimer, node);
}

void kit_hrtimer_setup(int cpu)
{
	INIT_LIST_HEAD(per_cpu_ptr(&queue, cpu));
	static_branch_enable(&hrtimer_highres_enabled_key);
#if !SINCE(7, 0)
	cpu_base.hres_active = 1;
#endif
}

static void enqueue(struct hrtimer *timer, int cpu)
{
	struct queued *q = queued_of(timer);
	u64 when = max_t(s64, hrtimer_get_expires(timer), ktime_get());

	q->generation = ++last_generation;
	/* a CPU that is going offline has no interrupts any more */
	if (!cpu_online(cpu))
		cpu = cpumask_any(cpu_online_mask);
	list_add_tail(&q->list, per_cpu_ptr(&queue, cpu));
	QUEUED(timer) = 1;
	kit.host->timer(kit.host->ctx, cpu, timer, when, q->generation);
}

static bool dequeue(struct hrtimer *timer)
{
	if (!QUEUED(timer))
		return false;
	list_del(&queued_of(timer)->list);
	QUEUED(timer) = 0;
	return true;
}

static void setup(struct hrtimer *timer)
{
	memset(timer, 0, sizeof(*timer));
	timer->base = &clock_base;
}

#if SINCE(6, 13)
void hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *),
		   clockid_t clock, enum hrtimer_mode mode)
{
	setup(timer);
	FUNCTION(timer) = function;
}
#endif
#if !SINCE(6, 15)
void hrtimer_init(struct hrtimer *timer, clockid_t clock, enum hrtimer_mode mode)
{
	setup(timer);
}
#endif

ktime_t ktime_add_safe(const ktime_t a, const ktime_t b)
{
	s64 sum;

	return check_add_overflow(a, b, &sum) ? KTIME_MAX : sum;
}

void hrtimer_start_range_ns(struct hrtimer *timer, ktime_t when, u64 slack,
			    const enum hrtimer_mode mode)
{
	dequeue(timer);
	if (mode & HRTIMER_MODE_REL)
		when = ktime_add_safe(ktime_get(), when);
	hrtimer_set_expires_range_ns(timer, when, slack);
	enqueue(timer, raw_smp_processor_id());
}

bool hrtimer_active(const struct hrtimer *timer)
{
	return QUEUED(timer) || clock_base.running == timer;
}

int hrtimer_try_to_cancel(struct hrtimer *timer)
{
	if (clock_base.running == timer)
		return -1;
	return dequeue(timer);
}

int hrtimer_cancel(struct hrtimer *timer)
{
	int ret = hrtimer_try_to_cancel(timer);

	/* who runs can't be waited for: it is us, and won't be started again */
	return max(ret, 0);
}

ktime_t __hrtimer_get_remaining(const struct hrtimer *timer, bool adjust)
{
	return hrtimer_get_expires(timer) - ktime_get();
}

#if SINCE(6, 18)
ktime_t hrtimer_cb_get_time(const struct hrtimer *timer)
{
	return ktime_get();
}
#endif

u64 hrtimer_forward(struct hrtimer *timer, ktime_t time, ktime_t interval)
{
	s64 late = time - hrtimer_get_expires(timer);
	u64 n;

	if (late < 0)
		return 0;
	interval = max_t(ktime_t, interval, 1);
	n = late / interval + 1;
	hrtimer_add_expires_ns(timer, n * interval);
	return n;
}

void kit_timer(struct core *core, uint32_t cpu, void *p, uint64_t generation)
{
	struct hrtimer *timer = p;
	enum hrtimer_restart restart;

	if (!QUEUED(timer) || queued_of(timer)->generation != generation)
		return;
	kit_interrupt(cpu);
	dequeue(timer);
	clock_base.running = timer;
	restart = FUNCTION(timer)(timer);
	clock_base.running = NULL;
	if (restart == HRTIMER_RESTART && !QUEUED(timer))
		enqueue(timer, cpu);
	kit_interrupt_end();
}

/* Those of a CPU that goes down go off on another one. */
void kit_timers_move(int from, int to)
{
	struct queued *q, *next;

	list_for_each_entry_safe(q, next, per_cpu_ptr(&queue, from), list)
	{
		struct hrtimer *timer = timer_of(q);

		dequeue(timer);
		enqueue(timer, to);
	}
}
