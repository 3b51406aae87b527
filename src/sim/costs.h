/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/costs.h - what things take on a simulated machine: the values of its cost file, each with unit and source.
 *
 * The file is an INI beside the machine's (machines/NAME.costs), written by hand or by `schedproof calibrate`:
 *
 *   [costs]
 *   switch_ns = 1200          ; one CPU, task to task: lmbench-like ping-pong on this host
 *   wake_ns.llc = 1900        ; a value by distance: same, smt, cluster, llc, node, package, remote
 *   source.switch_ns = calibrate 2026-12-01, 15 runs, sd 3 %
 *   idle_deep_ns = 20000      ; depths of idling: the first, idle_deep_ns.2 the second, up to the 4th
 *
 * Values by transport have the names of sim_transport_name() behind the dot, those by transport and distance both: message_far_ns.tcp.llc. A value by distance that isn't there is that of the next nearer one that is. What is not given at all is the built-in
 * default, which says that it is one. What memory takes may be given for a pair of nodes too, and goes before its distance's:
 * memory_ns_kib.0->2, see sim/costs_pairs.h.
 */
#ifndef SIM_COSTS_H
#define SIM_COSTS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "sim/costs_pairs.h"
#include "sim/sim.h"

#include <stdint.h>

/** enum sim_transport - what carries bytes from one task to another */
enum sim_transport {
	SIM_PIPE,
	SIM_UNIX_STREAM,
	SIM_UNIX_DGRAM,
	SIM_TCP,
	SIM_UDP,
	SIM_FIFO,
	NR_SIM_TRANSPORTS,
};

/* The most of memory_mib_s: a PiB a second. */
#define COSTS_MIB_S_MAX (UINT64_C(1) << 30)

/*
 * Of a static program's child that works and leaves by exit(): its stack, its data, and code that it maps anew. Counted in each of hackbench's 40
 * (perf record -e page-faults schedproof-worker hackbench groups=1 transport=pipe, 6.18): 13 before the start signal, 11 after it, all of them
 * after the last message.
 */
#define COSTS_FORK_FAULTS 13
#define COSTS_EXIT_FAULTS 11

/* Depths of idling behind the first, which is idle_exit_ns alone. */
#define COSTS_DEPTHS 4

/* The most of spaces_kept. */
#define COSTS_SPACES_MAX 1024

/* So many others drive what a task works with out of the core's nearest cache. */
#define COSTS_OTHERS 4

/**
 * struct costs - ns unless said otherwise; the names are those of the file
 * @switch_ns:     from one task to another on a CPU, or from and to idle
 * @switch_space_ns: so much more where the task is in another address space than the last one that the CPU had
 * @space_cold_ns: and so much more where that isn't among the last @spaces_kept address spaces that the CPU had: PCIDs of the kernel's, and in a VM what
 *                 its host keeps of page tables
 * @switch_cold_ns: so much more where at least COSTS_OTHERS others had the CPU since the task last had it there
 * @wake_ns:       work of the waker, by the distance to where the wakee goes
 * @ipi_ns:        from sending to arriving
 * @ipi_send_ns:   work of who sends it: next to nothing on hardware, an exit to the hypervisor in a VM
 * @idle_exit_ns:  from the interrupt's arrival at an idle CPU to its handling
 * @idle_deep_after_ns, @idle_deep_ns: a CPU that has idled so long sleeps deeper, and leaving that takes so much more than @idle_exit_ns; of the
 *                 depths whose time has come that with the greatest counts, so one of 0 ns is none
 * @interrupt_ns:  entering and leaving it, and what any handler does
 * @cold_ns:       extra work of a task after it moved that far, its caches being cold; no more than it had computed where it was
 * @smt_speed:     speed of a CPU while another thread of its core runs, of 1024
 * @syscall_ns:    entering and leaving
 * @send_ns, @receive_ns: a call of a transport, without the bytes, the system call and the wake-up
 * @message_cold_ns: so much more by transport for each of both, where as many messages for each CPU are under way as no cache of its own
 *                   holds, @messages_cold; where there are fewer that part of it
 * @copy_ns_kib:   KiB from user to kernel or back
 * @futex_wait_ns, @futex_wake_ns: the calls, without the system call, the switch and the wake-up
 * @fork_ns, @thread_ns, @exec_ns: the caller's work
 * @exit_ns, @thread_exit_ns: a process's end by _exit(), with its address space; a thread's where others of its process go on
 * @work_unit_ps: computing: a unit of workload/work.h
 * @matrix_step_ps: an innermost step of a product of matrices that a cache of the core's own holds, as schbench's
 * @io_ns:         a device's time for a write, from the call to its interrupt
 * @timer_slack_ns: sleeping fair tasks are woken up to that late
 * @tick_work_ns:  the tick's own
 * @core_step_ns:  one step of the core's own work: a CPU, group or task looked at, or 20 basic blocks of a kernel built with --cost. 0: that takes no
 *                 time, and no newidle balance is ever throttled. What a wake-up's steps take is within @wake_ns, up to it.
 *                 20 blocks are 130 instructions and take 25 ns where all is in the cache (6.12.117, 64 busy CPUs of which one sleeps by turns:
 *                 12.3 million blocks, 79.9 million instructions by callgrind, 1.23 ns a block on the development machine)
 * @memory_ns_kib: reading a KiB of memory, by the distance to its node; a pair of nodes may have its own
 * @hint_fault_ns: a NUMA hint fault
 * @freq_idle_perf: lowest frequency of the machine, of 1024
 * @hotplug_off_ns, @hotplug_on_ns: what a CPU that goes, or comes, takes beside the scheduler's part: grace periods of RCU, stop_machine(), threads of other
 *                 subsystems, the firmware. The scheduler's part is the core's steps
 * @memory_mib_s:  MiB of memory a second that all CPUs of a node together can read, by the distance to the memory's node: of their own what
 *                 its controller has, for whoever reads there; of another one what the link from there has, of each pair of nodes, which may
 *                 have its own
 * @paging_shared: of 1024, the part of fork_ns, exit_ns and fork_fault_ns for which other CPUs that are at one of them wait: locks of the memory's, and in a VM
 *                 those of the page tables that its host keeps
 * @message_far_ns: reading a message takes so much more where it was written that far away: by transport and distance
 * @fork_fault_ns: a page fault of a forked process: COSTS_FORK_FAULTS until it does its work, COSTS_EXIT_FAULTS in exit() before _exit()
 */
