/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/draw_svg.h - a machine and its sched domains as one picture: an SVG file that needs nothing else and
 * opens in any browser.
 */
#ifndef TOPO_DRAW_SVG_H
#define TOPO_DRAW_SVG_H

#include "topo/hotplug.h"

#include "base/strbuf.h"

/**
 * draw_svg() - append the drawing of a machine as it stands
 *
 * From the top: nested boxes of the levels with their CPUs and nominal capacity; the levels with
 * what their flags mean, levels that were removed, and levels whose spans overlap and so can't be
 * boxes; the distances of the nodes as a heat map. Of boxes that are built alike the first is drawn
 * and the others are named ("x 59 equal"), unless there are 128 CPUs or fewer. CPUs that are in no
 * domain stand apart.
 */
void draw_svg(const struct hotplug *state, struct strbuf *sb);

/* The parts. Each draws at @x, @y, or only measures if @sb is NULL, and gives its size. */
struct extent {
	int w, h;
};

/** draw_heat() - the distance matrix; nothing but a line for one node (draw_heat.c) */
struct extent draw_heat(const struct machine *m, const struct numa_levels *numa, struct strbuf *sb,
			int x, int y);

/** draw_levels() - the levels of a tree in words (draw_levels.c) */
struct extent draw_levels(const struct domain_tree *tree, struct strbuf *sb, int x, int y);

/** level_fill(), level_stroke() - colours of a domain, by what its level shares (draw_levels.c) */
const char *level_fill(const struct domain *sd);
const char *level_stroke(const struct domain *sd);

#endif
