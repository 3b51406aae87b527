/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/lab_run.h - an experiment carried out, with its progress, its report and its exit status. */
#ifndef CMD_LAB_RUN_H
#define CMD_LAB_RUN_H

#include "lab/experiment.h"
#include "report/report.h"

#include <stdbool.h>

/**
 * struct lab_run - how; texts are borrowed and may be NULL where a default is named
 * @store:  results file; NULL: the default place
 * @report: where the report is written; NULL: beside the results
 * @worker: NULL: the one that belongs to this program
 * @root:   that sys/ and proc/ are taken from
 * @go_on:  command that continues it, NULL: nothing does
 * @format: of what is printed; NULL: text
 * @most_blocks: of this session, 0: all that are left
 * @json, @all, @tails, @quiet: as options of ab
 * @silent: no report, neither printed nor written
 * @more:   called with the report when it is out; NULL: nothing more is said
 * @ctx:    handed to it
 */
struct lab_run {
	const char *store;
	const char *report;
	const char *worker;
	const char *root;
	const char *go_on;
	const struct report_format *format;
	uint64_t most_blocks;
	bool resume;
	bool json;
	bool all;
	bool tails;
	bool quiet;
	bool silent;
	void (*more)(void *ctx, const struct report *report);
	void *ctx;
};

/**
 * lab_run_choose_blocks() - block_size_look_up() in the results file, which need not be there
 * @store_path: NULL: the default place
 */
void lab_run_choose_blocks(struct experiment *experiment, const char *store_path, bool resume);

/** lab_run() - Return: one of the exit statuses; what went wrong was said */
int lab_run(const struct lab_run *run, const struct experiment *experiment);

#endif
