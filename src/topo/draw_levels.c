// SPDX-License-Identifier: GPL-2.0-only
/* topo/draw_levels.c - the levels beside the boxes: name, colour, count, and what the flags mean. */
#include "topo/draw_svg.h"

#include "topo/box.h"
#include "topo/svg.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define LINE	  17
#define MAX_CHARS 76
#define NAME_AT	  22
#define TEXT_AT	  80

static const struct {
	unsigned int flag;
	const char *fill, *stroke;
} colours[] = {
	/* the first that a domain has */
	{ SD_NUMA, "#e4edf8", "#5b82b8" },    { SD_SHARE_CPUCAPACITY, "#fdeee0", "#c27a36" },
	{ SD_CLUSTER, "#f3e8fa", "#8a5bb0" }, { SD_SHARE_LLC, "#e6f4e6", "#4e9a57" },
	{ 0, "#f6f3df", "#a08f45" },
};

static size_t colour(const struct domain *sd)
{
	size_t i = 0;

	while (colours[i].flag && !(sd && sd->flags & colours[i].flag))
		i++;
	return i;
}

const char *level_fill(const struct domain *sd)
{
	return sd ? colours[colour(sd)].fill : "#f2f2f2";
}

const char *level_stroke(const struct domain *sd)
{
	return sd ? colours[colour(sd)].stroke : "#999999";
}

/* What all the domains of a level have in common. */
struct summary {
	const struct domain *kept, *gone; /* one of each */
	unsigned int flags;		  /* that some kept one has */
	unsigned int spans;		  /* distinct */
	unsigned int least, most;	  /* CPUs */
};

static void add_domain(struct summary *s, const struct domain *sd, bool *seen)
{
	if (sd->fate != DOMAIN_KEPT) {
		s->gone = s->gone ? s->gone : sd;
		return;
	}
	s->kept = s->kept ? s->kept : sd;
	s->flags |= sd->flags;
	if (seen[sd->span->id])
		return;
	seen[sd->span->id] = true;
	s->spans++;
	s->least = s->spans == 1 || sd->span->weight < s->least ? sd->span->weight : s->least;
	s->most = sd->span->weight > s->most ? sd->span->weight : s->most;
}

static struct summary summarise(const struct domain_tree *tree, unsigned int table)
{
	bool *seen = xcalloc(cset_pool_count(tree->machine->pool), sizeof(*seen));
	struct summary s = { 0 };
	unsigned int cpu;

	cset_for_each (cpu, tree->map) {
		const struct domain *sd = domain_at(tree, cpu, table);

		if (sd->span)
			add_domain(&s, sd, seen);
	}
	free(seen);
	return s;
}

static void meaning(struct strbuf *sb, const struct summary *s)
{
	static const struct {
		unsigned int flag;
		const char *words;
	} words[] = {
		{ SD_SHARE_CPUCAPACITY, "threads of a core" },
		{ SD_CLUSTER, "a cluster" },
		{ SD_SHARE_LLC, "shares the last cache" },
		{ SD_NUMA, "several nodes" },
		{ SD_OVERLAP, "groups may overlap" },
		{ SD_PREFER_SIBLING, "spreads over groups" },
		{ SD_ASYM_CPUCAPACITY, "capacities differ" },
		{ SD_ASYM_PACKING, "some CPUs preferred" },
	};
	const char *comma = "";

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!(s->flags & words[i].flag))
			continue;
		strbuf_addf(sb, "%s%s", comma, words[i].words);
		comma = ", ";
	}
	if (!(s->kept->flags & SD_WAKE_AFFINE))
		strbuf_addf(sb, "%sno wakeup, fork or exec across", comma);
}

static const char *fate_words(const struct domain *gone)
{
	switch (gone->fate) {
	case DOMAIN_ONE_CPU:
		return "removed: one CPU";
	case DOMAIN_NO_USE:
		return "removed: one group";
	default:
		return "removed: the level below spans the same";
	}
}

struct pen {
	struct strbuf *sb;
	int x, y, lines, w;
};

/* A line of text at @indent, with a @name before it or NULL; only counted if nothing is drawn. */
static void line(struct pen *p, int indent, const char *class, const char *name, const char *text)
{
	int end = indent + svg_width(strlen(text));

	p->w = end > p->w ? end : p->w;
	if (p->sb && name)
		svg_text(p->sb, p->x + NAME_AT, p->y + p->lines * LINE + 12, class, name);
	if (p->sb)
		svg_text(p->sb, p->x + indent, p->y + p->lines * LINE + 12, class, text);
	p->lines++;
}

static void kept_level(struct pen *p, const struct domain_tree *tree, unsigned int table,
		       const struct summary *s)
{
	struct strbuf text = { 0 };

	if (p->sb)
		svg_rect(p->sb, p->x, p->y + p->lines * LINE + 1, 14, 13, 2, level_fill(s->kept),
			 level_stroke(s->kept));
	strbuf_addf(&text, "%u domain%s of %u", s->spans, s->spans == 1 ? "" : "s", s->least);
	if (s->most > s->least)
		strbuf_addf(&text, " to %u", s->most);
	strbuf_addstr(&text, " CPUs");
	if (tree->levels.level[table].flags & SD_NUMA)
		strbuf_addf(&text, ", distance up to %u",
			    tree->levels.numa.distance[tree->levels.level[table].numa]);
	line(p, TEXT_AT, "b", tree->levels.level[table].name, strbuf_str(&text));
	strbuf_reset(&text);
	meaning(&text, s);
	line(p, TEXT_AT, "s", NULL, strbuf_str(&text));
	strbuf_release(&text);
}

static void overlap_level(struct pen *p, const struct domain_tree *tree, const struct summary *s)
{
	struct arena *arena = arena_new();
	struct strbuf text = { 0 };

	strbuf_addf(&text, "spans overlap, so no box: CPU %u sees %s", tree->map->first,
		    box_range(s->kept->span, 30, arena));
	line(p, TEXT_AT, "s", NULL, strbuf_str(&text));
	strbuf_release(&text);
	arena_free(arena);
}

static void one_level(struct pen *p, const struct domain_tree *tree, unsigned int table)
{
	struct summary s = summarise(tree, table);

	if (s.kept) {
		kept_level(p, tree, table, &s);
		if (!box_nests(tree, table))
			overlap_level(p, tree, &s);
	} else if (s.gone) {
		line(p, TEXT_AT, "g", tree->levels.level[table].name, fate_words(s.gone));
	}
}

/* Complaints are for people to see at once; long ones are cut. */
static void complaints(struct pen *p, const struct domain_tree *tree)
{
	const struct complaints *c = &tree->complaints;
	struct strbuf text = { 0 };

	for (unsigned int i = 0; i < c->nr && i < 4; i++) {
		const char *words = c->list[i].text;

		strbuf_reset(&text);
		strbuf_addf(&text, "%.*s", MAX_CHARS, words);
		line(p, 0, "s", NULL, strbuf_str(&text));
	}
	if (c->nr > 4)
		line(p, 0, "s", NULL, "and more");
	strbuf_release(&text);
}

struct extent draw_levels(const struct domain_tree *tree, struct strbuf *sb, int x, int y)
{
	struct pen p = { .sb = sb, .x = x, .y = y };

	line(&p, 0, "b", NULL,
	     tree->failed ? "No domains: the span check fell" : "Levels, from the top");
	for (unsigned int i = tree->levels.nr; i-- > 0;)
		if (!tree->failed)
			one_level(&p, tree, i);
	complaints(&p, tree);
	return (struct extent){ p.w, p.lines * LINE };
}
