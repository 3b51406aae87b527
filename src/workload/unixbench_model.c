// SPDX-License-Identifier: GPL-2.0-only
/* workload/unixbench_model.c - unixbench.c's copies on a simulated machine, one test after the other. */
#include "workload/unixbench_model.h"

#include "base/mem.h"
#include "workload/model_team.h"
#include "workload/shared.h"
#include "workload/unixbench.h"

#include <stdlib.h>
#include <string.h>

#define PIPE_BYTES   512
#define NUMBER_BYTES 8

enum state {
	STATE_PREPARES,
	STATE_COMES,
	STATE_STARTS,
	STATE_LOOPS,
	STATE_CLOSED,
	STATE_REAPED,
};

/**
 * struct copy - of a test
 * @begun:  a loop
 * @second: of a loop's two operations the second is next
 * @over:   its child finds the pipe's end where a number would begin
 */
struct copy {
	struct unixbench_sim *ub;
	struct ub_tally *tally;
	enum state state;
	bool begun, second, over;
	bool child_reads;
	uint64_t count;
	uint64_t start_ns, until_ns;
	struct sim_pipe *to, *fro;
	struct model_scripts *scripts;
};

struct unixbench_sim {
	struct unixbench_cfg cfg; /* with the number of copies */
	struct run *run;
	struct sim *sim;
	int test;
	uint64_t time_ns;
	struct model_team team;
	struct copy *copies;
	struct ub_tally *tallies;
	struct ub_scores scores;
	struct error wrong;
};

/* As often as the real copies look at the clock. */
static uint64_t loops_a_look(int test)
{
	return test == UB_PIPE ? 64 : test == UB_CONTEXT1 ? 16 : 1;
}

static bool is_over(struct copy *copy, struct sim_task *task)
{
	const uint64_t now_ns = sim_now(sim_of(task));

	if (++copy->count % loops_a_look(copy->ub->test) || now_ns < copy->until_ns)
		return false;
	*copy->tally = (struct ub_tally){ .count = copy->count, .ns = now_ns - copy->start_ns };
	return true;
}

static void just_exit(struct sim_task *task, void *data)
{
	(void)data;
	sim_exit(task);
}

static void copy_step(struct sim_task *task, void *data);

static void first_operation(struct copy *copy, struct sim_task *task)
{
	static const struct sim_task_spec child = { .name = "spawn", .step = just_exit };

	switch (copy->ub->test) {
	case UB_EXECL:
		sim_exec(task, copy_step, copy);
		break;
	case UB_PIPE:
		sim_write(task, copy->to, PIPE_BYTES);
		break;
	case UB_CONTEXT1:
		sim_write(task, copy->to, NUMBER_BYTES);
		break;
	case UB_SPAWN:
		sim_fork(task, &child);
		break;
	default:
		model_scripts_fork(copy->scripts, task);
		break;
	}
}

static void second_operation(struct copy *copy, struct sim_task *task)
{
	switch (copy->ub->test) {
	case UB_PIPE:
		sim_read(task, copy->to, PIPE_BYTES);
		break;
	case UB_CONTEXT1:
		sim_read(task, copy->fro, NUMBER_BYTES);
		break;
	default:
		sim_wait(task);
		break;
	}
}

/* The time is over. To end a pipe costs about what a number does. */
static void leave(struct copy *copy, struct sim_task *task)
{
	if (copy->ub->test != UB_CONTEXT1) {
		sim_exit(task);
		return;
	}
	copy->over = true;
	copy->state = STATE_CLOSED;
	sim_write(task, copy->to, NUMBER_BYTES);
}

static void loop(struct copy *copy, struct sim_task *task)
{
	if (copy->second) {
		copy->second = false;
		second_operation(copy, task);
	} else if (copy->begun && is_over(copy, task)) {
		leave(copy, task);
	} else {
		copy->begun = true;
		copy->second = copy->ub->test != UB_EXECL;
		first_operation(copy, task);
	}
}

/* Of context1: each number comes back. */
static void child_step(struct sim_task *task, void *data)
{
	struct copy *copy = data;

	copy->child_reads = !copy->child_reads;
	if (copy->child_reads)
		sim_read(task, copy->to, NUMBER_BYTES);
	else if (copy->over)
		sim_exit(task);
	else
		sim_write(task, copy->fro, NUMBER_BYTES);
}

