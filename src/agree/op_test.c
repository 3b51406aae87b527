// SPDX-License-Identifier: GPL-2.0-only
#include "agree/op.h"

#include "check.h"

#include <errno.h>

static const char text[] = "0 fork t0 on 3 cpus 0-2,64\n"
			   "0 fork t1 on 0\n"
			   "1250 wake t1 on 5 sync\n"
			   "1250 block t0\n"
			   "1300 yield t0\n"
			   "1300 exec t0\n"
			   "1400 sched t1 on 2 policy 3 nice -7 slice 3000000\n"
			   "1400 affinity t1 on 2 cpus 7\n"
			   "1500 exit t0\n"
			   "9000 end\n";

static void test_printed_is_what_was_read(void **state)
{
	struct agree_ops ops = { 0 };
	struct strbuf sb = { 0 };

	(void)state;
	assert_int_equal(agree_ops_parse(&ops, text, NULL), 0);
	assert_int_equal(ops.nr, 9);
	assert_int_equal(ops.end_ns, 9000);
	assert_int_equal(ops.op[0].affinity[0], 7);
	assert_int_equal(ops.op[0].affinity[1], 1);
	assert_int_equal(ops.op[6].sched.nice, -7);
	agree_ops_print(&ops, &sb);
	assert_string_equal(strbuf_str(&sb), text);
	strbuf_release(&sb);
	agree_ops_release(&ops);
}

static void test_what_is_no_script_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"1 fork t0 on 3\n",
		"x fork t0 on 0\n1 end\n",
		"1 fork t4096 on 0\n1 end\n",
		"1 jump t0\n1 end\n",
		"1 fork t0 on\n1 end\n",
		"1 fork t0 on 1024\n1 end\n",
		"5 block t0\n4 block t0\n6 end\n",
		"1 affinity t0 on 1\n2 end\n",
		"1 fork t0 on 1 cpus 1024\n2 end\n",
		"1 fork t0 on 1 cpus\n2 end\n",
		"1 sched t0 on 1 nice 20\n2 end\n",
		"1 sched t0 on 1 policy 1 priority 3\n2 end\n",
		"5 end\n6 block t0\n",
		"5 end of it\n",
		"5 block\n6 end\n",
		"-1 block t0\n6 end\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct agree_ops ops = { 0 };
		struct error err = { 0 };

		assert_int_equal(agree_ops_parse(&ops, bad[i], &err), -EINVAL);
		assert_int_equal(err.code, EINVAL);
		agree_ops_release(&ops);
	}
}

static void test_comments_and_blanks_are_nothing(void **state)
{
	struct agree_ops ops = { 0 };

	(void)state;
	assert_int_equal(agree_ops_parse(&ops, "# one\n\n  \t\n1 block t0 # two\n2 end", NULL), 0);
	assert_int_equal(ops.nr, 1);
	agree_ops_release(&ops);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_printed_is_what_was_read),
		cmocka_unit_test(test_what_is_no_script_is_refused),
		cmocka_unit_test(test_comments_and_blanks_are_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
