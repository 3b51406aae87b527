// SPDX-License-Identifier: GPL-2.0-only
#include "topo/draw_svg.h"

#include "topo/box.h"
#include "topo/grid.h"
#include "topo/svg.h"

#include "base/mem.h"

#include "check.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 16

static const char *name_end(const char *s)
{
	while (isalnum((unsigned char)*s) || *s == '-')
		s++;
	return s;
}

/* Text or an attribute's value, up to one of @stop: no markup, and only the entities of XML. */
static const char *check_text(const char *s, const char *stop)
{
	for (; *s && !strchr(stop, *s); s++) {
		assert_true((unsigned char)*s >= 0x20 || *s == '\n');
		assert_int_not_equal(*s, '<');
		if (*s == '&')
			assert_true(!strncmp(s, "&lt;", 4) || !strncmp(s, "&gt;", 4) ||
				    !strncmp(s, "&amp;", 5) || !strncmp(s, "&quot;", 6));
	}
	return s;
}

/* ' name="value"' again and again. */
static const char *check_attributes(const char *s)
{
	while (*s == ' ') {
		const char *end = name_end(++s);

		assert_true(end > s && end[0] == '=' && end[1] == '"');
		s = check_text(end + 2, "\"");
		assert_int_equal(*s++, '"');
	}
	return s;
}

/* Every element is closed in order, and there is one root: XML as far as our drawings use it. */
static void check_wellformed(const char *s)
{
	const char *open[DEEPEST], *end;
	size_t depth = 0, roots = 0;

	assert_int_equal(strncmp(s, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39), 0);
	for (s = check_text(s + 39, "<"); *s; s = check_text(s + 1, "<")) {
		bool closing = s[1] == '/';

		s += closing ? 2 : 1;
		end = name_end(s);
		assert_true(end > s);
		if (closing) {
			assert_true(depth > 0);
			depth--;
			assert_int_equal(strncmp(open[depth], s, (size_t)(end - s)), 0);
		} else {
			roots += !depth;
			assert_true(depth < DEEPEST);
			open[depth++] = s;
		}
		s = check_attributes(end);
		if (*s == '/') {
			depth--;
			s++;
		}
		assert_int_equal(*s, '>');
	}
	assert_int_equal(depth, 0);
	assert_int_equal(roots, 1);
}

