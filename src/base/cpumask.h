/* SPDX-License-Identifier: GPL-2.0-only */
/* base/cpumask.h - a set of CPU (or node) numbers. */
#ifndef BASE_CPUMASK_H
#define BASE_CPUMASK_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/* What schedproof handles, and so the bound of every list that is read. */
#define CPUMASK_MAX 8192

/**
 * struct cpumask - set of numbers 0 .. CPUMASK_MAX - 1
 *
 * Caller's storage; initialise with { 0 }, the empty set. Heap memory inside that grows with the
 * largest member; cpumask_release() frees it.
 */
struct cpumask {
	uint64_t *words;
	unsigned int nr_words;
};

void cpumask_release(struct cpumask *mask);
void cpumask_set(struct cpumask *mask, unsigned int cpu);
void cpumask_clear(struct cpumask *mask, unsigned int cpu);
bool cpumask_test(const struct cpumask *mask, unsigned int cpu);
unsigned int cpumask_weight(const struct cpumask *mask);
bool cpumask_equal(const struct cpumask *a, const struct cpumask *b);
bool cpumask_subset(const struct cpumask *inner, const struct cpumask *outer);

/** cpumask_next() - smallest member >= @from, or CPUMASK_MAX if there is none */
unsigned int cpumask_next(const struct cpumask *mask, unsigned int from);

#define cpumask_for_each(cpu, mask)                                                                \
	for ((cpu) = cpumask_next((mask), 0); (cpu) < CPUMASK_MAX;                                 \
	     (cpu) = cpumask_next((mask), (cpu) + 1))

/**
 * cpumask_parse() - read the kernel's list form: "0-3,8,10-11"
 * @mask: replaced on success, untouched on failure
 * @text: spaces and a newline around it are allowed; "" is the empty set
 *
 * Forms with a stride ("0-31:2/8", as isolcpus= takes) are read as the kernel reads them.
 *
 * Return: 0; -EINVAL for what is no list, -ERANGE for a number above CPUMASK_MAX - 1.
 */
int cpumask_parse(struct cpumask *mask, const char *text, struct error *err);

/** cpumask_print() - append the list form, as %*pbl in the kernel; nothing for the empty set */
void cpumask_print(const struct cpumask *mask, struct strbuf *sb);

#endif
