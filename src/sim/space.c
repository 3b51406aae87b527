// SPDX-License-Identifier: GPL-2.0-only
#include "sim/space.h"

#include "sim/bandwidth.h"
#include "sim/cpu.h"
#include "sim/op.h"

#define PAGE	    4096
#define SMALL_BLOCK (16 * PAGE)
#define LARGE_BLOCK (512 * PAGE)

/* Memories from there on have large blocks. */
#define LARGE_BYTES (UINT64_C(256) << 20)

/* So much, to the end of a block, is touched before it is looked at again where the task is and who else reads there. */
#define PIECE_BYTES (UINT64_C(1) << 20)

#define NO_NODE (-1)
#define NO_CPU	UINT16_MAX

/* struct sim_block - pages that are treated as one */
struct sim_block {
	int16_t node;
	uint16_t last_cpu;
	bool marked;
};

struct sim_memory {
	uint64_t bytes;
	uint64_t block_bytes;
	uint64_t nr_blocks;
	uint32_t nr_spaces;
	struct sim_block block[];
};

/* struct sim_part - a memory in a space */
struct sim_part {
	struct sim_part *next;
	struct sim_memory *memory;
};

/* struct sim_space - @nr: from 1 on, of no other ever; @at, @block: where the scan goes on; @next: unused ones */
struct sim_space {
	struct sim *sim;
	struct sim_space *next;
	uint64_t nr;
	uint32_t users;
	struct sim_part *parts;
	struct sim_part *at;
	uint64_t block;
};

struct sim_memory *sim_memory_new(struct sim *sim, int32_t node, uint64_t bytes)
{
	const uint64_t block_bytes = bytes < LARGE_BYTES ? SMALL_BLOCK : LARGE_BLOCK;
	const uint64_t n = (bytes + block_bytes - 1) / block_bytes;
	struct sim_memory *memory;

	assert(node < (int32_t)sim->machine->nr_nodes && bytes < SIM_TIME_MAX / 2);
	if (!sim->bandwidth)
		bandwidth_init(sim);
	memory = arena_alloc(sim->arena, sizeof(*memory) + n * sizeof(*memory->block));
	memory->bytes = bytes;
	memory->block_bytes = block_bytes;
	memory->nr_blocks = n;
	for (uint64_t i = 0; i < n; i++)
		memory->block[i] = (struct sim_block){ .node = (int16_t)(node < 0 ? NO_NODE : node),
						       .last_cpu = NO_CPU };
	return memory;
}

uint64_t sim_memory_on(const struct sim_memory *memory, uint32_t node, uint64_t offset,
		       uint64_t bytes)
{
	const uint64_t end = offset + bytes;
	uint64_t sum = 0, next;

	assert(end <= memory->bytes);
	for (; offset < end; offset = next) {
		next = (offset / memory->block_bytes + 1) * memory->block_bytes;
		next = next < end ? next : end;
		if (memory->block[offset / memory->block_bytes].node == (int16_t)node)
			sum += next - offset;
	}
	return sum;
}

struct sim_space *space_new(struct sim *sim)
{
	struct sim_space *space = sim->spaces;

	if (space)
		sim->spaces = space->next;
	else
		space = arena_alloc(sim->arena, sizeof(*space));
	*space = (struct sim_space){ .sim = sim, .nr = ++sim->nr_spaces, .users = 1 };
	return space;
}

bool space_shared(const struct sim_space *space)
{
	return space->users > 1;
}

/* The last that the CPU had come first. Return: whether it was among them. */
static bool keep(struct sim_cpu *cpu, uint64_t nr, uint64_t kept)
{
	uint64_t *at = cpu->spaces, last = nr;
	uint64_t i = 0;

	do {
		const uint64_t this = at[i];

		at[i] = last;
		last = this;
	} while (last != nr && ++i < kept);
	return last == nr;
}

uint64_t space_enter(struct sim_cpu *cpu, const struct sim_space *space)
{
	const struct costs *costs = cpu->sim->costs;
	uint64_t ns = costs->switch_space_ns;

	if (cpu->space_nr == space->nr)
		return 0;
	cpu->space_nr = space->nr;
	if (!costs->space_cold_ns)
		return ns;
	if (!cpu->spaces)
		cpu->spaces =
			arena_alloc(cpu->sim->arena, costs->spaces_kept * sizeof(*cpu->spaces));
	return keep(cpu, space->nr, costs->spaces_kept) ? ns : ns + costs->space_cold_ns;
}

struct sim_space *space_get(struct sim_space *space)
{
	space->users++;
	return space;
}

void space_put(struct sim_space *space)
{
	struct sim *sim = space->sim;
	struct sim_part *part, *next;

	if (--space->users)
		return;
	for (part = space->parts; part; part = next) {
		next = part->next;
		part->memory->nr_spaces--;
		part->next = sim->parts;
		sim->parts = part;
	}
	space->next = sim->spaces;
	sim->spaces = space;
}

static void add_part(struct sim_space *space, struct sim_memory *memory)
{
	struct sim *sim = space->sim;
	struct sim_part *part = space->parts;

	while (part && part->memory != memory)
		part = part->next;
	if (part)
		return;
	part = sim->parts;
	if (part)
		sim->parts = part->next;
	else
		part = arena_alloc(sim->arena, sizeof(*part));
	*part = (struct sim_part){ .next = space->parts, .memory = memory };
	space->parts = part;
	memory->nr_spaces++;
}

