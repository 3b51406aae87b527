// SPDX-License-Identifier: GPL-2.0-only
#include "sim/pipe.h"

#include "base/mem.h"
#include "sim/cpu.h"
#include "sim/op.h"

#include <stdlib.h>

/* What is no longer than that is written whole (PIPE_BUF). */
#define WHOLE_BYTES 4096

/** struct sim_poller - a task that polls a pipe, among all that do */
struct sim_poller {
	struct sim_task *task;
	struct sim_pipe *pipe;
	struct sim_poller *next;
	struct sim_poller *prev;
	bool linked;
};

/* Bytes that were written on a CPU, behind its number: hundreds of them may be under way in a pipe, and caches are small. */
#define PIECE_CPU_BITS	14
#define PIECE_BYTES_MAX (UINT64_MAX >> PIECE_CPU_BITS)
static_assert(EVENT_CPUS_MAX <= 1u << PIECE_CPU_BITS, "a CPU's number fits");

static uint64_t piece_bytes(uint64_t piece)
{
	return piece >> PIECE_CPU_BITS;
}

static uint32_t piece_cpu(uint64_t piece)
{
	return piece & ((1u << PIECE_CPU_BITS) - 1);
}

/*
 * struct sim_pipe - one direction; what each message needs is in the first cache line
 * @bytes: to be read
 * @used:  with those that are being written or read
 * @messages: that were written and not read
 * @placed:  where its messages were written makes a difference
 * @pieces: pieces[head .. head + nr_pieces], modulo @nr_room: messages that keep their borders, or what one CPU after the other
 *          wrote of a stream, if that is @placed
 */
struct sim_pipe {
	uint64_t bytes;
	uint64_t used;
	uint64_t capacity;
	uint32_t messages;
	uint8_t transport;
	bool packets;
	bool placed;
	struct task_list readers;
	struct task_list writers;

	struct sim_poller *pollers;
	uint32_t nr;
	struct sim_pipe *next;
	uint64_t *pieces;
	size_t nr_room;
	size_t head;
	size_t nr_pieces;
};

static bool is_placed(const struct costs *costs, enum sim_transport transport)
{
	for (size_t i = 0; i < NR_SIM_DISTANCES; i++)
		if (costs->message_far_ns[transport][i])
			return true;
	return false;
}

struct sim_pipe *sim_pipe_new(struct sim *sim, enum sim_transport transport, uint64_t capacity,
			      bool packets)
{
	struct sim_pipe *pipe = arena_alloc_lines(sim->arena, sizeof(*pipe));

	assert(capacity && capacity <= PIECE_BYTES_MAX && transport < NR_SIM_TRANSPORTS);
	pipe->nr = ++sim->nr_pipes;
	pipe->transport = (uint8_t)transport;
	pipe->packets = packets;
	pipe->placed = is_placed(sim->costs, transport);
	pipe->capacity = capacity;
	pipe->next = sim->pipes;
	sim->pipes = pipe;
	return pipe;
}

void sim_pipes_release(struct sim *sim)
{
	for (struct sim_pipe *pipe = sim->pipes; pipe; pipe = pipe->next)
		free(pipe->pieces);
}

uint32_t sim_pipe_nr(const struct sim_pipe *pipe)
{
	return pipe->nr;
}

uint64_t sim_pipe_bytes(const struct sim_pipe *pipe)
{
	return pipe->bytes;
}

static uint64_t *piece_at(const struct sim_pipe *pipe, size_t i)
{
	return &pipe->pieces[(pipe->head + i) & (pipe->nr_room - 1)];
}

static void push_piece(struct sim_pipe *pipe, uint64_t bytes, uint32_t cpu)
{
	if (pipe->nr_pieces == pipe->nr_room) {
		size_t n = pipe->nr_room ? 2 * pipe->nr_room : 64;

		pipe->pieces = xreallocarray(pipe->pieces, n, sizeof(*pipe->pieces));
		/* what had gone round the old end goes on behind it */
		for (size_t i = 0; i < pipe->head; i++)
			pipe->pieces[pipe->nr_room + i] = pipe->pieces[i];
		pipe->nr_room = n;
	}
	*piece_at(pipe, pipe->nr_pieces++) = bytes << PIECE_CPU_BITS | cpu;
}

static void pop_piece(struct sim_pipe *pipe)
{
	pipe->head = --pipe->nr_pieces ? (pipe->head + 1) & (pipe->nr_room - 1) : 0;
}

/* What was written on one CPU is one piece of a stream. */
static void add_piece(struct sim_pipe *pipe, uint64_t bytes, uint32_t cpu)
{
	uint64_t *last = pipe->nr_pieces ? piece_at(pipe, pipe->nr_pieces - 1) : NULL;

	if (!pipe->packets && last && piece_cpu(*last) == cpu)
		*last += bytes << PIECE_CPU_BITS;
	else if (pipe->packets || pipe->placed)
		push_piece(pipe, bytes, cpu);
}

