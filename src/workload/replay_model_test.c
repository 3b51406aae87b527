// SPDX-License-Identifier: GPL-2.0-only
/* workload/replay_model_test.c - a small trace on a simulated machine without costs. */
#include "sim/fixture_script.h"
#include "workload/model.h"
#include "workload/model_figure.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

extern const struct workload workload_replay;

/* a runs from 0 to 1.5 ms and wakes b at 1 ms, which runs from 1.3 to 2.3 ms. */
static const char trace[] =
	"<idle>-0 [001] d..2. 1.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 "
	"prev_state=R ==> next_comm=swapper/1 next_pid=0 next_prio=120\n"
	"a-10 [000] d..2. 1.001000: sched_waking: comm=b pid=20 prio=120 target_cpu=001\n"
	"<idle>-0 [001] d..2. 1.001300: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 "
	"prev_state=R ==> next_comm=b next_pid=20 next_prio=120\n"
	"a-10 [000] d..2. 1.001500: sched_switch: prev_comm=a prev_pid=10 prev_prio=120 "
	"prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
	"b-20 [001] d..2. 1.002300: sched_switch: prev_comm=b prev_pid=20 prev_prio=120 "
	"prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120\n";

static struct run play(uint32_t cores, const char *loops)
{
	alignas(max_align_t) char cfg[1024] = { 0 };
	char path[64];
	struct run run = { .workload = &workload_replay };
	struct script_world world;
	struct error err = { 0 };
	int fd = memfd_create("trace", MFD_CLOEXEC);

	assert_true(fd >= 0 && workload_replay.cfg_size <= sizeof(cfg));
	assert_int_equal(write(fd, trace, strlen(trace)), strlen(trace));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	opts_init(workload_replay.opts, cfg);
	assert_int_equal(opts_set(workload_replay.opts, cfg, "file", path, NULL), 0);
	assert_int_equal(opts_set(workload_replay.opts, cfg, "loops", loops, NULL), 0);
	script_world_init(&world, 1, 1, cores, 1);
	script_boot(&world);
	if (workload_replay.model(&run, world.sim, cfg, &err))
		fail_msg("%s", err.text);
	script_world_release(&world);
	opts_release(workload_replay.opts, cfg);
	close(fd);
	return run;
}

/* b is woken at 1 ms and runs at once, until 2 ms: 0.3 ms before the recorded end, and nothing is late. */
static void test_replay_model_on_two_cpus(void **state)
{
	struct run run = play(2, "3");

	(void)state;
	assert_near(metric(&run, "slowdown"), 2 / 2.3, 1e-9);
	assert_near(metric(&run, "duration"), 2e6, 0);
	assert_near(metric(&run, "schedule"), 2.3e6, 0);
	assert_near(metric(&run, "late-max"), 0, 0);
	assert_near(metric(&run, "wakeup-max"), 0, 0);
	assert_near(metric(&run, "recorded-max"), 3e5, 0);
	assert_near(metric(&run, "matched"), 1, 0);
	assert_near(metric(&run, "work-ratio"), 1, 0);
	assert_near(metric(&run, "runs"), 9, 0);
	result_release(&run.result);
}

/* All of the 2.5 ms one after the other: 0.2 ms more than were recorded. */
static void test_replay_model_on_one_cpu(void **state)
{
	struct run run = play(1, "1");

	(void)state;
	assert_near(metric(&run, "duration"), 2.5e6, 0);
	assert_near(metric(&run, "slowdown"), 2.5 / 2.3, 1e-9);
	assert_true(metric(&run, "late-max") >= 2e5);
	assert_string_equal(result_note(&run.result, "trace"),
			    "2 of 2 tasks that ran, with 100.0 % of the CPU time; 0 left out by "
			    "name or number, 0 as others ran longer");
	result_release(&run.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replay_model_on_two_cpus),
		cmocka_unit_test(test_replay_model_on_one_cpu),
	};

	return cmocka_run_group_tests_name("workload/replay_model", tests, NULL, NULL);
}