static uint64_t count_pages(const struct sim_space *space)
{
	uint64_t n = 0;

	for (const struct sim_part *part = space->parts; part; part = part->next)
		n += part->memory->nr_blocks * (part->memory->block_bytes / PAGE);
	return n;
}

/* The next block of the scan; there is one. */
static struct sim_block *next_block(struct sim_space *space)
{
	while (!space->at || space->block == space->at->memory->nr_blocks) {
		space->at = space->at && space->at->next ? space->at->next : space->parts;
		space->block = 0;
	}
	return &space->at->memory->block[space->block++];
}

/* Once round it at most. */
uint64_t space_mark(struct sim_space *space, uint64_t pages)
{
	const uint64_t all = count_pages(space);

	for (uint64_t seen = 0, n; seen < all && pages; seen += n) {
		struct sim_block *block = next_block(space);

		n = space->at->memory->block_bytes / PAGE;
		if (block->node == NO_NODE || block->marked)
			continue;
		block->marked = true;
		pages -= n < pages ? n : pages;
	}
	return all;
}

static struct sim_block *block_at(struct sim_memory *memory, uint64_t offset)
{
	return &memory->block[offset / memory->block_bytes];
}

static void touch_more(struct sim_task *task);

static void fault(struct sim_task *task)
{
	struct sim *sim = task->sim;
	struct sim_memory *memory = task->object;
	struct sim_block *block = block_at(memory, task->value);
	struct sim_cpu *cpu = sim_cpu_of(task);
	const struct core_fault what = {
		.node = (uint32_t)block->node,
		.last_cpu = block->last_cpu == NO_CPU ? cpu->nr : block->last_cpu,
		.pages = (uint32_t)(memory->block_bytes / PAGE),
		.shared = memory->nr_spaces > 1,
		.write = true,
	};

	task->go_on = touch_more;
	block->marked = false;
	block->last_cpu = (uint16_t)cpu->nr;
	if (!sim->ops->numa_fault)
		return;
	sim->faulting = block;
	sim->ops->numa_fault(sim->core, cpu->nr, &what);
	sim->faulting = NULL;
	sim_cpu_settle(cpu);
}

void space_moved(struct sim *sim, uint32_t node)
{
	if (sim->faulting)
		sim->faulting->node = (int16_t)node;
}

/* Bytes from the task's place on, all in one block. */
static uint64_t bytes_of_block(const struct sim_task *task, const struct sim_memory *memory)
{
	uint64_t n = memory->block_bytes - task->value % memory->block_bytes;

	return n < task->amount ? n : task->amount;
}

/* What a piece takes where nobody else reads. */
static uint64_t alone_ns(const struct sim_task *task, int16_t node, uint64_t bytes)
{
	return bandwidth_alone_ns(task->sim, task->cpu, (uint32_t)node, bytes);
}

/* A piece has been read as fast as one task can. Where it ends counts, if the task or its memory moved meanwhile. */
static void end_piece(struct sim_task *task)
{
	struct sim *sim = task->sim;
	const int16_t node = block_at(task->object, task->value - 1)->node;
	const uint64_t alone = alone_ns(task, node, task->piece);
	const uint64_t through = bandwidth_use(sim, task->cpu, (uint32_t)node, task->piece,
					       sim->now > alone ? sim->now - alone : 0);

	if (through <= sim->now) {
		touch_more(task);
		return;
	}
	sim->counts.memory_wait_ns += through - sim->now;
	op_work(task, 0, touch_more);
	task->until_ns = through;
}

/* The next block of the piece; false: it ends before it. */
static bool touch_block(struct sim_task *task, int16_t *node)
{
	struct sim_memory *memory = task->object;
	struct sim_block *block;
	uint64_t n;

	if (!task->amount || task->piece >= PIECE_BYTES)
		return false;
	block = block_at(memory, task->value);
	if (block->marked)
		return false;
	if (block->node == NO_NODE)
		block->node = (int16_t)task->sim->machine->cpu[task->cpu].node;
	if (task->piece && block->node != *node)
		return false;
	*node = block->node;
	block->last_cpu = (uint16_t)task->cpu;
	n = bytes_of_block(task, memory);
	task->amount -= n;
	task->value += n;
	task->piece += n;
	return true;
}

/* A piece, all on one node; before a block that is marked there is a hint fault. */
static void touch_more(struct sim_task *task)
{
	int16_t node = NO_NODE;

	task->piece = 0;
	while (touch_block(task, &node))
		;
	if (task->piece)
		op_work(task, alone_ns(task, node, task->piece), end_piece);
	else if (task->amount)
		op_overhead(task, task->sim->costs->hint_fault_ns, fault);
	else
		op_end(task);
}

void sim_touch(struct sim_task *task, struct sim_memory *memory, uint64_t offset, uint64_t bytes)
{
	assert(offset <= memory->bytes && bytes <= memory->bytes - offset);
	add_part(task->space, memory);
	task->object = memory;
	task->value = offset;
	task->amount = bytes;
	op_begin(task, 0, touch_more);
}
