// SPDX-License-Identifier: GPL-2.0-only
/* workload/task_model.c - set-up, start and end of a task program's simulated tasks. */
#include "workload/task_model.h"

#include "base/mem.h"
#include "workload/model.h"
#include "workload/task_actor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the main task does: it makes the tasks, waits until they are ready, opens the gate, and waits for their end. */
enum stage {
	MAKE,
	OPEN,
	AWAIT_TIME,
	WAKE,
	AWAIT_END,
	REAP,
};

static size_t nr_words(const struct sim *sim)
{
	return (sim_machine(sim)->nr_cpus + 63) / 64;
}

static const uint64_t *all_cpus(struct sim *sim)
{
	uint64_t *words = sim_alloc(sim, nr_words(sim) * sizeof(*words));

	for (uint32_t cpu = 0; cpu < sim_machine(sim)->nr_cpus; cpu++)
		words[cpu / 64] |= UINT64_C(1) << cpu % 64;
	return words;
}

/* NULL where the machine has none of them. */
static const uint64_t *words_of(struct sim *sim, const struct cpumask *cpus)
{
	const struct core_machine *machine = sim_machine(sim);
	uint64_t *words = sim_alloc(sim, nr_words(sim) * sizeof(*words));
	bool online = false;
	unsigned int cpu;

	cpumask_for_each (cpu, cpus) {
		if (cpu >= machine->nr_cpus)
			break;
		words[cpu / 64] |= UINT64_C(1) << cpu % 64;
		online |= machine->online[cpu];
	}
	return online ? words : NULL;
}

static int bind(const uint64_t **words, struct sim *sim, const struct task *task, bool bound,
		const struct cpumask *cpus, struct error *err)
{
	struct strbuf text = { 0 };

	if (!bound)
		return 0;
	*words = words_of(sim, cpus);
	if (*words)
		return 0;
	cpumask_print(cpus, &text);
	error_set(err, EOPNOTSUPP, "task '%.80s': the machine has none of CPUs %.80s online",
		  task->name, strbuf_str(&text));
	strbuf_release(&text);
	return -EOPNOTSUPP;
}

/* Affinity of the task itself, and behind that of each phase. */
static int bind_task(const uint64_t ***out, struct sim *sim, const struct task *task,
		     struct error *err)
{
	const uint64_t **words = sim_alloc(sim, (1 + task->nr_phases) * sizeof(*words));
	int ret = bind(&words[0], sim, task, task->bound, &task->cpus, err);

	for (size_t i = 0; !ret && i < task->nr_phases; i++)
		ret = bind(&words[1 + i], sim, task, task->phases[i].bound, &task->phases[i].cpus,
			   err);
	*out = words;
	return ret;
}

static void name_actor(struct task_actor *a, uint64_t instance)
{
	if (a->task->instances > 1)
		snprintf(a->name, sizeof(a->name), "%.9s-%u", a->task->name,
			 (unsigned int)instance);
	else
		snprintf(a->name, sizeof(a->name), "%.15s", a->task->name);
}

static void make_memories(struct task_model *m, struct task_actor *a)
{
	if (!m->nr_slots)
		return;
	a->memories = sim_alloc(m->sim, m->nr_slots * sizeof(*a->memories));
	for (size_t i = 0; i < m->program->nr_objects; i++)
		if (m->program->objects[i].own && task_uses_memory(m->program, a->task, i))
			a->memories[m->slots[i]] =
				sim_memory_new(m->sim, -1, m->program->objects[i].bytes);
}

static int check_phase(const struct task_phase *phase, struct error *err)
{
	if (phase->sched.clamps)
		return error_set(err, EOPNOTSUPP, "util_min and util_max are not simulated");
	if (cpumask_weight(&phase->nodes))
		return error_set(err, EOPNOTSUPP, "nodes_membind is not simulated");
	return 0;
}

/* What the simulator has not. */
static int check_task(const struct task *task, struct error *err)
{
	const struct task_phase own = { .sched = task->sched, .nodes = task->nodes };
	int ret = check_phase(&own, err);

	for (size_t i = 0; !ret && i < task->nr_phases; i++)
		ret = check_phase(&task->phases[i], err);
	if (ret)
		error_prefix(err, "task '%.80s'", task->name);
	return ret;
}

