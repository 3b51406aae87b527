// SPDX-License-Identifier: GPL-2.0-only
#include "workload/hackbench.h"

#include "base/mem.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static const struct hackbench_cfg defaults = {
	.groups = 10, .fds = 20, .loops = 100, .size_bytes = 100
};

static void assert_prints(const struct hackbench_cfg *cfg, double ns, const char *text)
{
	static const struct metric time = { "time", UNIT_NS, BETTER_LOWER, "" };
	struct result result = { .workload = xstrdup("hackbench") };
	struct strbuf sb = { 0 };

	result_add_metric(&result, &time, ns);
	hackbench_original(&result, cfg, &sb);
	assert_string_equal(sb.s, text);
	strbuf_release(&sb);
	result_release(&result);
}

/* Texts as the programs print them (rt-tests 2.4, LTP's, perf 6.1); 1.6209 s is cut, not rounded. */
static void test_hackbench_original_of_rt_tests(void **state)
{
	struct hackbench_cfg cfg = defaults;

	(void)state;
	assert_prints(&cfg, 1620900000,
		      "Running in process mode with 10 groups using 40 file descriptors each (== "
		      "400 tasks)\n"
		      "Each sender will pass 100 messages of 100 bytes\n"
		      "Time: 1.620\n");
	cfg.mode = MODE_THREAD;
	cfg.groups = 2;
	cfg.fds = 3;
	assert_prints(&cfg, 999999,
		      "Running in threaded mode with 2 groups using 6 file descriptors each (== 12 "
		      "tasks)\n"
		      "Each sender will pass 100 messages of 100 bytes\n"
		      "Time: 0.000\n");
}

static void test_hackbench_original_of_ltp(void **state)
{
	struct hackbench_cfg cfg = defaults;

	(void)state;
	cfg.flavor = FLAVOR_LTP;
	assert_prints(&cfg, 1564000000, "Running with 10*40 (== 400) tasks.\nTime: 1.564\n");
}

static void test_hackbench_original_of_perf(void **state)
{
	struct hackbench_cfg cfg = defaults;

	(void)state;
	cfg.flavor = FLAVOR_PERF;
	assert_prints(&cfg, 3370000000.0,
		      "# Running 'sched/messaging' benchmark:\n"
		      "# 20 sender and receiver processes per group\n"
		      "# 10 groups == 400 processes run\n"
		      "\n"
		      "     Total time: 3.370 [sec]\n");
	cfg.mode = MODE_THREAD;
	assert_prints(&cfg, 1007000000,
		      "# Running 'sched/messaging' benchmark:\n"
		      "# 20 sender and receiver threads per group\n"
		      "# 10 groups == 400 threads run\n"
		      "\n"
		      "     Total time: 1.007 [sec]\n");
}

static void test_hackbench_check_holds_a_flavor_to_its_program(void **state)
{
	const struct workload *workload = workload_find("hackbench");
	struct hackbench_cfg cfg = defaults;
	struct error err = { 0 };

	(void)state;
	cfg.fds = 3;
	cfg.size_bytes = 5;
	cfg.transport = TRANSPORT_TCP;
	cfg.parent = PARENT_FIFO;
	assert_int_equal(workload->check(&cfg, &err), 0);
	cfg.flavor = FLAVOR_LTP;
	assert_int_equal(workload->check(&cfg, &err), -EINVAL);
	assert_string_equal(err.text, "fds: always 20 with flavor=ltp");
	cfg.fds = 20;
	assert_int_equal(workload->check(&cfg, &err), -EINVAL);
	assert_string_equal(err.text, "size: always 100 with flavor=ltp");
	cfg.size_bytes = 100;
	cfg.flavor = FLAVOR_PERF;
	assert_int_equal(workload->check(&cfg, &err), -EINVAL);
	assert_string_equal(err.text, "transport: socket or pipe with flavor=perf");
	cfg.transport = TRANSPORT_PIPE;
	assert_int_equal(workload->check(&cfg, &err), -EINVAL);
	assert_string_equal(err.text, "parent: always fair with flavor=perf");
	cfg.parent = PARENT_FAIR;
	assert_int_equal(workload->check(&cfg, &err), 0);
}

static void test_channels_of_every_kind_carry_bytes_one_way(void **state)
{
	(void)state;
	for (int transport = TRANSPORT_SOCKET; transport <= TRANSPORT_TCP; transport++) {
		struct channels channels = { .listener = -1 };
		int a[2], b[2];
		char byte = 0;

		assert_int_equal(channels_init(&channels, transport, NULL), 0);
		assert_int_equal(channels_open(&channels, a, NULL), 0);
		assert_int_equal(channels_open(&channels, b, NULL), 0);
		assert_int_equal(channels_finish(&channels, NULL), 0);
		assert_int_equal(write(a[1], "a", 1), 1);
		assert_int_equal(write(b[1], "b", 1), 1);
		assert_int_equal(read(a[0], &byte, 1), 1);
		assert_int_equal(byte, 'a');
		close(a[1]);
		assert_int_equal(read(a[0], &byte, 1), 0); /* its end is seen */
		close(a[0]);
		close(b[0]);
		close(b[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hackbench_original_of_rt_tests),
		cmocka_unit_test(test_hackbench_original_of_ltp),
		cmocka_unit_test(test_hackbench_original_of_perf),
		cmocka_unit_test(test_hackbench_check_holds_a_flavor_to_its_program),
		cmocka_unit_test(test_channels_of_every_kind_carry_bytes_one_way),
	};

	return cmocka_run_group_tests_name("workload/hackbench", tests, NULL, NULL);
}
