// SPDX-License-Identifier: GPL-2.0-only
/* topo/print_dump.c - the sched_verbose printout. */
#include "topo/print.h"

#include "topo/dump_check.h"

#include <string.h>

/* A line of the log in the making: pieces are continued until the record is full. */
struct record {
	struct strbuf *sb;
	size_t start, max;
};

/* A piece goes to a new record as a whole if it doesn't fit any more. */
static void piece(struct record *rec, struct strbuf *text)
{
	if (rec->sb->len - rec->start + text->len > rec->max) {
		strbuf_addch(rec->sb, '\n');
		rec->start = rec->sb->len;
	}
	strbuf_add(rec->sb, strbuf_str(text), text->len);
	strbuf_reset(text);
}

/* An error has a record of its own; what is continued after it begins another. */
static void error_line(struct record *rec, enum dump_error error, unsigned int cpu,
		       const char *flag)
{
	if (rec->sb->len > rec->start)
		strbuf_addch(rec->sb, '\n');
	dump_error_text(rec->sb, error, cpu, flag);
	strbuf_addch(rec->sb, '\n');
	rec->start = rec->sb->len;
}

static void dump_group(struct record *rec, const struct domain *sd, const struct group *g,
		       struct strbuf *text)
{
	strbuf_addf(text, " %u:{ span=", g->id);
	cset_print(g->span, text);
	piece(rec, text);
	if (sd->init_flags & SD_NUMA && g->balance != g->span) {
		strbuf_addstr(text, " mask=");
		cset_print(g->balance, text);
		piece(rec, text);
	}
	if (g->capacity != CAPACITY_FULL) {
		strbuf_addf(text, " cap=%u", g->capacity);
		piece(rec, text);
	}
}

static void dump_groups(struct record *rec, const struct domain_tree *tree, unsigned int cpu,
			const struct domain *sd, struct strbuf *text)
{
	bool repeats = sd->errors & 1u << DUMP_REPEATED_CPUS;
	unsigned int nr = repeats ? ring_repeats(tree, sd) : sd->ring->nr;

	for (unsigned int i = 0; i < nr; i++) {
		dump_group(rec, sd, domain_group(sd, i), text);
		if (!i && sd->errors & 1u << DUMP_GROUP_NOT_CHILD)
			error_line(rec, DUMP_GROUP_NOT_CHILD, cpu, NULL);
		strbuf_addstr(text, " }");
		piece(rec, text);
		if (i + 1 < sd->ring->nr)
			strbuf_addch(text, ',');
		if (text->len)
			piece(rec, text);
	}
	if (repeats)
		error_line(rec, DUMP_REPEATED_CPUS, cpu, NULL);
	strbuf_addch(rec->sb, '\n');
	rec->start = rec->sb->len;
}

static void dump_flag_errors(struct record *rec, const struct domain_tree *tree, unsigned int cpu,
			     const struct domain *sd)
{
	unsigned int child = flags_not_in_child(sd, &tree->release),
		     parent = flags_not_in_parent(sd);

	for (unsigned int bit = 0; bit < NR_SD_FLAGS; bit++) {
		const char *name = sd_flag_name(bit, &tree->release);

		if (child & 1u << bit)
			error_line(rec, DUMP_FLAG_NOT_IN_CHILD, cpu, name);
		if (parent & 1u << bit)
			error_line(rec, DUMP_FLAG_NOT_IN_PARENT, cpu, name);
	}
}

static void dump_domain(const struct domain_tree *tree, unsigned int cpu, const struct domain *sd,
			unsigned int depth, struct strbuf *sb)
{
	struct record rec = { .sb = sb, .start = sb->len, .max = tree->release.print_line_max };
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%*s domain-%u: ", (int)depth, "", depth);
	piece(&rec, &text);
	strbuf_addstr(&text, "span=");
	cset_print(sd->span, &text);
	strbuf_addf(&text, " level=%s", domain_name(tree, sd));
	piece(&rec, &text);
	strbuf_addch(sb, '\n');
	rec.start = sb->len;
	for (unsigned int e = 0; e < DUMP_FLAG_NOT_IN_CHILD; e++)
		if (sd->errors & 1u << e)
			error_line(&rec, (enum dump_error)e, cpu, NULL);
	dump_flag_errors(&rec, tree, cpu, sd);
	strbuf_addf(&text, "%*s groups:", (int)depth + 1, "");
	piece(&rec, &text);
	dump_groups(&rec, tree, cpu, sd, &text);
	for (unsigned int e = DUMP_GROUPS_NOT_SPAN; e < NR_DUMP_ERRORS; e++)
		if (sd->errors & 1u << e)
			error_line(&rec, (enum dump_error)e, cpu, NULL);
	strbuf_release(&text);
}