static void copy_step(struct sim_task *task, void *data)
{
	struct copy *copy = data;
	const struct sim_task_spec child = { .name = "context1", .step = child_step, .data = copy };

	switch (copy->state) {
	case STATE_PREPARES:
		copy->state = STATE_COMES;
		if (copy->ub->test == UB_CONTEXT1) {
			sim_fork(task, &child);
			break;
		}
		/* fall through */
	case STATE_COMES:
		copy->state = STATE_STARTS;
		model_gate_pass(&copy->ub->team.gate, task);
		break;
	case STATE_STARTS:
		copy->state = STATE_LOOPS;
		copy->start_ns = sim_now(sim_of(task));
		copy->until_ns = copy->start_ns + copy->ub->time_ns;
		/* fall through */
	case STATE_LOOPS:
		loop(copy, task);
		break;
	case STATE_CLOSED:
		copy->state = STATE_REAPED;
		sim_wait(task);
		break;
	case STATE_REAPED:
		sim_exit(task);
		break;
	}
}

static void make(struct model_team *team, struct sim_task *task, uint64_t i)
{
	struct unixbench_sim *ub = team->data;
	const struct sim_task_spec spec = { .name = ub_tests[ub->test].name,
					    .step = copy_step,
					    .data = &ub->copies[i] };

	sim_fork(task, &spec);
}

static struct sim_pipe *new_pipe(struct sim *sim)
{
	return sim_pipe_new(sim, SIM_PIPE, model_capacity(SIM_PIPE, 1), false);
}

static void init_copy(struct unixbench_sim *ub, size_t i)
{
	struct copy *copy = &ub->copies[i];
	const int test = ub->test;

	*copy = (struct copy){ .ub = ub, .tally = &ub->tallies[i] };
	*copy->tally = (struct ub_tally){ 0 };
	if (test == UB_PIPE || test == UB_CONTEXT1)
		copy->to = new_pipe(ub->sim);
	if (test == UB_CONTEXT1)
		copy->fro = new_pipe(ub->sim);
	if (test == UB_SHELL1 || test == UB_SHELL8)
		copy->scripts = model_scripts_new(ub->sim, test == UB_SHELL8 ? 8 : 1);
}

/* From @test on the first that is chosen. Return: whether there is one */
static bool begin_test(struct unixbench_sim *ub, int test)
{
	while (test < NR_UB && !ub_is_chosen(&ub->cfg, test))
		test++;
	ub->test = test;
	if (test == NR_UB || ub_time(&ub->time_ns, &ub->cfg, test, &ub->wrong))
		return false;
	for (size_t i = 0; i < ub->cfg.copies; i++)
		init_copy(ub, i);
	ub->team = (struct model_team){
		.run = ub->run, .size = ub->cfg.copies, .make = make, .data = ub
	};
	return true;
}

static void main_step(struct sim_task *task, void *data)
{
	struct unixbench_sim *ub = data;

	while (!model_team_step(&ub->team, task)) {
		if (ub_take_score(&ub->scores, ub->test, ub->tallies, (size_t)ub->cfg.copies,
				  ub->run->stop_ns - ub->run->start_ns, &ub->wrong) ||
		    !begin_test(ub, ub->test + 1)) {
			sim_exit(task);
			return;
		}
	}
}

static int play(struct unixbench_sim *ub, struct error *err)
{
	const struct sim_task_spec spec = { .name = "unixbench", .step = main_step, .data = ub };
	int ret = 0;

	if (begin_test(ub, 0)) {
		sim_spawn(ub->sim, &spec);
		ret = model_go(ub->run, ub->sim, err);
	}
	return ret || !ub->wrong.code ? ret : error_set(err, ub->wrong.code, "%s", ub->wrong.text);
}

int unixbench_model(struct run *run, struct sim *sim, const void *cfg, struct error *err)
{
	struct unixbench_sim *ub = sim_alloc(sim, sizeof(*ub));
	int ret;

	ub->cfg = *(const struct unixbench_cfg *)cfg;
	if (!ub->cfg.copies)
		ub->cfg.copies = model_cpus(sim);
	ub->run = run;
	ub->sim = sim;
	ub->copies = sim_alloc(sim, ub->cfg.copies * sizeof(*ub->copies));
	ub->tallies = xaligned(SHARED_ALIGN, ub->cfg.copies * sizeof(*ub->tallies));
	ret = play(ub, err);
	if (!ret) {
		ub_report(run, &ub->cfg, &ub->scores);
		run_note(run, "cpus", "%u", model_cpus(sim));
	}
	free(ub->tallies);
	return ret;
}
