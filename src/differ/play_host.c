// SPDX-License-Identifier: GPL-2.0-only
/* differ/play_host.c - what a core that is played to may ask for. */
#include "differ/play_parts.h"

#include "base/mem.h"

#include <stdio.h>
#include <unistd.h>

static void decide(struct player *p, struct play_decision decision)
{
	struct play_out *out = p->play->out;

	decision.event = p->event;
	if (out->nr < out->room)
		out->decision[out->nr++] = decision;
	else
		out->more = true;
}

uint32_t play_task(const void *cookie)
{
	return cookie ? ((const struct play_actor *)cookie)->nr : 0;
}

static void host_ipi(void *ctx, uint32_t cpu, enum core_ipi kind)
{
	((struct player *)ctx)->slot[cpu].pending[kind] = true;
}

static void host_timer(void *ctx, uint32_t cpu, void *timer, uint64_t when_ns, uint64_t generation)
{
	struct play_slot *slot = &((struct player *)ctx)->slot[cpu];

	if (slot->nr == slot->room) {
		slot->room = slot->room ? 2 * slot->room : 16;
		slot->timers = xreallocarray(slot->timers, slot->room, sizeof(*slot->timers));
	}
	slot->timers[slot->nr++] = (struct play_timer){ when_ns, timer, generation, false };
}

static void host_switched(void *ctx, uint32_t cpu, void *prev, void *next)
{
	struct player *p = ctx;

	p->slot[cpu].running = play_task(next);
	decide(p, (struct play_decision){ .what = PLAY_SWITCH,
					  .cpu = cpu,
					  .a = play_task(prev),
					  .b = play_task(next) });
}

static void host_migrated(void *ctx, void *task, uint32_t from, uint32_t to,
			  enum core_reason reason)
{
	if (from != to)
		decide(ctx, (struct play_decision){ .what = PLAY_MIGRATE,
						    .cpu = to,
						    .a = play_task(task),
						    .b = from,
						    .reason = reason });
}

void play_fail(struct player *p, const char *words)
{
	snprintf(p->play->out->words, PLAY_WORDS, "%s", words);
	decide(p, (struct play_decision){ .what = PLAY_FAIL });
	_exit(0);
}

/* The instance may be dead: this is the end. */
__attribute__((noreturn)) static void host_fail(void *ctx, const char *text)
{
	play_fail(ctx, text);
}

static void host_warn(void *ctx, const char *text)
{
	play_fail(ctx, text);
}

static void *host_alloc(void *ctx, size_t size)
{
	return core_memory_alloc(&((struct player *)ctx)->memory, size);
}

void play_init_host(struct player *p)
{
	p->host = (struct core_host){
		.ctx = p,
		.now_ns = &p->now_ns,
		.ipi = host_ipi,
		.timer = host_timer,
		.switched = host_switched,
		.migrated = host_migrated,
		.work = core_ignore_work,
		.frequency = core_ignore_frequency,
		.numa_scan = core_ignore_numa_scan,
		.print = core_ignore_print,
		.warn = host_warn,
		.fail = host_fail,
		.alloc = host_alloc,
		.free = core_memory_free,
		.numa_moved = core_ignore_numa_moved,
	};
}
