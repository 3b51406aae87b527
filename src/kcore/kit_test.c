// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/kit.h"

#include "fake_root.h"

#include <sys/stat.h>

static void test_list_gives_words_of_lines(void **state)
{
	const char *at = "# head\n\na b  c # more\n  d\ne";
	char buf[32], *word[2];

	(void)state;
	assert_int_equal(kit_list(&at, buf, sizeof(buf), word, 2), 2);
	assert_string_equal(word[0], "a");
	assert_string_equal(word[1], "b");
	assert_int_equal(kit_list(&at, buf, sizeof(buf), word, 2), 1);
	assert_string_equal(word[0], "d");
	assert_int_equal(kit_list(&at, buf, sizeof(buf), word, 2), 1);
	assert_string_equal(word[0], "e");
	assert_int_equal(kit_list(&at, buf, sizeof(buf), word, 2), 0);
}

/* make must not take files that are the same for new: only the one that was damaged is written. */
static void test_unpack_writes_what_differs(void **state)
{
	static const struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } };
	char *dir = fake_root_new();
	struct stat st;

	(void)state;
	assert_int_equal(kit_unpack(dir, NULL), 0);
	for (size_t i = 0; kit_at(i); i++) {
		char *path = xasprintf("%s/%s", dir, kit_at(i)->path);

		assert_true(fake_has(dir, kit_at(i)->path, kit_at(i)->text));
		assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
		free(path);
	}
	fake_file(dir, "core/core.h", "damaged");
	assert_int_equal(kit_unpack(dir, NULL), 0);
	for (size_t i = 0; kit_at(i); i++) {
		char *path = xasprintf("%s/%s", dir, kit_at(i)->path);

		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mtime == 1000, strcmp(kit_at(i)->path, "core/core.h") != 0);
		free(path);
	}
	assert_true(fake_has(dir, "core/core.h", kit_text("core/core.h")));
	fake_root_free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list_gives_words_of_lines),
		cmocka_unit_test(test_unpack_writes_what_differs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
