// SPDX-License-Identifier: GPL-2.0-only
#include "workload/program.h"

#include <stdlib.h>

#include "check.h"
#include "fake_root.h"

static void test_program_find_takes_the_first_that_may_be_executed(void **state)
{
	char *root = fake_root_new(), *path, *found, *expected;

	(void)state;
	fake_file(root, "a/tool/is-a-folder", "");
	fake_file(root, "b/tool", "not executable");
	fake_file(root, "c/tool", "");
	fake_file(root, "d/tool", "");
	expected = xasprintf("%s/c/tool", root);
	assert_int_equal(chmod(expected, 0700), 0);
	path = xasprintf("%s/d/tool", root);
	assert_int_equal(chmod(path, 0700), 0);
	free(path);
	path = xasprintf("/nowhere:%s/a:%s/b:%s/c:%s/d", root, root, root, root);
	setenv("PATH", path, 1);
	free(path);
	found = program_find("tool");
	/* to root each file that anybody may execute is executable, b/tool is not */
	assert_string_equal(found, expected);
	free(found);
	assert_null(program_find("no-tool"));
	assert_null(program_find(""));
	free(expected);
	fake_root_free(root);
}

static void test_program_find_takes_a_path_as_it_is(void **state)
{
	char *found = program_find("/proc/self/exe");

	(void)state;
	assert_string_equal(found, "/proc/self/exe");
	free(found);
	assert_null(program_find("/proc/self"));
	assert_null(program_find("/nowhere/tool"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program_find_takes_the_first_that_may_be_executed),
		cmocka_unit_test(test_program_find_takes_a_path_as_it_is),
	};

	return cmocka_run_group_tests_name("workload/program", tests, NULL, NULL);
}
