/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * posted/posted.h - figures that others posted, whatever the layout: tables of rows, each with two or more sides.
 *
 * Readers (posted/layout.h) fill it, posted/pair.h joins what was found one side at a time, posted/judge.h judges.
 * Strings and arrays are heap and belong to the struct they are in; posted_release() frees all.
 */
#ifndef POSTED_POSTED_H
#define POSTED_POSTED_H

#include "base/metric.h"
#include "stats/trial.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct posted_layout;

/* Bounds of what is kept; a table that has more is cut, and a note says so. */
#define POSTED_MAX_SIDES  16U
#define POSTED_MAX_ROWS	  20000U
#define POSTED_MAX_VALUES 100000U

/* What a figure behind "+-" or in brackets is. It matters: they differ by the root of n. */
enum posted_spread {
	POSTED_NO_SPREAD,
	POSTED_SD,   /* standard deviation of the runs */
	POSTED_SE,   /* standard error of the mean */
	POSTED_CI95, /* half of a 95 % interval of the centre */
};

/**
 * struct posted_side - what is known of one side of a row
 * @values:    values[nr_values], single runs in the order of the text
 * @mean:      if @has_mean; where only values are there it is not set
 * @median:    if @has_median
 * @min, @max: if @has_range
 * @spread:    of kind @spread_kind, in the unit of the mean
 * @at_most:   the spread is an upper bound: the cell was blank or rounded to whole percent
 * @n:         runs behind the figure, 0 where nobody said
 * @runs, @failed, @hung: runs made, and how many failed or hung; 0 where nobody said
 * @step:      least difference that the printed decimals can show, 0 if unknown
 * @line:      of the source, from 1; 0: the side has no figure at all
 */
struct posted_side {
	double *values;
	size_t nr_values;
	bool has_mean, has_median, has_range;
	double mean, median, min, max;
	enum posted_spread spread_kind;
	double spread;
	bool at_most, by_n;
	uint64_t n;
	uint64_t runs, failed, hung;
	double step;
	size_t line;
};

/** struct posted_percent - a change that the poster computed; @step is that of its decimals */
struct posted_percent {
	bool stated;
	double percent, step;
};

/**
 * struct posted_row - one metric of one case
 * @label:    which case, "" if there is only one
 * @metric:   what was measured, "" if nobody said
 * @unit:     as posted, "" if nobody said
 * @primary:  what the benchmark is about; others are counters that explain
 * @sides:    sides[nr_sides of the table]
 * @percents: percents[nr_sides], against side 0
 * @p:        the poster's own p of side 1 against side 0, if @has_p
 * @quantile: of the samples of one run (0.5: median) if @is_quantile; rows of one label are one distribution
 */
struct posted_row {
	char *label;
	char *metric;
	char *unit;
	enum better better;
	bool primary;
	struct posted_side *sides;
	struct posted_percent *percents;
	bool has_p;
	double p;
	bool is_quantile;
	double quantile;
	size_t line;
};

/* What the poster said of the sign of a percent column. */
enum posted_sign {
	POSTED_SIGN_UNKNOWN,
	POSTED_SIGN_RAW,       /* (B - A) / A of the figure */
	POSTED_SIGN_GAIN,      /* plus is better */
	POSTED_SIGN_REGRESSION /* plus is worse */
};

/**
 * struct posted_table - rows that are read together
 * @source:     which text, an index
 * @line:       of its first line
 * @title:      "" if there is none
 * @sides:      names; side 0 is the base
 * @nr_sides:   1 before posted_pair(), then >= 2
 * @side_known: the name of a table of one side was stated
 * @normalised: figures are parts of the base's
 * @gains:      figures are gains whatever the metric's direction: higher is better
 * @single_run: each figure comes from one run, however many samples it has
 * @order:      as stated, TRIAL_UNKNOWN if not
 * @notes:      remarks of the reader, in the order of the text
 */
struct posted_table {
	const struct posted_layout *layout;
	size_t source;
	size_t line;
	char *title;
	char **sides;
	size_t nr_sides;
	bool side_known;
	bool normalised;
	bool gains;
	bool single_run;
	enum posted_sign sign;
	enum trial_order order;
	struct posted_row *rows;
	size_t nr_rows;
	char **notes;
	size_t nr_notes;
	size_t *index; /* private: hash of label and metric to row + 1 */
	size_t index_size, indexed;
};

/**
 * struct posted - all that was found; initialise with { 0 }
 * @sources: names of the texts, "-" for standard input
 * @instead: what a text without a table is ("a domain tree: see schedproof topo"), NULL if nobody knows
 */
struct posted {
	char **sources;
	size_t nr_sources;
	struct posted_table **tables;
	size_t nr_tables;
	char *instead;
};

void posted_release(struct posted *posted);

/** posted_source_add() - Return: its index */
size_t posted_source_add(struct posted *posted, const char *name);

/** posted_table_add() - an empty table with @nr_sides unnamed sides, 1 .. POSTED_MAX_SIDES */
struct posted_table *posted_table_add(struct posted *posted, const struct posted_layout *layout,
				      size_t source, size_t line, size_t nr_sides);

/** posted_table_drop() - forget the newest table, which turned out to be none */
void posted_table_drop(struct posted *posted);

void posted_table_free(struct posted_table *table);

/** posted_side_name() - name side @i; blanks around it are cut off */
void posted_side_name(struct posted_table *table, size_t i, const char *name, size_t len);

void posted_title(struct posted_table *table, const char *title);

/** posted_note() - append a remark, unless the table has the same already */
void posted_note(struct posted_table *table, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * posted_row_add() - a row without figures; valid until the next one
 *
 * Return: NULL with a note where the table is full.
 */
struct posted_row *posted_row_add(struct posted_table *table, const char *label, const char *metric,
				  size_t line);

/** posted_row_find() - first row of that label and metric, or NULL; by a hash that grows with the table */
struct posted_row *posted_row_find(struct posted_table *table, const char *label,
				   const char *metric);

/** posted_row_of() - posted_row_find(), or else posted_row_add() */
struct posted_row *posted_row_of(struct posted_table *table, const char *label, const char *metric,
				 size_t line);

/** posted_rows_keep() - drop the rows of which @keep says false */
void posted_rows_keep(struct posted_table *table, bool (*keep)(const struct posted_row *row));

void posted_row_set_unit(struct posted_row *row, const char *unit, size_t len);

/** posted_value_add() - one more run; values above POSTED_MAX_VALUES are dropped */
void posted_value_add(struct posted_side *side, double value, double step, size_t line);

/** posted_mean_set() - @step of 0 leaves the side's */
void posted_mean_set(struct posted_side *side, double mean, double step, size_t line);

#endif
