// SPDX-License-Identifier: GPL-2.0-only
#include "base/error.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static void test_error_set_returns_the_negative_code(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(error_set(&err, ENOENT, "x %d", 5), -ENOENT);
	assert_string_equal(err.text, "x 5");
	assert_int_equal(err.code, ENOENT);
	assert_int_equal(error_set(NULL, EIO, "nobody listens"), -EIO);
}

static void test_error_text_is_one_printable_line(void **state)
{
	struct error err = { 0 };

	(void)state;
	error_set(&err, EINVAL, "a\nb\033[31mc");
	assert_string_equal(err.text, "a?b?[31mc");
}

static void test_error_prefix_puts_context_first_and_cuts_at_the_end(void **state)
{
	struct error err = { 0 };
	char path[600];

	(void)state;
	error_set(&err, EINVAL, "bad");
	error_prefix(&err, "f:%d", 3);
	assert_string_equal(err.text, "f:3: bad");
	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	error_prefix(&err, "%s", path);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_error_set_returns_the_negative_code),
		cmocka_unit_test(test_error_text_is_one_printable_line),
		cmocka_unit_test(test_error_prefix_puts_context_first_and_cuts_at_the_end),
	};

	return cmocka_run_group_tests_name("base/error", tests, NULL, NULL);
}
