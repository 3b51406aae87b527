// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay_original.h"

#include "base/clock.h"
#include "workload/notes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIES	 10
#define NAP_NS	 10000
#define TEST_NS	 1000000
#define MAX_LIST 45

static uint64_t now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static uint64_t burn(uint64_t ns)
{
	const uint64_t from_ns = now();
	uint64_t at_ns;

	do
		at_ns = now();
	while (at_ns - from_ns < ns);
	return at_ns - from_ns;
}

static uint64_t nap(uint64_t ns)
{
	const uint64_t from_ns = now();

	clock_sleep_until(CLOCK_MONOTONIC, from_ns + ns);
	return now() - from_ns;
}

static uint64_t least(uint64_t (*take)(uint64_t ns), uint64_t ns)
{
	uint64_t min = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t took_ns = take(ns);

		min = took_ns < min ? took_ns : min;
	}
	return min - ns;
}

void replay_tell_clocks(struct run *run)
{
	const uint64_t run_ns = least(burn, 0), nap_ns = least(nap, NAP_NS);

	run_note(run, "clocks", "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, run_ns, nap_ns,
		 burn(TEST_NS), nap(TEST_NS));
}

enum event {
	NONE,
	RUNS,
	SLEEPS,
	WAKES,
	NR_EVENTS,
};

static enum event event_of(enum task_op_kind kind)
{
	switch (kind) {
	case TASK_RUN:
	case TASK_RUNTIME:
		return RUNS;
	case TASK_SLEEP:
	case TASK_TIMER_WAIT:
	case TASK_TAKE:
		return SLEEPS;
	case TASK_POST:
		return WAKES;
	default:
		return NONE;
	}
}

/* Adds those of each kind. Return: how many it has in all */
static uint64_t count_events(uint64_t counts[NR_EVENTS], const struct task *task)
{
	uint64_t n = 0;

	for (size_t i = 0; i < task->nr_phases; i++)
		for (size_t k = 0; k < task->phases[i].nr_ops; k++) {
			enum event event = event_of(task->phases[i].ops[k].kind);

			counts[event]++;
			n += event != NONE;
		}
	return n;
}

/* "EVENTS NAME:PID" each */
static void tell_tasks(struct run *run, const struct task_program *program)
{
	struct notes notes = { .run = run, .name = "tasks", .max = MAX_LIST };
	uint64_t counts[NR_EVENTS] = { 0 };

	for (size_t i = 0; i < program->nr_tasks; i++) {
		strbuf_addf(&notes.text, "%" PRIu64 " ", count_events(counts, &program->tasks[i]));
		notes_add_word(&notes, program->tasks[i].name, 63);
		notes_end_entry(&notes);
	}
	notes_finish(&notes);
	run_note(run, "events", "%" PRIu64 " %" PRIu64 " %" PRIu64, counts[RUNS], counts[SLEEPS],
		 counts[WAKES]);
}

void replay_tell(struct run *run, const struct task_program *program,
		 const struct task_round *rounds, size_t nr, uint64_t loops)
{
	struct notes notes = { .run = run, .name = "rounds", .max = MAX_LIST };

	tell_tasks(run, program);
	for (size_t i = 0; i < nr; i++) {
		strbuf_addf(&notes.text, "%" PRIu64 " %" PRIu64, rounds[i].ns, rounds[i].cpu_ns);
		notes_end_entry(&notes);
	}
	notes_finish(&notes);
	run_note(run, "loops", "%" PRIu64, loops);
}

/* Notes of our own making: what was printed as a number is one. */
/* NOLINTBEGIN(cert-err34-c) */
/* A simulated run measures no clock. */
static void print_clocks(const struct result *result, struct strbuf *sb)
{
	const char *note = result_note(result, "clocks");
	uint64_t run, nap, run_test, nap_test;

	if (!note || sscanf(note, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &run, &nap,
			    &run_test, &nap_test) != 4)
		return;
	strbuf_addf(sb,
		    "run measurement overhead: %" PRIu64 " nsecs\n"
		    "sleep measurement overhead: %" PRIu64 " nsecs\n"
		    "the run test took %" PRIu64 " nsecs\n"
		    "the sleep test took %" PRIu64 " nsecs\n",
		    run, nap, run_test, nap_test);
}

static void print_events(const struct result *result, struct strbuf *sb)
{
	const char *note = result_note(result, "events");
	uint64_t runs, sleeps, wakes;

	if (!note || sscanf(note, "%" SCNu64 " %" SCNu64 " %" SCNu64, &runs, &sleeps, &wakes) != 3)
		return;
	strbuf_addf(sb,
		    "nr_run_events:        %" PRIu64 "\n"
		    "nr_sleep_events:      %" PRIu64 "\n"
		    "nr_wakeup_events:     %" PRIu64 "\n",
		    runs, sleeps, wakes);
}

/* The number is behind the last ':' of a name. */
static void print_tasks(const struct result *result, struct strbuf *sb)
{
	struct notes_cursor cursor = { .result = result, .name = "tasks" };
	unsigned long i = 0;
	const char *entry;
	uint64_t events;
	char name[64], *pid;

	while ((entry = notes_next(&cursor)))
		if (sscanf(entry, "%" SCNu64 " %63[^;]", &events, name) == 2 &&
		    (pid = strrchr(name, ':'))) {
			*pid++ = '\0';
			strbuf_addf(sb, "task %6lu (%20s:%10ld), nr_events: %" PRIu64 "\n", i++,
				    name, strtol(pid, NULL, 10), events);
		}
}

/* An average in which each round counts as one of all the rounds that there are to be. */
static double average(double sum, double x, double loops, bool first)
{
	return first ? x : (sum * (loops - 1) + x) / loops;
}

static void print_rounds(const struct result *result, struct strbuf *sb)
{
	struct notes_cursor cursor = { .result = result, .name = "rounds" };
	const char *loops = result_note(result, "loops"), *entry;
	const double n = loops ? strtod(loops, NULL) : 1;
	double ms_average = 0, cpu_average = 0;
	uint64_t ns, cpu_ns;
	unsigned int i = 0;

	while ((entry = notes_next(&cursor)) &&
	       sscanf(entry, "%" SCNu64 " %" SCNu64, &ns, &cpu_ns) == 2) {
		const double ms = (double)ns / 1e6, cpu = (double)cpu_ns / 1e6;

		ms_average = average(ms_average, ms, n, !i);
		cpu_average = average(cpu_average, cpu, n, !i);
		strbuf_addf(sb, "#%-3u: %0.3f, ravg: %0.2f, cpu: %0.2f / %0.2f\n", ++i, ms,
			    ms_average, cpu, cpu_average);
	}
}

void replay_original(const struct result *result, const void *cfg, struct strbuf *sb)
{
	(void)cfg;
	print_clocks(result, sb);
	print_events(result, sb);
	print_tasks(result, sb);
	for (int i = 0; i < 60; i++)
		strbuf_addstr(sb, "-");
	strbuf_addstr(sb, "\n");
	print_rounds(result, sb);
}
/* NOLINTEND(cert-err34-c) */
