// SPDX-License-Identifier: GPL-2.0-only
#include "sim/costs_pairs.h"

#include "base/mem.h"
#include "topo/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARROW "->"

const char *costs_pair_kind_name(enum costs_pair_kind kind)
{
	return kind == COSTS_PAIR_NS_KIB ? "memory_ns_kib" : "memory_mib_s";
}

void costs_pairs_release(struct costs_pairs *pairs)
{
	free(pairs->pair);
	*pairs = (struct costs_pairs){ 0 };
}

void costs_pairs_copy(struct costs_pairs *out, const struct costs_pairs *pairs)
{
	*out = (struct costs_pairs){ 0 };
	if (!pairs->nr)
		return;
	out->pair = xcalloc(pairs->nr, sizeof(*out->pair));
	memcpy(out->pair, pairs->pair, pairs->nr * sizeof(*out->pair));
	out->nr = pairs->nr;
}

static bool is_before(const struct costs_pair *a, const struct costs_pair *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind;
	return a->from != b->from ? a->from < b->from : a->to < b->to;
}

void costs_pairs_set(struct costs_pairs *pairs, const struct costs_pair *pair)
{
	size_t at = pairs->nr;

	/* mostly the last: files and machines have them in order */
	while (at && !is_before(&pairs->pair[at - 1], pair))
		at--;
	if (at == pairs->nr || is_before(pair, &pairs->pair[at])) {
		pairs->pair = xreallocarray(pairs->pair, pairs->nr + 1, sizeof(*pairs->pair));
		memmove(&pairs->pair[at + 1], &pairs->pair[at],
			(pairs->nr - at) * sizeof(*pairs->pair));
		pairs->nr++;
	}
	pairs->pair[at] = *pair;
}

void costs_pair_name(char name[COSTS_NAME_MAX], enum costs_pair_kind kind, uint32_t from,
		     uint32_t to)
{
	snprintf(name, COSTS_NAME_MAX, "%s.%" PRIu32 ARROW "%" PRIu32, costs_pair_kind_name(kind),
		 from, to);
}

/* Behind the number; NULL: there is none. */
static const char *parse_node(uint32_t *node, const char *text)
{
	const size_t n = strspn(text, "0123456789");

	/* no more digits than COSTS_NODE_MAX has */
	if (!n || n > 5 || (n > 1 && *text == '0'))
		return NULL;
	*node = (uint32_t)strtoul(text, NULL, 10);
	return text + n;
}

bool costs_pair_parse(uint32_t *from, uint32_t *to, const char *part)
{
	part = parse_node(from, part);
	if (!part || strncmp(part, ARROW, strlen(ARROW)) != 0)
		return false;
	part = parse_node(to, part + strlen(ARROW));
	return part && !*part;
}

static int about(const struct costs_pair *pair, const char *path, const char *what, uint32_t node,
		 struct error *err)
{
	char name[COSTS_NAME_MAX], at[16] = "";

	costs_pair_name(name, pair->kind, pair->from, pair->to);
	if (pair->line)
		snprintf(at, sizeof(at), ":%u", pair->line);
	return error_set(err, EINVAL, "%s%s: %s: the machine %s %" PRIu32, path, at, name, what,
			 node);
}

/* nr_nodes: there is none. */
static uint32_t index_of(const struct machine *machine, uint32_t number)
{
	uint32_t i = 0;

	while (i < machine->nr_nodes && machine->node[i].id != number)
		i++;
	return i;
}

static int join(struct costs_pair *pair, const struct machine *machine, const char *path,
		struct error *err)
{
	const uint32_t from = index_of(machine, pair->from), to = index_of(machine, pair->to);

	if (from == machine->nr_nodes)
		return about(pair, path, "has no node", pair->from, err);
	if (to == machine->nr_nodes)
		return about(pair, path, "has no node", pair->to, err);
	/* of its own it has a bandwidth, its controller's, and no price */
	if (!machine->node[from].cpus->weight && (from != to || pair->kind == COSTS_PAIR_NS_KIB))
		return about(pair, path, "has no CPU that could read on node", pair->from, err);
	pair->from = from;
	pair->to = to;
	return 0;
}

int costs_pairs_join(struct costs_pairs *pairs, const struct machine *machine, const char *path,
		     struct error *err)
{
	struct costs_pairs joined = { 0 };

	for (size_t i = 0; i < pairs->nr; i++) {
		struct costs_pair pair = pairs->pair[i];
		const int ret = join(&pair, machine, path, err);

		if (ret) {
			costs_pairs_release(&joined);
			return ret;
		}
		costs_pairs_set(&joined, &pair);
	}
	costs_pairs_release(pairs);
	*pairs = joined;
	return 0;
}
