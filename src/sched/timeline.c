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
	if (below->max_slice_ns > se->max_slice_ns)
		se->max_slice_ns = below->max_slice_ns;
}

/* Its minima from itself and its children. Return: whether they changed. */
static bool refresh(struct entity *se)
{
	uint64_t vruntime = se->min_vruntime, least = se->min_slice_ns, most = se->max_slice_ns;

	se->min_vruntime = se->vruntime;
	se->min_slice_ns = se->max_slice_ns = se->slice_ns;
	lower(se, se->left);
	lower(se, se->right);
	return se->min_vruntime != vruntime || se->min_slice_ns != least ||
	       se->max_slice_ns != most;
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
	se->max_slice_ns = parent->max_slice_ns;
	refresh(parent);
}

static void tree_insert(struct timeline *timeline, struct entity *se)
{
	struct entity **place = &timeline->root, *parent = NULL;
	bool first = true;

	se->left = se->right = NULL;
	se->min_vruntime = se->vruntime;
	se->min_slice_ns = se->max_slice_ns = se->slice_ns;
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

static struct entity *tree_next(const struct entity *se)
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

static void tree_erase(struct timeline *timeline, struct entity *se)
{
	struct entity *child, *above;

	if (timeline->first == se)
		timeline->first = tree_next(se);
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

static void few_insert(struct timeline *timeline, struct entity *se)
{
	struct timeline_few *at = &timeline->few[timeline->nr++];

	for (; at > timeline->few && key_before(se->key, at[-1].key); at--)
		*at = at[-1];
	*at = (struct timeline_few){ se->key, se->vruntime, se->slice_ns, se };
	timeline->first = timeline->few[0].se;
}

static void few_erase(struct timeline *timeline, const struct entity *se)
{
	struct timeline_few *at = timeline->few, *last = at + --timeline->nr;

	while (at->se != se)
		at++;
	for (; at < last; at++)
		*at = at[1];
	timeline->first = timeline->nr ? timeline->few[0].se : NULL;
}

static void to_tree(struct timeline *timeline)
{
	for (uint32_t i = 0; i < timeline->nr; i++)
		tree_insert(timeline, timeline->few[i].se);
}

static void to_few(struct timeline *timeline)
{
	struct entity *se = timeline->first;

	timeline->nr = 0;
	timeline->root = NULL;
	for (; se; se = tree_next(se))
		few_insert(timeline, se);
}

void timeline_insert(struct timeline *timeline, struct entity *se)
{
	if (timeline->nr < TIMELINE_FEW && !timeline->root) {
		few_insert(timeline, se);
		return;
	}
	if (!timeline->root)
		to_tree(timeline);
	tree_insert(timeline, se);
	timeline->nr++;
}

/* It stays a tree until it is half as large as it must be. */
void timeline_erase(struct timeline *timeline, struct entity *se)
{
	if (!timeline->root) {
		few_erase(timeline, se);
		return;
	}
	tree_erase(timeline, se);
	if (--timeline->nr <= TIMELINE_FEW / 2)
		to_few(timeline);
}

struct entity *timeline_next(const struct timeline *timeline, const struct entity *se)
{
	if (timeline->root)
		return tree_next(se);
	for (uint32_t i = 1; i < timeline->nr; i++)
		if (timeline->few[i - 1].se == se)
			return timeline->few[i].se;
	return NULL;
}

uint64_t timeline_least_slice(const struct timeline *timeline)
{
	uint64_t least = UINT64_MAX;

	if (timeline->root)
		return timeline->root->min_slice_ns;
	for (uint32_t i = 0; i < timeline->nr; i++)
		if (timeline->few[i].slice_ns < least)
			least = timeline->few[i].slice_ns;
	return least;
}

uint64_t timeline_greatest_slice(const struct timeline *timeline)
{
	uint64_t most = 0;

	if (timeline->root)
		return timeline->root->max_slice_ns;
	for (uint32_t i = 0; i < timeline->nr; i++)
		if (timeline->few[i].slice_ns > most)
			most = timeline->few[i].slice_ns;
	return most;
}