static unsigned int occurrences(const char *text, const char *what)
{
	unsigned int n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

static char *draw(const struct machine *m, unsigned int minor)
{
	struct strbuf sb = { 0 };
	struct release r;
	struct hotplug *h;

	release_preset(&r, 6, minor, m->arch);
	h = hotplug_boot(m, &r);
	hotplug_settle(h);
	draw_svg(h, &sb);
	hotplug_free(h);
	check_wellformed(strbuf_str(&sb));
	return strbuf_take(&sb);
}

static char *draw_grid(unsigned int cpus, unsigned int llc, unsigned int nodes)
{
	struct grid grid = { .cpus = cpus,
			     .threads = 2,
			     .llc = llc,
			     .nodes = nodes,
			     .near_nodes = 2,
			     .near = 20,
			     .far = 32 };
	struct machine *m = machine_grid(&grid);
	char *svg = draw(m, 12);

	machine_free(m);
	return svg;
}

static void test_svg_escape_leaves_nothing_that_xml_forbids(void **state)
{
	struct strbuf sb = { 0 };

	(void)state;
	/* a control character, a lone byte of UTF-8, an overlong '/', a surrogate, U+FFFE, DEL */
	svg_escape(&sb, "<a & \"b\">\x01\x80\xc0\xaf\xed\xa0\x80\xef\xbf\xbe\x7f");
	assert_string_equal(strbuf_str(&sb), "&lt;a &amp; &quot;b&quot;&gt;???????????");
	strbuf_reset(&sb);
	svg_escape(&sb, "\xc3\xa4\xe2\x80\xa6\xf0\x9f\x98\x80\xe2"); /* the last is cut off */
	assert_string_equal(strbuf_str(&sb), "\xc3\xa4\xe2\x80\xa6\xf0\x9f\x98\x80?");
	strbuf_release(&sb);
}

static void test_box_range_cuts_at_a_comma(void **state)
{
	struct cset_pool *pool = cset_pool_new(64);
	struct arena *arena = arena_new();
	const struct cset *set;

	(void)state;
	assert_int_equal(cset_parse(&set, pool, "0-3,8-11,16-19", NULL), 0);
	assert_string_equal(box_range(set, 14, arena), "0-3,8-11,16-19");
	assert_string_equal(box_range(set, 13, arena), "0-3,8-11,…");
	assert_string_equal(box_range(set, 8, arena), "0-3,…");
	arena_free(arena);
	cset_pool_free(pool);
}

/* Two nodes of two caches of two cores: 4 levels of boxes, each level one class. */
static void test_box_tree_nests_levels_and_finds_equal_ones(void **state)
{
	struct grid grid = { .cpus = 16, .threads = 2, .llc = 4, .nodes = 2, .near = 20 };
	struct machine *m = machine_grid(&grid);
	struct arena *arena = arena_new();
	struct domain_tree *tree;
	struct release r;
	struct box *box;

	(void)state;
	m->cpu[15].capacity = 512;
	release_preset(&r, 6, 12, ARCH_X86);
	tree = domains_build(m, &r, m->online, m->online);
	box = box_tree(tree, arena);
	assert_string_equal(domain_name(tree, box->sd), "NUMA");
	assert_int_equal(box->nr, 2);
	assert_int_equal(box->capacity, 15 * 1024 + 512);
	assert_string_equal(domain_name(tree, box->child[0]->sd), "PKG");
	assert_int_equal(box->child[0]->nr, 2);
	assert_string_equal(domain_name(tree, box->child[0]->child[0]->sd), "MC");
	assert_string_equal(domain_name(tree, box->child[0]->child[0]->child[0]->sd), "SMT");
	assert_int_equal(box->child[0]->child[0]->child[0]->nr, 2);
	/*
	 * The last CPU is smaller, so all that it is in is of its own kind, and the cache beside its own
	 * too: below a domain of several capacities PREFER_SIBLING is off.
	 */
	assert_int_equal(box->child[0]->child[0]->class, box->child[0]->child[1]->class);
	assert_int_not_equal(box->child[0]->child[0]->class, box->child[1]->child[0]->class);
	assert_int_not_equal(box->child[1]->child[0]->class, box->child[1]->child[1]->class);
	assert_int_not_equal(box->child[0]->class, box->child[1]->class);
	domain_tree_free(tree);
	arena_free(arena);
	machine_free(m);
}

static void check_inside(const struct item *item)
{
	for (unsigned int i = 0; i < item->nr; i++) {
		const struct item *a = &item->item[i];

		assert_true(a->x >= 0 && a->y >= 0 && a->x + a->w <= item->w &&
			    a->y + a->h <= item->h);
		for (unsigned int j = 0; j < i; j++) {
			const struct item *b = &item->item[j];

			assert_true(a->x >= b->x + b->w || b->x >= a->x + a->w ||
				    a->y >= b->y + b->h || b->y >= a->y + a->h);
		}
		check_inside(a);
	}
}

static void test_item_layout_keeps_boxes_apart_and_inside(void **state)
{
	static const struct grid grids[] = {
		{ .cpus = 2, .threads = 1, .llc = 2 },
		{ .cpus = 7, .threads = 2, .llc = 4, .nodes = 3, .near = 20 },
		{ .cpus = 96, .threads = 1, .llc = 24, .nodes = 4, .near = 20 },
		{ .cpus = 960, .threads = 2, .llc = 120, .nodes = 8, .near = 21 },
		{ .cpus = 1000, .threads = 8, .llc = 8, .nodes = 3, .near = 40 },
		{ .cpus = 2000, .threads = 1, .llc = 1000, .nodes = 2, .near = 40 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(grids); i++) {
		struct machine *m = machine_grid(&grids[i]);
		struct arena *arena = arena_new();
		struct domain_tree *tree;
		struct item item;
		struct release r;

		release_preset(&r, 6, 12, ARCH_X86);
		tree = domains_build(m, &r, m->online, m->online);
		item_layout(&item, tree, box_tree(tree, arena), 1000, arena);
		check_inside(&item);
		domain_tree_free(tree);
		arena_free(arena);
		machine_free(m);
	}
}

static void test_draw_svg_shows_every_cpu_of_a_small_machine(void **state)
{
	char *svg = draw_grid(8, 4, 2), cell[32];

	(void)state;
	for (int cpu = 0; cpu < 8; cpu++) {
		snprintf(cell, sizeof(cell), "class=\"s m\">%d</text>", cpu);
		assert_non_null(strstr(svg, cell));
	}
	assert_null(strstr(svg, "equal"));
	/* 2 x 2 distances: two of 10, two of 20, and both in the legend */
	assert_int_equal(occurrences(svg, "2 pairs, NODE"), 1);
	assert_int_equal(occurrences(svg, "2 pairs, NUMA level 1"), 1);
	free(svg);
}

/* 8 nodes in pairs: of 4 equal pairs 3 are named, and of the first pair's two nodes one. */
static void test_draw_svg_names_equal_boxes_of_a_large_machine(void **state)
{
	char *svg = draw_grid(960, 120, 8);

	(void)state;
	assert_int_equal(occurrences(svg, ">equal</text>"), 3 + 1);
	assert_int_equal(occurrences(svg, ">SMT "), 60);
	assert_true(strlen(svg) < 100 * 1000);
	free(svg);
}

/* 64 nodes in pairs, 8 caches of 8 cores a node: 31 of 32 pairs are a stack. */
static void test_draw_svg_stays_small_for_8192_cpus(void **state)
{
	char *svg = draw_grid(8192, 16, 64);

	(void)state;
	assert_int_equal(occurrences(svg, ">x 31 equal</text>"), 1);
	assert_true(strlen(svg) < 200 * 1000);
	free(svg);
}

static void test_draw_svg_says_which_levels_overlap(void **state)
{
	struct grid grid = { .cpus = 8, .threads = 1, .llc = 2, .nodes = 4, .near = 20 };
	struct machine *m = machine_grid(&grid);
	char *svg;

	(void)state;
	/* a ring: opposite nodes are 30 apart */
	for (unsigned int i = 0; i < 4; i++)
		m->distance[i * 4 + (i + 2) % 4] = 30;
	svg = draw(m, 12);
	assert_int_equal(occurrences(svg, "spans overlap, so no box: CPU 0 sees 0-3,6-7"), 1);
	free(svg);
	machine_free(m);
}

static void test_draw_svg_of_what_has_no_domains(void **state)
{
	struct grid grid = { .cpus = 6, .threads = 1, .llc = 6 };
	struct machine *m = machine_grid(&grid);
	char *svg;

	(void)state;
	/* a cache that reaches over CPUs 0-2 for some and 2-5 for others: the span check falls */
	for (unsigned int i = 0; i < 6; i++)
		m->cpu[i].share[SHARE_LLC] = cset_range(m->pool, i < 3 ? 0 : 2, i < 3 ? 2 : 5);
	svg = draw(m, 12);
	assert_non_null(strstr(svg, "No domains"));
	free(svg);
	assert_int_equal(machine_set_boot(m, "isolcpus=0-5", NULL), 0);
	svg = draw(m, 12);
	assert_non_null(strstr(svg, "in no domain: 0-5"));
	free(svg);
	machine_free(m);
}

static void test_draw_svg_escapes_the_name_and_tells_mixed_capacity(void **state)
{
	struct grid grid = { .cpus = 4, .threads = 1, .llc = 4 };
	struct machine *m = machine_grid(&grid);
	char *svg;

	(void)state;
	free(m->name);
	m->name = xstrdup("<svg onload=\"x\"/>&\xff");
	m->cpu[0].capacity = 446;
	svg = draw(m, 12);
	assert_int_equal(occurrences(svg, "&lt;svg onload=&quot;x&quot;/&gt;&amp;?"), 2);
	assert_int_equal(occurrences(svg, "class=\"xs m\">446<"), 1);
	assert_int_equal(occurrences(svg, "class=\"xs m\">1024<"), 3);
	free(svg);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_svg_escape_leaves_nothing_that_xml_forbids),
		cmocka_unit_test(test_box_range_cuts_at_a_comma),
		cmocka_unit_test(test_box_tree_nests_levels_and_finds_equal_ones),
		cmocka_unit_test(test_item_layout_keeps_boxes_apart_and_inside),
		cmocka_unit_test(test_draw_svg_shows_every_cpu_of_a_small_machine),
		cmocka_unit_test(test_draw_svg_names_equal_boxes_of_a_large_machine),
		cmocka_unit_test(test_draw_svg_stays_small_for_8192_cpus),
		cmocka_unit_test(test_draw_svg_says_which_levels_overlap),
		cmocka_unit_test(test_draw_svg_of_what_has_no_domains),
		cmocka_unit_test(test_draw_svg_escapes_the_name_and_tells_mixed_capacity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
