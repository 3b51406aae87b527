// SPDX-License-Identifier: GPL-2.0-only
/* boot.c - from nothing to CPUs that idle, in the order of a kernel's boot; and the table that is all of the image's surface */
#include <linux/cpuset.h>
#include <linux/init.h>
#include <linux/sched/init.h>
#include <linux/nodemask.h>
#include <linux/seq_file.h>
#include <linux/stop_machine.h>
#include <generated/utsrelease.h>
#include "kit.h"

#define MAX_LEVELS 12

struct core kit;
enum system_states system_state;
bool static_key_initialized = true;
extern bool sched_debug_verbose;
extern initcall_entry_t kit_initcalls[], kit_initcalls_end[];

/* NULL, or what the image can't do */
static const char *refusal(const struct core_machine *machine)
{
	if (kit.booted)
		return "an image boots once";
	if (machine->nr_cpus > NR_CPUS)
		return "more CPUs than CONFIG_NR_CPUS";
	if (machine->nr_nodes > MAX_NUMNODES)
		return "more nodes than CONFIG_NODES_SHIFT has room for";
	if (machine->nr_levels > MAX_LEVELS)
		return "more levels than the kit has room for";
	if (!machine->online[0])
		return "CPU 0 is offline";
	return NULL;
}

extern unsigned long kit_cpu_bits[BITS_PER_LONG + 1][BITS_TO_LONGS(NR_CPUS)] __asm__(
	"cpu_bit_bitmap");

/* cpumask_of() is a constant in the kernel, made by its preprocessor for NR_CPUS of any size; this one is filled. */
static void cpu_bits_setup(void)
{
	int bit;

	for (bit = 0; bit < BITS_PER_LONG; bit++)
		kit_cpu_bits[bit + 1][0] = 1UL << bit;
}

static void cpus_setup(void)
{
	int cpu;

	nr_cpu_ids = kit.machine->nr_cpus;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		cpumask_set_cpu(cpu, &__cpu_possible_mask);
		cpumask_set_cpu(cpu, &__cpu_present_mask);
	}
	kit_percpu_setup();
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		kit_hrtimer_setup(cpu);
	kit_machine_setup();
	kit_machine_cpu(0, true);
	cpumask_set_cpu(0, &__cpu_online_mask);
	cpumask_set_cpu(0, &__cpu_active_mask);
	atomic_set(&__num_online_cpus, 1);
	kit_percpu_offset = __per_cpu_offset[0];
}

static void initcalls(void)
{
	initcall_entry_t *call;

	for (call = kit_initcalls; call < kit_initcalls_end; call++)
		initcall_from_entry(call)();
}

/*
 * When all is up, as on any machine: some sysctls rebuild the domains, and with each CPU that comes or goes the tree sets those of debugfs
 * that it scales by their number (base_slice_ns, latency_ns ...) to its own values.
 */
static int knobs(struct core *core, const struct core_config *config)
{
	uint32_t i;

	for (i = 0; i < config->nr_knobs; i++) {
		char name[128], *value;
		int ret;

		strscpy(name, config->knobs[i], sizeof(name));
		value = strchr(name, '=');
		if (value)
			*value++ = '\0';
		ret = kit_knob_set(core, name, value ? value : "");
		if (ret) {
			kit_refuse("%s: %s", config->knobs[i],
				   ret == -ENOENT     ? "no such knob"
				   : ret == -ENOTUNIQ ? "several knobs end so, give a path"
						      : "the knob takes no such value");
			return ret;
		}
	}
	return 0;
}

/* The first task, which boots the rest and then sleeps for ever. */
static void init_task_start(void)
{
	struct task_struct *init = kit_fork("init", NULL);

	init->flags |= PF_NO_SETAFFINITY;
	wake_up_new_task(init);
	kit_schedule();
	if (current != init)
		kit_fail("boot: init wasn't picked");
}

static void idle_tasks(void)
{
	int cpu;

	for (cpu = 1; cpu < nr_cpu_ids; cpu++) {
		struct task_struct *idle = kit_fork("idle", NULL);

		init_idle(idle, cpu);
		idle->flags |= PF_IDLE;
		idle->pid = idle->tgid = 0;
	}
}

