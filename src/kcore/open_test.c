// SPDX-License-Identifier: GPL-2.0-only
/* Usage: open_test FAKE_CORE: an object with a variable, from open_fake.c. */
#include "kcore/kcore.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static const char *fake_core;

/* tick_ns() of the fake counts its calls in a variable of the object: each opening begins with 1. */
static void test_each_opening_has_variables_of_its_own(void **state)
{
	struct kcore *a = NULL, *b = NULL, *c = NULL;

	(void)state;
	assert_int_equal(kcore_open(&a, fake_core, NULL), 0);
	assert_int_equal(kcore_open(&b, fake_core, NULL), 0);
	assert_int_equal(kcore_ops(a)->tick_ns(NULL), 1);
	assert_int_equal(kcore_ops(a)->tick_ns(NULL), 2);
	assert_int_equal(kcore_ops(b)->tick_ns(NULL), 1);
	kcore_close(a);
	assert_int_equal(kcore_open(&c, fake_core, NULL), 0);
	assert_int_equal(kcore_ops(c)->tick_ns(NULL), 1);
	assert_int_equal(kcore_ops(b)->tick_ns(NULL), 2);
	kcore_close(b);
	kcore_close(c);
}

static void test_what_is_no_core_is_refused(void **state)
{
	struct kcore *kcore = NULL;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(kcore_open(&kcore, "/proc/self/exe/no", &err), -ENOTDIR);
	assert_int_equal(kcore_open(&kcore, "/etc/passwd", &err), -ENOEXEC);
	assert_int_equal(kcore_open(&kcore, "../x", &err), -ENOENT);
	assert_null(kcore);
	kcore_close(NULL);
}

static void test_names_are_looked_up_in_the_cache(void **state)
{
	struct kcore_facts *all = NULL, facts = { 0 };
	struct error err = { 0 };
	size_t n = 1;

	(void)state;
	setenv("XDG_CACHE_HOME", "/nowhere", 1);
	assert_int_equal(kcore_find(&facts, "6.12", &err), -ENOENT);
	assert_non_null(strstr(err.text, "schedproof kernel build"));
	assert_int_equal(kcore_find(&facts, ".work", &err), -EINVAL);
	assert_int_equal(kcore_list(&all, &n, NULL), 0);
	assert_int_equal(n, 0);
	free(all);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_opening_has_variables_of_its_own),
		cmocka_unit_test(test_what_is_no_core_is_refused),
		cmocka_unit_test(test_names_are_looked_up_in_the_cache),
	};

	if (argc < 2)
		return 2;
	fake_core = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
