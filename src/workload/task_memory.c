// SPDX-License-Identifier: GPL-2.0-only
/* workload/task_memory.c - what a task does with memory, and with the file that it writes to. */
#include "workload/task_thread.h"

#include "base/rng.h"
#include "workload/numa_nodes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Between two looks at the clock. */
#define CHUNK_BYTES    (UINT64_C(256) << 10)
#define CHUNK_POINTERS 4096

#define PAGE_BYTES 4096

static const struct task_object *object_at(const struct task_exec *exec, size_t i)
{
	return &exec->program->objects[i];
}

static struct exec_memory *memory_of(struct task_thread *t, size_t i)
{
	return object_at(t->exec, i)->own ? &t->memories[t->exec->slots[i]]
					  : &t->exec->objects[i].memory;
}

static int map(struct exec_memory *memory, uint64_t bytes, struct error *err)
{
	void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (base == MAP_FAILED)
		return error_set(err, errno, "%llu bytes of memory: %s", (unsigned long long)bytes,
				 strerror(errno));
	memory->base = base;
	return 0;
}

static void touch(const struct exec_memory *memory, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i += PAGE_BYTES)
		((volatile char *)memory->base)[i] = 1;
}

static void **place_at(const struct exec_memory *memory, const struct task_object *object,
		       uint64_t i)
{
	return (void **)(void *)(memory->base + i * object->stride);
}

/* One round through all places: from each to itself, and then each is crossed with one before it (Sattolo). */
static void link_ring(struct exec_memory *memory, const struct task_object *object)
{
	const uint64_t n = object->bytes / object->stride;
	struct rng rng;

	rng_seed(&rng, 1, "ring", n);
	for (uint64_t i = 0; i < n; i++)
		*place_at(memory, object, i) = place_at(memory, object, i);
	for (uint64_t i = n - 1; i > 0; i--) {
		uint64_t k = object->shuffled ? rng_below(&rng, i) : i - 1;
		void **a = place_at(memory, object, i), **b = place_at(memory, object, k);
		void *swap = *a;

		*a = *b;
		*b = swap;
	}
	atomic_store(&memory->next, memory->base);
}

static void fill(struct exec_memory *memory, const struct task_object *object)
{
	touch(memory, object->bytes);
	if (object->stride)
		link_ring(memory, object);
}

static int new_own(struct task_thread *t, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && t->exec->nr_slots && i < t->exec->program->nr_objects; i++)
		if (object_at(t->exec, i)->own && task_uses_memory(t->exec->program, t->task, i))
			ret = map(memory_of(t, i), object_at(t->exec, i)->bytes, err);
	return ret;
}

static int new_shared(struct task_exec *exec, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < exec->program->nr_objects; i++) {
		const struct task_object *object = object_at(exec, i);

		if (object->kind != TASK_MEMORY || object->own)
			continue;
		ret = map(&exec->objects[i].memory, object->bytes, err);
		if (!ret)
			fill(&exec->objects[i].memory, object);
	}
	return ret;
}

static bool writes_file(const struct task_program *program)
{
	for (size_t i = 0; i < program->nr_tasks; i++)
		for (size_t k = 0; k < program->tasks[i].nr_phases; k++)
			for (size_t j = 0; j < program->tasks[i].phases[k].nr_ops; j++)
				if (program->tasks[i].phases[k].ops[j].kind == TASK_IO)
					return true;
	return false;
}

/* A disk would lose what is on it. */
static int open_file(struct task_exec *exec, struct error *err)
{
	const char *path = exec->program->io_path;
	struct stat st;

	if (!stat(path, &st) && S_ISBLK(st.st_mode))
		return error_set(err, EOPNOTSUPP,
				 "%.200s: is a disk, on which iorun would write: give a file or a "
				 "character device",
				 path);
	exec->io_fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
	return exec->io_fd < 0 ? error_set(err, errno, "%.200s: %s", path, strerror(errno)) : 0;
}

int task_memory_new(struct task_exec *exec, struct error *err)
{
	int ret = new_shared(exec, err);

	for (size_t i = 0; !ret && i < exec->nr_threads; i++)
		ret = new_own(&exec->threads[i], err);
	if (!ret && writes_file(exec->program))
		ret = open_file(exec, err);
	return ret;
}

