// SPDX-License-Identifier: GPL-2.0-only
#include "sim/costs.h"

#define BY_DISTANCE(same, smt, cluster, llc, node, package, remote)                                \
	{                                                                                          \
		[SIM_SAME] = (same), [SIM_SMT] = (smt), [SIM_CLUSTER] = (cluster),                 \
		[SIM_LLC] = (llc), [SIM_NODE] = (node), [SIM_PACKAGE] = (package),                 \
		[SIM_REMOTE] = (remote),                                                           \
	}

void costs_default(struct costs *costs)
{
	*costs = (struct costs){
		.switch_ns = 900,
		.wake_ns = BY_DISTANCE(500, 550, 600, 650, 750, 850, 1100),
		.ipi_ns = BY_DISTANCE(200, 500, 550, 600, 750, 900, 1300),
		.idle_exit_ns = 1500,
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
		.copy_ns_kib = 60,
		.futex_wait_ns = 250,
		.futex_wake_ns = 200,
		.fork_ns = 60000,
		.thread_ns = 12000,
		.exec_ns = 180000,
		.exit_ns = 40000,
		.timer_slack_ns = 50000,
		.tick_work_ns = 1200,
		.core_step_ns = 0,
		.memory_ns_kib = BY_DISTANCE(80, 80, 80, 80, 80, 110, 150),
		.hint_fault_ns = 1500,
		.freq_idle_perf = 300,
	};
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
