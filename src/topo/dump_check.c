// SPDX-License-Identifier: GPL-2.0-only
/* topo/dump_check.c - the checks that sched_verbose makes of each domain it prints. */
#include "topo/dump_check.h"

#include "topo/domains_build.h"

#include "base/mem.h"

#include <stdlib.h>

/* Flags that must also be set in the child, and in the parent. */
#define SHARED_CHILD                                                                               \
	(SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_BALANCE_WAKE |                \
	 SD_WAKE_AFFINE | SD_SHARE_CPUCAPACITY | SD_SHARE_LLC)
#define SHARED_PARENT                                                                              \
	(SD_ASYM_CPUCAPACITY | SD_ASYM_CPUCAPACITY_FULL | SD_SERIALIZE | SD_OVERLAP | SD_NUMA)

unsigned int flags_not_in_child(const struct domain *sd, const struct release *r)
{
	unsigned int shared = SHARED_CHILD | (r->topo_smt_packing ? SD_ASYM_PACKING : 0);

	return sd->child ? sd->flags & shared & ~sd->child->flags : 0;
}

unsigned int flags_not_in_parent(const struct domain *sd)
{
	return sd->parent ? sd->flags & SHARED_PARENT & ~sd->parent->flags : 0;
}

void dump_error_text(struct strbuf *sb, enum dump_error error, unsigned int cpu, const char *flag)
{
	strbuf_addstr(sb, "ERROR: ");
	switch (error) {
	case DUMP_SPAN_LACKS_CPU:
		strbuf_addf(sb, "domain->span does not contain CPU%u", cpu);
		break;
	case DUMP_GROUP_LACKS_CPU:
		strbuf_addf(sb, "domain->groups does not contain CPU%u", cpu);
		break;
	case DUMP_FLAG_NOT_IN_CHILD:
		strbuf_addf(sb, "flag %s set here but not in child", flag);
		break;
	case DUMP_FLAG_NOT_IN_PARENT:
		strbuf_addf(sb, "flag %s set here but not in parent", flag);
		break;
	case DUMP_GROUP_NOT_CHILD:
		strbuf_addstr(sb, "domain->groups does not match domain->child");
		break;
	case DUMP_REPEATED_CPUS:
		strbuf_addstr(sb, "repeated CPUs");
		break;
	case DUMP_GROUPS_NOT_SPAN:
		strbuf_addstr(sb, "groups don't span domain->span");
		break;
	default:
		strbuf_addstr(sb, "parent span is not a superset of domain->span");
	}
}

/*
 * State of the checks. CPUs in a row mostly share a ring: one look at its groups is enough for them.
 * @said: said[error]: 1 + its place among the complaints
 */
struct check {
	struct domain_tree *tree;
	struct cbits *seen;
	unsigned int said[NR_DUMP_ERRORS];
	struct looked {
		const struct ring *ring;
		const struct cset *span, *parent;
		unsigned int errors;
	} * last;
};

unsigned int ring_repeats(const struct domain_tree *tree, const struct domain *sd)
{
	struct cbits *seen = cbits_new(tree->machine->pool);
	unsigned int i;

	for (i = 0; i < sd->ring->nr; i++) {
		const struct group *g = domain_group(sd, i);

		if (cbits_intersects(seen, g->span))
			break;
		cbits_or(seen, g->span);
	}
	cbits_free(seen);
	return i;
}

static unsigned int ring_errors(struct check *c, const struct domain *sd)
{
	unsigned int sum = 0, errors = 0;

	cbits_zero(c->seen);
	for (unsigned int i = 0; i < sd->ring->nr; i++) {
		sum += sd->ring->group[i]->span->weight;
		cbits_or(c->seen, sd->ring->group[i]->span);
	}
	if (!cbits_equal(c->seen, sd->span))
		errors |= 1u << DUMP_GROUPS_NOT_SPAN;
	if (sd->parent && !cbits_subset(c->seen, sd->parent->span))
		errors |= 1u << DUMP_BEYOND_PARENT;
	if (!c->tree->levels.level[sd->table].overlap && sum > sd->span->weight)
		errors |= 1u << DUMP_REPEATED_CPUS;
	return errors;
}

static unsigned int find_errors(struct check *c, unsigned int cpu, const struct domain *sd)
{
	const struct cset *parent = sd->parent ? sd->parent->span : NULL;
	const struct group *first = domain_group(sd, 0);
	struct looked *last = &c->last[sd->table];
	unsigned int errors;

	if (last->ring != sd->ring || last->span != sd->span || last->parent != parent)
		*last = (struct looked){ sd->ring, sd->span, parent, ring_errors(c, sd) };
	errors = last->errors;
	if (!cset_test(sd->span, cpu))
		errors |= 1u << DUMP_SPAN_LACKS_CPU;
	if (!cset_test(first->span, cpu))
		errors |= 1u << DUMP_GROUP_LACKS_CPU;
	if (flags_not_in_child(sd, &c->tree->release))
		errors |= 1u << DUMP_FLAG_NOT_IN_CHILD;
	if (flags_not_in_parent(sd))
		errors |= 1u << DUMP_FLAG_NOT_IN_PARENT;
	if (sd->child && sd->child->span != first->span)
		errors |= 1u << DUMP_GROUP_NOT_CHILD;
	return errors;
}

/* Each kind of error stands once among the complaints: a bad machine has it for each CPU and level. */
static void complain(struct check *c, unsigned int cpu, const struct domain *sd,
		     enum dump_error error)
{
	struct complaints *all = &c->tree->complaints;
	unsigned int flags = error == DUMP_FLAG_NOT_IN_CHILD
				     ? flags_not_in_child(sd, &c->tree->release)
				     : flags_not_in_parent(sd);
	struct strbuf text = { 0 };

	if (c->said[error]) {
		all->list[c->said[error] - 1].times++;
		return;
	}
	dump_error_text(&text, error, cpu,
			flags ? sd_flag_name((unsigned int)__builtin_ctz(flags), &c->tree->release)
			      : NULL);
	complaints_add(all, COMPLAINT_DEBUG, cpu, "%s", strbuf_str(&text));
	c->said[error] = all->nr;
	strbuf_release(&text);
}

void domains_check_dump(struct domain_tree *tree)
{
	struct check c = {
		.tree = tree,
		.seen = cbits_new(tree->machine->pool),
		.last = xcalloc(tree->levels.nr, sizeof(*c.last)),
	};
	struct domain *sd;
	unsigned int cpu;

	cset_for_each (cpu, tree->map)
		for (sd = tree->base[cpu]; sd; sd = sd->parent) {
			sd->errors = (uint8_t)find_errors(&c, cpu, sd);
			for (unsigned int e = 0; sd->errors && e < NR_DUMP_ERRORS; e++)
				if (sd->errors & 1u << e)
					complain(&c, cpu, sd, (enum dump_error)e);
		}
	cbits_free(c.seen);
	free(c.last);
}
