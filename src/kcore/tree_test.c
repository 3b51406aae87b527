// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/tree.h"

#include "fake_root.h"
#include "kcore/kit.h"

#include <errno.h>

static char *make_tree(const char *makefile)
{
	char *tree = fake_root_new();

	fake_file(tree, "Makefile", makefile);
	fake_file(tree, "Kbuild", "");
	fake_file(tree, "Kconfig", "");
	fake_file(tree, "kernel/sched/core.c", "");
	fake_file(tree, "kernel/sched/build_policy.c", "");
	return tree;
}

static void test_release_is_the_makefiles(void **state)
{
	char *tree = make_tree("# VERSION = 1\n\nVERSION = 6\nPATCHLEVEL = 13\nSUBLEVEL = 0\n"
			       "EXTRAVERSION = -rc1\nNAME = Baby\n");
	char *release = NULL;

	(void)state;
	assert_int_equal(tree_release(&release, tree, NULL), 0);
	assert_string_equal(release, "6.13.0-rc1");
	free(release);
	fake_root_free(tree);
}

static void test_what_is_no_kernel_tree_is_refused(void **state)
{
	char *tree = make_tree("all:\n\techo\n"), *file;
	struct error err = { 0 };
	char *release = NULL;

	(void)state;
	assert_int_equal(tree_release(&release, tree, &err), -EINVAL);
	fake_file(tree, "Makefile", "VERSION = 5\nPATCHLEVEL = 15\n");
	file = xasprintf("%s/kernel/sched/build_policy.c", tree);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(tree_release(&release, tree, &err), -EINVAL);
	assert_non_null(strstr(err.text, "before 5.18"));
	assert_null(release);
	free(file);
	fake_root_free(tree);
}

static bool is_link(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);
	char target[8];
	bool is = readlink(path, target, sizeof(target)) > 0;

	free(path);
	return is;
}

/* A tree that was built in: what the build left stays out, all else is there, and what goes is gone. */
static void test_overlay_shows_a_clean_tree(void **state)
{
	char *tree = make_tree(""), *over = fake_root_new(), *gone;

	(void)state;
	fake_file(tree, ".config", "");
	fake_file(tree, "vmlinux.o", "");
	fake_file(tree, "include/config/x", "");
	fake_file(tree, "include/generated/x", "");
	fake_file(tree, "include/linux/sched.h", "a header");
	fake_file(tree, "arch/x86/Kconfig", "");
	fake_file(tree, "block/x.c", "");
	assert_int_equal(overlay_make(over, tree, "/kit/arch", NULL), 0);
	assert_true(fake_has(over, "include/linux/sched.h", "a header"));
	assert_true(is_link(over, "Makefile"));
	assert_true(is_link(over, "block"));
	assert_true(is_link(over, "arch/x86"));
	assert_true(is_link(over, "arch/" KIT_ARCH));
	assert_false(is_link(over, ".config"));
	assert_false(is_link(over, "vmlinux.o"));
	assert_false(is_link(over, "include/config"));
	assert_false(is_link(over, "include/generated"));
	gone = xasprintf("%s/block/x.c", tree);
	assert_int_equal(unlink(gone), 0);
	*strrchr(gone, '/') = '\0';
	assert_int_equal(rmdir(gone), 0);
	assert_int_equal(overlay_make(over, tree, "/kit/arch2", NULL), 0);
	assert_false(is_link(over, "block"));
	assert_true(is_link(over, "arch/" KIT_ARCH));
	free(gone);
	fake_root_free(over);
	fake_root_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_release_is_the_makefiles),
		cmocka_unit_test(test_what_is_no_kernel_tree_is_refused),
		cmocka_unit_test(test_overlay_shows_a_clean_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
