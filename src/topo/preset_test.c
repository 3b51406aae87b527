// SPDX-License-Identifier: GPL-2.0-only
/* Every built-in machine: read, written and read again, and built by kernels old and new. */
#include "topo/preset.h"

#include "topo/print.h"
#include "topo/source.h"

#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct machine *read_text(const char *name, const char *text)
{
	struct release r;
	struct source_opts opts = { .release = &r };
	struct machine *m = NULL;
	struct error err = { 0 };

	release_preset(&r, 6, 12, ARCH_X86);
	if (source_text(&m, text, strlen(text), name, &opts, &err))
		fail_msg("%s", err.text);
	return m;
}

static char *dump_of(const struct machine *m, unsigned int major, unsigned int minor)
{
	struct strbuf sb = { 0 };
	struct release r;
	struct domain_tree *tree;

	release_preset(&r, major, minor, m->arch);
	tree = domains_build(m, &r, m->online, m->online);
	print_dump(tree, &sb);
	print_complaints(tree, &sb);
	domain_tree_free(tree);
	return strbuf_take(&sb);
}

static void test_every_preset_names_its_source(void **state)
{
	(void)state;
	for (size_t i = 0; preset_at(i); i++) {
		const struct preset *p = preset_at(i);

		if (strncmp(p->text, "# Source: ", 10))
			fail_msg("%s has no source", p->name);
		/* by name, so that lists of them are in order */
		assert_true(!i || strcmp(preset_at(i - 1)->name, p->name) < 0);
	}
}

static void test_every_preset_is_the_same_after_a_round_trip(void **state)
{
	(void)state;
	for (size_t i = 0; preset_at(i); i++) {
		struct machine *m = read_text(preset_at(i)->name, preset_at(i)->text), *again;
		struct strbuf first = { 0 }, second = { 0 };
		char *a, *b;

		assert_int_equal(m->nr_notes, 0);
		machine_file_print(m, &first);
		again = read_text(preset_at(i)->name, strbuf_str(&first));
		machine_file_print(again, &second);
		assert_string_equal(strbuf_str(&first), strbuf_str(&second));
		a = dump_of(m, 6, 12);
		b = dump_of(again, 6, 12);
		assert_string_equal(a, b);
		free(a);
		free(b);
		strbuf_release(&first);
		strbuf_release(&second);
		machine_free(m);
		machine_free(again);
	}
}

/* Granite Rapids is asymmetric until its distances are averaged (6.19); nothing else is remarked. */
static void test_no_kernel_of_these_days_complains_of_a_preset(void **state)
{
	static const struct {
		unsigned int major, minor;
	} kernels[] = { { 6, 1 }, { 6, 12 }, { 7, 3 } };

	(void)state;
	for (size_t i = 0; preset_at(i); i++)
		for (unsigned int k = 0; k < 3; k++) {
			struct machine *m = read_text(preset_at(i)->name, preset_at(i)->text);
			char *text = dump_of(m, kernels[k].major, kernels[k].minor);
			bool asymmetric =
				!strcmp(preset_at(i)->name, "granite-rapids-snc3") && k < 2;

			if (asymmetric !=
			    (strstr(text, "ERROR: Node-distance not symmetric") != NULL))
				fail_msg("%s, kernel %u.%u: %s", preset_at(i)->name,
					 kernels[k].major, kernels[k].minor, text);
			if (!asymmetric && (strstr(text, "ERROR") || strstr(text, "BUG") ||
					    strstr(text, "WARN") || strstr(text, "sched: ")))
				fail_msg("%s, kernel %u.%u: %s", preset_at(i)->name,
					 kernels[k].major, kernels[k].minor, text);
			free(text);
			machine_free(m);
		}
}

static void test_find_says_what_may_be_meant(void **state)
{
	const char *nearest = NULL;

	(void)state;
	assert_non_null(preset_find("power10-768", &nearest));
	assert_null(preset_find("power10-786", &nearest));
	assert_string_equal(nearest, "power10-768");
}

