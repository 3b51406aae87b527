// SPDX-License-Identifier: GPL-2.0-only
#include "topo/draw_svg.h"

#include "topo/box.h"
#include "topo/svg.h"

#include "base/mem.h"

#include <stdlib.h>

#define MARGIN	20
#define BOXES_W 1160 /* boxes are no wider than this if they can help it */
#define TITLE_H 66
#define GAP	24

/* A CPU: filled from the bottom as far as its capacity goes. */
static void draw_cpu(struct strbuf *sb, const struct item *item, bool mixed, int x, int y)
{
	unsigned int cpu = item->box->span->first, capacity = item->box->capacity;
	int fill = CPU_H * (int)capacity / CAPACITY_FULL;

	svg_rect(sb, x, y, CPU_W, CPU_H, 2, "#ffffff", NULL);
	svg_rect(sb, x, y + CPU_H - fill, CPU_W, fill, 2, "#bcd7ee", NULL);
	svg_rect(sb, x, y, CPU_W, CPU_H, 2, "none", "#7d96ab");
	if (!mixed) {
		svg_textf(sb, x + CPU_W / 2, y + CPU_H / 2 + 4, "s m", "%u", cpu);
		return;
	}
	svg_textf(sb, x + CPU_W / 2, y + 12, "s m", "%u", cpu);
	svg_textf(sb, x + CPU_W / 2, y + CPU_H - 5, "xs m", "%u", capacity);
}

static void draw_tile(struct strbuf *sb, const struct item *item, int x, int y)
{
	svg_rect(sb, x, y, item->w, item->h, 4, level_fill(item->box->sd),
		 level_stroke(item->box->sd));
	svg_textf(sb, x + ITEM_PAD, y + 14, "b", "%s", item->name);
	svg_text(sb, x + item->w - ITEM_PAD, y + 14, "s e g", "equal");
	svg_text(sb, x + ITEM_PAD, y + 29, "", item->range);
	svg_text(sb, x + ITEM_PAD, y + 43, "s g", item->note);
}

static void draw_stack(struct strbuf *sb, const struct item *item, int x, int y)
{
	int w = item->w - 2 * STACK_STEP, h = item->h - 2 * STACK_STEP;
	const char *fill = level_fill(item->box->sd), *stroke = level_stroke(item->box->sd);

	for (int i = 2; i >= 0; i--)
		svg_rect(sb, x + i * STACK_STEP, y + i * STACK_STEP, w, h, 4, fill, stroke);
	svg_text(sb, x + ITEM_PAD, y + 15, "b", item->name);
	svg_text(sb, x + ITEM_PAD, y + 29, "s", item->range);
}

static void draw_head(struct strbuf *sb, const struct item *item, int x, int y)
{
	int pad = item->small ? ITEM_PAD / 2 : ITEM_PAD, base = y + (item->small ? 11 : 14);

	svg_textf(sb, x + pad, base, item->small ? "s" : "b", "%s %s", item->name, item->range);
	if (item->note)
		svg_text(sb, x + item->w - pad, base, "s e g", item->note);
}

/* Depth is that of the level table at most. */
static void draw_item(struct strbuf *sb, const struct item *item, bool mixed, int x,
		      int y) // NOLINT(misc-no-recursion)
{
	switch (item->kind) {
	case ITEM_CPU:
		draw_cpu(sb, item, mixed, x, y);
		return;
	case ITEM_TILE:
		draw_tile(sb, item, x, y);
		return;
	case ITEM_STACK:
		draw_stack(sb, item, x, y);
		return;
	case ITEM_FULL:
		break;
	}
	svg_rect(sb, x, y, item->w, item->h, 4, level_fill(item->box->sd),
		 level_stroke(item->box->sd));
	draw_head(sb, item, x, y);
	for (unsigned int i = 0; i < item->nr; i++)
		draw_item(sb, &item->item[i], mixed, x + item->item[i].x, y + item->item[i].y);
}