/* The first @bytes of a stream, which are there. What comes behind them isn't looked at: it would mostly be in no cache. */
static void take_pieces(struct sim_pipe *pipe, uint64_t bytes)
{
	uint64_t *first;

	for (; bytes; bytes -= piece_bytes(*first), pop_piece(pipe)) {
		first = piece_at(pipe, 0);
		if (bytes < piece_bytes(*first)) {
			*first -= bytes << PIECE_CPU_BITS;
			return;
		}
	}
}

static bool readable(const struct sim_pipe *pipe)
{
	return pipe->packets ? pipe->nr_pieces : pipe->bytes;
}

static bool is_socket(const struct sim_pipe *pipe)
{
	return pipe->transport != SIM_PIPE && pipe->transport != SIM_FIFO;
}

/*
 * Who waits for room is told when there is so much: a pipe has a free page, of a local socket's buffer a quarter is in use at
 * most, of a TCP connection's two thirds.
 */
static bool has_room(const struct sim_pipe *pipe)
{
	switch (pipe->transport) {
	case SIM_UNIX_STREAM:
	case SIM_UNIX_DGRAM:
		return pipe->used <= pipe->capacity / 4;
	case SIM_TCP:
		return pipe->used <= pipe->capacity / 3 * 2;
	case SIM_UDP:
		return pipe->used < pipe->capacity;
	default:
		return !pipe->used || pipe->used + WHOLE_BYTES <= pipe->capacity;
	}
}

static void unlink_pollers(struct sim_task *task)
{
	for (size_t i = 0; i < task->nr_pollers; i++) {
		struct sim_poller *poller = &task->pollers[i];

		if (!poller->linked)
			continue;
		if (poller->next)
			poller->next->prev = poller->prev;
		if (poller->prev)
			poller->prev->next = poller->next;
		else
			poller->pipe->pollers = poller->next;
		poller->linked = false;
	}
}

/* The tasks of @to_wake, one after the other, then on to @then. */
static void wake_all(struct sim_task *task)
{
	struct sim_task *next = task_list_take(&task->to_wake);

	task->go_on = next ? wake_all : task->then;
	if (next)
		sim_cpu_wake(sim_cpu_of(task), next, true);
}

static void add_writers(struct sim_task *task, struct sim_pipe *pipe)
{
	struct sim_task *writer;

	if (!pipe->writers.first || !has_room(pipe))
		return;
	/* of those at a pipe one is woken, which wakes the next */
	do {
		writer = task_list_take(&pipe->writers);
		task_list_add(&task->to_wake, writer);
	} while (is_socket(pipe) && pipe->writers.first);
}

static void add_reader(struct sim_task *task, struct sim_pipe *pipe)
{
	if (pipe->readers.first && readable(pipe))
		task_list_add(&task->to_wake, task_list_take(&pipe->readers));
}

/* The last that came is the last in the list of pollers, and the first to be told, as in a kernel's wait queue. */
static void add_pollers(struct sim_task *task, struct sim_pipe *pipe)
{
	while (pipe->pollers) {
		struct sim_task *other = pipe->pollers->task;

		unlink_pollers(other);
		task_list_add(&task->to_wake, other);
	}
}

static uint64_t copy_ns(const struct sim_task *task, uint64_t bytes)
{
	return bytes * task->sim->costs->copy_ns_kib / 1024;
}

/* What a message costs more that has left the caches, or that drives another one out. */
static uint64_t message_cold(const struct sim *sim, const struct sim_pipe *pipe)
{
	const uint64_t ns = sim->costs->message_cold_ns[pipe->transport];
	const uint64_t full = sim->costs->messages_cold * sim->machine->nr_cpus;

	if (!ns)
		return 0;
	return sim->under_way < full ? ns * sim->under_way / full : ns;
}

/* What reading costs more that begins with what another CPU has written. */
static uint64_t message_far(const struct sim_task *task, const struct sim_pipe *pipe)
{
	const struct sim *sim = task->sim;

	if (!pipe->placed)
		return 0;
	return sim->costs->message_far_ns[pipe->transport][sim_cpu_distance(
		sim, piece_cpu(*piece_at(pipe, 0)), task->cpu)];
}

static void count_message(struct sim *sim, struct sim_pipe *pipe)
{
	pipe->messages++;
	sim->under_way++;
}

/* A stream may be read in other pieces than it was written in. */
static void uncount_messages(struct sim *sim, struct sim_pipe *pipe)
{
	const uint32_t n = pipe->bytes ? pipe->messages > 0 : pipe->messages;

	pipe->messages -= n;
	sim->under_way -= n;
}

static void read_look(struct sim_task *task);

static void read_again(struct sim_task *task)
{
	op_overhead(task, task->sim->costs->syscall_ns, read_look);
}

