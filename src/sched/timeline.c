// SPDX-License-Identifier: GPL-2.0-only
#include "sched/entity.h"

static void lower(struct entity *se, const struct entity *below)
{
	if (!below)
		return;
	if (key_before(below->min_vruntime, se->min_vruntime))
		se->min_vruntime = below->min_vruntime;
	if (below->min_slice_ns < se->min_slice_ns)
		se->min_slice_ns = below->min_slice_ns;
}

/* Its minima from itself and its children. Return: whether they changed. */
static bool refresh(struct entity *se)
{
	uint64_t vruntime = se->min_vruntime, slice_ns = se->min_slice_ns;

	se->min_vruntime = se->vruntime;
	se->min_slice_ns = se->slice_ns;
	lower(se, se->left);
	lower(se, se->right);
	return se->min_vruntime != vruntime || se->min_slice_ns != slice_ns;
}

static struct entity **place_of(struct timeline *timeline, struct entity *se)
{
	if (!se->parent)
		return &timeline->root;
	return se->parent->left == se ? &se->parent->left : &se->parent->right;
}

/* @se takes its parent's place, which becomes its child. Both subtrees together hold what they held. */
static void rotate_up(struct timeline *timeline, struct entity *se)
{
	struct entity *parent = se->parent, *inner;

	*place_of(timeline, parent) = se;
	se->parent = parent->parent;
	parent->parent = se;
	if (parent->left == se) {
		inner = se->right;
		parent->left = inner;
		se->right = parent;
	} else {
		inner = se->left;
		parent->right = inner;
		se->left = parent;
	}
	if (inner)
		inner->parent = parent;
	se->min_vruntime = parent->min_vruntime;
	se->min_slice_ns = parent->min_slice_ns;
	refresh(parent);
}

void timeline_insert(struct timeline *timeline, struct entity *se)
{
	struct entity **place = &timeline->root, *parent = NULL;
	bool first = true;

	se->left = se->right = NULL;
	se->min_vruntime = se->vruntime;
	se->min_slice_ns = se->slice_ns;
	while (*place) {
		parent = *place;
		lower(parent, se);
		if (key_before(se->key, parent->key)) {
			place = &parent->left;
		} else {
			place = &parent->right;
			first = false;
		}
	}
	se->parent = parent;
	*place = se;
	if (first)
		timeline->first = se;
	while (se->parent && se->priority < se->parent->priority)
		rotate_up(timeline, se);
}

void timeline_erase(struct timeline *timeline, struct entity *se)
{
	struct entity *child, *above;

	if (timeline->first == se)
		timeline->first = timeline_next(se);
	while (se->left && se->right)
		rotate_up(timeline,
			  se->left->priority < se->right->priority ? se->left : se->right);
	child = se->left ? se->left : se->right;
	*place_of(timeline, se) = child;
	if (child)
		child->parent = se->parent;
	for (above = se->parent; above && refresh(above); above = above->parent)
		;
	se->parent = se->left = se->right = NULL;
}

struct entity *timeline_next(const struct entity *se)
{
	struct entity *next = se->right;

	if (next) {
		while (next->left)
			next = next->left;
		return next;
	}
	while (se->parent && se->parent->right == se)
		se = se->parent;
	return se->parent;
}
