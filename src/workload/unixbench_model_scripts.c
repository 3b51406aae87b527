// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/unixbench_model_scripts.c - multi.sh and tst.sh of unixbench_tools.c: their processes, executions and pipes. What they do to
 * files takes no time, nor does what they compute.
 */
#include "workload/unixbench_model.h"

#include "base/mem.h"
#include "base/strbuf.h"
#include "workload/model.h"
#include "workload/unixbench.h"

#include <string.h>

/* Of a program's read(). */
#define READ_BYTES 4096

enum program {
	P_MULTI,
	P_TST,
	P_SORT,
	P_OD,
	P_SORT_N,
	P_GREP,
	P_TEE,
	P_WC,
	P_RM,
	NR_PROGRAMS,
};

enum {
	PIPE_DUMP,  /* od to sort -n */
	PIPE_LINES, /* grep to tee */
	PIPE_COUNT, /* tee to wc */
	NR_PIPES,
};

enum op_kind {
	OP_EXIT, /* a list ends with it */
	OP_EXEC,
	OP_FORK,  /* @what: a program */
	OP_FORKS, /* of tst.sh, as many as are wanted */
	OP_WAIT,  /* @what: for that many */
	OP_WAITS, /* for those of OP_FORKS */
	OP_READ,  /* @what: a pipe, to its end */
	OP_WRITE, /* @what: a pipe, all of it and its end */
};

struct op {
	enum op_kind kind;
	unsigned int what;
};

static const struct op list[NR_PROGRAMS][13] = {
	[P_MULTI] = { { OP_EXEC }, { OP_FORKS }, { OP_WAITS } },
	[P_TST] = { { OP_EXEC },
		    { OP_FORK, P_SORT },
		    { OP_WAIT, 1 },
		    { OP_FORK, P_OD },
		    { OP_FORK, P_SORT_N },
		    { OP_WAIT, 2 },
		    { OP_FORK, P_GREP },
		    { OP_FORK, P_TEE },
		    { OP_FORK, P_WC },
		    { OP_WAIT, 3 },
		    { OP_FORK, P_RM },
		    { OP_WAIT, 1 } },
	[P_SORT] = { { OP_EXEC } },
	[P_OD] = { { OP_EXEC }, { OP_WRITE, PIPE_DUMP } },
	[P_SORT_N] = { { OP_EXEC }, { OP_READ, PIPE_DUMP } },
	[P_GREP] = { { OP_EXEC }, { OP_WRITE, PIPE_LINES } },
	[P_TEE] = { { OP_EXEC }, { OP_READ, PIPE_LINES }, { OP_WRITE, PIPE_COUNT } },
	[P_WC] = { { OP_EXEC }, { OP_READ, PIPE_COUNT } },
	[P_RM] = { { OP_EXEC } },
};

static const char *const names[NR_PROGRAMS] = {
	[P_MULTI] = "multi", [P_TST] = "tst", [P_SORT] = "sort", [P_OD] = "od", [P_SORT_N] = "sort",
	[P_GREP] = "grep",   [P_TEE] = "tee", [P_WC] = "wc",	 [P_RM] = "rm",
};

/**
 * struct process - one that is under way, or will be again in the next loop
 * @script: whose it is; NULL: multi.sh
 * @done:   of its operation: children, or bytes
 */
struct process {
	struct model_scripts *scripts;
	struct script *script;
	enum program program;
	unsigned int at;
	uint64_t done;
};

/* struct script - a tst.sh with its programs; the place of P_MULTI is unused */
struct script {
	struct process processes[NR_PROGRAMS];
	struct sim_pipe *pipes[NR_PIPES];
};

/* struct model_scripts - @bytes: that go through a pipe */
struct model_scripts {
	size_t concurrent;
	uint64_t bytes[NR_PIPES];
	struct process multi;
	struct script *scripts;
};

static void process_step(struct sim_task *task, void *data);

static void fork_process(struct process *p, struct sim_task *task)
{
	const struct sim_task_spec spec = { .name = names[p->program],
					    .step = process_step,
					    .data = p };

	p->at = 0;
	p->done = 0;
	sim_fork(task, &spec);
}

