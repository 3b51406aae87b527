// SPDX-License-Identifier: GPL-2.0-only
/* cmd/calibrate_nodes.c - memory by pair of nodes, as tables, as JSON and as remarks in a file of costs. */
#include "cmd/calibrate_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* So many pairs are named where several have no value for one reason. */
#define NAMED 8

/* One cell's width: the longest bandwidth in brackets. */
#define CELL 11

static const struct calibrate_memory *find(const struct calibration *c, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < c->nr_memory; i++)
		if (c->memory[i].from == from && c->memory[i].to == to)
			return &c->memory[i];
	return NULL;
}

/* That which the file has. */
static uint64_t pair_value(const struct calibration *c, const struct calibrate_memory *memory,
			   size_t kind)
{
	for (size_t i = 0; i < c->pairs.nr; i++) {
		const struct costs_pair *pair = &c->pairs.pair[i];

		if (pair->kind == kind && pair->from == memory->from && pair->to == memory->to)
			return pair->value;
	}
	return memory->by_distance[kind];
}

/* What there could be: a node without CPUs reads nothing, but its controller has a bandwidth. */
static bool has_value(const struct calibrate_memory *memory, size_t kind)
{
	return memory->reads || kind == COSTS_PAIR_MIB_S;
}

static void add_cell(const struct calibration *c, const struct calibrate_memory *memory,
		     size_t kind, struct strbuf *sb)
{
	char text[32] = "-";

	if (memory && has_value(memory, kind))
		snprintf(text, sizeof(text),
			 memory->value[kind].measured ? "%" PRIu64 : "(%" PRIu64 ")",
			 pair_value(c, memory, kind));
	strbuf_addf(sb, "%*s", CELL, text);
}

/* They are in the order of columns. */
static bool begins_column(const struct calibration *c, size_t i)
{
	return !i || c->memory[i - 1].to != c->memory[i].to;
}

static bool begins_row(const struct calibration *c, size_t i)
{
	size_t k = 0;

	while (c->memory[k].from != c->memory[i].from)
		k++;
	return k == i;
}

static void add_row(const struct calibration *c, uint32_t from, size_t kind, struct strbuf *sb)
{
	strbuf_addf(sb, "%-10" PRIu32, from);
	for (size_t i = 0; i < c->nr_memory; i++)
		if (begins_column(c, i))
			add_cell(c, find(c, from, c->memory[i].to), kind, sb);
	strbuf_addch(sb, '\n');
}

static void add_matrix(const struct calibration *c, size_t kind, struct strbuf *sb)
{
	strbuf_addf(sb, "\n%s: CPUs of the row's node read memory of the column's\n%-10s",
		    costs_pair_kind_name((enum costs_pair_kind)kind), "node");
	for (size_t i = 0; i < c->nr_memory; i++)
		if (begins_column(c, i))
			strbuf_addf(sb, "%*" PRIu32, CELL, c->memory[i].to);
	strbuf_addch(sb, '\n');
	for (size_t i = 0; i < c->nr_memory; i++)
		if (begins_row(c, i))
			add_row(c, c->memory[i].from, kind, sb);
}

static bool is_missing(const struct calibrate_memory *memory, size_t kind)
{
	return has_value(memory, kind) && !memory->value[kind].measured;
}

/* All pairs that have no value for the reason that the @first one has. */
static void add_reason(const struct calibration *c, size_t first, size_t kind, const char *before,
		       struct strbuf *sb)
{
	const char *why = c->memory[first].value[kind].why;
	size_t n = 0;

	strbuf_addf(sb, "%s%s of", before, costs_pair_kind_name((enum costs_pair_kind)kind));
	for (size_t i = first; i < c->nr_memory; i++) {
		const struct calibrate_memory *memory = &c->memory[i];

		if (!is_missing(memory, kind) || strcmp(memory->value[kind].why, why) != 0)
			continue;
		if (n++ < NAMED)
			strbuf_addf(sb, " %" PRIu32 "->%" PRIu32, memory->from, memory->to);
	}
	if (n > NAMED)
		strbuf_addf(sb, " and %zu others", n - NAMED);
	strbuf_addf(sb, " not measured, as its distance has it: %s\n", why);
}

void calibrate_missing(const struct calibration *c, const char *before, struct strbuf *sb)
{
	for (size_t kind = 0; kind < NR_COSTS_PAIR_KINDS; kind++)
		for (size_t i = 0; i < c->nr_memory; i++) {
			const char *why = c->memory[i].value[kind].why;
			size_t k = 0;

			while (k < i && !(is_missing(&c->memory[k], kind) &&
					  !strcmp(c->memory[k].value[kind].why, why)))
				k++;
			if (k == i && is_missing(&c->memory[i], kind))
				add_reason(c, i, kind, before, sb);
		}
}

void calibrate_matrices(const struct calibration *c, struct strbuf *sb)
{
	for (size_t kind = 0; kind < NR_COSTS_PAIR_KINDS && c->nr_memory; kind++)
		add_matrix(c, kind, sb);
	calibrate_missing(c, "", sb);
}

static void value_json(const struct calibration *c, const struct calibrate_memory *memory,
		       size_t kind, struct json_out *out)
{
	json_out_object(out, costs_pair_kind_name((enum costs_pair_kind)kind));
	json_out_int(out, "value", (int64_t)pair_value(c, memory, kind));
	calibrate_value_json(&memory->value[kind], out);
	json_out_end_object(out);
}

void calibrate_pairs_json(const struct calibration *c, struct json_out *out)
{
	json_out_array(out, "pairs");
	for (size_t i = 0; i < c->nr_memory; i++) {
		const struct calibrate_memory *memory = &c->memory[i];

		json_out_object(out, NULL);
		json_out_int(out, "from", memory->from);
		json_out_int(out, "to", memory->to);
		for (size_t kind = 0; kind < NR_COSTS_PAIR_KINDS; kind++)
			if (has_value(memory, kind))
				value_json(c, memory, kind, out);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}
