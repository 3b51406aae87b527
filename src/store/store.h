/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * store/store.h - the results database: one SQLite file in WAL mode, one transaction a run.
 *
 * Rows are structs with heap members; *_release() frees them, initialise with { 0 }. Rows that are added are
 * only read, but for their id; there a text that is NULL counts as empty (facts: as {}), except names, labels,
 * workloads and reasons. Rows that are read have no NULL but result.reason, and lie within the bounds below.
 *
 * Errors of every function: -ENOSPC; -EBUSY (locked by another process for 10 s); -EUCLEAN (damaged); -EROFS
 * (opened with STORE_READ); -EINVAL (a row to add that can't be: what); -EIO. A call that fails stores nothing
 * and leaves the store usable.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/error.h"
#include "workload/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_SCHEMA	   2
#define STORE_MAX_VARIANTS 1000
#define STORE_MAX_POINTS   10000
#define STORE_MAX_TEXT	   (4 << 20) /* bytes of any one text */

/*
 * Where variants differ by kernel, block b's boots follow rng_permuted_block(variants x runs_per_block) of the stream
 * rng_seed(seed, STORE_BOOT_ORDER, b).
 */
#define STORE_BOOT_ORDER "boots"

struct store;

/**
 * struct variant_row - one side of a comparison
 * @name:     UTF-8, unique in the experiment
 * @settings: "key = value" lines
 * @asks:     names of the facts that it asks to change, one a line
 */
struct variant_row {
	char *name;
	char *settings;
	char *asks;
};

/**
 * struct point_row - a workload with one set of parameters (one point of a sweep)
 * @label:   UTF-8, unique in the experiment: "pipe", "hackbench groups=4"
 * @params:  all parameters, defaults included, "key=value" lines
 * @primary: name of the primary metric
 */
struct point_row {
	char *label;
	char *workload;
	char *params;
	char *primary;
};

/* What an experiment is for. */
enum purpose {
	PURPOSE_AB,    /* to compare variants */
	PURPOSE_AA,    /* equal variants: what this host's noise is */
	PURPOSE_PILOT, /* a few runs to plan by */
};

/**
 * struct experiment_row - an experiment as it was planned
 * @id:             0 until stored
 * @text:           the experiment file
 * @fingerprint:    hash of all that decides the plan; the same file gives the same
 * @blocks:         planned number, 0 if a time budget decides
 * @runs_per_block: runs of each variant at a point in a block, boots where variants differ by kernel; 0 counts as 1
 * @runs_per_boot:  0 if the variants don't differ by kernel; else the unit of inference is the boot
 * @margin:         smallest change of interest as a fraction, 0: none was named
 * @until:          sequential: a change within this is known to be none of interest; 0: the number of blocks is fixed
 * @finished:       no more runs will be made
 * @ended:          why that was before the last block, "" if it was not
 */
struct experiment_row {
	int64_t id;
	char *name;
	char *text;
	char *fingerprint;
	uint64_t seed;
	uint64_t blocks;
	uint64_t runs_per_block;
	uint64_t budget_ns;
	uint64_t runs_per_boot;
	double margin;
	double until;
	enum purpose purpose;
	int64_t created_ns; /* CLOCK_REALTIME */
	bool finished;
	char *ended;
	struct variant_row *variants;
	size_t nr_variants;
	struct point_row *points;
	size_t nr_points;
};

/** struct session_row - the runs between two boots, or of one start of the program */
struct session_row {
	int64_t id;
	int64_t experiment;
	char *boot_id;
	char *facts; /* JSON object, all facts at its start */
	char *notes; /* lines to show with the results: "no hardware counters here: ..." */
	int64_t started_ns;
};

/**
 * struct run_row - one run
 * @block:    0 ...; warm-up runs have block -1 - their number
 * @position: place in the order of execution within the experiment, 0 ...; unique
 * @variant:  index into the experiment's variants
 * @point:    index into its points
 * @facts:    JSON object without restless facts, as they were with the variant's settings applied
 * @load:     1-minute load average at its start, negative: unknown
 * @result:   of the point's workload; as store_load_runs() reads it without histograms, see store_load_histograms()
 */
struct run_row {
	int64_t id;
	int64_t experiment;
	int64_t session;
	int64_t block;
	int64_t position;
	size_t variant;
	size_t point;
	bool warmup;
	int64_t started_ns;
	double load;
	char *facts;
	struct result result;
};

void experiment_row_release(struct experiment_row *row);
void session_row_release(struct session_row *row);
void run_row_release(struct run_row *row);

/**
 * store_default_path() - schedproof/results.sqlite in the XDG data folder, the caller's to free
 *
 * Without HOME, in the home that the user database names.
 */
char *store_default_path(void);

enum store_mode {
	STORE_READ,  /* must exist; nothing is written */
	STORE_WRITE, /* made with its folders where missing; older schemas are migrated */
};

/**
 * store_open() - open @path; ":memory:" is an empty store that goes when it is closed
 *
 * With STORE_READ a store that can't be written (read-only file, folder or medium) is read as it stands; what a
 * process that starts to write meanwhile adds may be missed, or end in -EUCLEAN.
 *
 * Return: 0; -ENOENT; -EISDIR; -EACCES / -EROFS (can't be written, or not be read without); -EINVAL (no SQLite
 * file, or not ours; it was not touched); -EPROTO (schema newer than this program, or older and opened with
 * STORE_READ: which, and what to do); -EOPNOTSUPP (file system without shared memory); -ENOSPC.
 */
int store_open(struct store **out, const char *path, enum store_mode mode, struct error *err);
void store_close(struct store *store);

/** store_add_experiment() - one transaction; sets row->id */
int store_add_experiment(struct store *store, struct experiment_row *row, struct error *err);

/**
 * store_finish_experiment() - no more runs will be made
 * @ended: why it was before the last block; NULL: it was not
 *
 * Return: 0, -ENOENT.
 */
int store_finish_experiment(struct store *store, int64_t id, const char *ended, struct error *err);

/** purpose_name() - "ab", "aa", "pilot" */
const char *purpose_name(enum purpose purpose);

/** purpose_parse() - Return: 0 or -EINVAL */
int purpose_parse(enum purpose *purpose, const char *name);

/** store_get_experiment() - Return: 0, -ENOENT */
int store_get_experiment(struct store *store, int64_t id, struct experiment_row *row,
			 struct error *err);

/**
 * store_find_experiment() - newest (by its creation) with that name; @name NULL: newest of all
 *
 * Return: 0 with its id, -ENOENT (with the nearest name in the store).
 */
int store_find_experiment(struct store *store, const char *name, int64_t *id, struct error *err);

/** store_list_experiments() - all, oldest first; rows[n] is the caller's to release and free */
int store_list_experiments(struct store *store, struct experiment_row **rows, size_t *n,
			   struct error *err);

/**
 * struct run_counts - what an experiment has, without warm-up runs
 * @failed: failed and hung
 * @blocks: those that have all their runs, failed ones included
 */
struct run_counts {
	uint64_t ok, failed, blocks;
};

/** store_count_runs() - @counts is filled on success. Return: 0 or -errno */
int store_count_runs(struct store *store, int64_t experiment, struct run_counts *counts,
		     struct error *err);

/** store_add_session() - one transaction; sets row->id. Return: 0; -ENOENT (experiment) */
int store_add_session(struct store *store, struct session_row *row, struct error *err);

/**
 * store_add_run() - one transaction, on disk when it returns; sets row->id
 *
 * Return: 0; -EEXIST (a run of that position is stored: another process is at work on this experiment);
 * -ENOENT (experiment, session, variant or point); -ESTALE (the file was removed or replaced since it was opened).
 */
int store_add_run(struct store *store, struct run_row *row, struct error *err);

/** store_load_runs() - an experiment's runs by position; rows[n] is the caller's to release and free */
int store_load_runs(struct store *store, int64_t experiment, struct run_row **rows, size_t *n,
		    struct error *err);

/**
 * store_load_histograms() - a run's samples into row->result, which has none yet
 *
 * By themselves since they are large, and few readers need them: hundreds of kilobytes a run.
 */
int store_load_histograms(struct store *store, struct run_row *row, struct error *err);

/** struct sample_count - samples in one histogram of a run; @name: heap */
struct sample_count {
	int64_t run;
	char *name;
	uint64_t count;
};

/** store_load_sample_counts() - of all histograms of an experiment, by run; counts[n] is the caller's to free */
int store_load_sample_counts(struct store *store, int64_t experiment, struct sample_count **counts,
			     size_t *n, struct error *err);
void sample_counts_free(struct sample_count *counts, size_t n);

/** store_load_sessions() - an experiment's sessions in the order in which they were added; like the above */
int store_load_sessions(struct store *store, int64_t experiment, struct session_row **rows,
			size_t *n, struct error *err);

/**
 * store_typical_wall() - median wall time of stored runs of this workload with these params, for estimates
 * @wall_ns: median of the counter "wall" of the newest 50 good runs, warm-up runs included
 *
 * Return: 0, or -ENOENT if none is stored.
 */
int store_typical_wall(struct store *store, const char *workload, const char *params,
		       uint64_t *wall_ns, struct error *err);

/**
 * store_point_history() - experiments that ran this workload with these params, newest first
 * @ids: filled, ids[max]; *n of them
 */
int store_point_history(struct store *store, const char *workload, const char *params, int64_t *ids,
			size_t max, size_t *n, struct error *err);

#endif
