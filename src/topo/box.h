/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/box.h - domains as boxes in boxes, for a drawing: which levels nest, which boxes are built alike,
 * and where each is placed. Memory: an arena of the caller's, freed whole.
 */
#ifndef TOPO_BOX_H
#define TOPO_BOX_H

#include "topo/domains.h"

/**
 * struct box - a domain of some CPUs, or one CPU
 * @sd:       of its first CPU; NULL for a CPU, and for what has no domain at all
 * @table:    index of its level; levels.nr where @sd is NULL and it holds more than a CPU
 * @capacity: sum over its CPUs
 * @class:    equal in boxes that are built alike: level, flags, CPUs, capacities, and all within
 * @child:    child[nr], by first CPU; none in a CPU
 */
struct box {
	const struct cset *span;
	const struct domain *sd;
	unsigned int table;
	unsigned int capacity;
	unsigned int class;
	struct box **child;
	unsigned int nr;
};

/** box_nests() - are the spans of a level equal or apart, so that they can be drawn as boxes? */
bool box_nests(const struct domain_tree *tree, unsigned int table);

/**
 * box_tree() - the boxes of a tree's map
 *
 * Levels whose spans overlap are left out. The outermost box is the map, with or without a domain
 * of that span.
 */
struct box *box_tree(const struct domain_tree *tree, struct arena *arena);

enum item_kind {
	ITEM_FULL, /* a box with all within */
	ITEM_TILE, /* a box of which only the name is shown: it is like one that is shown in full */
	ITEM_STACK, /* @count boxes of one class, of which the first and last are named */
	ITEM_CPU,
};

/**
 * struct item - a box or some boxes as they are drawn
 * @box, @last: the box; of a stack the first and the last
 * @x, @y:   relative to the item it is within
 * @name, @range, @note: in its head; @note NULL where it doesn't fit
 * @small:   its head is a small one
 * @item:    item[nr], what is within
 */
struct item {
	enum item_kind kind;
	const struct box *box, *last;
	unsigned int count;
	int x, y, w, h;
	char *name, *range, *note;
	bool small;
	struct item *item;
	unsigned int nr;
};

/* Measures that drawing needs as well. */
enum {
	ITEM_PAD = 8,
	ITEM_HEAD = 18,	      /* height of a box's head */
	ITEM_HEAD_SMALL = 14, /* of a box that holds four CPUs or fewer */
	CPU_W = 34,
	CPU_H = 28,
	STACK_STEP = 3,
};

/**
 * item_layout() - decide what is shown in full, and place everything
 * @max_w: width that should not be exceeded; one that can't be narrower exceeds it
 *
 * Of boxes that are built alike the first is shown in full, the others by name, unless all of them
 * have few CPUs.
 */
void item_layout(struct item *item, const struct domain_tree *tree, const struct box *box,
		 int max_w, struct arena *arena);

/** box_range() - CPUs of a set in at most @max characters, "…" for those left out */
char *box_range(const struct cset *set, unsigned int max, struct arena *arena);

#endif
