// SPDX-License-Identifier: GPL-2.0-only
/* topo/print_files.c - the files below debugfs and /proc that show domains. */
#include "topo/print.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void print_flags(unsigned int flags, const struct release *r, const char *none,
			struct strbuf *sb)
{
	const char *space = "";

	if (!flags)
		strbuf_addstr(sb, none);
	for (unsigned int bit = 0; bit < NR_SD_FLAGS; bit++) {
		if (!(flags & 1u << bit))
			continue;
		strbuf_addf(sb, "%s%s", space, sd_flag_name(bit, r));
		space = " ";
	}
}

static void debugfs_line(const struct domain_tree *tree, const struct domain *sd, unsigned int n,
			 struct strbuf *sb)
{
	const struct release *r = &tree->release;

	strbuf_addf(sb,
		    "domain%u name=%s min_interval=%u max_interval=%u busy_factor=16 "
		    "imbalance_pct=%u cache_nice_tries=%u ",
		    n, domain_name(tree, sd), sd->weight, 2 * sd->weight, domain_imbalance_pct(sd),
		    domain_cache_nice_tries(sd));
	if (r->print_level_numbers) {
		strbuf_addf(sb, "level=%u groups_flags=", sd->level);
		print_flags(sd->first_flags, r, "-", sb);
		strbuf_addch(sb, ' ');
	}
	strbuf_addstr(sb, "flags=");
	print_flags(sd->flags, r, "-", sb);
}

/* Equal lines of several CPUs become one; lines stand in the order of the first CPU that has them. */
struct folded {
	char *text;
	struct cbits *cpus;
};

struct fold {
	struct folded *line;
	unsigned int nr;
	const struct machine *m;
};

static void fold_add(struct fold *fold, unsigned int cpu, struct strbuf *text)
{
	unsigned int i;

	for (i = 0; i < fold->nr; i++)
		if (!strcmp(fold->line[i].text, strbuf_str(text)))
			break;
	if (i == fold->nr) {
		fold->line = xreallocarray(fold->line, fold->nr + 1, sizeof(*fold->line));
		fold->line[fold->nr++] =
			(struct folded){ xstrdup(strbuf_str(text)), cbits_new(fold->m->pool) };
	}
	cbits_set(fold->line[i].cpus, cpu);
	strbuf_reset(text);
}

static void fold_cpu(struct fold *fold, const struct hotplug *state, unsigned int cpu)
{
	const struct domain_tree *tree = hotplug_tree(state, cpu);
	const struct domain *sd = tree ? tree->base[cpu] : NULL;
	struct strbuf text = { 0 };
	unsigned int n = 0;

	if (!sd) {
		strbuf_addstr(&text, "none");
		fold_add(fold, cpu, &text);
	}
	for (; sd; sd = sd->parent) {
		debugfs_line(tree, sd, n++, &text);
		fold_add(fold, cpu, &text);
	}
	strbuf_release(&text);
}

void print_debugfs(const struct hotplug *state, struct strbuf *sb)
{
	struct fold fold = { .m = state->machine };
	unsigned int cpu;

	strbuf_addstr(sb, "# cpus <list> domainN key=value... ; flags= ends the line; "
			  "\"none\" = no domain at all\n");
	cset_for_each (cpu, state->machine->possible)
		fold_cpu(&fold, state, cpu);
	for (unsigned int i = 0; i < fold.nr; i++) {
		strbuf_addstr(sb, "cpus ");
		cset_print(cset_intern(fold.m->pool, fold.line[i].cpus), sb);
		strbuf_addf(sb, " %s\n", fold.line[i].text);
		free(fold.line[i].text);
		cbits_free(fold.line[i].cpus);
	}
	free(fold.line);
}

static void file_line(struct strbuf *sb, unsigned int cpu, unsigned int n, const char *name,
		      unsigned int value)
{
	strbuf_addf(sb, "cpu%u/domain%u/%s: %u\n", cpu, n, name, value);
}

static void domain_files(const struct domain_tree *tree, unsigned int cpu, const struct domain *sd,
			 unsigned int n, struct strbuf *sb)
{
	file_line(sb, cpu, n, "busy_factor", 16);
	file_line(sb, cpu, n, "cache_nice_tries", domain_cache_nice_tries(sd));
	strbuf_addf(sb, "cpu%u/domain%u/flags: ", cpu, n);
	print_flags(sd->flags, &tree->release, "", sb);
	strbuf_addch(sb, '\n');
	if (tree->release.print_level_numbers) {
		strbuf_addf(sb, "cpu%u/domain%u/groups_flags: ", cpu, n);
		print_flags(sd->first_flags, &tree->release, "", sb);
		strbuf_addch(sb, '\n');
	}
	file_line(sb, cpu, n, "imbalance_pct", domain_imbalance_pct(sd));
	if (tree->release.print_level_numbers)
		file_line(sb, cpu, n, "level", sd->level);
	file_line(sb, cpu, n, "max_interval", 2 * sd->weight);
	file_line(sb, cpu, n, "min_interval", sd->weight);
	strbuf_addf(sb, "cpu%u/domain%u/name: %s\n", cpu, n, domain_name(tree, sd));
}

void print_debugfs_files(const struct hotplug *state, struct strbuf *sb)
{
	unsigned int cpu, n;

	cset_for_each (cpu, state->machine->possible) {
		const struct domain_tree *tree = hotplug_tree(state, cpu);
		const struct domain *sd = tree ? tree->base[cpu] : NULL;

		for (n = 0; sd; sd = sd->parent)
			domain_files(tree, cpu, sd, n++, sb);
	}
}

/* The kernel's %*pb: 32 bits a group, the most significant first, as wide as the possible CPUs. */
static void print_hex(const struct cset *set, unsigned int bits, struct strbuf *sb)
{
	for (unsigned int group = (bits + 31) / 32; group-- > 0;) {
		unsigned int top = bits - group * 32 < 32 ? bits - group * 32 : 32;
		uint32_t word = (uint32_t)(cset_word(set, group / 2) >> group % 2 * 32);

		strbuf_addf(sb, "%0*x%s", (int)(top + 3) / 4, word, group ? "," : "");
	}
}

void print_schedstat(const struct hotplug *state, struct strbuf *sb)
{
	unsigned int version = state->release.schedstat_version, cpu, n;

	strbuf_addf(sb, "version %u\n", version);
	cset_for_each (cpu, state->active) {
		const struct domain_tree *tree = hotplug_tree(state, cpu);
		const struct domain *sd = tree ? tree->base[cpu] : NULL;

		strbuf_addf(sb, "cpu%u\n", cpu);
		for (n = 0; sd; sd = sd->parent) {
			strbuf_addf(sb, "domain%u ", n++);
			if (version >= 17)
				strbuf_addf(sb, "%s ", domain_name(tree, sd));
			print_hex(sd->span, state->machine->nr_cpus, sb);
			strbuf_addch(sb, '\n');
		}
	}
}
