/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim/costs_pairs.h - costs of memory that an ordered pair of nodes has for itself, beside those by distance of struct costs.
 *
 *   memory_ns_kib.0->2 = 310      ; CPUs of node 0 read memory of node 2
 *   memory_mib_s.0->2 = 45000     ; all CPUs of node 0 together
 *   memory_mib_s.2->2 = 60000     ; the controller of node 2, for whoever reads there
 *
 * Nodes have the kernel's numbers. A pair that isn't given has what the distance has (sim/costs.h).
 *
 * Memory: heap; who fills one releases it. What reads one doesn't change it, so runs may share it.
 */
#ifndef SIM_COSTS_PAIRS_H
#define SIM_COSTS_PAIRS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine;

/* Room for any cost's name, "memory_ns_kib.1023->1023" among them. */
#define COSTS_NAME_MAX 40

/* A node's number is no greater. */
#define COSTS_NODE_MAX 99999

/** enum costs_pair_kind - in the order of struct costs */
enum costs_pair_kind {
	COSTS_PAIR_NS_KIB,
	COSTS_PAIR_MIB_S,
	NR_COSTS_PAIR_KINDS,
};

/** costs_pair_kind_name() - "memory_ns_kib", "memory_mib_s" */
const char *costs_pair_kind_name(enum costs_pair_kind kind);

/**
 * struct costs_pair - one value
 * @from: whose CPUs read; @to: whose memory
 * @line: of its file; 0: it is from none
 */
struct costs_pair {
	enum costs_pair_kind kind;
	uint32_t from, to;
	unsigned int line;
	uint64_t value;
};

/** struct costs_pairs - pair[nr], by kind, from, to; { 0 }: none */
struct costs_pairs {
	struct costs_pair *pair;
	size_t nr;
};

void costs_pairs_release(struct costs_pairs *pairs);

/** costs_pairs_copy() - @out: filled, whatever it was */
void costs_pairs_copy(struct costs_pairs *out, const struct costs_pairs *pairs);

/** costs_pairs_set() - one more, or another value for one that is there; O(nr) */
void costs_pairs_set(struct costs_pairs *pairs, const struct costs_pair *pair);

/** costs_pair_name() - as in the file */
void costs_pair_name(char name[COSTS_NAME_MAX], enum costs_pair_kind kind, uint32_t from,
		     uint32_t to);

/**
 * costs_pair_parse() - the part of a name behind its dot, "0->2"
 *
 * Numbers without leading zeros, up to COSTS_NODE_MAX: a pair has one name. Return: false where it is no pair.
 */
bool costs_pair_parse(uint32_t *from, uint32_t *to, const char *part);

/**
 * costs_pairs_join() - the kernel's numbers of nodes become a machine's indices, as core/core.h counts them
 * @path: of the file, for the words
 *
 * Return: 0; -EINVAL where the machine has no such node, or the node that reads has no CPU (it may have a controller). Then nothing
 * is changed.
 */
int costs_pairs_join(struct costs_pairs *pairs, const struct machine *machine, const char *path,
		     struct error *err);

#endif
