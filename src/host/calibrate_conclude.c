// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_conclude.c - all runs together. */
#include "host/calibrate_raw.h"

#include "base/mem.h"
#include "stats/order.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* struct method - of the value of that name, or all of its parts; @why: what it was not, where it is NaN */
struct method {
	const char *name;
	const char *method;
	const char *why;
};

#define NO_PAIR	    "no two CPUs measured are that far apart"
#define NO_PAIRS    "needs two CPUs"
#define NOT_HERE    "the calls failed here"
#define OF_HARDWARE "no memory so far away"
#define ALL_READ    "all CPUs of a node, 64 at most, read 64 MiB each at once"

static const struct method methods[] = {
	{ "switch_ns", "a byte by pipe between two threads of one CPU, less calls and wake-up",
	  NOT_HERE },
	{ "switch_space_ns",
	  "a byte by pipe between two processes of one CPU, less between threads", NOT_HERE },
	{ "switch_cold_ns", "a byte by pipe through twenty threads of one CPU, less between two",
	  NOT_HERE },
	{ "wake_ns.same",
	  "write() to a pipe that wakes a task of this CPU, less one that wakes none", NOT_HERE },
	{ "wake_ns", "write() that wakes a task behind a busy one there, less one that wakes none",
	  NO_PAIR },
	{ "ipi_ns.same", "", "not measured" },
	{ "ipi_ns", "wake-up that preempts there, until its read() is over, less all else in it",
	  NO_PAIR },
	{ "ipi_send_ns", "write() that wakes a task of an idle CPU, less one of a busy CPU",
	  NO_PAIRS },
	{ "idle_exit_ns", "wake-up on a CPU that idled for 30 us, less one that preempts",
	  NO_PAIRS },
	{ "idle_deep_after_ns", "the idling from which on wake-ups take longer, up to 51 ms",
	  "no other wake-ups take longer up to 51 ms" },
	{ "idle_deep_ns", "wake-up on a CPU that idled for long, less one after 25 us", NO_PAIRS },
	{ "interrupt_ns",
	  "what a timer takes from a busy loop, or all that a wake-up leaves for it",
	  "no timer could be told from what else disturbs a busy loop" },
	{ "cold_ns.same", "", "nothing is cold there" },
	{ "cold_ns", "128 lines in random order, written, after a move there, less once more",
	  NO_PAIR },
	{ "smt_speed", "some work beside the same on the core's other thread",
	  "no two threads of a core measured" },
	{ "syscall_ns", "getppid()", NOT_HERE },
	{ "send_ns", "write() of a byte that nobody waits for, less getppid()", NOT_HERE },
	{ "receive_ns", "read() of a byte that is there, less getppid()", NOT_HERE },
	{ "message_cold_ns",
	  "write() and read() of bytes in 256 pipes, ten in each at a time, less one by one, "
	  "halved",
	  NOT_HERE },
	{ "message_far_ns.same", "", "no other CPU wrote it" },
	{ "message_far_ns",
	  "write() and read() of 128 bytes, ten in each of 20 channels, by two CPUs, less by one",
	  NO_PAIR },
	{ "messages_cold", "a KiB each of the CPU's L2 cache", "no L2 cache of a known size" },
	{ "copy_ns_kib", "4 KiB through a pipe, less a byte, half of it each way", NOT_HERE },
	{ "futex_wait_ns", "FUTEX_WAIT on another value, less getppid()", NOT_HERE },
	{ "futex_wake_ns", "FUTEX_WAKE of nobody, less getppid()", NOT_HERE },
	{ "fork_ns", "fork() of a small process in the parent, less getppid()", NOT_HERE },
	{ "thread_ns", "pthread_create() with a used stack, less getppid()", NOT_HERE },
	{ "exec_ns", "fork, exec of /bin/true and its end, less the same without exec",
	  "/bin/true can't be executed" },
	{ "exit_ns", "_exit() until wait4() of the parent is over, less wake-up and switch",
	  NOT_HERE },
	{ "thread_exit_ns",
	  "end of a thread until pthread_join() there is over, less wake-up and switch", NOT_HERE },
	{ "fork_fault_ns", "a forked process's writes to 64 pages of its parent, by pages",
	  NOT_HERE },
	{ "space_cold_ns",
	  "a byte by pipe through twenty processes of one CPU, less between two, less the same of "
	  "threads",
	  NOT_HERE },
	{ "spaces_kept", "of rings of 3 to 20 processes, one less than the first that is slower",
	  "no ring of processes is slower than two" },
	{ "paging_shared", "fork, _exit() and wait4() by two CPUs at once, less by one, of that",
	  NO_PAIRS },
	{ "work_unit_ps", "multiplications, each with what the last one came to", NOT_HERE },
	{ "matrix_step_ps", "a product of matrices, 250 KiB of them, by steps", NOT_HERE },
	{ "io_ns", "a device's time", "no device is written to" },
	{ "timer_slack_ns", "prctl(PR_GET_TIMERSLACK)", NOT_HERE },
	{ "tick_work_ns", "what is gone from a busy loop at the times of ticks",
	  "no tick could be told from what else disturbs a busy loop" },
	{ "core_step_ns",
	  "a line that another CPU of the LLC wrote last, of those of cold_ns: a CPU is looked at",
	  "no two CPUs of an LLC measured" },
	{ "memory_ns_kib", "reading 128 MiB in order", OF_HARDWARE },
	{ "memory_mib_s.package", ALL_READ, OF_HARDWARE },
	{ "memory_mib_s.remote", ALL_READ, OF_HARDWARE },
	{ "memory_mib_s", ALL_READ,
	  "needs all CPUs of a node, and 256 MiB of available memory for each" },
	{ "hint_fault_ns", "first touch of a page that is in memory: a minor fault", NOT_HERE },
	{ "freq_idle_perf", "cpufreq's least frequency by its greatest",
	  "no cpufreq: 1024, one frequency for ever" },
	{ "hotplug_off_ns", "a CPU that goes", "no CPU is taken offline: workload hotplug does" },
	{ "hotplug_on_ns", "a CPU that comes", "no CPU is taken offline: workload hotplug does" },
};