static void unmap(struct exec_memory *memory, uint64_t bytes)
{
	if (memory->base)
		munmap(memory->base, bytes);
}

void task_memory_free(struct task_exec *exec)
{
	for (size_t i = 0; exec->objects && i < exec->program->nr_objects; i++) {
		const struct task_object *object = object_at(exec, i);

		if (object->kind != TASK_MEMORY)
			continue;
		unmap(&exec->objects[i].memory, object->bytes);
		for (size_t k = 0; object->own && k < exec->nr_threads; k++)
			unmap(&exec->memories[k * exec->nr_slots + exec->slots[i]], object->bytes);
	}
	if (exec->io_fd >= 0)
		close(exec->io_fd);
}

int task_memory_bind(const struct cpumask *nodes, struct error *err)
{
	int ret = numa_bind_memory_nodes(nodes, err);

	if (ret)
		error_prefix(err, "nodes_membind");
	return ret;
}

static bool phases_bind(const struct task *task)
{
	for (size_t i = 0; i < task->nr_phases; i++)
		if (cpumask_weight(&task->phases[i].nodes))
			return true;
	return false;
}

int task_memory_begin(struct task_thread *t, struct error *err)
{
	const bool later = phases_bind(t->task);
	int ret = cpumask_weight(&t->task->nodes) ? task_memory_bind(&t->task->nodes, err) : 0;

	for (size_t i = 0; !ret && t->exec->nr_slots && i < t->exec->program->nr_objects; i++) {
		const struct task_object *object = object_at(t->exec, i);

		if (object->own && task_uses_memory(t->exec->program, t->task, i) &&
		    (object->stride || !later))
			fill(memory_of(t, i), object);
	}
	return ret;
}

static void write_bytes(char *base, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++)
		((volatile char *)base)[i] = (char)i;
}

static void read_bytes(char *base, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++)
		(void)((volatile char *)base)[i];
}

/* Each of the @count bytes lies behind the one before, and behind the last one comes the first. */
static void go_along(struct task_thread *t, const struct task_op *op)
{
	const uint64_t bytes = object_at(t->exec, op->object)->bytes;
	char *base = memory_of(t, op->object)->base;
	uint64_t done = 0;

	while (done < op->count && !task_is_over(t->exec, task_now())) {
		uint64_t from = done % bytes;
		uint64_t n = op->count - done;

		n = n < CHUNK_BYTES ? n : CHUNK_BYTES;
		n = n < bytes - from ? n : bytes - from;
		if (op->kind == TASK_FILL)
			memset(base + from, 0, n);
		else if (op->kind == TASK_WRITE)
			write_bytes(base, from, from + n);
		else
			read_bytes(base, from, from + n);
		done += n;
	}
}

static void chase(struct task_thread *t, const struct task_op *op)
{
	struct exec_memory *memory = memory_of(t, op->object);
	void *volatile *at = atomic_load_explicit(&memory->next, memory_order_relaxed);
	uint64_t left = op->count;

	while (left && !task_is_over(t->exec, task_now())) {
		uint64_t n = left < CHUNK_POINTERS ? left : CHUNK_POINTERS;

		left -= n;
		while (n--)
			at = *at;
	}
	atomic_store_explicit(&memory->next, (void *)at, memory_order_relaxed);
}

static int write_file(struct task_thread *t, const struct task_op *op, struct error *err)
{
	const uint64_t bytes = object_at(t->exec, op->object)->bytes;
	const char *base = memory_of(t, op->object)->base;
	uint64_t left = op->count;

	while (left && !task_is_over(t->exec, task_now())) {
		ssize_t n = write(t->exec->io_fd, base, left < bytes ? left : bytes);

		if (n < 0 && errno != EINTR)
			return error_set(err, errno, "iorun: %.200s: %s", t->exec->program->io_path,
					 strerror(errno));
		left -= n > 0 ? (uint64_t)n : 0;
	}
	return 0;
}

int task_memory_op(struct task_thread *t, const struct task_op *op, struct error *err)
{
	if (op->kind == TASK_IO)
		return write_file(t, op, err);
	if (op->kind == TASK_CHASE)
		chase(t, op);
	else
		go_along(t, op);
	return 0;
}
