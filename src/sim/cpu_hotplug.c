// SPDX-License-Identifier: GPL-2.0-only
#include "sim/cpu_hotplug.h"

#include "sim/cpu.h"
#include "sim/cpu_slots.h"
#include "sim/cpu_work.h"

void hotplug_gone(struct sim_cpu *cpu)
{
	struct sim_cpu *heir = cpu->heir;

	cpu->heir = NULL;
	while (cpu->timers.nr) {
		struct timer timer = slots_pop(cpu);

		sim_cpu_timer(heir, &timer);
	}
	slots_clear(cpu);
	cpu->online = false;
	cpu->online_ns += cpu->sim->now - cpu->online_since;
	cpu->awake = false;
	work_busy(cpu, false);
	slots_post(cpu);
}

void sim_cpu_up(struct sim_cpu *cpu)
{
	cpu->online = true;
	cpu->idle_since = cpu->sim->now;
	cpu->online_since = cpu->sim->now;
}

void sim_cpu_down(struct sim_cpu *cpu, struct sim_cpu *heir)
{
	cpu->heir = heir;
	if (!cpu->task)
		hotplug_gone(cpu);
}

uint64_t sim_cpu_online_ns(const struct sim_cpu *cpu)
{
	return cpu->online_ns + (cpu->online ? cpu->sim->now - cpu->online_since : 0);
}