static void read_done(struct sim_task *task)
{
	struct sim_pipe *pipe = task->object;

	pipe->used -= task->piece;
	task->amount = pipe->packets ? 0 : task->amount - task->piece;
	task->then = task->amount ? read_again : sim_task_step;
	add_writers(task, pipe);
	add_reader(task, pipe);
	wake_all(task);
}

/* A message, or up to @most bytes of a stream. Return: how many. */
static uint64_t take(struct sim_pipe *pipe, uint64_t most)
{
	uint64_t bytes = most < pipe->bytes ? most : pipe->bytes;

	if (pipe->packets) {
		bytes = piece_bytes(*piece_at(pipe, 0));
		pop_piece(pipe);
	} else if (pipe->placed) {
		take_pieces(pipe, bytes);
	}
	pipe->bytes -= bytes;
	return bytes;
}

static void read_look(struct sim_task *task)
{
	struct sim_pipe *pipe = task->object;
	uint64_t far_ns;

	if (!readable(pipe)) {
		task_list_add(&pipe->readers, task);
		op_block(task, WAIT_READ, read_look);
		return;
	}
	far_ns = message_far(task, pipe);
	task->piece = take(pipe, task->amount);
	op_overhead(task,
		    task->sim->costs->receive_ns[pipe->transport] + copy_ns(task, task->piece) +
			    message_cold(task->sim, pipe) + far_ns,
		    read_done);
	uncount_messages(task->sim, pipe);
}

void sim_read(struct sim_task *task, struct sim_pipe *pipe, uint64_t bytes)
{
	assert(bytes || pipe->packets);
	if (pipe->nr_room)
		__builtin_prefetch(piece_at(pipe, 0));
	task->object = pipe;
	task->amount = bytes;
	op_call(task, 0, read_look);
}

static void write_look(struct sim_task *task);

static void write_done(struct sim_task *task)
{
	struct sim_pipe *pipe = task->object;

	pipe->bytes += task->piece;
	count_message(task->sim, pipe);
	add_piece(pipe, task->piece, task->cpu);
	task->amount -= task->piece;
	task->then = task->amount ? write_look : sim_task_step;
	add_pollers(task, pipe);
	add_reader(task, pipe);
	if (!is_socket(pipe))
		add_writers(task, pipe);
	wake_all(task);
}

/* How much of it can be written now; one that is longer than all the pipe holds waits until that is empty. */
static bool fits(const struct sim_pipe *pipe, uint64_t amount, uint64_t *piece)
{
	const uint64_t room = pipe->used < pipe->capacity ? pipe->capacity - pipe->used : 0;

	*piece = amount;
	if (amount <= room || (pipe->packets && !pipe->used))
		return true;
	*piece = room;
	return !pipe->packets && amount > WHOLE_BYTES && room;
}

static void write_look(struct sim_task *task)
{
	struct sim_pipe *pipe = task->object;

	if (!fits(pipe, task->amount, &task->piece)) {
		task_list_add(&pipe->writers, task);
		op_block(task, WAIT_WRITE, write_look);
		return;
	}
	/* what the end of the operation will look at comes into the caches until then */
	if (pipe->nr_room)
		__builtin_prefetch(piece_at(pipe, pipe->nr_pieces));
	pipe->used += task->piece;
	op_overhead(task,
		    task->sim->costs->send_ns[pipe->transport] + copy_ns(task, task->piece) +
			    message_cold(task->sim, pipe),
		    write_done);
}

void sim_write(struct sim_task *task, struct sim_pipe *pipe, uint64_t bytes)
{
	assert(bytes || pipe->packets);
	assert(pipe->packets || bytes > WHOLE_BYTES || bytes <= pipe->capacity);
	task->object = pipe;
	task->amount = bytes;
	op_call(task, 0, write_look);
}

static void poll_look(struct sim_task *task)
{
	for (size_t i = 0; i < task->nr_pollers; i++) {
		if (!readable(task->pollers[i].pipe))
			continue;
		op_end(task);
		return;
	}
	for (size_t i = 0; i < task->nr_pollers; i++) {
		struct sim_poller *poller = &task->pollers[i];

		poller->next = poller->pipe->pollers;
		poller->prev = NULL;
		if (poller->next)
			poller->next->prev = poller;
		poller->pipe->pollers = poller;
		poller->linked = true;
	}
	op_block(task, WAIT_POLL, poll_look);
}

void sim_poll(struct sim_task *task, struct sim_pipe *const *pipes, size_t n)
{
	assert(n);
	if (n > task->pollers_size) {
		task->pollers = arena_alloc(task->sim->arena, n * sizeof(*task->pollers));
		task->pollers_size = n;
	}
	task->nr_pollers = n;
	for (size_t i = 0; i < n; i++)
		task->pollers[i] = (struct sim_poller){ .task = task, .pipe = pipes[i] };
	op_call(task, 0, poll_look);
}
