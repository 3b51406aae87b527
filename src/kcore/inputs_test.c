// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/inputs.h"

#include "fake_root.h"

#include <errno.h>
#include <sys/stat.h>

/* What the notes of kbuild look like: its own files, ours and compilers' aren't of the tree. */
static const char note[] = "savedcmd_kernel/sched/fair.o := gcc -I/o/tree/include -o x.o x.c\n\n"
			   "source_kernel/sched/fair.o := /o/tree/kernel/sched/fair.c\n\n"
			   "deps_kernel/sched/fair.o := \\\n"
			   "    $(wildcard include/config/SMP) \\\n"
			   "  /o/tree/include/linux/sched.h \\\n"
			   "  /o/tree/arch/schedproof/include/asm/page.h \\\n"
			   "  /o/treetop/x.h \\\n"
			   "  include/generated/bounds.h \\\n"
			   "  /usr/lib/gcc/x86_64-linux-gnu/12/include/stdarg.h \\\n\n"
			   "kernel/sched/fair.o: $(deps_kernel/sched/fair.o)\n";
static const char config_note[] = "deps_config := \\\n\tKconfig \\\n\tinit/Kconfig \\\n\n"
				  "$(deps_config): ;\n";

static void test_collect_takes_files_of_the_tree(void **state)
{
	char object[] = "kernel/sched/fair.o", absent[] = "kernel/sched/core.o";
	char *objects[] = { object, NULL }, *more[] = { object, absent, NULL };
	char *build = fake_root_new();
	struct strbuf sb = { 0 };
	struct error err = { 0 };

	(void)state;
	fake_file(build, "kernel/sched/.fair.o.cmd", note);
	fake_file(build, "include/config/auto.conf.cmd", config_note);
	assert_int_equal(inputs_collect(&sb, build, "/o/tree", objects, NULL), 0);
	assert_non_null(strstr(sb.s, "\nKconfig\n"));
	assert_non_null(strstr(sb.s, "\ninit/Kconfig\n"));
	assert_non_null(strstr(sb.s, "\nkernel/sched/fair.c\n"));
	assert_non_null(strstr(sb.s, "\ninclude/linux/sched.h\n"));
	assert_non_null(strstr(sb.s, "\nMakefile\n"));
	assert_null(strstr(sb.s, "page.h"));
	assert_null(strstr(sb.s, "x.h"));
	assert_null(strstr(sb.s, "stdarg"));
	assert_null(strstr(sb.s, "bounds"));
	assert_int_equal(inputs_collect(&sb, build, "/o/tree", more, &err), -ENOENT);
	strbuf_release(&sb);
	fake_root_free(build);
}

static void set_time(const char *dir, const char *name, long seconds, long ns)
{
	char *path = xasprintf("%s/%s", dir, name);
	const struct timespec times[2] = { { seconds, ns }, { seconds, ns } };

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	free(path);
}

/* A file that is younger by a nanosecond is another one, and so is one that is longer, gone, or come. */
static void test_hash_follows_time_size_and_existence(void **state)
{
	char *tree = fake_root_new();
	uint64_t first, newest;

	(void)state;
	fake_file(tree, "a", "one");
	fake_file(tree, "b", "two");
	set_time(tree, "a", 1000, 5);
	set_time(tree, "b", 2000, 7);
	first = inputs_hash("a\nb\nc\n", tree, &newest);
	assert_int_equal(newest, UINT64_C(2000000000007));
	assert_int_equal(inputs_hash("a\nb\nc\n", tree, NULL), first);
	set_time(tree, "a", 1000, 6);
	assert_int_not_equal(inputs_hash("a\nb\nc\n", tree, NULL), first);
	fake_file(tree, "a", "four");
	set_time(tree, "a", 1000, 5);
	assert_int_not_equal(inputs_hash("a\nb\nc\n", tree, NULL), first);
	fake_file(tree, "a", "one");
	set_time(tree, "a", 1000, 5);
	assert_int_equal(inputs_hash("a\nb\nc\n", tree, NULL), first);
	fake_file(tree, "c", "");
	assert_int_not_equal(inputs_hash("a\nb\nc\n", tree, NULL), first);
	fake_root_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_collect_takes_files_of_the_tree),
		cmocka_unit_test(test_hash_follows_time_size_and_existence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
