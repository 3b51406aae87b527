// SPDX-License-Identifier: GPL-2.0-only
#include "base/file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
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

static void test_file_create_beside_takes_the_place_of_what_a_dead_process_left(void **state)
{
	char dir[] = "/tmp/file_test.XXXXXX", *beside, *again;
	struct stat st;
	int fd, dir_fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY);
	fd = file_create_beside(&beside, dir_fd, "a", 0600, NULL);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "old", 3), 3);
	close(fd);
	fd = file_create_beside(&again, dir_fd, "a", 0600, NULL);
	assert_true(fd >= 0);
	assert_string_equal(again, beside);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 0);
	close(fd);
	assert_int_equal(unlinkat(dir_fd, beside, 0), 0);
	free(again);
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(file_create_beside(&again, AT_FDCWD, "/nowhere/a", 0600, NULL), -ENOENT);
	free(again);
	free(beside);
	close(dir_fd);
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

static void check_content(int dir, const char *path, const char *text)
{
	struct strbuf sb = { 0 };

	assert_int_equal(file_read(&sb, dir, path, 100, NULL), 0);
	assert_string_equal(strbuf_str(&sb), text);
	strbuf_release(&sb);
}

static bool is_link(int dir, const char *path)
{
	struct stat st;

	return !fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode);
}

/* What is there is no file of ours to put away: a link stays, a pipe is written to, and so is what standard output goes to. */
static void test_file_put_replaces_files_only(void **state)
{
	char dir[] = "/tmp/file_test.XXXXXX", *link, *fifo, *out, bytes[4] = "";
	int fd, reader, stdout_before, log;

	(void)state;
	assert_non_null(mkdtemp(dir));
	fd = open(dir, O_RDONLY | O_DIRECTORY);
	link = xasprintf("%s/link", dir);
	fifo = xasprintf("%s/fifo", dir);
	out = xasprintf("%s/out", dir);
	assert_int_equal(symlinkat("file", fd, "link"), 0);
	assert_int_equal(mkfifoat(fd, "fifo", 0600), 0);
	assert_int_equal(file_put(out, "file", 4, 0600, NULL), 0);
	check_content(fd, "out", "file");
	assert_int_equal(renameat(fd, "out", fd, "file"), 0);
	assert_int_equal(file_put_check(link, NULL), 0);
	assert_int_equal(file_put(link, "new", 3, 0600, NULL), 0);
	check_content(fd, "file", "new");
	assert_true(is_link(fd, "link"));

	reader = open(fifo, O_RDONLY | O_NONBLOCK);
	assert_int_equal(file_put_check(fifo, NULL), 0);
	assert_int_equal(file_put(fifo, "abc", 3, 0600, NULL), 0);
	assert_int_equal(read(reader, bytes, 3), 3);
	assert_string_equal(bytes, "abc");
	close(reader);

	stdout_before = dup(STDOUT_FILENO);
	log = open(out, O_WRONLY | O_CREAT, 0600);
	dup2(log, STDOUT_FILENO);
	assert_int_equal(fd_write(log, "before ", 7), 0);
	assert_int_equal(file_put("/dev/stdout", "report ", 7, 0600, NULL), 0);
	assert_int_equal(fd_write(STDOUT_FILENO, "after", 5), 0);
	dup2(stdout_before, STDOUT_FILENO);
	close(stdout_before);
	close(log);
	check_content(fd, "out", "before report after");

	assert_int_equal(unlink(link) | unlink(fifo) | unlink(out) | unlinkat(fd, "file", 0), 0);
	assert_int_equal(rmdir(dir), 0);
	close(fd);
	free(link);
	free(fifo);
	free(out);
}

static void test_file_put_check_knows_what_can_not_be_put(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(file_put_check("/tmp", &err), -EISDIR);
	assert_int_equal(file_put_check("/tmp/nosuch/", &err), -EISDIR);
	assert_int_equal(file_put_check("", &err), -EISDIR);
	assert_int_equal(file_put_check("/nowhere/x", &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/x"));
	assert_int_equal(file_put_check("/dev/null", &err), 0);
}

static void test_text_check_names_the_line_of_a_nul(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(text_check("a\nb\n", 4, NULL), 0);
	assert_int_equal(text_check("", 0, NULL), 0);
	assert_int_equal(text_check("a\nb\0c", 5, &err), -EINVAL);
	assert_non_null(strstr(err.text, "line 2"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file_replace_writes_whole_files_and_leaves_nothing_beside),
		cmocka_unit_test(
			test_file_create_beside_takes_the_place_of_what_a_dead_process_left),
		cmocka_unit_test(test_file_read_refuses_more_than_its_limit),
		cmocka_unit_test(test_make_folders_makes_what_is_missing),
		cmocka_unit_test(test_file_put_replaces_files_only),
		cmocka_unit_test(test_file_put_check_knows_what_can_not_be_put),
		cmocka_unit_test(test_text_check_names_the_line_of_a_nul),
	};

	return cmocka_run_group_tests_name("base/file", tests, NULL, NULL);
}