static int init_actors(struct task_model *m, struct error *err)
{
	size_t n = 0;

	for (size_t i = 0; i < m->program->nr_tasks; i++) {
		const struct task *task = &m->program->tasks[i];
		const uint64_t **affinity;
		int ret = check_task(task, err);

		if (!ret)
			ret = bind_task(&affinity, m->sim, task, err);
		if (ret)
			return ret;
		m->first[i] = n;
		for (uint64_t k = 0; k < task->instances; k++, n++) {
			struct task_actor *a = &m->actors[n];

			a->model = m;
			a->task = task;
			a->affinity = affinity;
			a->timers = &m->timers[n * m->nr_slots];
			make_memories(m, a);
			name_actor(a, k);
		}
		m->expected += task->forked ? 0 : (size_t)task->instances;
	}
	return 0;
}

/* As the program has it, for a diagnosis: "barrier 'start'". */
static const char *name_of(struct sim *sim, const struct task_object *object)
{
	static const char *const kinds[] = {
		[TASK_MUTEX] = "mutex",		[TASK_CONDITION] = "condition",
		[TASK_TIMER] = "timer",		[TASK_BARRIER] = "barrier",
		[TASK_SEMAPHORE] = "semaphore", [TASK_MEMORY] = "memory",
	};
	const size_t size = strlen(kinds[object->kind]) + strlen(object->name) + 4;
	char *name = sim_alloc(sim, size);

	snprintf(name, size, "%s '%s'", kinds[object->kind], object->name);
	return name;
}

static void init_objects(struct task_model *m)
{
	for (size_t i = 0; i < m->program->nr_objects; i++) {
		const struct task_object *object = &m->program->objects[i];
		struct model_object *made = &m->objects[i];

		if (object->own)
			m->slots[i] = m->nr_slots++;
		if (object->kind == TASK_MUTEX) {
			made->mutex = sim_mutex_new(m->sim);
			sim_mutex_name(made->mutex, name_of(m->sim, object));
		} else if (object->kind == TASK_MEMORY && !object->own) {
			made->memory = sim_memory_new(m->sim, -1, object->bytes);
		} else if (object->kind != TASK_TIMER && object->kind != TASK_MEMORY) {
			made->futex = sim_futex_new(m->sim);
			sim_futex_name(made->futex, name_of(m->sim, object));
		}
	}
}

int task_model_new(struct task_model **out, struct sim *sim, const struct task_program *program,
		   uint64_t loops, unsigned int kinds, size_t lines, struct error *err)
{
	struct task_model *m = xcalloc(1, sizeof(*m));
	int ret;

	m->sim = sim;
	m->program = program;
	m->loops = loops;
	m->kinds = kinds;
	m->samples = xcalloc(NR_TASK_SAMPLES, sizeof(*m->samples));
	m->counts = xcalloc(program->nr_tasks, sizeof(*m->counts));
	m->slots = xcalloc(program->nr_objects, sizeof(*m->slots));
	m->forks = xcalloc(program->nr_tasks, sizeof(*m->forks));
	m->first = xcalloc(program->nr_tasks, sizeof(*m->first));
	m->objects = xcalloc(program->nr_objects, sizeof(*m->objects));
	m->nr_actors = (size_t)task_program_tasks(program);
	m->actors = xcalloc(m->nr_actors, sizeof(*m->actors));
	m->rounds = xcalloc(loops, sizeof(*m->rounds));
	m->logs = xcalloc(m->nr_actors, sizeof(*m->logs));
	m->lines = xcalloc(m->nr_actors * lines + 1, sizeof(*m->lines));
	for (size_t i = 0; i < m->nr_actors; i++)
		m->logs[i] = (struct task_log){ &m->lines[i * lines], lines, 0 };
	m->everywhere = all_cpus(sim);
	m->ready = sim_futex_new(sim);
	m->gate = sim_futex_new(sim);
	m->ended = sim_futex_new(sim);
	sim_futex_name(m->ready, "the tasks' being ready");
	sim_futex_name(m->gate, "the start");
	sim_futex_name(m->ended, "the tasks' end");
	init_objects(m);
	m->timers = xcalloc(m->nr_actors * m->nr_slots, sizeof(*m->timers));
	ret = init_actors(m, err);
	if (ret)
		task_model_free(m);
	else
		*out = m;
	return ret;
}

void task_model_free(struct task_model *m)
{
	free(m->samples);
	free(m->counts);
	free(m->slots);
	free(m->first);
	free(m->forks);
	free(m->objects);
	free(m->actors);
	free(m->logs);
	free(m->rounds);
	free(m->lines);
	free(m->timers);
	free(m);
}

