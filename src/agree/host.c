// SPDX-License-Identifier: GPL-2.0-only
/* agree/host.c - what each core may ask of who drives the pair. */
#include "agree/parts.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

#define CACHE_LINE 64
#define PAGE	   4096

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

static void host_work(void *ctx, uint32_t cpu, uint64_t steps)
{
	(void)ctx;
	(void)cpu;
	(void)steps;
}

static void host_frequency(void *ctx, uint32_t cpu, uint32_t perf)
{
	(void)ctx;
	(void)cpu;
	(void)perf;
}

static uint64_t host_numa_scan(void *ctx, void *task, uint64_t pages)
{
	(void)ctx;
	(void)task;
	(void)pages;
	return 0;
}

static void host_numa_moved(void *ctx, uint32_t node)
{
	(void)ctx;
	(void)node;
}

static void host_print(void *ctx, const char *line)
{
	(void)ctx;
	(void)line;
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

/* struct agree_piece - before each piece of a core's memory, so that that of a dead one can be freed */
struct agree_piece {
	struct agree_piece *next, **link;
	void *start;
};

static struct agree_piece *piece_of(void *p)
{
	return (struct agree_piece *)((char *)p - sizeof(struct agree_piece));
}

static void *host_alloc(void *ctx, size_t size)
{
	struct agree_side *side = ctx;
	const size_t head = size < PAGE ? CACHE_LINE : PAGE;
	char *start = xaligned(head, head + size);
	struct agree_piece *piece = piece_of(start + head);

	*piece = (struct agree_piece){ side->memory, &side->memory, start };
	if (side->memory)
		side->memory->link = &piece->next;
	side->memory = piece;
	return start + head;
}

static void host_free(void *ctx, void *p)
{
	struct agree_piece *piece;

	(void)ctx;
	if (!p)
		return;
	piece = piece_of(p);
	*piece->link = piece->next;
	if (piece->next)
		piece->next->link = piece->link;
	free(piece->start);
}

void agree_host_release(struct agree_side *side)
{
	struct agree_piece *next;

	for (struct agree_piece *piece = side->memory; piece; piece = next) {
		next = piece->next;
		free(piece->start);
	}
	side->memory = NULL;
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
		.work = host_work,
		.frequency = host_frequency,
		.numa_scan = host_numa_scan,
		.print = host_print,
		.warn = host_warn,
		.fail = host_fail,
		.why = side_nr(side) && side->pair->config->why ? host_why : NULL,
		.alloc = host_alloc,
		.free = host_free,
		.numa_moved = host_numa_moved,
	};
}
