/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/cost.h - what a rebuild costs: operations by variant of the span check, and seconds from the time of
 * one operation, measured here on masks of the kernel's own layout.
 */
#ifndef TOPO_COST_H
#define TOPO_COST_H

#include "topo/hotplug.h"

/**
 * struct cost_model - time of an operation: base_ns + words * word_ns
 */
struct cost_model {
	double base_ns[NR_MASK_OPS];
	double word_ns[NR_MASK_OPS];
};

/**
 * cost_calibrate() - run each operation on plain arrays of 2 and of 128 words and time it
 *
 * The two widths give the fixed and the per-word part. Takes about 0.2 s of CPU time; the least of
 * several repeats counts, since a disturbance only ever adds.
 */
void cost_calibrate(struct cost_model *model);

/** cost_model_parse() - read "operation base_ns word_ns" lines; a missing operation costs nothing */
int cost_model_parse(struct cost_model *model, const char *text, struct error *err);
void cost_model_print(const struct cost_model *model, struct strbuf *sb);

/** cost_seconds() - of some operations */
double cost_seconds(const struct cost_model *model, const struct mask_ops *ops);

/**
 * struct cost_run - a sequence of transitions
 * @check:       by variant
 * @build:       everything else
 * @transitions: CPUs that came or went
 */
struct cost_run {
	struct mask_ops check[NR_SPAN_CHECKS];
	struct mask_ops build;
	unsigned int transitions;
};

/**
 * cost_hotplug() - carry out @word (see hotplug_plan()) on @h and count every rebuild
 */
int cost_hotplug(struct cost_run *run, struct hotplug *h, const char *word, struct error *err);

/** cost_once() - of one rebuild of the trees as they stand */
void cost_once(struct cost_run *run, const struct hotplug *h);

/** cost_print() - a table of a run: operations, words, and seconds where @model isn't NULL */
void cost_print(const struct cost_run *run, const struct cost_model *model, struct strbuf *sb);

#endif