/* "message_far_ns.pipe.same" has the row "message_far_ns.same", or "message_far_ns" where there is none. */
static const struct method *find_method(const char *name)
{
	const size_t n = strcspn(name, ".");
	const char *last = strrchr(name, '.');

	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		const char *of = methods[i].name;

		if (!strncmp(of, name, n) && (!of[n] || (last && !strcmp(of + n, last))))
			return &methods[i];
	}
	return NULL;
}

unsigned int calibrate_summarize(double *mid, double *spread, const double *x, size_t n)
{
	double *known = xcalloc(n + 1, sizeof(*known));
	unsigned int nr = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(x[i]))
			known[nr++] = x[i];
	*mid = calibrate_mid(known, nr);
	if (nr) {
		sort_values(known, nr);
		*spread = (known[nr - 1 - (nr - 1) / 4] - known[(nr - 1) / 4]) / 2;
	}
	free(known);
	return nr;
}

static uint64_t whole(double x, size_t i)
{
	const bool speed = i == AT(smt_speed) || i == AT(freq_idle_perf);

	if (speed)
		return x < 1 ? 1 : x > 1024 ? 1024 : (uint64_t)(x + 0.5);
	return (uint64_t)(x + 0.5);
}

static void conclude_value(struct calibration *out, size_t i, const double *x, size_t n)
{
	struct calibrate_value *value = &out->value[i];
	uint64_t *cost = (uint64_t *)&out->costs + i;
	const struct method *method;

	costs_name(value->name, i);
	method = find_method(value->name);
	value->runs = calibrate_summarize(&value->median, &value->spread, x, n);
	value->measured = value->runs;
	value->method = method->method;
	value->why = method->why;
	if (value->measured)
		*cost = whole(value->median, i);
}

/* Of the runs' medians: so all runs have the same depths. */
static void find_depths(struct calibrate_depths *depths, const struct calibrate_raws *raws,
			size_t n)
{
	double *x = xcalloc(n + 1, sizeof(*x)), latency[CALIBRATE_IDLES], spread;

	for (size_t i = 0; i < CALIBRATE_IDLES; i++) {
		for (size_t run = 0; run < n; run++)
			x[run] = raws[run].ns[RAW_IDLE + i];
		calibrate_summarize(&latency[i], &spread, x, n);
	}
	calibrate_depths(depths, latency);
	free(x);
}