/* Are there CPUs of less than full capacity? Then each tells its own. */
static bool mixed_capacity(const struct machine *m)
{
	unsigned int cpu;

	cset_for_each (cpu, m->possible)
		if (m->cpu[cpu].capacity != CAPACITY_FULL)
			return true;
	return false;
}

/* CPUs that no tree has, being isolated or offline, and one that is alone in its tree. */
static const struct cset *outside(const struct hotplug *state)
{
	const struct machine *m = state->machine;
	const struct cset *left = m->possible;

	for (unsigned int i = 0; i < state->nr_trees; i++)
		if (state->tree[i]->map->weight > 1)
			left = cset_andnot(m->pool, left, state->tree[i]->map);
	return left;
}

static void subtitle(const struct hotplug *state, struct strbuf *line, struct arena *arena)
{
	const struct machine *m = state->machine;
	const struct cset *left = outside(state);

	strbuf_addf(line, "%s, %u CPUs, %u online, %u node%s; sched domains of Linux %u.%u",
		    machine_arch_name(state->release.arch), m->possible->weight,
		    state->active->weight, m->nr_nodes, m->nr_nodes == 1 ? "" : "s",
		    state->release.major, state->release.minor);
	if (left->weight)
		strbuf_addf(line, "; in no domain: %s", box_range(left, 40, arena));
}

/* Levels and distances below the boxes: side by side, or one under the other if that is narrower. */
static struct extent draw_below(const struct hotplug *state, struct strbuf *sb, int y, int width)
{
	const struct domain_tree *tree = state->tree[0];
	struct extent levels = draw_levels(tree, sb, MARGIN, y), heat;
	int side = MARGIN + levels.w + GAP, both;

	heat = draw_heat(state->machine, &tree->levels.numa, NULL, 0, 0);
	both = levels.w + GAP + heat.w;
	if (state->machine->nr_nodes < 2 || (both > width && both > BOXES_W)) {
		draw_heat(state->machine, &tree->levels.numa, sb, MARGIN, y + levels.h + GAP);
		return (struct extent){ levels.w > heat.w ? levels.w : heat.w,
					levels.h + GAP + heat.h };
	}
	draw_heat(state->machine, &tree->levels.numa, sb, side, y);
	return (struct extent){ both, levels.h > heat.h ? levels.h : heat.h };
}

void draw_svg(const struct hotplug *state, struct strbuf *sb)
{
	struct arena *arena = arena_new();
	struct item *item = xcalloc(state->nr_trees + 1, sizeof(*item));
	bool mixed = mixed_capacity(state->machine);
	const char *name = state->machine->name ? state->machine->name : "machine";
	struct strbuf line = { 0 };
	struct extent below;
	int boxes = 0, y = TITLE_H, w;

	for (unsigned int i = 0; i < state->nr_trees; i++) {
		const struct domain_tree *tree = state->tree[i];

		item_layout(&item[i], tree, box_tree(tree, arena), BOXES_W, arena);
		item[i].y = y;
		y += item[i].h + ITEM_PAD;
		boxes = item[i].w > boxes ? item[i].w : boxes;
	}
	y += GAP - ITEM_PAD;
	below = state->nr_trees ? draw_below(state, NULL, y, boxes) : (struct extent){ 0, 0 };
	subtitle(state, &line, arena);
	w = below.w > boxes ? below.w : boxes;
	w = svg_width(line.len) > w ? svg_width(line.len) : w;
	svg_open(sb, w + 2 * MARGIN, y + below.h + MARGIN, name);
	svg_text(sb, MARGIN, 32, "t", name);
	svg_text(sb, MARGIN, 52, "g", strbuf_str(&line));
	for (unsigned int i = 0; i < state->nr_trees; i++)
		draw_item(sb, &item[i], mixed, MARGIN, item[i].y);
	if (state->nr_trees)
		draw_below(state, sb, y, boxes);
	svg_close(sb);
	strbuf_release(&line);
	free(item);
	arena_free(arena);
}
