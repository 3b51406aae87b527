// SPDX-License-Identifier: GPL-2.0-only
/*
 * data.c - data that the linked objects name and that other parts of a kernel define
 *
 * No kernel header: these are addresses, compared and passed on, or tables filled at boot. What is read has its meaning
 * said. A stub can't stand in for data, so each such symbol is here by name.
 */
/* cpumask_of(): filled at boot */
unsigned long kit_cpu_bits[65][(CONFIG_NR_CPUS + 63) / 64] __asm__("cpu_bit_bitmap");

/* What init_task points to and scheduling never looks into. */
char init_stack[4096];
char init_nsproxy[512], init_user_ns[2048], init_cred[512], init_pid_ns[2048];
char init_struct_pid[512], init_fs[512], init_files[4096];
char init_uts_ns[1024], init_ucounts[1024], root_user[512];

/* Tables of other parts: their addresses are handed around, or they are for printing what is never printed. */
char kmalloc_caches[1 << 16];
char pageflag_names[64], vmaflag_names[64], gfpflag_names[64];
void *node_data[1 << CONFIG_NODES_SHIFT];
void *system_wq, *system_percpu_wq, *system_unbound_wq, *system_dfl_wq;
int oops_in_progress;

/* SYSCTL_ZERO and the like point into it; knob_sysctl.c fills it */
int sysctl_vals[16];

/* The borders of sections, to tell whether an address is the scheduler's: no address is. */
char __sched_text_start[1], __sched_text_end[1], __lock_text_start[1], __lock_text_end[1];
char __cpuidle_text_start[1], __cpuidle_text_end[1];
