/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/cpu.h - a simulated CPU: what comes to it, what that takes, how fast its task goes on. All of it inside the sim.
 *
 * Between cpu_begin() and cpu_end() the core is called once at a time, each call followed by cpu_settle().
 */
#ifndef SIM_CPU_H
#define SIM_CPU_H

#include "sim/state.h"

void cpu_init(struct sim_cpu *cpu, struct sim *sim, uint32_t nr);
void cpu_release(struct sim_cpu *cpu);

/** cpu_event() - the earliest of what waits for the CPU happens, at sim->time */
void cpu_event(struct sim_cpu *cpu);

/** cpu_begin() - from here on the event is on this CPU; its task's work up to now is counted */
void cpu_begin(struct sim_cpu *cpu);

/** cpu_settle() - after each call of the core: who has the CPU now, does it want the tick? */
void cpu_settle(struct sim_cpu *cpu);

/** cpu_end() - the task goes on if the CPU has time for it; the CPU's next event is known */
void cpu_end(struct sim_cpu *cpu);

/** cpu_charge() - the CPU is occupied for that much longer */
void cpu_charge(struct sim_cpu *cpu, uint64_t ns);

/** cpu_wake() - in an event on @cpu: @task, which is blocked, is woken; settles */
void cpu_wake(struct sim_cpu *cpu, struct sim_task *task, bool sync);

/** cpu_send() - an interrupt comes at @time_ns, if none of its kind is under way already */
void cpu_send(struct sim_cpu *cpu, enum core_ipi kind, uint64_t time_ns);

/** cpu_timer() - a timer of the CPU; the key's time is set, its sequence is not */
void cpu_timer(struct sim_cpu *cpu, struct timer *timer);

/** cpu_switch() - the core gave it to @next, NULL: to nobody or a thread of its own */
void cpu_switch(struct sim_cpu *cpu, struct sim_task *next);

/** cpu_frequency() - of all CPUs of its core from now on */
void cpu_frequency(struct sim_cpu *cpu, uint32_t perf);

/** cpu_up(), cpu_down() - the core has taken it up; has taken it down: what it waited for comes to @heir */
void cpu_up(struct sim_cpu *cpu);
void cpu_down(struct sim_cpu *cpu, struct sim_cpu *heir);

/** cpu_busy_ns() - had by tasks so far */
uint64_t cpu_busy_ns(const struct sim_cpu *cpu);

#endif
