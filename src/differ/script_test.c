// SPDX-License-Identifier: GPL-2.0-only
#include "differ/script.h"

#include <errno.h>
#include <string.h>

#include "check.h"

#define HEAD                                                                                       \
	"schedproof events 1\nmachine = m\nbefore = model\nafter = kernel:x y\nseed = 7\nboot = "  \
	"0\nevents\n"

static void test_script_comes_back(void **state)
{
	static const char text[] =
		HEAD "0 fork t1 on 0 comm=a policy=0 nice=-5 rt=0 runtime=3000000\n"
		     "0 start t1 on 0\n"
		     "5 fork t2 on 1 comm=b policy=6 nice=0 rt=0 runtime=1 deadline=2 period=3 "
		     "cpus=0-1,3\n"
		     "6 sched t1 on 1 policy=1 nice=0 rt=99\n"
		     "7 affinity t1 on 1 cpus=2\n"
		     "8 block t1 on 2\n9 wake t1 on 0 sync\n9 block t1 on 2 io\n10 wake t1 on 0\n"
		     "11 tick on 3\n12 timer on 3\n13 ipi on 3 kind=1\n"
		     "14 yield t1 on 0\n15 exec t1 on 0\n16 exit t1 on 0\n16 free t1 on 0\n17 "
		     "settle on 1\n";
	struct script script;
	struct strbuf sb = { 0 };

	(void)state;
	script_init(&script);
	assert_int_equal(script_parse(&script, "x", text, NULL), 0);
	assert_int_equal(script.nr, 17);
	assert_int_equal(script.seed, 7);
	assert_string_equal(script.after, "kernel:x y");
	assert_int_equal(script.events[2].sched.period_ns, 3);
	script_print(&script, NULL, &sb);
	assert_string_equal(sb.s, text);
	script_release(&script);
	strbuf_release(&sb);
}

static void test_script_prints_what_is_kept(void **state)
{
	static const bool keep[] = { false, true };
	struct script script;
	struct strbuf sb = { 0 };

	(void)state;
	script_init(&script);
	assert_int_equal(
		script_parse(&script, "x", HEAD "1 tick on 0\n# remark\n\n2 tick on 1\n", NULL), 0);
	script_print(&script, keep, &sb);
	assert_string_equal(sb.s, HEAD "2 tick on 1\n");
	script_release(&script);
	strbuf_release(&sb);
}

static void assert_refused(const char *text, int code, const char *words)
{
	struct script script;
	struct error err = { 0 };

	script_init(&script);
	assert_int_equal(script_parse(&script, "x", text, &err), -code);
	if (!strstr(err.text, words))
		fail_msg("'%s' isn't in: %s", words, err.text);
	script_release(&script);
}

static void test_script_refuses(void **state)
{
	(void)state;
	assert_refused("", EINVAL, "machine, before, after and events are wanted");
	assert_refused("schedproof events 2\n", EINVAL, "x:1: no list of events");
	assert_refused("schedproof events 1\nmachine\n", EINVAL, "x:2: not 'name = value'");
	assert_refused("schedproof events 1\ncolour = 1\n", EINVAL, "x:2: unknown name 'colour'");
	assert_refused("schedproof events 1\nseed = 18446744073709551616\n", ERANGE, "x:2: ");
	assert_refused("schedproof events 1\nevents\n", EINVAL, "are wanted");
	assert_refused(HEAD "x tick on 0\n", EINVAL, "x:8: no number: 'x'");
	assert_refused(HEAD "1\n", EINVAL, "x:8: no such event");
	assert_refused(HEAD "1 tock on 0\n", EINVAL, "x:8: no such event: 'tock'");
	assert_refused(HEAD "1 block on 0\n", EINVAL, "which task");
	assert_refused(HEAD "1 block t0 on 0\n", EINVAL, "tasks begin with t1");
	assert_refused(HEAD "1 block t1000001 on 0\n", ERANGE, "1000001 is more than 1000000");
	assert_refused(HEAD "1 block t1 at 0\n", EINVAL, "where, as in 'on 3'? not 'at'");
	assert_refused(HEAD "1 tick on\n", EINVAL, "no number: ''");
	assert_refused(HEAD "1 tick on -1\n", EINVAL, "no number: '-1'");
	assert_refused(HEAD "1 ipi on 0 kind=3\n", ERANGE, "3 is more than 2");
	assert_refused(HEAD "1 sched t1 on 0 policy=4\n", EINVAL, "no such policy");
	assert_refused(HEAD "1 sched t1 on 0 policy=7\n", EINVAL, "out of range");
	assert_refused(HEAD "1 sched t1 on 0 nice=-21\n", EINVAL, "out of range");
	assert_refused(HEAD "1 wake t1 on 0 soon\n", EINVAL, "unknown word 'soon'");
	assert_refused(HEAD "1 wake t1 on 0 soon=1\n", EINVAL, "unknown word 'soon'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_script_comes_back),
		cmocka_unit_test(test_script_prints_what_is_kept),
		cmocka_unit_test(test_script_refuses),
	};

	return cmocka_run_group_tests_name("differ/script", tests, NULL, NULL);
}
