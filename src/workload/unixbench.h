/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/unixbench.h - what the files of unixbench share. */
#ifndef WORKLOAD_UNIXBENCH_H
#define WORKLOAD_UNIXBENCH_H

#include "base/error.h"
#include "base/strbuf.h"
#include "workload/result.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

struct run;
struct sim;

enum {
	UB_EXECL,
	UB_PIPE,
	UB_CONTEXT1,
	UB_SPAWN,
	UB_SHELL1,
	UB_SHELL8,
	NR_UB,
	UB_ALL = NR_UB, /* of the option test: one after the other */
};

enum {
	TOOLS_SYSTEM,
	TOOLS_OWN,
};

struct unixbench_cfg {
	int test;
	uint64_t copies;
	char *time;
	int tools;
	char *folder;
};

/**
 * struct ub_test - a row of the original's table
 * @name:     option word and metric
 * @label:    what the original calls it
 * @per_s:    its unit: 1 for loops a second, 60 for loops a minute
 * @baseline: in that unit, what makes an index of 10
 * @time_s:   how long the original runs it
 * @tasks:    alive at once for each copy
 */
struct ub_test {
	const char *name;
	const char *time_name;
	const char *label;
	int per_s;
	double baseline;
	uint64_t time_s;
	uint64_t tasks;
};

extern const struct ub_test ub_tests[NR_UB];

/** ub_is_chosen() - does the option test ask for @test? */
bool ub_is_chosen(const struct unixbench_cfg *cfg, int test);

/** ub_copies() - as asked for, or one for each CPU that may be used */
uint64_t ub_copies(const struct unixbench_cfg *cfg);

/** ub_time() - how long @test runs. Return: 0 or -EINVAL, -ERANGE with the words */
int ub_time(uint64_t *ns, const struct unixbench_cfg *cfg, int test, struct error *err);

/**
 * struct ub_tally - what a copy has done; a file of these is in memory that all copies see, also after an exec()
 * @ns: in this time
 */
struct ub_tally {
	alignas(128) uint64_t count;
	uint64_t ns;
};

/** ub_score() - loops a second of @n copies together: the sum of counts by the mean of times, as in the original */
double ub_score(const struct ub_tally *tallies, size_t n);

/** ub_index() - of a score in loops a second */
double ub_index(int test, double score);

/** ub_mean_index() - the geometric mean of @n indexes */
double ub_mean_index(const double *indexes, size_t n);

/** struct ub_scores - of the tests that were chosen; @spread: of the one in which it is most */
struct ub_scores {
	struct {
		double score, index, time_ns;
	} of[NR_UB];
	double spread;
};

/**
 * ub_take_score() - of the @n copies of a test, which took @time_ns
 *
 * Return: 0, or -ENODATA where one has done nothing.
 */
int ub_take_score(struct ub_scores *scores, int test, const struct ub_tally *tallies, size_t n,
		  uint64_t time_ns, struct error *err);

/** ub_report() - all metrics; behind run_stop() */
void ub_report(struct run *run, const struct unixbench_cfg *cfg, const struct ub_scores *scores);

/**
 * struct ub_copy - what a copy of a test gets
 * @self:     path of this program
 * @nr:       number of the copy
 * @file:     the tallies' file
 * @until_ns: CLOCK_MONOTONIC
 */
struct ub_copy {
	int test;
	int tools;
	const char *self;
	size_t nr;
	int file;
	uint64_t start_ns;
	uint64_t until_ns;
	int to[2], fro[2]; /* context1: the pipes to its child and back */
};

/** ub_prepare() - what a copy needs before the start. Return: 0 or -errno */
int ub_prepare(struct ub_copy *copy, struct error *err);

/**
 * ub_loop() - do it until the time is over, and write the tally
 *
 * The working directory is that of ub_scripts() for the shell tests.
 *
 * Return: 0 or -errno; doesn't return for execl, the last one of which exits.
 */
int ub_loop(struct ub_copy *copy, struct error *err);

/* What the scripts' grep looks for. */
#define UB_PATTERN "the"

/** ub_input() - append the text that the scripts sort */
void ub_input(struct strbuf *sb);

/** unixbench_model() - struct workload's */
int unixbench_model(struct run *run, struct sim *sim, const void *cfg, struct error *err);

/** ub_scripts() - write the scripts and what they sort into @folder. Return: 0 or -errno */
int ub_scripts(const char *folder, struct error *err);

/** ub_tools_probe() - are the programs of the scripts there? Return: 0 or -ENOENT with which isn't */
int ub_tools_probe(struct error *err);

/** unixbench_program() - struct workload's: the next execl, or one of our own tools. Return: exit status */
int unixbench_program(int argc, char **argv);

/** ub_tool() - what argv[0] says, one of our own in place of the scripts and their programs. Return: exit status */
int ub_tool(int argc, char **argv);

/** ub_tool_exec() - be @tool with one more argument, which may be NULL, by executing @self. Returns only on failure */
void ub_tool_exec(const char *self, const char *tool, const char *arg);

/** unixbench_original() - struct workload's, in the lines of UnixBench's report */
void unixbench_original(const struct result *result, const void *cfg, struct strbuf *sb);

#endif
