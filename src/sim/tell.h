/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/tell.h - what happens, told to who listens: the trace, and the ring of recent events that a breach is shown with. */
#ifndef SIM_TELL_H
#define SIM_TELL_H

#include "sim/state.h"

/** told() - does anybody listen? */
static inline bool told(const struct sim *sim)
{
	return sim->trace || sim->checks;
}

void tell_event(struct sim *sim, const struct trace_event *event);
void tell_waking_event(struct sim_cpu *cpu, const struct sim_task *task);
void tell_ready_event(struct sim_cpu *cpu, const struct sim_task *task, enum trace_kind kind);
void tell_switch_event(struct sim_cpu *cpu, const struct sim_task *prev,
		       const struct sim_task *next);

/** tell_task() - an event of a task on @cpu that has no more to it than @text */
void tell_task(struct sim_cpu *cpu, enum trace_kind kind, const struct sim_task *task,
	       const char *text);

void tell_block_event(struct sim_cpu *cpu, const struct sim_task *task);

/** tell_cpu() - an event of a CPU and a value */
void tell_cpu_event(const struct sim_cpu *cpu, enum trace_kind kind, int64_t value);
void tell_migrate(struct sim *sim, const struct sim_task *task, uint32_t from, uint32_t to,
		  enum core_reason reason);

/** tell_affinity() - where @task, which @cpu is concerned with, may be from now on, by itself and by its group */
void tell_affinity(struct sim_cpu *cpu, const struct sim_task *task);
void tell_hotplug(const struct sim_cpu *by, uint32_t cpu, bool up);

/** tell_boot() - CPUs that are online have come up: without it one that never gets a task would not be in a trace */
void tell_boot(struct sim *sim);
void tell_why(struct sim *sim, const struct core_why *why);

/** tell_block() - for what it waits */
static inline void tell_block(struct sim_cpu *cpu, const struct sim_task *task)
{
	if (told(cpu->sim))
		tell_block_event(cpu, task);
}

static inline void tell_waking(struct sim_cpu *cpu, const struct sim_task *task)
{
	if (told(cpu->sim))
		tell_waking_event(cpu, task);
}

static inline void tell_ready(struct sim_cpu *cpu, const struct sim_task *task,
			      enum trace_kind kind)
{
	if (told(cpu->sim))
		tell_ready_event(cpu, task, kind);
}

/* From idle to idle, by way of a thread of the core's own, isn't told. */
static inline void tell_switch(struct sim_cpu *cpu, const struct sim_task *prev,
			       const struct sim_task *next)
{
	if (told(cpu->sim) && prev != next)
		tell_switch_event(cpu, prev, next);
}

static inline void tell_cpu(const struct sim_cpu *cpu, enum trace_kind kind, int64_t value)
{
	if (told(cpu->sim))
		tell_cpu_event(cpu, kind, value);
}

#endif
