// SPDX-License-Identifier: GPL-2.0-only
#include "topo/explain.h"

#include "topo/print.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char *level_meaning(const char *name)
{
	static const struct {
		const char *name, *meaning;
	} meanings[] = {
		{ "SMT", "threads of one core" },
		{ "CLS", "cores of one cluster, or sharing one L2" },
		{ "CACHE", "cores sharing one L2" },
		{ "MC", "cores sharing the last level of cache" },
		{ "PKG", "all CPUs of one node" },
		{ "DIE", "all CPUs of one node" },
		{ "BOOK", "CPUs of one book" },
		{ "DRAWER", "CPUs of one drawer" },
		{ "NODE", "all CPUs of one node, from the distance table" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(meanings); i++)
		if (!strcmp(meanings[i].name, name))
			return meanings[i].meaning;
	return "nodes up to a distance";
}

static void explain_group(const struct domain_tree *tree, const struct group *g, struct strbuf *sb)
{
	unsigned int cores = group_cores(tree, g);

	strbuf_addstr(sb, "    group ");
	cset_print(g->span, sb);
	strbuf_addf(sb, ": %u CPU%s in %u core%s, capacity %u, balanced by CPU %u", g->span->weight,
		    g->span->weight == 1 ? "" : "s", cores, cores == 1 ? "" : "s", g->capacity,
		    g->id);
	if (g->balance != g->span) {
		strbuf_addstr(sb, " (only by ");
		cset_print(g->balance, sb);
		strbuf_addstr(sb, ", since it overlaps with others)");
	}
	strbuf_addch(sb, '\n');
}

/* More groups than this say no more. */
#define MAX_GROUPS_SHOWN 8

static void explain_kept(const struct domain_tree *tree, const struct domain *sd, struct strbuf *sb)
{
	const struct level *level = &tree->levels.level[sd->table];

	strbuf_addf(sb, "  %s is there: ", level->name);
	if (level->overlap)
		strbuf_addf(sb, "nodes up to distance %u", tree->levels.numa.distance[level->numa]);
	else
		strbuf_addstr(sb, level_meaning(level->name));
	strbuf_addstr(sb, ", CPUs ");
	cset_print(sd->span, sb);
	strbuf_addf(sb, "; balanced every %u to %u ms", sd->weight, 2 * sd->weight);
	if (sd->imb_numa_nr)
		strbuf_addf(sb, "; an imbalance of %u tasks between nodes may stand",
			    sd->imb_numa_nr);
	if (level->overlap && !(sd->flags & SD_WAKE_AFFINE))
		strbuf_addstr(sb, "; too far for wakeups, fork and exec");
	strbuf_addch(sb, '\n');
	for (unsigned int i = 0; i < sd->ring->nr && i < MAX_GROUPS_SHOWN; i++)
		explain_group(tree, domain_group(sd, i), sb);
	if (sd->ring->nr > MAX_GROUPS_SHOWN)
		strbuf_addf(sb, "    and %u more groups\n", sd->ring->nr - MAX_GROUPS_SHOWN);
}

static void explain_gone(const struct domain_tree *tree, unsigned int cpu, unsigned int table,
			 struct strbuf *sb)
{
	const struct domain *sd = domain_at(tree, cpu, table);
	const struct level *level = &tree->levels.level[table];

	strbuf_addf(sb, "  %s is not: ", level->name);
	switch (sd->fate) {
	case DOMAIN_ABSENT:
		strbuf_addstr(sb, "a lower level spans every CPU already");
		break;
	case DOMAIN_ONE_CPU:
		strbuf_addstr(sb, "it would hold this CPU alone");
		break;
	case DOMAIN_NO_USE:
		strbuf_addstr(sb, "it has one group, so there is nothing to balance");
		break;
	default:
		strbuf_addstr(sb, "it spans the same CPUs as the level below (");
		cset_print(sd->span, sb);
		strbuf_addstr(sb, ") and does nothing more");
	}
	strbuf_addch(sb, '\n');
}

static void explain_dropped(const struct domain_tree *tree, struct strbuf *sb)
{
	const char *line = strbuf_str(&tree->levels.dropped), *end;

	for (; *line; line = end + 1) {
		end = strchr(line, '\n');
		strbuf_addf(sb, "  no level %.*s\n", (int)(end - line), line);
	}
	if (tree->levels.numa.bad)
		strbuf_addf(sb, "  no NUMA levels: %s\n", tree->levels.numa.bad);
}

static void explain_complaints(const struct domain_tree *tree, struct strbuf *sb)
{
	bool told[NR_COMPLAINTS] = { false };

	for (unsigned int i = 0; i < tree->complaints.nr; i++) {
		const struct complaint *c = &tree->complaints.list[i];

		if (told[c->kind])
			continue;
		told[c->kind] = true;
		strbuf_addf(sb, "  says, %u times: %s\n    %s\n",
			    complaints_count(&tree->complaints, c->kind), c->text,
			    complaint_why(c->kind));
	}
}

/* Which releases complain of what: a line a kind. */
static void other_releases(const struct hotplug *state, char *const *config, size_t nr_config,
			   struct strbuf *sb)
{
	unsigned int major = RELEASE_FIRST_MAJOR, minor = RELEASE_FIRST_MINOR;
	struct strbuf line[NR_COMPLAINTS] = { 0 };

	do {
		struct release r;
		struct hotplug *h;

		release_preset(&r, major, minor, state->release.arch);
		for (size_t i = 0; i < nr_config; i++)
			release_config(&r, config[i], NULL);
		h = hotplug_boot(state->machine, &r);
		for (unsigned int k = 0; k < NR_COMPLAINTS; k++)
			for (unsigned int t = 0; t < h->nr_trees; t++)
				if (complaints_count(&h->tree[t]->complaints,
						     (enum complaint_kind)k)) {
					strbuf_addf(&line[k], " %u.%u", major, minor);
					break;
				}
		hotplug_free(h);
	} while (release_next(&major, &minor));
	for (unsigned int k = 0; k < NR_COMPLAINTS; k++) {
		static const char *const names[NR_COMPLAINTS] = {
			[COMPLAINT_ASYMMETRIC] = "Node-distance not symmetric",
			[COMPLAINT_SIBLING] = "sibling CPU is not on the same node",
			[COMPLAINT_PACKAGE_NODE] = "WARNING at set_cpu_sibling_map",
			[COMPLAINT_SUBSET] = "arch topology borken",
			[COMPLAINT_SPAN] = "WARNING at build_sched_domains, no domains",
			[COMPLAINT_SMT_CAPACITY] = "CPU capacity asymmetry not supported on SMT",
			[COMPLAINT_DIAMETER] = "Shortest NUMA path spans too many nodes",
			[COMPLAINT_DEBUG] = "ERROR lines of sched_verbose",
		};

		if (line[k].len)
			strbuf_addf(sb, "  \"%s\" on%s\n", names[k], line[k].s);
		strbuf_release(&line[k]);
	}
}

void explain_cpu(const struct hotplug *state, unsigned int cpu, char *const *config,
		 size_t nr_config, struct strbuf *sb)
{
	const struct domain_tree *tree = hotplug_tree(state, cpu);
	size_t before;

	strbuf_addf(sb, "CPU %u on kernel %u.%u (%s):\n", cpu, state->release.major,
		    state->release.minor, machine_arch_name(state->release.arch));
	if (!tree) {
		strbuf_addstr(sb, !cset_test(state->housekeeping, cpu)
					  ? "  isolated: it is in no domain\n"
					  : "  offline: it is in no domain\n");
		return;
	}
	if (tree->failed) {
		strbuf_addf(sb,
			    "  no CPU has a domain: at level %s, CPU %u, the check of spans fell\n",
			    tree->levels.level[tree->failed_level].name, tree->failed_cpu);
	} else {
		explain_dropped(tree, sb);
		for (unsigned int i = 0; i < tree->levels.nr; i++) {
			const struct domain *sd = domain_at(tree, cpu, i);

			if (sd->fate == DOMAIN_KEPT)
				explain_kept(tree, sd, sb);
			else
				explain_gone(tree, cpu, i, sb);
		}
	}
	if (tree->levels.numa.nr > 1)
		strbuf_addf(sb, "  the nodes are %s: %u distances, the largest %u\n",
			    numa_type_name(tree->levels.numa.type), tree->levels.numa.nr,
			    tree->levels.numa.max_distance);
	explain_complaints(tree, sb);
	strbuf_addstr(sb, "Complaints by release:\n");
	before = sb->len;
	other_releases(state, config, nr_config, sb);
	if (sb->len == before)
		strbuf_addstr(sb, "  none\n");
}

/* Everything that is compared between releases, as text. */
static char *outcome(const struct machine *m, const struct release *r, struct strbuf *complaints)
{
	struct hotplug *h = hotplug_boot(m, r);
	struct strbuf text = { 0 };

	print_compact(h, &text);
	strbuf_reset(complaints);
	for (unsigned int i = 0; i < h->nr_trees; i++) {
		struct strbuf all = { 0 };

		for (unsigned int k = 0; k < NR_COMPLAINTS; k++) {
			unsigned int n =
				complaints_count(&h->tree[i]->complaints, (enum complaint_kind)k);
			const struct complaint *c = h->tree[i]->complaints.list;

			for (; n && c->kind != (enum complaint_kind)k; c++)
				;
			if (n)
				strbuf_addf(&all, "  %u x %.*s\n", n, (int)strcspn(c->text, "\n"),
					    c->text);
		}
		strbuf_addstr(complaints, strbuf_str(&all));
		strbuf_release(&all);
	}
	hotplug_free(h);
	strbuf_addstr(&text, strbuf_str(complaints));
	return strbuf_take(&text);
}

/* Lines of @now that are not in @before, each behind "+", and the other way round behind "-". */
static void differences(const char *before, const char *now, struct strbuf *sb)
{
	const char *const texts[] = { before, now };

	for (unsigned int side = 0; side < 2; side++) {
		const char *line, *end;

		for (line = texts[side]; *line; line = end + 1) {
			char *copy;

			end = strchr(line, '\n');
			copy = xstrndup(line, (size_t)(end - line) + 1);
			if (!strstr(texts[!side], copy))
				strbuf_addf(sb, "%c %s", side ? '+' : '-', copy);
			free(copy);
		}
	}
}

void compare_releases(const struct machine *m, enum machine_arch arch, char *const *config,
		      size_t nr_config, struct strbuf *sb)
{
	unsigned int major = RELEASE_FIRST_MAJOR, minor = RELEASE_FIRST_MINOR;
	struct strbuf complaints = { 0 };
	char *before = NULL;

	do {
		struct release r;
		char *now;

		release_preset(&r, major, minor, arch);
		for (size_t i = 0; i < nr_config; i++)
			release_config(&r, config[i], NULL);
		now = outcome(m, &r, &complaints);
		if (!before) {
			strbuf_addf(sb, "%u.%u:\n%s", major, minor, now);
		} else if (strcmp(before, now)) {
			strbuf_addf(sb, "from %u.%u on:\n", major, minor);
			differences(before, now, sb);
		}
		free(before);
		before = now;
	} while (release_next(&major, &minor));
	strbuf_addstr(sb, "and so to " RELEASE_LAST "\n");
	free(before);
	strbuf_release(&complaints);
}