static void boot_cpu0(bool verbose)
{
	call_function_init();
	sched_init();
	sched_clock_init();
	init_task.flags |= PF_IDLE;
	sched_debug_verbose = verbose;
	system_state = SYSTEM_SCHEDULING;
	init_task_start();
}

static void bring_up(void)
{
	int cpu;

	idle_tasks();
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		kit_stop_setup(cpu);
		kit_hotplug_setup(cpu);
	}
	for (cpu = 1; cpu < nr_cpu_ids; cpu++) {
		if (kit.machine->online[cpu])
			kit_cpu_boot(cpu);
	}
}

static int nothing(void *unused)
{
	return 0;
}

/*
 * All CPUs settle: some were given work meanwhile. Each has a thread of its own run before, as in any kernel's boot, so that it
 * goes idle by way of the scheduler, which notes when.
 */
static void settle_all(void)
{
	int cpu;

	for_each_online_cpu(cpu) stop_one_cpu(cpu, nothing, NULL);
	set_current_state(TASK_INTERRUPTIBLE);
	for_each_online_cpu(cpu)
	{
		kit_on(cpu);
		kit_settle_here();
	}
}

/* The load that the first task had is gone before anybody measures a machine: averages are those of a long time without work. */
static void forget_load(void)
{
	int cpu;

	for_each_online_cpu(cpu)
	{
		struct sched_avg *avg = &cpu_rq(cpu)->cfs.avg;

		avg->load_sum = avg->runnable_sum = avg->util_sum = 0;
		avg->load_avg = avg->runnable_avg = avg->util_avg = 0;
	}
}

static struct core *boot(const struct core_config *config, const struct core_host *host)
{
	const char *why = refusal(config->machine);

	if (why) {
		host->warn(host->ctx, why);
		return NULL;
	}
	kit = (struct core){ .host = host, .machine = config->machine, .cost = config->cost };
	kit.booted = kit.booting = true;
	kit.reason = CORE_MIGRATE_OTHER;
	kit_random_seed(config->seed);
	cpu_bits_setup();
	kit_sysctl_setup();
	cpus_setup();
	kit_clock_update();
	kit_group_setup();
	kit_task_setup();
	kit_cpuset_setup();
	boot_cpu0(config->verbose);
	seq_file_init();
	initcalls();
	kit_cpufreq_knobs();
	kit_numa_setup();
	bring_up();
	kit_machine_levels();
	sched_init_smp();
	cpuset_init_smp();
	if (knobs(&kit, config)) {
		kit_memory_release();
		return NULL;
	}
	kit_cpufreq_setup();
	system_state = SYSTEM_RUNNING;
	settle_all();
	forget_load();
	kit.booting = false;
	return &kit;
}

static void release(struct core *core)
{
	kit_memory_release();
}

static uint64_t tick_ns(const struct core *core)
{
	return NSEC_PER_SEC / HZ;
}

const struct core_ops __attribute__((visibility("default"))) schedproof_core = {
	.abi = CORE_ABI,
	.name = "kernel",
	.version = UTS_RELEASE,
	.boot = boot,
	.release = release,
	.tick_ns = tick_ns,
	.task_new = kit_task_new,
	.task_start = kit_task_start,
	.task_free = kit_task_free,
	.wake = kit_wake,
	.block = kit_block,
	.yield = kit_yield,
	.exec = kit_exec,
	.exit = kit_exit,
	.tick = kit_tick,
	.timer = kit_timer,
	.ipi = kit_ipi,
	.settle = kit_settle,
	.set_sched = kit_set_sched,
	.set_affinity = kit_set_affinity,
	.group_new = kit_group_new,
	.group_attach = kit_group_attach,
	.group_cpus = kit_group_cpus,
	.cpu_up = kit_cpu_up,
	.cpu_down = kit_cpu_down,
#ifdef CONFIG_NUMA_BALANCING
	.numa_fault = kit_numa_fault,
#endif
	.knob = kit_knob_set,
	.knob_at = kit_knob_at,
	.task_state = kit_task_state,
	.rq_state = kit_rq_state,
	.schedstat = kit_schedstat,
};
