// SPDX-License-Identifier: GPL-2.0-only
/* topo/draw_heat.c - the distance matrix in colours: a path a colour, so that 1024 nodes stay a small file. */
#include "topo/draw_svg.h"

#include "topo/box.h"
#include "topo/svg.h"

#include <stdio.h>

#define NUMBERED   16 /* nodes up to which distances and CPUs are written out */
#define LEGEND	   10 /* distances named; of more, some */
#define MATRIX	   340
#define HEAD	   22
#define RANGE_MAX  24
#define MAX_VALUES 256

struct rgb {
	int r, g, b;
};

/* From near to far. */
static const struct rgb ramp[] = {
	{ 255, 247, 220 }, { 253, 208, 140 }, { 244, 141, 86 }, { 199, 59, 74 }, { 94, 18, 75 },
};

/* struct heat - what is drawn, and where */
struct heat {
	const struct machine *m;
	const struct numa_levels *numa;
	struct strbuf *sb;
	int x, y, cell, left;
	unsigned int value[MAX_VALUES]; /* distinct distances, ascending */
	unsigned int pairs[MAX_VALUES];
	unsigned int nr;
	unsigned int rank[MAX_VALUES]; /* of a distance: its index in value[] */
};

static unsigned int rank_of(const struct heat *h, unsigned int d)
{
	return h->rank[d < MAX_VALUES ? d : MAX_VALUES - 1];
}

/* Distances of one byte each, as firmware has them; what is larger counts as the largest. */
static void find_values(struct heat *h)
{
	unsigned int n = h->m->nr_nodes, count[MAX_VALUES] = { 0 };

	for (unsigned int i = 0; i < n * n; i++) {
		unsigned int d = h->m->distance[i];

		count[d < MAX_VALUES ? d : MAX_VALUES - 1]++;
	}
	for (unsigned int d = 0; d < MAX_VALUES; d++) {
		if (!count[d])
			continue;
		h->rank[d] = h->nr;
		h->value[h->nr] = d;
		h->pairs[h->nr++] = count[d];
	}
}

static struct rgb colour(const struct heat *h, unsigned int rank)
{
	unsigned int steps = sizeof(ramp) / sizeof(ramp[0]) - 1, top = h->nr > 1 ? h->nr - 1 : 1;
	/* few distances keep to the light end, where numbers can be read */
	unsigned int span = h->nr <= 2 ? 500 : h->nr == 3 ? 750 : 1000;
	unsigned int at = rank * span / top * steps, part = at % 1000;
	const struct rgb *a = &ramp[at / 1000], *b = at / 1000 < steps ? a + 1 : a;

	return (struct rgb){ a->r + (b->r - a->r) * (int)part / 1000,
			     a->g + (b->g - a->g) * (int)part / 1000,
			     a->b + (b->b - a->b) * (int)part / 1000 };
}

static bool dark(struct rgb c)
{
	return c.r * 3 + c.g * 6 + c.b < 1300;
}

/* Cells of one distance as one path: a line as thick as a cell along each run. */
static void draw_value(const struct heat *h, unsigned int rank)
{
	unsigned int n = h->m->nr_nodes, end;
	struct rgb c = colour(h, rank);

	strbuf_addf(h->sb, "<path stroke=\"#%02x%02x%02x\" stroke-width=\"%d\" d=\"", c.r, c.g, c.b,
		    h->cell);
	for (unsigned int i = 0; i < n; i++)
		for (unsigned int j = 0; j < n; j = end) {
			end = j + 1;
			if (rank_of(h, machine_distance(h->m, i, j)) != rank)
				continue;
			while (end < n && rank_of(h, machine_distance(h->m, i, end)) == rank)
				end++;
			strbuf_addf(h->sb, "M%d %d.5h%d", h->left + (int)j * h->cell,
				    h->y + HEAD + (int)i * h->cell + (h->cell - 1) / 2,
				    (int)(end - j) * h->cell);
		}
	strbuf_addstr(h->sb, "\"/>\n");
}

static void write_numbers(const struct heat *h)
{
	unsigned int n = h->m->nr_nodes;

	for (unsigned int i = 0; i < n; i++)
		for (unsigned int j = 0; j < n; j++) {
			unsigned int d = machine_distance(h->m, i, j);

			svg_textf(h->sb, h->left + (int)j * h->cell + h->cell / 2,
				  h->y + HEAD + (int)i * h->cell + h->cell / 2 + 4,
				  dark(colour(h, rank_of(h, d))) ? "s m w" : "s m", "%u", d);
		}
}

