/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/cpu.h - a simulated CPU: what comes to it, what that takes, how fast its task goes on. All of it inside the sim.
 *
 * Between sim_cpu_begin() and sim_cpu_end() the core is called once at a time, each call followed by sim_cpu_settle().
 */
#ifndef SIM_CPU_H
#define SIM_CPU_H

#include "sim/state.h"

void sim_cpu_init(struct sim_cpu *cpu, struct sim *sim, uint32_t nr);
void sim_cpu_release(struct sim_cpu *cpu);

/** sim_cpu_event() - the earliest of what waits for the CPU happens, at sim->time */
void sim_cpu_event(struct sim_cpu *cpu);

/** sim_cpu_begin() - from here on the event is on this CPU; its task's work up to now is counted */
void sim_cpu_begin(struct sim_cpu *cpu);

/** sim_cpu_settle() - after each call of the core: who has the CPU now, does it want the tick? */
void sim_cpu_settle(struct sim_cpu *cpu);

/** sim_cpu_end() - the task goes on if the CPU has time for it; the CPU's next event is known */
void sim_cpu_end(struct sim_cpu *cpu);

/** sim_cpu_charge() - the CPU is occupied for that much longer */
void sim_cpu_charge(struct sim_cpu *cpu, uint64_t ns);

/** sim_cpu_wake() - in an event on @cpu: @task, which is blocked, is woken; settles */
void sim_cpu_wake(struct sim_cpu *cpu, struct sim_task *task, bool sync);

/** sim_cpu_wake_left() - of what the wake-up under way costs, to a task on CPU @to, less the core's own counted work in it */
uint64_t sim_cpu_wake_left(const struct sim_cpu *cpu, uint32_t to);

/** sim_cpu_send() - an interrupt comes at @time_ns, if none of its kind is under way already */
void sim_cpu_send(struct sim_cpu *cpu, enum core_ipi kind, uint64_t time_ns);

/** sim_cpu_timer() - a timer of the CPU; the key's time is set, its sequence is not */
void sim_cpu_timer(struct sim_cpu *cpu, struct timer *timer);

/** sim_cpu_switch() - the core gave it to @next, NULL: to nobody or a thread of its own; in an event on this CPU or another */
void sim_cpu_switch(struct sim_cpu *cpu, struct sim_task *next);

/** sim_cpu_frequency() - of all CPUs of its core from now on */
void sim_cpu_frequency(struct sim_cpu *cpu, uint32_t perf);

/**
 * sim_cpu_up(), sim_cpu_down() - the core has taken it up; has taken it down: what it waited for comes to @heir
 *
 * Where the core has still to get the CPU's task off it, the CPU is down when that is done.
 */
void sim_cpu_up(struct sim_cpu *cpu);
void sim_cpu_down(struct sim_cpu *cpu, struct sim_cpu *heir);

/** sim_cpu_busy_ns() - had by tasks so far; sim_cpu_online_ns(): up so far */
uint64_t sim_cpu_busy_ns(const struct sim_cpu *cpu);
uint64_t sim_cpu_online_ns(const struct sim_cpu *cpu);

#endif
