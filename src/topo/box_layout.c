// SPDX-License-Identifier: GPL-2.0-only
/* topo/box_layout.c - what of the boxes is shown, and where. */
#include "topo/box.h"

#include "topo/svg.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAP 6

/* A box of so many CPUs at most is shown with all of them. */
#define FULL_CPUS 128

/* Boxes like the one shown that get a tile each; if there are more, they are a stack. */
#define MOST_TILES 15

/* CPUs shown of a box that has too many of them and nothing else. */
#define MOST_CPUS 64

#define RANGE_CHARS	  28
#define RANGE_CHARS_SMALL 12
#define GOOD_RATIO	  2.4 /* width to height that a box should have */

struct layout {
	const struct domain_tree *tree;
	struct arena *arena;
};

static char *keep(struct arena *arena, const char *text)
{
	size_t n = strlen(text) + 1;

	return memcpy(arena_alloc(arena, n), text, n);
}

static char *keep_sb(struct arena *arena, struct strbuf *sb)
{
	char *text = keep(arena, strbuf_str(sb));

	strbuf_release(sb);
	return text;
}

char *box_range(const struct cset *set, unsigned int max, struct arena *arena)
{
	struct strbuf sb = { 0 };

	cset_print(set, &sb);
	if (sb.len > max) {
		size_t cut = max - 1;

		while (cut && sb.s[cut] != ',')
			cut--;
		sb.s[cut] = '\0';
		sb.len = cut;
		strbuf_addstr(&sb, ",…");
	}
	return keep_sb(arena, &sb);
}

