// SPDX-License-Identifier: GPL-2.0-only
#include "differ/play.h"

#include "base/cpumask.h"
#include "base/mem.h"
#include "differ/play_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void settle(struct player *p, uint32_t cpu)
{
	p->slot[cpu].tick = p->play->ops->settle(p->core, cpu).tick;
}

static const uint64_t *affinity_of(struct player *p, const struct script_event *e)
{
	const uint32_t n = p->play->machine->nr_cpus;
	struct cpumask mask = { 0 };

	memset(p->words, 0, (n + 63) / 64 * sizeof(*p->words));
	if (e->cpus)
		cpumask_parse(&mask, e->cpus, NULL);
	for (uint32_t cpu = 0; cpu < n; cpu++)
		if (!e->cpus || cpumask_test(&mask, cpu))
			p->words[cpu / 64] |= UINT64_C(1) << cpu % 64;
	cpumask_release(&mask);
	return p->words;
}

static bool do_fork(struct player *p, const struct script_event *e)
{
	struct play_actor *actor = &p->actor[e->task];
	const struct core_task_spec spec = {
		.cookie = actor,
		.comm = e->comm,
		.sched = e->sched,
		.affinity = affinity_of(p, e),
	};

	if (actor->core || actor->exited)
		return false;
	actor->core = p->play->ops->task_new(p->core, e->cpu, &spec);
	return actor->core;
}

static bool do_start(struct player *p, const struct script_event *e)
{
	struct play_actor *actor = &p->actor[e->task];

	if (!actor->core || actor->started)
		return false;
	actor->started = true;
	p->play->ops->task_start(p->core, e->cpu, actor->core);
	settle(p, e->cpu);
	return true;
}

static bool do_wake(struct player *p, const struct script_event *e)
{
	struct play_actor *actor = &p->actor[e->task];

	if (!actor->core || !actor->asleep)
		return false;
	actor->asleep = false;
	p->play->ops->wake(p->core, e->cpu, actor->core, e->sync);
	settle(p, e->cpu);
	return true;
}

/* What only a running task does, where it runs. */
static bool do_itself(struct player *p, const struct script_event *e,
		      void (*what)(struct core *core, uint32_t cpu))
{
	if (!e->task || p->slot[e->cpu].running != e->task)
		return false;
	p->actor[e->task].exited = e->kind == SCRIPT_EXIT;
	what(p->core, e->cpu);
	settle(p, e->cpu);
	return true;
}

static bool do_block(struct player *p, const struct script_event *e)
{
	if (!e->task || p->slot[e->cpu].running != e->task)
		return false;
	p->actor[e->task].asleep = true;
	p->play->ops->block(p->core, e->cpu, e->io);
	settle(p, e->cpu);
	return true;
}

static bool do_free(struct player *p, const struct script_event *e)
{
	struct play_actor *actor = &p->actor[e->task];

	if (!actor->core || !actor->exited)
		return false;
	p->play->ops->task_free(p->core, actor->core);
	actor->core = NULL;
	return true;
}

static bool do_attributes(struct player *p, const struct script_event *e)
{
	const struct core_ops *ops = p->play->ops;
	struct play_actor *actor = &p->actor[e->task];

	if (!actor->core || !actor->started || actor->exited)
		return false;
	if (e->kind == SCRIPT_SCHED)
		ops->set_sched(p->core, e->cpu, actor->core, &e->sched);
	else
		ops->set_affinity(p->core, e->cpu, actor->core, affinity_of(p, e));
	settle(p, e->cpu);
	return true;
}

static bool do_tick(struct player *p, const struct script_event *e)
{
	if (!p->slot[e->cpu].tick)
		return false;
	p->play->ops->tick(p->core, e->cpu);
	settle(p, e->cpu);
	return true;
}

static bool do_ipi(struct player *p, const struct script_event *e)
{
	if (!p->slot[e->cpu].pending[e->ipi])
		return false;
	p->slot[e->cpu].pending[e->ipi] = false;
	p->play->ops->ipi(p->core, e->cpu, (enum core_ipi)e->ipi);
	settle(p, e->cpu);
	return true;
}

static struct play_timer *earliest(const struct play_slot *slot)
{
	struct play_timer *first = NULL;

	for (size_t i = 0; i < slot->nr; i++) {
		struct play_timer *timer = &slot->timers[i];

		if (!timer->gone && (!first || timer->when_ns < first->when_ns))
			first = timer;
	}
	return first;
}