/* Every label if they fit, else every 8th, 64th ... */
static unsigned int label_step(const struct heat *h)
{
	unsigned int step = 1;

	while ((int)step * h->cell < 12)
		step *= 8;
	return step;
}

static void label(const struct heat *h, struct arena *arena)
{
	unsigned int n = h->m->nr_nodes;

	for (unsigned int i = 0; i < n; i += label_step(h)) {
		const struct machine_node *node = &h->m->node[i];
		int middle = (int)i * h->cell + h->cell / 2;
		const char *cpus =
			node->cpus->weight ? box_range(node->cpus, RANGE_MAX, arena) : "no CPUs";

		svg_textf(h->sb, h->left + middle, h->y + HEAD - 4, "s m", "%u", node->id);
		if (n <= NUMBERED)
			svg_textf(h->sb, h->left - 6, h->y + HEAD + middle + 4, "s e", "%s  %u",
				  cpus, node->id);
		else
			svg_textf(h->sb, h->left - 6, h->y + HEAD + middle + 4, "s e", "%u",
				  node->id);
	}
}

static void name_value(const struct heat *h, unsigned int rank, int x, int y)
{
	struct rgb c = colour(h, rank);
	unsigned int level = 0;
	char fill[8];

	snprintf(fill, sizeof(fill), "#%02x%02x%02x", c.r & 255, c.g & 255, c.b & 255);
	svg_rect(h->sb, x, y, 14, 13, 2, fill, "#999999");
	while (level < h->numa->nr && h->numa->distance[level] != h->value[rank])
		level++;
	svg_textf(h->sb, x + 20, y + 11, "s b", "%u", h->value[rank]);
	if (level == h->numa->nr)
		svg_textf(h->sb, x + 50, y + 11, "s", "%u pairs, makes no level", h->pairs[rank]);
	else if (!level)
		svg_textf(h->sb, x + 50, y + 11, "s", "%u pairs, NODE", h->pairs[rank]);
	else
		svg_textf(h->sb, x + 50, y + 11, "s", "%u pairs, NUMA level %u", h->pairs[rank],
			  level);
}

static unsigned int legend_lines(const struct heat *h)
{
	return h->nr < LEGEND ? h->nr : LEGEND;
}

static void legend(const struct heat *h, int y)
{
	unsigned int lines = legend_lines(h);

	for (unsigned int i = 0; i < lines; i++) {
		unsigned int rank = lines < 2 ? 0 : i * (h->nr - 1) / (lines - 1);

		name_value(h, rank, h->x, y + (int)i * 17);
	}
	if (h->nr > lines)
		svg_textf(h->sb, h->x, y + (int)lines * 17 + 10, "s g",
			  "%u of %u distances, evenly chosen", lines, h->nr);
}

static int cell_size(unsigned int n)
{
	int cell = MATRIX / (int)n;

	return cell > 34 ? 34 : cell < 1 ? 1 : cell;
}

struct extent draw_heat(const struct machine *m, const struct numa_levels *numa, struct strbuf *sb,
			int x, int y)
{
	unsigned int n = m->nr_nodes;
	struct heat h = { .m = m, .numa = numa, .sb = sb, .x = x, .y = y + 6 };
	struct arena *arena;
	int below;

	if (n < 2) {
		if (sb)
			svg_text(sb, x, y + 12, "b", "One NUMA node");
		return (struct extent){ svg_width(13), 17 };
	}
	h.y += 17;
	h.cell = cell_size(n);
	h.left = x + (n <= NUMBERED ? svg_width_small(RANGE_MAX + 6) : svg_width_small(5)) + 6;
	find_values(&h);
	below = h.y + HEAD + (int)n * h.cell + 12;
	if (sb) {
		arena = arena_new();
		svg_textf(sb, x, y + 12, "b", "Distances, from the row's node to the column's%s",
			  numa->asymmetric ? ": NOT symmetric" : "");
		for (unsigned int rank = 0; rank < h.nr; rank++)
			draw_value(&h, rank);
		if (n <= NUMBERED)
			write_numbers(&h);
		label(&h, arena);
		legend(&h, below);
		arena_free(arena);
	}
	below += (int)(legend_lines(&h) + (h.nr > legend_lines(&h))) * 17;
	x = h.left - x + (int)n * h.cell;
	return (struct extent){ x < svg_width(46) ? svg_width(46) : x, below - y };
}
