// SPDX-License-Identifier: GPL-2.0-only
#include "sim/costs.h"

#include "base/mem.h"

#include <string.h>

#define BY_DISTANCE(same, smt, cluster, llc, node, package, remote)                                \
	{                                                                                          \
		[SIM_SAME] = (same), [SIM_SMT] = (smt), [SIM_CLUSTER] = (cluster),                 \
		[SIM_LLC] = (llc), [SIM_NODE] = (node), [SIM_PACKAGE] = (package),                 \
		[SIM_REMOTE] = (remote),                                                           \
	}

/* Of a message so many lines of memory are read where another CPU wrote them, by the distance to it. */
#define LINES(n) BY_DISTANCE(0, 0, 15ul * (n), 25ul * (n), 100ul * (n), 120ul * (n), 200ul * (n))

void costs_default(struct costs *costs)
{
	*costs = (struct costs){
		.switch_ns = 700,
		.switch_space_ns = 200,
		.switch_cold_ns = 0,
		.wake_ns = BY_DISTANCE(500, 550, 600, 650, 750, 850, 1100),
		.ipi_ns = BY_DISTANCE(200, 500, 550, 600, 750, 900, 1300),
		.ipi_send_ns = 100,
		.idle_exit_ns = 1500,
		.idle_deep_after_ns = { 600000 },
		.idle_deep_ns = { 45000 },
		.interrupt_ns = 400,
		.cold_ns = BY_DISTANCE(0, 0, 1500, 3000, 12000, 15000, 25000),
		.smt_speed = 640,
		.syscall_ns = 120,
		.send_ns = { [SIM_PIPE] = 180,
			     [SIM_UNIX_STREAM] = 650,
			     [SIM_UNIX_DGRAM] = 700,
			     [SIM_TCP] = 3500,
			     [SIM_UDP] = 2200,
			     [SIM_FIFO] = 190 },
		.receive_ns = { [SIM_PIPE] = 160,
				[SIM_UNIX_STREAM] = 450,
				[SIM_UNIX_DGRAM] = 450,
				[SIM_TCP] = 700,
				[SIM_UDP] = 500,
				[SIM_FIFO] = 170 },
		.message_cold_ns = { [SIM_PIPE] = 0,
				     [SIM_UNIX_STREAM] = 200,
				     [SIM_UNIX_DGRAM] = 200,
				     [SIM_TCP] = 300,
				     [SIM_UDP] = 300,
				     [SIM_FIFO] = 0 },
		.messages_cold = 1024,
		.copy_ns_kib = 60,
		.futex_wait_ns = 250,
		.futex_wake_ns = 200,
		.fork_ns = 60000,
		.thread_ns = 12000,
		.exec_ns = 180000,
		.exit_ns = 40000,
		.work_unit_ps = 85000,
		.matrix_step_ps = 800,
		.io_ns = 20000,
		.timer_slack_ns = 50000,
		.tick_work_ns = 1200,
		.core_step_ns = 25,
		.memory_ns_kib = BY_DISTANCE(80, 80, 80, 80, 80, 110, 150),
		.hint_fault_ns = 1500,
		.freq_idle_perf = 300,
		.hotplug_off_ns = 20000000,
		.hotplug_on_ns = 10000000,
		.thread_exit_ns = 6000,
		.fork_fault_ns = 1800,
		.space_cold_ns = 0,
		.spaces_kept = 6,
		.paging_shared = 0,
		.message_far_ns = { [SIM_PIPE] = LINES(4),
				    [SIM_UNIX_STREAM] = LINES(16),
				    [SIM_UNIX_DGRAM] = LINES(16),
				    [SIM_TCP] = LINES(16),
				    [SIM_UDP] = LINES(16),
				    [SIM_FIFO] = LINES(4) },
		.memory_mib_s = BY_DISTANCE(146000, 146000, 146000, 146000, 146000, 146000, 45000),
	};
}

uint64_t costs_idle_exit(const struct costs *costs, uint64_t idled_ns, uint64_t limit_ns)
{
	const uint64_t shallow = costs->idle_exit_ns;
	uint64_t exit = shallow <= limit_ns ? shallow : 0;

	for (size_t i = 0; i < COSTS_DEPTHS; i++) {
		const uint64_t all = shallow + costs->idle_deep_ns[i];

		if (idled_ns >= costs->idle_deep_after_ns[i] && all <= limit_ns && all > exit)
			exit = all;
	}
	return exit;
}

const char *sim_transport_name(enum sim_transport transport)
{
	static const char *const names[NR_SIM_TRANSPORTS] = {
		[SIM_PIPE] = "pipe",
		[SIM_UNIX_STREAM] = "unix_stream",
		[SIM_UNIX_DGRAM] = "unix_dgram",
		[SIM_TCP] = "tcp",
		[SIM_UDP] = "udp",
		[SIM_FIFO] = "fifo",
	};

	return names[transport];
}

