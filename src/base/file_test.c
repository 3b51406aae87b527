// SPDX-License-Identifier: GPL-2.0-only
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static void test_file_replace_writes_whole_files_and_leaves_nothing_beside(void **state)
{
	char dir[] = "/tmp/file_test.XXXXXX";
	struct strbuf sb = { 0 };
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	fd = open(dir, O_RDONLY | O_DIRECTORY);
	assert_int_equal(file_replace(fd, "a", "one", 3, 0600, NULL), 0);
	assert_int_equal(file_replace(fd, "a", "three", 5, 0600, NULL), 0);
	assert_int_equal(file_read(&sb, fd, "a", 100, NULL), 0);
	assert_string_equal(sb.s, "three");
	assert_int_equal(unlinkat(fd, "a", 0), 0);
	assert_int_equal(rmdir(dir), 0); /* fails if anything else lies there */
	close(fd);
	strbuf_release(&sb);
}

static void test_file_read_refuses_more_than_its_limit(void **state)
{
	struct strbuf sb = { 0 };
	struct error err = { 0 };

	(void)state;
	strbuf_addstr(&sb, "before");
	assert_int_equal(file_read(&sb, AT_FDCWD, "/dev/zero", 1000, &err), -EFBIG);
	assert_string_equal(sb.s, "before");
	assert_int_equal(file_read(&sb, AT_FDCWD, "/nowhere/x", 1000, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/x"));
	strbuf_release(&sb);
}

static void test_make_folders_makes_what_is_missing(void **state)
{
	char dir[] = "/tmp/file_test.XXXXXX";
	struct stat st;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	fd = open(dir, O_RDONLY | O_DIRECTORY);
	assert_int_equal(make_folders(fd, "a/b/c", 0700, NULL), 0);
	assert_int_equal(make_folders(fd, "a/b/c", 0700, NULL), 0);
	assert_int_equal(fstatat(fd, "a/b/c", &st, 0), 0);
	unlinkat(fd, "a/b/c", AT_REMOVEDIR);
	unlinkat(fd, "a/b", AT_REMOVEDIR);
	unlinkat(fd, "a", AT_REMOVEDIR);
	rmdir(dir);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file_replace_writes_whole_files_and_leaves_nothing_beside),
		cmocka_unit_test(test_file_read_refuses_more_than_its_limit),
		cmocka_unit_test(test_make_folders_makes_what_is_missing),
	};

	return cmocka_run_group_tests_name("base/file", tests, NULL, NULL);
}