static void forget_gone(struct play_slot *slot)
{
	size_t n = 0;

	for (size_t i = 0; i < slot->nr; i++)
		if (!slot->timers[i].gone)
			slot->timers[n++] = slot->timers[i];
	slot->nr = n;
}

static bool do_timer(struct player *p, const struct script_event *e)
{
	struct play_slot *slot = &p->slot[e->cpu];
	struct play_timer *first = earliest(slot), timer;

	if (!first || first->when_ns > p->now_ns)
		return false;
	timer = *first;
	first->gone = true;
	forget_gone(slot);
	p->play->ops->timer(p->core, e->cpu, timer.timer, timer.generation);
	settle(p, e->cpu);
	return true;
}

static bool do_event(struct player *p, const struct script_event *e)
{
	const struct core_ops *ops = p->play->ops;

	switch (e->kind) {
	case SCRIPT_FORK:
		return do_fork(p, e);
	case SCRIPT_START:
		return do_start(p, e);
	case SCRIPT_WAKE:
		return do_wake(p, e);
	case SCRIPT_BLOCK:
		return do_block(p, e);
	case SCRIPT_YIELD:
		return do_itself(p, e, ops->yield);
	case SCRIPT_EXEC:
		return do_itself(p, e, ops->exec);
	case SCRIPT_EXIT:
		return do_itself(p, e, ops->exit);
	case SCRIPT_FREE:
		return do_free(p, e);
	case SCRIPT_SCHED:
	case SCRIPT_AFFINITY:
		return do_attributes(p, e);
	case SCRIPT_TICK:
		return do_tick(p, e);
	case SCRIPT_TIMER:
		return do_timer(p, e);
	case SCRIPT_SETTLE:
		settle(p, e->cpu);
		return true;
	default:
		return do_ipi(p, e);
	}
}

static uint32_t greatest_task(const struct script *script)
{
	uint32_t max = 0;

	for (size_t i = 0; i < script->nr; i++)
		if (script->events[i].task > max)
			max = script->events[i].task;
	return max;
}

static void boot(struct player *p)
{
	const struct play *play = p->play;
	const struct core_config config = {
		.machine = play->machine,
		.seed = play->script->seed,
		.knobs = play->knobs,
		.nr_knobs = play->nr_knobs,
	};

	p->now_ns = play->script->boot_ns;
	p->core = play->ops->boot(&config, &p->host);
	if (!p->core)
		play_fail(p, "it does not boot");
	for (uint32_t cpu = 0; cpu < play->machine->nr_cpus; cpu++)
		if (play->machine->online[cpu])
			settle(p, cpu);
	/* what boots is no decision about tasks */
	play->out->nr = 0;
}

void play_here(void *ctx)
{
	const struct play *play = ctx;
	const struct script *script = play->script;
	const uint32_t nr_actors = greatest_task(script) + 1;
	struct player player = { .play = play };

	player.slot = xcalloc(play->machine->nr_cpus, sizeof(*player.slot));
	player.actor = xcalloc(nr_actors, sizeof(*player.actor));
	player.words = xcalloc((play->machine->nr_cpus + 63) / 64, sizeof(*player.words));
	for (uint32_t i = 0; i < nr_actors; i++)
		player.actor[i].nr = i;
	play_init_host(&player);
	boot(&player);
	for (size_t i = 0; i < script->nr; i++) {
		if (play->keep && !play->keep[i])
			continue;
		player.event = (uint32_t)i;
		player.now_ns = script->events[i].time_ns;
		play->out->done[i] = do_event(&player, &script->events[i]);
	}
	if (play->end)
		play->end(play->ctx, play->ops, player.core);
}

int play_check(const struct script *script, const struct core_machine *machine, struct error *err)
{
	for (size_t i = 0; i < script->nr; i++) {
		const struct script_event *e = &script->events[i];
		struct cpumask mask = { 0 };
		int ret = 0;

		if (e->cpu >= machine->nr_cpus || !machine->online[e->cpu])
			ret = error_set(err, ERANGE, "event %zu: there is no CPU %" PRIu32, i + 1,
					e->cpu);
		else if (e->cpus)
			ret = cpumask_parse(&mask, e->cpus, err);
		cpumask_release(&mask);
		if (ret)
			return ret;
	}
	return 0;
}
