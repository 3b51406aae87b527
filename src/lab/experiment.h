/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab/experiment.h - the experiment file: variants x workloads x blocks.
 *
 *   [experiment]
 *   name = first            ; letters, digits, - _ .; default: the file's name without .ini
 *   blocks = 10             ; or  time = 10m; both: whichever ends first. Default: blocks = 10
 *   seed = 1
 *   warmup = 1              ; runs of each variant x workload to discard at the start of each session
 *   counters = default      ; see host/counters.h
 *   fail-on = regressed:2%  ; exit 1 if a primary metric regressed (by 2 % or more)
 *   runs_per_boot = 1       ; only where variants differ by kernel: blocks of a variant that one boot runs, default all
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

#define EXPERIMENT_MAX_BLOCKS	1000
#define EXPERIMENT_MAX_VARIANTS 64
#define EXPERIMENT_MAX_POINTS	1000
#define EXPERIMENT_MAX_RUNS	1000000 /* (blocks + warmup) x variants x points */
#define EXPERIMENT_MAX_NAME	40	/* bytes of a name or of a section's label */

struct variant {
	char *name;
	struct settings *settings;
};

/**
 * struct point - one workload with one set of parameters
 * @label:  the section's name, followed by the swept parameters: "hackbench groups=4"
 * @cfg:    workload->cfg_size bytes, filled by its options
 * @params: "key=value" of every parameter, NULL-terminated
 */
struct point {
	char *label;
	const struct workload *workload;
	void *cfg;
	char **params;
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
 * @blocks:        0 where only the time decides
 * @budget_ns:     0 where only the blocks decide
 * @by_kernel:     variants have different kernel patterns, so that one boot runs a part of them; then @blocks is
 *                 not 0. One pattern for all is only a condition: the kernel that is booted must match it.
 * @runs_per_boot: as written or @blocks; meaningful where @by_kernel
 * @counters:      for counters_new()
 */
struct experiment {
	char *name;
	char *text;
	uint64_t seed;
	uint64_t blocks;
	uint64_t budget_ns;
	uint64_t warmup;
	uint64_t runs_per_boot;
	bool by_kernel;
	char *counters;
	struct fail_on fail_on;
	struct variant *variants;
	size_t nr_variants;
	struct point *points;
	size_t nr_points;
};

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
 */
int experiment_parse(struct experiment **out, const char *path, const char *text, size_t n,
		     struct error *err);

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