/* As in the beginning, but for samples and counts. */
static void begin_all(struct task_model *m)
{
	m->next = 0;
	m->arrived = 0;
	m->at_work = m->expected;
	sim_futex_set(m->ready, 0);
	sim_futex_set(m->gate, 0);
	sim_futex_set(m->ended, 0);
	for (size_t i = 0; i < m->program->nr_objects; i++) {
		struct model_object *object = &m->objects[i];

		if (object->futex)
			sim_futex_set(object->futex, 0);
		object->timer = (struct task_timer){ 0 };
		object->arrived = 0;
		object->waiting = 0;
		object->posted_ns = 0;
	}
	memset(m->forks, 0, m->program->nr_tasks * sizeof(*m->forks));
	memset(m->timers, 0, m->nr_actors * m->nr_slots * sizeof(*m->timers));
	for (size_t i = 0; i < m->nr_actors; i++) {
		struct task_actor *a = &m->actors[i];

		a->bound = m->everywhere;
		a->sched = NULL;
		a->phase = a->op = a->part = 0;
		a->loop = a->phase_loop = 0;
		a->begun = a->in_phase = a->took = false;
		a->released = 0;
	}
}

/* Return: whether one was left to be made */
static bool make_next(struct task_model *m, struct sim_task *task)
{
	for (; m->next < m->nr_actors; m->next++) {
		struct task_actor *a = &m->actors[m->next];
		const struct sim_task_spec spec = {
			.name = a->name, .step = task_actor_step, .data = a, .thread = true
		};

		if (a->task->forked)
			continue;
		m->next++;
		sim_fork(task, &spec);
		return true;
	}
	return false;
}

static void open_gate(struct task_model *m, struct sim_task *task)
{
	m->start_ns = sim_now(m->sim);
	m->stop_ns = m->start_ns + m->program->duration_ns;
	run_start_at(m->run, m->start_ns);
	sim_mark(m->sim, "start");
	sim_futex_set(m->gate, 1);
	sim_futex_wake(task, m->gate, UINT32_MAX);
}

/* Those who wait when the time is over. Return: whether one object was left */
static bool wake_next(struct task_model *m, struct sim_task *task)
{
	while (m->next < m->program->nr_objects) {
		struct sim_futex *futex = m->objects[m->next++].futex;

		if (!futex)
			continue;
		sim_futex_set(futex, sim_futex_value(futex) + 1);
		sim_futex_wake(task, futex, UINT32_MAX);
		return true;
	}
	return false;
}

static void main_step(struct sim_task *task, void *data)
{
	struct task_model *m = data;

	switch ((enum stage)m->stage) {
	case MAKE:
		if (!m->next)
			begin_all(m);
		if (make_next(m, task))
			return;
		m->stage = OPEN;
		sim_futex_wait(task, m->ready, 0);
		return;
	case OPEN:
		open_gate(m, task);
		m->next = 0;
		m->stage = m->program->ends_by_time ? AWAIT_TIME : AWAIT_END;
		return;
	case AWAIT_TIME:
		m->stage = WAKE;
		sim_sleep_until(task, m->stop_ns);
		return;
	case WAKE:
		if (wake_next(m, task))
			return;
		/* fall through */
	case AWAIT_END:
		m->stage = REAP;
		m->next = 0;
		sim_futex_wait(task, m->ended, 0);
		return;
	case REAP:
		if (m->next++ < m->expected) {
			sim_wait(task);
			return;
		}
		m->total_ns += m->run->stop_ns - m->run->start_ns;
		m->rounds[m->round++].ns = m->run->stop_ns - m->run->start_ns;
		m->next = 0;
		m->stage = MAKE;
		if (--m->loops)
			sim_yield(task);
		else
			sim_exit(task);
	}
}

int task_model_run(struct task_model *m, struct run *run, struct error *err)
{
	const struct sim_task_spec spec = { .name = "main", .step = main_step, .data = m };
	int ret;

	m->run = run;
	sim_spawn(m->sim, &spec);
	ret = model_go(run, m->sim, err);
	if (m->wrong.code)
		return error_set(err, m->wrong.code, "%s", m->wrong.text);
	return ret;
}

uint64_t task_model_ns(const struct task_model *m)
{
	return m->total_ns;
}

const struct task_round *task_model_rounds(const struct task_model *m)
{
	return m->rounds;
}

void task_model_outcome(struct task_model *m, struct task_outcome *outcome)
{
	*outcome = (struct task_outcome){ .counts = m->counts, .logs = m->logs };
	for (size_t i = 0; i < m->program->nr_tasks; i++)
		task_counts_add(&outcome->sum, &m->counts[i]);
	for (int k = 0; k < NR_TASK_SAMPLES; k++)
		outcome->samples[k] = m->kinds & 1u << k ? &m->samples[k] : NULL;
}
