// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay_original.h"

#include "check.h"

static const struct workload replay = { .name = "replay" };

/*
 * The form, and the averages of three rounds, are those of a run of perf 6.1: 1826.41 x 2 + 1249.952 by 3 is 1634.26, and so on. The
 * mark is no event, the fork neither.
 */
static void test_replay_original_lines(void **state)
{
	static const char expect[] =
		"run measurement overhead: 80 nsecs\n"
		"sleep measurement overhead: 63118 nsecs\n"
		"the run test took 1000025 nsecs\n"
		"the sleep test took 1086368 nsecs\n"
		"nr_run_events:        2\n"
		"nr_sleep_events:      1\n"
		"nr_wakeup_events:     1\n"
		"task      0 (     tokio-rt-worker:        68), nr_events: 3\n"
		"task      1 (               a:b_c:     21308), nr_events: 1\n"
		"------------------------------------------------------------\n"
		"#1  : 1826.410, ravg: 1826.41, cpu: 807.60 / 807.60\n"
		"#2  : 1249.952, ravg: 1634.26, cpu: 340.18 / 651.79\n"
		"#3  : 1327.709, ravg: 1532.07, cpu: 663.27 / 655.62\n";
	static const struct task_round rounds[] = { { 1826410000, 807600000 },
						    { 1249952000, 340180000 },
						    { 1327709000, 663270000 } };
	struct task_program program = { 0 };
	struct run run = { .workload = &replay };
	struct strbuf sb = { 0 };
	struct task_phase *phase;

	(void)state;
	phase = task_add_phase(task_program_add_task(&program, "tokio-rt-worker:68"));
	task_phase_add_op(phase, TASK_RUN);
	task_phase_add_op(phase, TASK_MARK);
	task_phase_add_op(phase, TASK_TAKE);
	task_phase_add_op(phase, TASK_FORK);
	task_phase_add_op(phase, TASK_POST);
	phase = task_add_phase(task_program_add_task(&program, "a:b;c:21308"));
	task_phase_add_op(phase, TASK_RUNTIME);
	run_note(&run, "clocks", "80 63118 1000025 1086368");
	replay_tell(&run, &program, rounds, 3, 3);
	replay_original(&run.result, NULL, &sb);
	assert_string_equal(strbuf_str(&sb), expect);
	strbuf_release(&sb);
	result_release(&run.result);
	task_program_release(&program);
}

/* No clock of this machine is told, and nothing cut: a thousand tasks and rounds of the longest names and times are there. */
static void test_replay_original_of_many(void **state)
{
	static struct task_round rounds[REPLAY_ROUNDS];
	struct task_program program = { 0 };
	struct run run = { .workload = &replay };
	struct strbuf sb = { 0 };
	size_t n = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct task *task = task_program_add_task(&program, "fifteen-letters:4194304");

		task_phase_add_op(task_add_phase(task), TASK_RUN);
		rounds[i] = (struct task_round){ 3600000000000 + (uint64_t)i, 7200000000000 };
	}
	replay_tell(&run, &program, rounds, 1000, 5000);
	assert_true(run.result.nr_notes <= 95);
	replay_original(&run.result, NULL, &sb);
	for (const char *c = strbuf_str(&sb); *c; c++)
		n += *c == '\n';
	assert_int_equal(n, 3 + 1000 + 1 + 1000);
	strbuf_release(&sb);
	result_release(&run.result);
	task_program_release(&program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replay_original_lines),
		cmocka_unit_test(test_replay_original_of_many),
	};

	return cmocka_run_group_tests_name("workload/replay_original", tests, NULL, NULL);
}
