// SPDX-License-Identifier: GPL-2.0-only
/* agree/host.c - what each core may ask of who drives the pair. */
#include "agree/parts.h"

#include "base/mem.h"

#include <inttypes.h>

uint32_t agree_task_of(const void *cookie)
{
	return cookie ? ((const struct agree_task *)cookie)->nr + 1 : 0;
}

static void say(struct agree_side *side, struct agree_said said)
{
	if (side->nr_said == side->room) {
		side->room = side->room ? 2 * side->room : 32;
		side->said = xreallocarray(side->said, side->room, sizeof(*side->said));
	}
	side->said[side->nr_said++] = said;
	side->pair->touched[said.cpu] = 1;
}

static void host_ipi(void *ctx, uint32_t cpu, enum core_ipi kind)
{
	say(ctx, (struct agree_said){ .kind = SAID_IPI, .cpu = cpu, .a = kind });
}

static uint32_t side_nr(const struct agree_side *side)
{
	return side == &side->pair->side[1];
}

static void host_timer(void *ctx, uint32_t cpu, void *timer, uint64_t when_ns, uint64_t generation)
{
	struct agree_side *side = ctx;

	agree_queue_push(&side->pair->queue, (struct agree_event){ .when_ns = when_ns,
								   .kind = AGREE_EVENT_TIMER,
								   .cpu = cpu,
								   .side = side_nr(side),
								   .timer = timer,
								   .number = generation });
}

static void host_switched(void *ctx, uint32_t cpu, void *prev, void *next)
{
	say(ctx, (struct agree_said){ .kind = SAID_SWITCH,
				      .cpu = cpu,
				      .a = agree_task_of(prev),
				      .b = agree_task_of(next) });
}

static void host_migrated(void *ctx, void *task, uint32_t from, uint32_t to,
			  enum core_reason reason)
{
	struct agree_side *side = ctx;

	side->pair->touched[from] = 1;
	say(side, (struct agree_said){ .kind = SAID_MIGRATE,
				       .cpu = to,
				       .a = agree_task_of(task),
				       .b = from,
				       .c = reason });
}

static void host_warn(void *ctx, const char *text)
{
	struct agree_side *side = ctx;

	if (!side->pair->failed)
		strbuf_addf(&side->pair->words, "%s core: %s", side->ops->name, text);
	side->pair->failed = true;
}

__attribute__((noreturn)) static void host_fail(void *ctx, const char *text)
{
	struct agree_side *side = ctx;

	host_warn(ctx, text);
	side->core = NULL; /* dead */
	longjmp(side->pair->escape, 1);
}

static void host_why(void *ctx, const struct core_why *why)
{
	struct agree_side *side = ctx;
	struct strbuf *sb = &side->pair->why;

	strbuf_addf(sb, "  %s/%s on CPU %d", why->decision, why->what, why->cpu);
	if (why->task)
		strbuf_addf(sb, " for t%u", agree_task_of(why->task) - 1);
	if (why->subject >= 0)
		strbuf_addf(sb, ", %d", why->subject);
	strbuf_addf(sb, ": %s", why->outcome);
	for (uint32_t i = 0; i < why->nr_values; i++)
		strbuf_addf(sb, " %s=%" PRId64, why->name[i], why->value[i]);
	strbuf_addch(sb, '\n');
}

static void *host_alloc(void *ctx, size_t size)
{
	return core_memory_alloc(&((struct agree_side *)ctx)->memory, size);
}

void agree_host_release(struct agree_side *side)
{
	core_memory_release(&side->memory);
}

void agree_host_init(struct agree_side *side)
{
	side->host = (struct core_host){
		.ctx = side,
		.now_ns = &side->pair->now_ns,
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
		.why = side_nr(side) && side->pair->config->why ? host_why : NULL,
		.alloc = host_alloc,
		.free = core_memory_free,
		.numa_moved = core_ignore_numa_moved,
	};
}