static struct machine *nodes_of(const char *lines)
{
	struct strbuf sb = { 0 };
	struct machine *m;

	strbuf_addf(&sb, "cpus 8\nshare package 0-7\n%s", lines);
	m = read_text("lines", strbuf_str(&sb));
	strbuf_release(&sb);
	return m;
}

/* "0-3" and "10 20 20 20" and so on, written out and in one line. */
static void test_short_lines_say_what_long_ones_do(void **state)
{
	struct machine *a = nodes_of("node 0-3 ? 0,4 step 1\n"
				     "distance 0-1 15x2 20x2\ndistance 2-3 20x2 15x2\n");
	struct machine *b = nodes_of("node 0 ? 0,4\nnode 1 ? 1,5\nnode 2 ? 2,6\nnode 3 ? 3,7\n"
				     "distance 0 10 15 20 20\ndistance 1 15 10 20 20\n"
				     "distance 2 20 20 10 15\ndistance 3 20 20 15 10\n");
	struct strbuf first = { 0 }, second = { 0 };

	(void)state;
	machine_file_print(a, &first);
	machine_file_print(b, &second);
	assert_string_equal(strbuf_str(&first), strbuf_str(&second));
	assert_non_null(strstr(strbuf_str(&first), "node 0-3 ? 0,4 step 1\n"
						   "distance 0-1 15x2 20x2\n"
						   "distance 2-3 20x2 15x2\n"));
	assert_int_equal(machine_distance(b, 0, 1), 15);
	assert_int_equal(machine_distance(a, 0, 1), 15);
	assert_int_equal(machine_distance(a, 3, 0), 20);
	assert_int_equal(machine_distance(a, 3, 3), 10);
	assert_int_equal(a->node[2].has_memory, true);
	assert_int_equal(a->nr_notes, 0);
	strbuf_release(&first);
	strbuf_release(&second);
	machine_free(a);
	machine_free(b);
}

static void assert_refused(const char *lines, const char *words)
{
	struct release r;
	struct source_opts opts = { .release = &r };
	struct error err = { 0 };
	struct strbuf sb = { 0 };
	struct machine *m;

	release_preset(&r, 6, 12, ARCH_X86);
	strbuf_addf(&sb, "cpus 8\n%s", lines);
	assert_int_equal(machine_file_parse(&m, strbuf_str(&sb), &opts, &err), -EINVAL);
	if (!strstr(err.text, words))
		fail_msg("'%s' is not in '%s'", words, err.text);
	strbuf_release(&sb);
}

static void test_bad_short_lines_are_refused(void **state)
{
	(void)state;
	assert_refused("node 0-3 ? 0-1\n", "line 2: several nodes need 'step S' behind '0-1'");
	assert_refused("node 0-1 ? 0-1 step 2 times 2\n", "several nodes need 'step S'");
	assert_refused("node 3-0 ? 0-1 step 2\n", "line 2: no node number '3-0'");
	assert_refused("node 0-1 x 0-3 step 4\n", "line 2: no memory in KB: 'x'");
	assert_refused("node 0-1 ? 0-3 step 4\ndistance 0-2 20x2\n", "line 3: there is no node 2");
	assert_refused("node 0-1 ? 0-3 step 4\ndistance 0-1 20x2\ndistance 1 20 10\n",
		       "line 4: a second row of node 1");
	assert_refused("node 0-1 ? 0-3 step 4\ndistance 0-1 20x\n", "line 3: no distance");
	assert_refused("node 0-1 ? 0-3 step 4\ndistance 0-1 300x2\n", "line 3: no distance");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_preset_names_its_source),
		cmocka_unit_test(test_every_preset_is_the_same_after_a_round_trip),
		cmocka_unit_test(test_no_kernel_of_these_days_complains_of_a_preset),
		cmocka_unit_test(test_find_says_what_may_be_meant),
		cmocka_unit_test(test_short_lines_say_what_long_ones_do),
		cmocka_unit_test(test_bad_short_lines_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
