// SPDX-License-Identifier: GPL-2.0-only
/*
 * Property: a program that is made of a trace comes to its end whatever the trace says and whoever is left out: nobody
 * takes what is never posted, each forked task is forked once, and what the tasks run is what the trace says that they ran.
 */
#include "workload/replay_convert.h"

#include "base/mem.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be(int truth)
{
	if (!truth)
		abort();
}

/**
 * struct state - of a program that is carried out without time
 * @posted: by the object's index
 * @at:     next operation, by the task's index
 * @born:   it has started
 */
struct state {
	const struct task_program *program;
	size_t *posted;
	size_t *at;
	bool *born;
	uint64_t run_ns;
};

/* Return: false, it has to wait */
static bool do_op(struct state *s, const struct task_op *op)
{
	const struct task_program *p = s->program;

	switch (op->kind) {
	case TASK_RUN:
		s->run_ns += op->ns;
		must_be(op->ns > 0);
		return true;
	case TASK_TIMER_WAIT:
		must_be(p->objects[op->object].kind == TASK_TIMER);
		return true;
	case TASK_POST:
		must_be(op->object < p->nr_objects);
		must_be(p->objects[op->object].kind == TASK_SEMAPHORE);
		s->posted[op->object]++;
		return true;
	case TASK_TAKE:
		must_be(op->object < p->nr_objects);
		if (!s->posted[op->object])
			return false;
		s->posted[op->object]--;
		return true;
	case TASK_FORK:
		must_be(op->object < p->nr_tasks && p->tasks[op->object].forked);
		must_be(!s->born[op->object]);
		s->born[op->object] = true;
		return true;
	default:
		must_be(op->kind == TASK_MARK || op->kind == TASK_SLEEP);
		return true;
	}
}

/* Return: whether it did anything */
static bool go_on(struct state *s, size_t i)
{
	const struct task_phase *phase = s->program->tasks[i].phases;
	const size_t from = s->at[i];

	while (s->born[i] && s->at[i] < phase->nr_ops && do_op(s, &phase->ops[s->at[i]]))
		s->at[i]++;
	return s->at[i] > from;
}

static void carry_out(const struct task_program *p, const struct replay_facts *facts)
{
	struct state s = { .program = p,
			   .posted = xcalloc(p->nr_objects, sizeof(*s.posted)),
			   .at = xcalloc(p->nr_tasks, sizeof(*s.at)),
			   .born = xcalloc(p->nr_tasks, sizeof(*s.born)) };
	bool any = true;

	for (size_t i = 0; i < p->nr_tasks; i++)
		s.born[i] = !p->tasks[i].forked;
	while (any) {
		any = false;
		for (size_t i = 0; i < p->nr_tasks; i++)
			any |= go_on(&s, i);
	}
	for (size_t i = 0; i < p->nr_tasks; i++)
		must_be(s.born[i] && s.at[i] == p->tasks[i].phases[0].nr_ops);
	for (size_t i = 0; i < p->nr_objects; i++)
		must_be(!s.posted[i]);
	must_be(s.run_ns == facts->replayed_cpu_ns);
	free(s.posted);
	free(s.at);
	free(s.born);
}

static void convert(const struct replay_log *log, const struct replay_choice *choice)
{
	struct task_program program = { 0 };
	struct replay_facts facts = { 0 };
	struct error err = { 0 };

	if (replay_convert(&program, &facts, NULL, log, choice, &err)) {
		must_be(err.code == EINVAL && *err.text && !program.tasks);
		return;
	}
	must_be(facts.replayed && facts.replayed == program.nr_tasks);
	must_be(facts.replayed + facts.skipped + facts.beyond == facts.tasks);
	must_be(facts.matched <= facts.sleeps && facts.replayed_cpu_ns <= facts.cpu_ns);
	carry_out(&program, &facts);
	task_program_release(&program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct replay_choice choice = {
		.speed = 1, .work = 1, .comm = "*", .skip = "", .pids = "", .most = 1000
	};
	struct replay_log log = { 0 };
	struct error err = { 0 };

	if (replay_log_read_text(&log, "file", data, size, &err)) {
		must_be(err.code == EINVAL && *err.text && !log.events);
		return 0;
	}
	convert(&log, &choice);
	/* the second half of it, without whose names begin early in the alphabet, and without all but three */
	choice.from_ns = (log.events[log.nr_events - 1].time_ns - log.events[0].time_ns) / 2;
	choice.skip = "[a-m]*";
	choice.sleep = REPLAY_FOR;
	choice.most = 3;
	convert(&log, &choice);
	replay_log_release(&log);
	return 0;
}