/* Characters of UTF-8. */
static size_t length(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

static bool only_cpus(const struct box *box)
{
	for (unsigned int i = 0; i < box->nr; i++)
		if (box->child[i]->nr)
			return false;
	return true;
}

static const char *name_of(const struct layout *l, const struct box *box)
{
	return box->sd ? domain_name(l->tree, box->sd) : "no domain";
}

static char *capacity_note(const struct layout *l, const struct box *box)
{
	struct strbuf sb = { 0 };

	strbuf_addf(&sb, "%u CPUs, capacity %u", box->span->weight, box->capacity);
	return keep_sb(l->arena, &sb);
}

static void make_cpu(struct item *item, const struct box *box)
{
	*item = (struct item){ .kind = ITEM_CPU, .box = box, .count = 1, .w = CPU_W, .h = CPU_H };
}

static void make_tile(const struct layout *l, struct item *item, const struct box *box)
{
	*item = (struct item){
		.kind = ITEM_TILE,
		.box = box,
		.count = 1,
		.name = keep(l->arena, name_of(l, box)),
		.range = box_range(box->span, RANGE_CHARS, l->arena),
		.note = capacity_note(l, box),
		.h = 50,
	};
	item->w = svg_width(length(item->range));
	if (item->w < svg_width_small(length(item->note)))
		item->w = svg_width_small(length(item->note));
	item->w += 2 * ITEM_PAD;
}

static void make_stack(const struct layout *l, struct item *item, const struct box *first,
		       const struct box *last, unsigned int count)
{
	const char *a = box_range(first->span, RANGE_CHARS, l->arena);
	const char *z = box_range(last->span, RANGE_CHARS, l->arena);
	struct strbuf sb = { 0 };

	*item = (struct item){ .kind = ITEM_STACK, .box = first, .last = last, .count = count };
	strbuf_addf(&sb, "x %u equal", count);
	item->name = keep_sb(l->arena, &sb);
	strbuf_addf(&sb, "%s to %s", a, z);
	item->range = keep_sb(l->arena, &sb);
	item->w = svg_width_small(length(item->range));
	if (item->w < svg_width(length(item->name)))
		item->w = svg_width(length(item->name));
	item->w += 2 * ITEM_PAD + 2 * STACK_STEP;
	item->h = 36 + 2 * STACK_STEP;
}

/* Names of boxes don't stand beside the one that is shown in full. */
static bool new_row(const struct item *item)
{
	return item[-1].kind == ITEM_FULL && item->kind != ITEM_FULL && item->kind != ITEM_CPU;
}

/* Places items in rows no wider than @w. Fills the size taken. */
static void flow(struct item *item, unsigned int nr, int w, int *out_w, int *out_h)
{
	int x = 0, y = 0, row = 0;

	*out_w = 0;
	for (unsigned int i = 0; i < nr; i++) {
		if (x && (x + item[i].w > w || new_row(&item[i]))) {
			y += row + GAP;
			x = row = 0;
		}
		item[i].x = x;
		item[i].y = y;
		x += item[i].w + GAP;
		row = item[i].h > row ? item[i].h : row;
		*out_w = x - GAP > *out_w ? x - GAP : *out_w;
	}
	*out_h = y + row;
}

/* How far from a good shape, and how much of the area is empty. */
static double badness(const struct item *item, unsigned int nr, int w, int h)
{
	double used = 0, area = (double)w * h;

	for (unsigned int i = 0; i < nr; i++)
		used += (double)item[i].w * item[i].h;
	return fabs(log((double)w / h / GOOD_RATIO)) + 2 * (area / used - 1);
}

/* Places items in the best rows there are: tries a first row of 1, 2, ... items. */
static void arrange(struct item *item, unsigned int nr, int max_w, int *out_w, int *out_h)
{
	double least = 0;
	int best = max_w, w = -GAP;

	for (unsigned int i = 0; i < nr; i++) {
		double bad;

		w += item[i].w + GAP;
		if (i && w > max_w)
			break;
		flow(item, nr, w, out_w, out_h);
		bad = badness(item, nr, *out_w, *out_h);
		if (!i || bad < least) {
			least = bad;
			best = w;
		}
	}
	flow(item, nr, best, out_w, out_h);
}

/* Boxes of one kind get one width, so that they stand in columns. */
static void widen(struct item *item, unsigned int nr)
{
	for (unsigned int i = 0, end; i < nr; i = end) {
		int w = 0;

		for (end = i; end < nr && item[end].box->class == item[i].box->class &&
			      item[end].kind == item[i].kind;
		     end++)
			w = item[end].w > w ? item[end].w : w;
		for (unsigned int j = i; j < end; j++) {
			for (unsigned int k = 0; k < item[j].nr; k++)
				item[j].item[k].x += (w - item[j].w) / 2;
			item[j].w = w;
		}
	}
}

static void make_head(const struct layout *l, struct item *item)
{
	const struct box *box = item->box;
	unsigned int chars = item->small ? RANGE_CHARS_SMALL : RANGE_CHARS;
	int w;

	item->name = keep(l->arena, name_of(l, box));
	item->range = box_range(box->span, chars, l->arena);
	w = item->small ? svg_width_small(length(item->name) + 1 + length(item->range))
			: svg_width(length(item->name) + 1 + length(item->range));
	if (item->w < w + 2 * ITEM_PAD)
		item->w = w + 2 * ITEM_PAD;
	item->note = capacity_note(l, box);
	if (w + svg_width_small(length(item->note) + 2) > item->w - 2 * ITEM_PAD)
		item->note = NULL;
}

static void make_full(const struct layout *l, struct item *item, const struct box *box, int max_w);

/* All children of one class: the first in full, the rest by name. */
static void add_class(const struct layout *l, struct item *item, const struct box *box,
		      unsigned int first, int max_w) // NOLINT(misc-no-recursion)
{
	const struct box *one = box->child[first], *last = one;
	unsigned int nr = 0, shown = 0;
	bool cpus = !one->nr;

	for (unsigned int i = first; i < box->nr; i++)
		nr += box->child[i]->class == one->class;
	for (unsigned int i = first; i < box->nr; i++) {
		const struct box *child = box->child[i];

		if (child->class != one->class)
			continue;
		last = child;
		if (cpus && shown < MOST_CPUS)
			make_cpu(&item->item[item->nr++], child);
		else if (!shown)
			make_full(l, &item->item[item->nr++], child, max_w);
		else if (nr - 1 <= MOST_TILES && !cpus)
			make_tile(l, &item->item[item->nr++], child);
		else if (shown == (cpus ? MOST_CPUS : 1))
			one = child;
		shown++;
	}
	if (cpus ? nr > MOST_CPUS : nr - 1 > MOST_TILES)
		make_stack(l, &item->item[item->nr++], one, last, nr - (cpus ? MOST_CPUS : 1));
}

static void add_children(const struct layout *l, struct item *item, const struct box *box,
			 int max_w) // NOLINT(misc-no-recursion)
{
	bool *done;

	item->item = arena_alloc(l->arena, (box->nr + 1) * sizeof(*item->item));
	if (box->span->weight <= FULL_CPUS) {
		for (unsigned int i = 0; i < box->nr; i++)
			make_full(l, &item->item[item->nr++], box->child[i], max_w);
		return;
	}
	done = xcalloc(box->nr, sizeof(*done));
	for (unsigned int i = 0; i < box->nr; i++) {
		if (done[i])
			continue;
		add_class(l, item, box, i, max_w);
		for (unsigned int j = i; j < box->nr; j++)
			done[j] = done[j] || box->child[j]->class == box->child[i]->class;
	}
	free(done);
}

/* Depth is that of the level table at most. */
static void make_full(const struct layout *l, struct item *item, const struct box *box,
		      int max_w) // NOLINT(misc-no-recursion)
{
	bool small = only_cpus(box) && box->nr <= 4;
	int head = small ? ITEM_HEAD_SMALL : ITEM_HEAD, pad = small ? ITEM_PAD / 2 : ITEM_PAD;
	int w, h;

	if (!box->nr) {
		make_cpu(item, box);
		return;
	}
	*item = (struct item){ .kind = ITEM_FULL, .box = box, .count = 1, .small = small };
	add_children(l, item, box, max_w - 2 * ITEM_PAD);
	widen(item->item, item->nr);
	arrange(item->item, item->nr, max_w - 2 * ITEM_PAD, &w, &h);
	item->w = w + 2 * pad;
	make_head(l, item);
	for (unsigned int i = 0; i < item->nr; i++) {
		item->item[i].x += (item->w - w) / 2;
		item->item[i].y += head + pad / 2;
	}
	item->h = head + pad / 2 + h + pad;
}

void item_layout(struct item *item, const struct domain_tree *tree, const struct box *box,
		 int max_w, struct arena *arena)
{
	struct layout l = { .tree = tree, .arena = arena };

	int w;

	make_full(&l, item, box, max_w);
	if (item->kind == ITEM_CPU || item->note)
		return;
	/* the outermost tells its capacity in any case */
	item->note = capacity_note(&l, box);
	w = svg_width(length(item->name) + length(item->range) + 3) +
	    svg_width_small(length(item->note)) + 2 * ITEM_PAD;
	for (unsigned int i = 0; i < item->nr && w > item->w; i++)
		item->item[i].x += (w - item->w) / 2;
	item->w = w > item->w ? w : item->w;
}