/* What a depth took in this run: the median of its times, less the shortest idling's. Those that there are not take nothing. */
static void fill_depths(double *value, const struct calibrate_depths *depths, const double *latency)
{
	for (size_t i = 0; i < COSTS_DEPTHS; i++) {
		const size_t first = i < depths->nr ? depths->first[i] : 0;
		const size_t next = i + 1 < depths->nr ? depths->first[i + 1] : CALIBRATE_IDLES;
		size_t end = first;
		double ns;

		value[AT(idle_deep_ns) + i] = isnan(latency[0]) ? NAN : 0;
		if (i >= depths->nr)
			continue;
		while (end < next && !isnan(latency[end]))
			end++;
		ns = calibrate_mid(latency + first, end - first) - latency[0];
		value[AT(idle_deep_ns) + i] = ns < 0 ? 0 : ns;
		value[AT(idle_deep_after_ns) + i] =
			sqrt(calibrate_idle_ns(first - 1) * calibrate_idle_ns(first));
	}
}

static void add_check(struct calibration *out, const char *name, size_t raw, double expected,
		      const struct calibrate_raws *raws, size_t n)
{
	struct calibrate_check *check = &out->check[out->nr_checks];
	double *x = xcalloc(n + 1, sizeof(*x));

	for (size_t i = 0; i < n; i++)
		x[i] = raws[i].ns[raw];
	check->runs = calibrate_summarize(&check->measured, &check->spread, x, n);
	check->expected = expected;
	snprintf(check->name, sizeof(check->name), "%s", name);
	out->nr_checks += check->runs > 0;
	free(x);
}

/* What the simulator would make of what was measured as a whole. */
static void add_checks(struct calibration *out, const struct calibrate_raws *raws, size_t n)
{
	const struct costs *c = &out->costs;
	const uint64_t wakes = c->idle_exit_ns + c->interrupt_ns + c->switch_ns;
	const uint64_t sleeps = costs_idle_exit(c, CALIBRATE_SLEEP_NS, UINT64_MAX);
	char name[64];

	add_check(out, "half a round trip by futex, one CPU", RAW_TURN_FUTEX,
		  (double)(2 * c->syscall_ns + c->futex_wake_ns + c->futex_wait_ns +
			   c->wake_ns[SIM_SAME] + c->switch_ns + c->switch_space_ns),
		  raws, n);
	for (size_t i = SIM_SAME + 1; i < NR_SIM_DISTANCES; i++) {
		snprintf(name, sizeof(name), "half a round trip by pipe, idle CPUs, %s",
			 sim_distance_name((enum sim_distance)i));
		add_check(out, name, RAW_TURN + i,
			  (double)(c->syscall_ns + c->send_ns[SIM_PIPE] + c->wake_ns[i] +
				   c->ipi_ns[i] + wakes + c->receive_ns[SIM_PIPE] +
				   c->message_far_ns[SIM_PIPE][i]),
			  raws, n);
	}
	add_check(out, "a sleeper comes late, idle CPU, no slack", RAW_LATE,
		  (double)(sleeps + c->interrupt_ns + c->switch_ns + c->wake_ns[SIM_SAME]), raws,
		  n);
}

void calibrate_conclude(struct calibration *out, const struct calibrate_raws *raws, size_t n)
{
	double *values = xcalloc((n + 1) * COSTS_VALUES, sizeof(*values));
	double *x = xcalloc(n + 1, sizeof(*x));
	struct calibrate_depths depths;

	find_depths(&depths, raws, n);
	*out = (struct calibration){ .value = xcalloc(COSTS_VALUES, sizeof(*out->value)),
				     .runs = (unsigned int)n };
	costs_default(&out->costs);
	for (size_t run = 0; run < n; run++) {
		calibrate_derive(&values[run * COSTS_VALUES], &raws[run]);
		fill_depths(&values[run * COSTS_VALUES], &depths, &raws[run].ns[RAW_IDLE]);
	}
	for (size_t i = 0; i < COSTS_VALUES; i++) {
		for (size_t run = 0; run < n; run++)
			x[run] = values[run * COSTS_VALUES + i];
		conclude_value(out, i, x, n);
	}
	add_checks(out, raws, n);
	free(x);
	free(values);
}

void calibration_release(struct calibration *calibration)
{
	free(calibration->value);
	free(calibration->memory);
	costs_pairs_release(&calibration->pairs);
	*calibration = (struct calibration){ 0 };
}

const struct calibrate_value *calibration_value(const struct calibration *calibration,
						const char *name)
{
	for (size_t i = 0; i < COSTS_VALUES; i++)
		if (!strcmp(calibration->value[i].name, name))
			return &calibration->value[i];
	for (size_t i = 0; i < calibration->nr_memory; i++)
		for (size_t kind = 0; kind < NR_COSTS_PAIR_KINDS; kind++)
			if (!strcmp(calibration->memory[i].value[kind].name, name))
				return &calibration->memory[i].value[kind];
	return NULL;
}