void print_dump_null(unsigned int cpu, struct strbuf *sb)
{
	strbuf_addf(sb, "CPU%u attaching NULL sched-domain.\n", cpu);
}

static void dump_cpu(const struct domain_tree *tree, unsigned int cpu, struct strbuf *sb)
{
	const struct domain *sd = tree->base[cpu];
	unsigned int depth = 0;

	if (!sd) {
		print_dump_null(cpu, sb);
		return;
	}
	strbuf_addf(sb, "CPU%u attaching sched-domain(s):\n", cpu);
	for (; sd; sd = sd->parent)
		dump_domain(tree, cpu, sd, depth++, sb);
}

/* What is found wrong before any domain is attached. */
static void dump_head(const struct domain_tree *tree, struct strbuf *sb)
{
	for (unsigned int i = 0; i < tree->complaints.nr; i++)
		if (tree->complaints.list[i].kind == COMPLAINT_ASYMMETRIC)
			strbuf_addf(sb, "%s\n", tree->complaints.list[i].text);
}

static void dump_root(const struct domain_tree *tree, struct strbuf *sb)
{
	unsigned int cpu, max = 0;

	strbuf_addstr(sb, "root domain span: ");
	cset_print(tree->map, sb);
	if (tree->release.print_max_capacity) {
		cset_for_each (cpu, tree->map)
			if (tree->machine->cpu[cpu].capacity > max)
				max = tree->machine->cpu[cpu].capacity;
		strbuf_addf(sb, " (max cpu_capacity = %u)", max);
	}
	strbuf_addch(sb, '\n');
}

void print_dump(const struct domain_tree *tree, struct strbuf *sb)
{
	unsigned int cpu;

	dump_head(tree, sb);
	if (tree->failed)
		return;
	cset_for_each (cpu, tree->map)
		dump_cpu(tree, cpu, sb);
	dump_root(tree, sb);
}

void print_dump_state(const struct hotplug *state, struct strbuf *sb)
{
	unsigned int cpu;

	for (unsigned int i = 0; i < state->nr_trees && i < 1; i++)
		dump_head(state->tree[i], sb);
	cset_for_each (cpu, state->machine->possible) {
		const struct domain_tree *tree = hotplug_tree(state, cpu);

		if (tree && !tree->failed)
			dump_cpu(tree, cpu, sb);
		else if (cset_test(state->nulled, cpu))
			print_dump_null(cpu, sb);
	}
	for (unsigned int i = 0; i < state->nr_trees; i++)
		if (!state->tree[i]->failed)
			dump_root(state->tree[i], sb);
}

void print_complaints(const struct domain_tree *tree, struct strbuf *sb)
{
	for (unsigned int i = 0; i < tree->complaints.nr; i++)
		if (!complaint_in_dump(tree->complaints.list[i].kind))
			strbuf_addf(sb, "%s\n", tree->complaints.list[i].text);
}

/* Counted are the first so many that differ; a machine with more has them for each CPU, with its number. */
#define MAX_COUNTED 16

void print_complaints_once(const struct domain_tree *tree, struct strbuf *sb)
{
	const struct complaint *first[MAX_COUNTED];
	unsigned int times[MAX_COUNTED], nr = 0, more = 0, k;

	for (unsigned int i = 0; i < tree->complaints.nr; i++) {
		const struct complaint *c = &tree->complaints.list[i];

		if (complaint_in_dump(c->kind))
			continue;
		for (k = 0; k < nr && strcmp(first[k]->text, c->text); k++)
			;
		if (k < nr) {
			times[k]++;
		} else if (nr < MAX_COUNTED) {
			first[nr] = c;
			times[nr++] = 1;
		} else {
			more++;
		}
	}
	for (k = 0; k < nr; k++)
		strbuf_addf(sb, times[k] > 1 ? "%s (%u times)\n" : "%s\n", first[k]->text,
			    times[k]);
	if (more)
		strbuf_addf(sb, "... and %u more: --format complaints shows all\n", more);
}