/* The byte behind the last one is the end. Return: whether it waits for more */
static bool read_on(struct process *p, struct sim_task *task, unsigned int pipe)
{
	const uint64_t left = p->scripts->bytes[pipe] - p->done;
	const uint64_t n = left > READ_BYTES ? READ_BYTES : left ? left : 1;

	if (p->done > p->scripts->bytes[pipe])
		return false;
	p->done += n;
	sim_read(task, p->script->pipes[pipe], n);
	return true;
}

static bool write_on(struct process *p, struct sim_task *task, unsigned int pipe)
{
	const uint64_t left = p->scripts->bytes[pipe] - p->done;
	const uint64_t n = left ? left : 1;

	if (p->done > p->scripts->bytes[pipe])
		return false;
	p->done += n;
	sim_write(task, p->script->pipes[pipe], n);
	return true;
}

static bool fork_on(struct process *p, struct sim_task *task, struct process *child, uint64_t n)
{
	if (p->done == n)
		return false;
	p->done++;
	fork_process(child, task);
	return true;
}

static bool wait_on(struct process *p, struct sim_task *task, uint64_t n)
{
	if (p->done == n)
		return false;
	p->done++;
	sim_wait(task);
	return true;
}

/* Return: whether an operation was started */
static bool go_on(struct process *p, struct sim_task *task, const struct op *op)
{
	const size_t n = p->scripts->concurrent;

	switch (op->kind) {
	case OP_EXEC:
		if (p->done++)
			return false;
		sim_exec(task, process_step, p);
		return true;
	case OP_FORK:
		return fork_on(p, task, &p->script->processes[op->what], 1);
	case OP_FORKS:
		return fork_on(p, task,
			       &p->scripts->scripts[p->done < n ? p->done : 0].processes[P_TST], n);
	case OP_WAIT:
		return wait_on(p, task, op->what);
	case OP_WAITS:
		return wait_on(p, task, n);
	case OP_READ:
		return read_on(p, task, op->what);
	case OP_WRITE:
		return write_on(p, task, op->what);
	case OP_EXIT:
		sim_exit(task);
		return true;
	}
	return false;
}

static void process_step(struct sim_task *task, void *data)
{
	struct process *p = data;

	while (!go_on(p, task, &list[p->program][p->at])) {
		p->at++;
		p->done = 0;
	}
}

void model_scripts_fork(struct model_scripts *scripts, struct sim_task *task)
{
	fork_process(&scripts->multi, task);
}

/* Of od: seven digits, then eight numbers of a blank and six digits a line; at the end the length. */
static uint64_t dump_bytes(uint64_t n)
{
	return (n + 15) / 16 * 8 + (n + 1) / 2 * 7 + 8;
}

static uint64_t found_bytes(const struct strbuf *text)
{
	uint64_t sum = 0;

	for (const char *line = text->s, *end; (end = strchr(line, '\n')); line = end + 1)
		if (memmem(line, (size_t)(end - line), UB_PATTERN, strlen(UB_PATTERN)))
			sum += (uint64_t)(end - line) + 1;
	return sum;
}

static void init_script(struct model_scripts *scripts, struct script *script, struct sim *sim)
{
	for (int i = 0; i < NR_PIPES; i++)
		script->pipes[i] = sim_pipe_new(sim, SIM_PIPE, model_capacity(SIM_PIPE, 1), false);
	for (int i = 0; i < NR_PROGRAMS; i++)
		script->processes[i] =
			(struct process){ .scripts = scripts, .script = script, .program = i };
}

struct model_scripts *model_scripts_new(struct sim *sim, size_t concurrent)
{
	struct model_scripts *scripts = sim_alloc(sim, sizeof(*scripts));
	struct strbuf input = { 0 };

	ub_input(&input);
	*scripts = (struct model_scripts){
		.concurrent = concurrent,
		.bytes = { [PIPE_DUMP] = dump_bytes(input.len),
			   [PIPE_LINES] = found_bytes(&input),
			   [PIPE_COUNT] = found_bytes(&input) },
		.multi = { .scripts = scripts, .program = P_MULTI },
		.scripts = sim_alloc(sim, concurrent * sizeof(*scripts->scripts)),
	};
	for (size_t i = 0; i < concurrent; i++)
		init_script(scripts, &scripts->scripts[i], sim);
	strbuf_release(&input);
	return scripts;
}
