/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/cost_scale.h - how the cost of rebuilds grows with the number of CPUs. */
#ifndef TOPO_COST_SCALE_H
#define TOPO_COST_SCALE_H

#include "topo/cost.h"

/**
 * cost_hotplug_sampled() - like cost_hotplug(), but only about @samples of the rebuilds are counted
 *
 * They are spread evenly over the transitions, with the first and the last; those in between are
 * taken to lie on a line. The counts are polynomials of a low degree in the CPUs that are up, so
 * with 17 samples the sums are right to half a percent. @h has no cpuset partitions and logs
 * nothing; it ends as after the last transition. @samples is 2 at least; as many as there are
 * transitions, or more, counts all of them.
 *
 * Return: 0, or what hotplug_plan() and the transitions say.
 */
int cost_hotplug_sampled(struct cost_run *run, struct hotplug *h, const char *word,
			 unsigned int samples, struct error *err);

/**
 * struct scale_row - costs of one size
 * @once: one rebuild with all CPUs up
 * @half: taking the upper half offline, CPU by CPU; sampled
 */
struct scale_row {
	unsigned int cpus, nodes;
	struct cost_run once, half;
};

struct scale {
	struct scale_row *row;
	unsigned int nr;
};

/**
 * cost_scale() - sizes from @from to @to CPUs, each twice the one before
 * @like: the machines are built like this one: grid_like()
 *
 * Takes some 0.1 s for all sizes up to 1024 CPUs and about 2 s up to 8192. scale_release() frees it.
 *
 * Return: 0; -EINVAL for sizes not in 2 .. MACHINE_MAX_CPUS, or out of order.
 */
int cost_scale(struct scale *scale, const struct machine *like, const struct release *r,
	       unsigned int from, unsigned int to, struct error *err);
void scale_release(struct scale *scale);

/** cost_scale_parse() - "64..8192", or one number. Return: 0 or -EINVAL */
int cost_scale_parse(unsigned int *from, unsigned int *to, const char *text, struct error *err);

/**
 * cost_scale_print() - a table, a plot on logarithmic axes, and growth exponents
 * @model: seconds are shown; NULL: words touched
 */
void cost_scale_print(const struct scale *scale, const struct cost_model *model, struct strbuf *sb);

#endif