struct costs {
	uint64_t switch_ns;
	uint64_t switch_space_ns;
	uint64_t switch_cold_ns;
	uint64_t wake_ns[NR_SIM_DISTANCES];
	uint64_t ipi_ns[NR_SIM_DISTANCES];
	uint64_t ipi_send_ns;
	uint64_t idle_exit_ns;
	uint64_t idle_deep_after_ns[COSTS_DEPTHS];
	uint64_t idle_deep_ns[COSTS_DEPTHS];
	uint64_t interrupt_ns;
	uint64_t cold_ns[NR_SIM_DISTANCES];
	uint64_t smt_speed;
	uint64_t syscall_ns;
	uint64_t send_ns[NR_SIM_TRANSPORTS];
	uint64_t receive_ns[NR_SIM_TRANSPORTS];
	uint64_t message_cold_ns[NR_SIM_TRANSPORTS];
	uint64_t messages_cold;
	uint64_t copy_ns_kib;
	uint64_t futex_wait_ns;
	uint64_t futex_wake_ns;
	uint64_t fork_ns;
	uint64_t thread_ns;
	uint64_t exec_ns;
	uint64_t exit_ns;
	uint64_t work_unit_ps;
	uint64_t matrix_step_ps;
	uint64_t io_ns;
	uint64_t timer_slack_ns;
	uint64_t tick_work_ns;
	uint64_t core_step_ns;
	uint64_t memory_ns_kib[NR_SIM_DISTANCES];
	uint64_t hint_fault_ns;
	uint64_t freq_idle_perf;
	uint64_t hotplug_off_ns;
	uint64_t hotplug_on_ns;
	uint64_t memory_mib_s[NR_SIM_DISTANCES];
	uint64_t thread_exit_ns;
	uint64_t fork_fault_ns;
	uint64_t space_cold_ns;
	uint64_t spaces_kept;
	uint64_t paging_shared;
	uint64_t message_far_ns[NR_SIM_TRANSPORTS][NR_SIM_DISTANCES];
};

/* All members of struct costs are values of the file, one after the other. */
#define COSTS_VALUES (sizeof(struct costs) / sizeof(uint64_t))

/** costs_name() - of the @i-th value, as in the file: "wake_ns.llc" */
void costs_name(char name[COSTS_NAME_MAX], size_t i);

/** costs_default() - of no machine in particular: a server of the 2020s at 3 GHz. They are estimates, see costs_default_source(); calibrate */
void costs_default(struct costs *costs);

/** costs_default_source() - where the default of a value is from, half a line; NULL: there is none of that name */
const char *costs_default_source(const char *name);

/** costs_idle_exit() - what a CPU that has idled for @idled_ns needs to leave that, in the deepest state that needs no more than @limit_ns; else 0: it polls */
uint64_t costs_idle_exit(const struct costs *costs, uint64_t idled_ns, uint64_t limit_ns);

/** sim_transport_name() - "pipe", "unix_stream", "unix_dgram", "tcp", "udp", "fifo" */
const char *sim_transport_name(enum sim_transport transport);

/**
 * costs_parse() - over what *costs and *pairs have
 * @pairs: { 0 } or filled before
 * @path: for the words
 *
 * Return: 0, or -EINVAL / -ERANGE with "path:line: what" and the nearest known name.
 */
int costs_parse(struct costs *costs, struct costs_pairs *pairs, const char *path, const char *text,
		size_t n, struct error *err);

/** costs_print() - as a file; @source gives the words behind a value's name, NULL: none */
void costs_print(const struct costs *costs, const struct costs_pairs *pairs,
		 const char *(*source)(void *ctx, const char *name), void *ctx, struct strbuf *sb);

#endif
