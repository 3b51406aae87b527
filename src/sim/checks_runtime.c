// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim/checks_runtime.c - what the core says that tasks had is what they had.
 *
 * A kernel accounts by its runqueue's clock, which stands still between looks at it. At a switch it may be behind by what passed
 * since something was put there, as who does that looks at the clock and then may want the next look left out; or ahead, where
 * an event of another CPU, which looked at it, has come further in time than this one. Both only shift the border between two
 * tasks: one gets what the other doesn't, so the sum of a CPU can be off only where it goes idle or leaves that.
 */
#include "sim/checks_parts.h"

#include <inttypes.h>

/* The clock that a switch is accounted by is at most so much @behind now, or @ahead of it. */
struct window {
	uint64_t behind;
	uint64_t ahead;
};

static struct window window_of(const struct sim_cpu *cpu)
{
	const struct sim *sim = cpu->sim;
	const struct check_cpu *c = &sim->checks->cpu[cpu->nr];
	uint64_t looked = sim->time;

	if (c->may_skip)
		looked = c->put_ns > c->tick_ns ? c->put_ns : c->tick_ns;
	return (struct window){
		.behind = sim->now - looked,
		.ahead = sim->checks->latest_ns > sim->now ? sim->checks->latest_ns - sim->now : 0,
	};
}

static void doubt_end(struct sim_doubt *doubt, const struct window *w)
{
	doubt->less_ns += w->behind;
	doubt->more_ns += w->ahead;
}

static void doubt_begin(struct sim_doubt *doubt, const struct window *w)
{
	doubt->less_ns += w->ahead;
	doubt->more_ns += w->behind;
}

/*
 * May the clock have been looked at between the end of @prev and the begin of @next? Only where the CPU went to look for
 * tasks meanwhile, as none was left.
 */
static bool gap(const struct check_cpu *c, const struct sim_task *prev, const struct sim_task *next)
{
	if (c->pulled)
		return true;
	if (prev->state == TASK_READY && !prev->capped)
		return false;
	return !checks_is_fair(next) || next->capped;
}

static void doubt_cpu(struct check_cpu *c, const struct sim_task *prev, const struct sim_task *next,
		      const struct window *w)
{
	if (!prev)
		doubt_begin(&c->doubt, w);
	else if (!next)
		doubt_end(&c->doubt, w);
	else if (gap(c, prev, next))
		c->doubt.less_ns += w->behind + w->ahead;
}

static bool within(uint64_t core_ns, uint64_t had_ns, const struct sim_doubt *doubt)
{
	return core_ns <= had_ns + doubt->more_ns && had_ns <= core_ns + doubt->less_ns;
}

/* @prev has left: what of its runtime has come to it since it did so the last time, it had here. */
static void check_left(struct sim_cpu *cpu, struct sim_task *prev, const struct window *w)
{
	struct sim *sim = cpu->sim;
	struct check_cpu *c = &sim->checks->cpu[cpu->nr];
	struct core_task_state state = { 0 };
	struct sim_doubt sum = c->doubt;

	sim->ops->task_state(sim->core, prev->core_task, &state);
	doubt_end(&sum, w); /* @next, if any, will have what @prev lacks by now */
	c->core_ns += state.runtime_ns - prev->told_ns;
	prev->told_ns = state.runtime_ns;
	if (!within(state.runtime_ns, prev->runtime_ns, &prev->doubt))
		checks_breach(sim, cpu, prev, cpu->switched_ns,
			      "'%s' (%" PRIu32 ") had %" PRIu64 " ns, the core says %" PRIu64
			      " ns, which may be %" PRIu64 " less or %" PRIu64 " more",
			      prev->comm, prev->nr, prev->runtime_ns, state.runtime_ns,
			      prev->doubt.less_ns, prev->doubt.more_ns);
	else if (!within(c->core_ns, cpu->busy_ns, &sum))
		checks_breach(sim, cpu, NULL, cpu->switched_ns,
			      "the tasks of CPU %" PRIu32 " had %" PRIu64
			      " ns there, the core says %" PRIu64 " ns, which may be %" PRIu64
			      " less or %" PRIu64 " more",
			      cpu->nr, cpu->busy_ns, c->core_ns, sum.less_ns, sum.more_ns);
}

void checks_runtime(struct sim_cpu *cpu, struct sim_task *prev, struct sim_task *next)
{
	struct check_cpu *c = &cpu->sim->checks->cpu[cpu->nr];
	const struct window w = window_of(cpu);

	if (prev) {
		doubt_end(&prev->doubt, &w);
		check_left(cpu, prev, &w);
	}
	if (next)
		doubt_begin(&next->doubt, &w);
	doubt_cpu(c, prev, next, &w);
	/* from 6.6 on what is pulled within the choice of a task can want the look of the next one left out */
	c->may_skip = c->pulled;
	c->put_ns = cpu->sim->time;
}
