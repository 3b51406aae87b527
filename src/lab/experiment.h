/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab/experiment.h - the experiment file: variants x workloads x blocks.
 *
 *   [experiment]
 *   name = first            ; letters, digits, - _ .; default: the file's name without .ini
 *   blocks = 6              ; or  time = 10m; both: whichever ends first. Default: 12 runs (8 boots) of each variant
 *   runs_per_block = 2      ; of each variant in a block: 2 makes blocks of four of two variants, 1 pairs;
 *                           ; default: see lab/block_size.h
 *   seed = 1
 *   warmup = 1              ; runs of each variant x workload to discard at the start of each session
 *   counters = default      ; see host/counters.h
 *   fail-on = regressed:2%  ; exit 1 if a primary metric regressed (by 2 % or more)
 *   margin = 1%             ; a smaller change does not matter: none is called, equivalent if the interval is within
 *   until = 2%              ; stop as soon as a change is known, or known to be smaller than this
 *   runs_per_boot = 5       ; only where variants differ by kernel: runs at each point that one boot makes
 *   backend = sim           ; on simulated machines; with machine = and core =, of all variants that name none
 *   [variant base]          ; settings, see host/settings.h; none: as the machine is
 *   [variant pinned]
 *   cpus = 0
 *   [workload hackbench]    ; the name of a workload, or any label with type = hackbench
 *   groups = 1, 2, 4        ; a list makes a sweep; several lists, all combinations
 *   timeout = 60s
 */
#ifndef LAB_EXPERIMENT_H
#define LAB_EXPERIMENT_H

#include "base/error.h"
#include "base/opt.h"
#include "base/strbuf.h"
#include "host/settings.h"
#include "store/store.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPERIMENT_MAX_BLOCKS	  1000
#define EXPERIMENT_MAX_BLOCK_RUNS 8   /* of each variant in a block */
#define EXPERIMENT_BLOCK_RUNS	  2   /* the same, the usual number */
#define EXPERIMENT_MAX_BOOT_RUNS  100 /* at each point */
#define EXPERIMENT_UNTIL_BLOCKS                                                                    \
	25 /* the most that until = makes where blocks and time are not given */
#define EXPERIMENT_MAX_VARIANTS 64
#define EXPERIMENT_MAX_POINTS	1000
#define EXPERIMENT_MAX_RUNS	1000000 /* with warm-up */
#define EXPERIMENT_MAX_NAME	40	/* bytes of a name or of a section's label */

/** struct variant - @place: "file:line" of its section; NULL where there is no file */
struct variant {
	char *name;
	struct settings *settings;
	char *place;
};

/**
 * struct point - one workload with one set of parameters
 * @label:  the section's name, followed by the swept parameters: "hackbench groups=4"
 * @cfg:    workload->cfg_size bytes, filled by its options
 * @params: "key=value" of every parameter, NULL-terminated
 * @place:  "file:line" of the list that makes it this one, or of its section; NULL where there is no file
 */
struct point {
	char *label;
	const struct workload *workload;
	void *cfg;
	char **params;
	char *place;
	uint64_t timeout_ns;
};

/**
 * struct fail_on - when the verdict is an exit status
 * @set:      asked for at all
 * @fraction: least size of a regression that counts, 0.02 for 2 %; 0: any
 */
struct fail_on {
	bool set;
	double fraction;
};

/**
 * struct experiment - a parsed file; heap, free with experiment_free()
 * @purpose:       PURPOSE_AB as parsed
 * @blocks:        0 where only the time decides
 * @own_blocks:    the file gives their number
 * @budget_ns:     0 where only the blocks decide
 * @runs_per_block: runs of each variant at each point in a block; where @by_kernel, boots of each variant
 * @own_runs_per_block: the file gives it
 * @begun_runs_per_block: of the stored experiment that this one goes on with, 0: none; see lab/block_size.h
 * @usual_block_ns: what EXPERIMENT_BLOCK_RUNS of each variant take at the longest point, 0: not known; see there
 * @by_kernel:     variants have different kernel patterns: the unit is the boot, and a boot runs one variant; then
 *                 @blocks is not 0. One pattern for all is only a condition: the kernel that is booted must match it.
 * @runs_per_boot: meaningful where @by_kernel
 * @sim:           all variants are simulated, and each has its backend, machine and core among its settings. A block is a
 *                 run of each variant, which have its seed; there is no warm-up
 * @margin:        smallest change of interest as a fraction, 0.01; 0: none
 * @until:         a change within +-this is known to be none of interest, and so enough; 0: not sequential
 * @counters:      for counters_new()
 */
struct experiment {
	char *name;
	char *text;
	uint64_t seed;
	enum purpose purpose;
	uint64_t blocks;
	bool own_blocks;
	uint64_t runs_per_block;
	bool own_runs_per_block;
	uint64_t begun_runs_per_block;
	uint64_t usual_block_ns;
	uint64_t budget_ns;
	uint64_t warmup;
	uint64_t runs_per_boot;
	bool by_kernel;
	bool sim;
	double margin;
	double until;
	char *counters;
	struct fail_on fail_on;
	struct variant *variants;
	size_t nr_variants;
	struct point *points;
	size_t nr_points;
};

/**
 * percent_parse() - "2%", "0.5%"
 * @name: what it is, for the words
 * @fraction: 0.02; above 0 and at most 1
 *
 * Return: 0 or -EINVAL.
 */
int percent_parse(double *fraction, const char *name, const char *text, struct error *err);

/** fail_on_parse() - "regressed", "regressed:2%". Return: 0 or -EINVAL */
int fail_on_parse(struct fail_on *fail_on, const char *text, struct error *err);

/**
 * experiment_parse() - read the text of an experiment file
 * @path: what to call it in errors, and where the default name comes from
 * @text: text[n], at most 1 MiB
 *
 * Whether this machine has what is asked for is lab_execute()'s to find out.
 *
 * Return: 0, or -EINVAL / -ERANGE with "path:line: what", the nearest known name for an unknown one, and what is
 * allowed. At least two variants and one workload; labels and names are unique; settings may be equal (A against A).
 * A kernel pattern must be given for all variants or none, and goes with blocks, not with a time budget.
 * until goes with any of them.
 */
int experiment_parse(struct experiment **out, const char *path, const char *text, size_t n,
		     struct error *err);

/**
 * experiment_set_blocks() - size and number of blocks that follow from the rest, where they were not given
 *
 * Done by experiment_parse(); again by who changes budget, until or by_kernel afterwards, and by block_size_look_up().
 */
void experiment_set_blocks(struct experiment *experiment);

/**
 * experiment_against_itself() - make it one variant, twice: "NAME" and "NAME-again"
 * @variant: which one
 */
void experiment_against_itself(struct experiment *experiment, size_t variant);

/** experiment_load() - read and parse @path; "-" is standard input */
int experiment_load(struct experiment **out, const char *path, struct error *err);

void experiment_free(struct experiment *experiment);

/**
 * experiment_row() - as the store keeps it, with the fingerprint; release with experiment_row_release()
 *
 * The fingerprint is a hash over the meaning of the file: comments, spacing and fail-on do not change it.
 */
void experiment_row(const struct experiment *experiment, struct experiment_row *row);

/** point_print_params() - append the parameters as struct point_row has them, a line each */
void point_print_params(const struct point *point, struct strbuf *sb);

/* The option tables of [experiment] and of every [workload], for --help and the manual; offsets are of private
 * structs. A workload's own parameters are in its table. */
extern const struct opt experiment_opts[];
extern const struct opt experiment_workload_opts[];

#endif