const char *costs_default_source(const char *name)
{
	static const struct {
		const char *name;
		const char *words;
	} rows[] = {
		{ "switch_ns", "default: some 2000 instructions and cache misses at 3 GHz" },
		{ "switch_space_ns",
		  "default: a write of CR3 with a PCID, and TLB misses after it" },
		{ "switch_cold_ns", "default: within switch_ns, whose estimate has cache misses" },
		{ "wake_ns",
		  "default: a try_to_wake_up() of 1500 instructions, and a cache line from there" },
		{ "ipi_ns", "default: half a published round trip of 1 to 2.6 us between cores" },
		{ "ipi_send_ns", "default: a write to the x2APIC, 300 cycles" },
		{ "idle_exit_ns", "default: intel_idle's 2 us for C1, and less for AMD's" },
		{ "idle_deep_after_ns.2", "default: no such depth" },
		{ "idle_deep_after_ns.3", "default: no such depth" },
		{ "idle_deep_after_ns.4", "default: no such depth" },
		{ "idle_deep_ns.2", "default: no such depth" },
		{ "idle_deep_ns.3", "default: no such depth" },
		{ "idle_deep_ns.4", "default: no such depth" },
		{ "idle_deep_after_ns",
		  "default: intel_idle's residency of C6, Skylake and Ice Lake" },
		{ "idle_deep_ns",
		  "default: half of intel_idle's 92 us for the core's C6, a 99.99th percentile" },
		{ "interrupt_ns", "default: entry and exit with mitigations, 1200 cycles" },
		{ "cold_ns",
		  "default: 16, 32, 120, 150 and 250 cache lines of the stack and the heap" },
		{ "smt_speed", "default: a second thread gives a quarter more in all" },
		{ "syscall_ns", "default: getppid() with mitigations, 100 to 150 ns" },
		{ "send_ns", "default: a write() of few bytes less the call" },
		{ "receive_ns", "default: a read() of few bytes less the call" },
		{ "message_cold_ns",
		  "default: some ten lines of a buffer and its head, from the L3 cache" },
		{ "messages_cold", "default: a KiB each, in an L2 cache of 1 MiB" },
		{ "copy_ns_kib", "default: 17 GB/s" },
		{ "futex_wait_ns", "default: hash, lock and queue, 750 cycles" },
		{ "futex_wake_ns", "default: hash, lock and queue, 600 cycles" },
		{ "fork_ns", "default: a small process, lmbench's kind" },
		{ "thread_ns", "default: pthread_create()'s clone() and stack" },
		{ "exec_ns", "default: a small static program" },
		{ "exit_ns", "default: a small process" },
		{ "work_unit_ps",
		  "default: 64 multiplications and additions, 4 cycles each at 3 GHz" },
		{ "matrix_step_ps", "default: 2.4 cycles at 3 GHz, a column from the L2 cache" },
		{ "io_ns", "default: an NVMe drive that writes to its own memory first" },
		{ "timer_slack_ns", "default: the kernel's own, 50 us" },
		{ "tick_work_ns", "default: accounting and the timer wheel, 3600 cycles" },
		{ "core_step_ns",
		  "default: a cache line that another CPU of the LLC wrote, 75 cycles at 3 GHz" },
		{ "memory_ns_kib", "default: 12.5, 9 and 7 GB/s of one core" },
		{ "hint_fault_ns", "default: a minor fault, 4500 cycles" },
		{ "freq_idle_perf", "default: 0.9 of 3 GHz" },
		{ "hotplug_off_ns",
		  "default: a guess, of two grace periods of RCU and stop_machine()" },
		{ "hotplug_on_ns", "default: a guess, of a grace period of RCU and the firmware" },
		{ "thread_exit_ns", "default: half of what making one takes" },
		{ "fork_fault_ns", "default: a minor fault and a page copied, 5400 cycles" },
		{ "space_cold_ns",
		  "default: within switch_space_ns, whose estimate has TLB misses" },
		{ "spaces_kept", "default: PCIDs that the kernel keeps for a CPU on x86" },
		{ "paging_shared", "default: as if no two processes shared a lock" },
		{ "message_far_ns", "default: 4 (pipes) or 16 lines that another CPU wrote: data, "
				    "head, lists of free ones" },
		{ "memory_mib_s.package",
		  "default: an estimate, a link on the die as wide as the controller" },
		{ "memory_mib_s.remote",
		  "default: an estimate, 3/4 of three UPI links of 10.4 GT/s, one way" },
		{ "memory_mib_s",
		  "default: an estimate, 3/4 of eight channels of DDR4-3200 a node" },
	};
	const size_t n = strcspn(name, ".");

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].name, name) ||
		    (strlen(rows[i].name) == n && !memcmp(rows[i].name, name, n)))
			return rows[i].words;
	return NULL;
}
