// SPDX-License-Identifier: GPL-2.0-only
#include "workload/task_exec.h"

#include "base/mem.h"
#include "workload/rtapp_read.h"
#include "workload/task_thread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void assert_advance(struct task_timer *timer, uint64_t now_ns, bool absolute,
			   uint64_t expect_due_ns, int64_t expect_slack)
{
	uint64_t due_ns = 0;

	assert_int_equal(task_timer_advance(timer, &due_ns, 100, now_ns, 20, absolute),
			 expect_slack);
	assert_int_equal(due_ns, expect_due_ns);
}

/* Start 100, period 20: due at 120, 140; missed by 15 at 175, and from there anew: 195. */
static void test_relative_timer_starts_anew(void **state)
{
	struct task_timer timer = { 0 };

	(void)state;
	assert_advance(&timer, 110, false, 120, 10);
	assert_advance(&timer, 121, false, 140, 19);
	assert_advance(&timer, 175, false, 160, -15);
	assert_advance(&timer, 180, false, 195, 15);
	assert_advance(&timer, 215, false, 215, 0);
}

/* Its grid stays: 120, 140, 160 is missed by 15, 180. */
static void test_absolute_timer_keeps_its_grid(void **state)
{
	struct task_timer timer = { 0 };

	(void)state;
	assert_advance(&timer, 110, true, 120, 10);
	assert_advance(&timer, 121, true, 140, 19);
	assert_advance(&timer, 175, true, 160, -15);
	assert_advance(&timer, 178, true, 180, 2);
}

/* Programs stay where a task that failed has not quite ended. */
static int play(const char *text, struct task_counts *counts, struct error *err)
{
	static struct task_program programs[8];
	static size_t nr_programs;
	struct task_program *program = &programs[nr_programs++];
	struct run run = { 0 };
	struct task_outcome outcome;
	struct task_exec *exec;
	int ret;

	assert_int_equal(rtapp_read(program, "f", text, strlen(text), NULL), 0);
	assert_int_equal(task_exec_new(&exec, program, 80, 0, 0, NULL), 0);
	ret = task_exec_run(exec, &run, err);
	if (!ret) {
		task_exec_outcome(exec, &outcome);
		memcpy(counts, outcome.counts, program->nr_tasks * sizeof(*counts));
	}
	if (task_exec_free(exec))
		task_program_release(program);
	return ret;
}

/* Three tasks pass a barrier 100 times each: nobody overtakes, nobody is left. 3 x 1 us of work is asked each time. */
static void test_tasks_meet_at_a_barrier(void **state)
{
	struct task_counts counts[2];

	(void)state;
	assert_int_equal(play("{'tasks':{'a':{'loop':100,'run':1,'barrier':'b'},"
			      "'b':{'instance':2,'loop':100,'run':1,'barrier':'b'}}}",
			      counts, NULL),
			 0);
	assert_int_equal(counts[0].phases, 100);
	assert_int_equal(counts[1].phases, 200);
	assert_int_equal(counts[1].runs, 200);
	assert_int_equal(counts[1].asked_ns, 200000);
	assert_true(counts[1].work_ns > 0);
}

/* 2 times (3 times p, once q) are 8 phases. To wake who isn't there is nothing. */
static void test_phases_and_loops(void **state)
{
	struct task_counts counts[1];

	(void)state;
	assert_int_equal(play("{'tasks':{'a':{'loop':2,'phases':{'p':{'loop':3,'lock':'m','yield',"
			      "'signal':'c','broad':'c','unlock':'m','resume':'b'},"
			      "'q':{'runtime':1}}}}}",
			      counts, NULL),
			 0);
	assert_int_equal(counts[0].phases, 8);
	assert_int_equal(counts[0].runs, 2);
}

static void test_misused_mutexes_fail(void **state)
{
	struct task_counts counts[1];
	struct error err = { 0 };

	(void)state;
	assert_int_equal(play("{'tasks':{'a':{'loop':1,'lock':'m','lock':'m'}}}", counts, &err),
			 -EDEADLK);
	assert_string_equal(err.text, "task 'a': lock 'm': the task holds it already");
	assert_int_equal(play("{'tasks':{'a':{'loop':1,'unlock':'m'}}}", counts, &err), -EPERM);
	assert_string_equal(err.text, "task 'a': unlock 'm': the task does not hold it");
	assert_int_equal(
		play("{'tasks':{'a':{'loop':1,'wait':{'ref':'c','mutex':'m'}}}}", counts, &err),
		-EPERM);
}

static struct task *add_task(struct task_program *program, const char *name, bool forked)
{
	struct task *task = task_program_add_task(program, name);

	task->instances = 1;
	task->loops = 1;
	task->forked = forked;
	task_add_phase(task)->loops = 1;
	return task;
}

static void add_op(struct task_program *program, size_t task, enum task_op_kind kind, size_t object)
{
	task_phase_add_op(program->tasks[task].phases, kind)->object = object;
}

/*
 * The parent posts thrice before the child is there, which takes four times: the fourth post answers what the child posts.
 * Nothing may be lost, the first time as the second: 2 phases of each, and of 2 marks each at 0 ns each is too late.
 */
static void test_forked_tasks_and_semaphores(void **state)
{
	struct task_program *program = xcalloc(1, sizeof(*program));
	struct task_exec *exec = NULL;
	struct task_outcome outcome;
	struct run run = { 0 };
	size_t down = task_program_object(program, TASK_SEMAPHORE, "down");
	size_t up = task_program_object(program, TASK_SEMAPHORE, "up");

	(void)state;
	add_task(program, "parent", false);
	add_task(program, "child", true);
	for (int i = 0; i < 3; i++)
		add_op(program, 0, TASK_POST, down);
	add_op(program, 0, TASK_FORK, 1);
	add_op(program, 0, TASK_TAKE, up);
	add_op(program, 0, TASK_POST, down);
	for (int i = 0; i < 3; i++)
		add_op(program, 1, TASK_TAKE, down);
	add_op(program, 1, TASK_POST, up);
	add_op(program, 1, TASK_TAKE, down);
	add_op(program, 1, TASK_MARK, 0);
	assert_int_equal(task_exec_new(&exec, program, 80,
				       1u << TASK_SAMPLES_WOKEN | 1u << TASK_SAMPLES_LATE, 0, NULL),
			 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(task_exec_run(exec, &run, NULL), 0);
	task_exec_outcome(exec, &outcome);
	assert_int_equal(outcome.counts[0].phases, 2);
	assert_int_equal(outcome.counts[1].phases, 2);
	assert_int_equal(outcome.sum.phases, 4);
	assert_int_equal(outcome.samples[TASK_SAMPLES_LATE]->count, 2);
	assert_true(outcome.samples[TASK_SAMPLES_LATE]->min > 0);
	assert_null(outcome.samples[TASK_SAMPLES_PERIOD]);
	/* each task slept at most once each time */
	assert_true(outcome.samples[TASK_SAMPLES_WOKEN]->count <= 4);
	assert_true(task_exec_free(exec));
	task_program_release(program);
	free(program);
}

/* Who waits for a post that never comes leaves when the time is over, and one that is never started isn't waited for. */
static void test_time_ends_waiting_at_semaphores(void **state)
{
	struct task_program program = { .ends_by_time = true, .duration_ns = 1000000 };
	struct task_exec *exec = NULL;
	struct task_outcome outcome;
	struct run run = { 0 };
	size_t never = task_program_object(&program, TASK_SEMAPHORE, "never");

	(void)state;
	add_task(&program, "waits", false);
	add_task(&program, "unborn", true);
	add_op(&program, 0, TASK_TAKE, never);
	add_op(&program, 0, TASK_FORK, 1);
	assert_int_equal(task_exec_new(&exec, &program, 80, 0, 0, NULL), 0);
	assert_int_equal(task_exec_run(exec, &run, NULL), 0);
	task_exec_outcome(exec, &outcome);
	assert_int_equal(outcome.sum.phases, 0);
	assert_true(run.stop_ns - run.start_ns >= 1000000);
	assert_true(task_exec_free(exec));
	task_program_release(&program);
}

/*
 * What each operation leaves in memory that all see: 100 bytes of 64 written one by one are 0 .. 63 and 0 .. 35 once more, which
 * is the same; then the first 10 are 0. A ring of 64 places is back at its first one after 64 pointers and not before, in
 * whatever order.
 */
static void test_memory(void **state)
{
	struct task_program program = { 0 };
	struct task_exec *exec = NULL;
	struct run run = { 0 };
	size_t bytes = task_program_object(&program, TASK_MEMORY, "bytes");
	size_t ring = task_program_object(&program, TASK_MEMORY, "ring");
	int places = 1;
	const char *base;
	void *first;

	(void)state;
	program.objects[bytes].bytes = 64;
	program.objects[ring] = (struct task_object){ .kind = TASK_MEMORY,
						      .name = program.objects[ring].name,
						      .bytes = 64 * 16,
						      .stride = 16,
						      .shuffled = true };
	add_task(&program, "a", false);
	add_op(&program, 0, TASK_WRITE, bytes);
	program.tasks[0].phases[0].ops[0].count = 100;
	add_op(&program, 0, TASK_FILL, bytes);
	program.tasks[0].phases[0].ops[1].count = 10;
	add_op(&program, 0, TASK_READ, bytes);
	program.tasks[0].phases[0].ops[2].count = 1000;
	add_op(&program, 0, TASK_CHASE, ring);
	program.tasks[0].phases[0].ops[3].count = 64;
	assert_int_equal(task_exec_new(&exec, &program, 80, 0, 0, NULL), 0);
	base = exec->objects[bytes].memory.base;
	first = atomic_load(&exec->objects[ring].memory.next);
	for (void **at = *(void **)first; at != first; at = *at)
		places++;
	assert_int_equal(places, 64);
	assert_int_equal(task_exec_run(exec, &run, NULL), 0);
	for (int i = 0; i < 64; i++)
		assert_int_equal(base[i], i < 10 ? 0 : i);
	assert_ptr_equal(atomic_load(&exec->objects[ring].memory.next), first);
	program.tasks[0].phases[0].ops[3].count = 63;
	assert_int_equal(task_exec_run(exec, &run, NULL), 0);
	assert_ptr_not_equal(atomic_load(&exec->objects[ring].memory.next), first);
	assert_true(task_exec_bytes(&program, 0) >= 64 + 64 * 16);
	assert_true(task_exec_free(exec));
	task_program_release(&program);
}

/* Each of two instances forks three times: six times through b's phase beside the one of its own, and c is told of its limit. */
/* In a process of its own: tasks that are left by a failure keep their memory. */
static bool fork_limit_ends_a_run(struct task_program *program)
{
	struct task_exec *exec;
	struct error err = { 0 };
	struct run run = { 0 };
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(task_exec_new(&exec, program, 80, 0, 0, NULL) ||
		      task_exec_run(exec, &run, &err) != -EAGAIN ||
		      strcmp(err.text,
			     "task 'a': fork: 'c' was forked 1 times, which is the limit"));
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status);
}

static void test_forks_as_often_as_is_said(void **state)
{
	struct task_counts counts[4];
	struct task_program program = { 0 };

	(void)state;
	assert_int_equal(
		play("{'tasks':{'a':{'instance':2,'loop':3,'fork':'b'},'b':{'loop':1,'run':1}}}",
		     counts, NULL),
		0);
	assert_int_equal(counts[0].phases, 6);
	assert_int_equal(counts[1].phases, 1);
	assert_int_equal(counts[2].phases, 6);
	add_task(&program, "a", false);
	add_task(&program, "c", true);
	add_op(&program, 0, TASK_FORK, 1);
	add_op(&program, 0, TASK_FORK, 1);
	add_op(&program, 1, TASK_YIELD, 0);
	assert_true(fork_limit_ends_a_run(&program));
	task_program_release(&program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_relative_timer_starts_anew),
		cmocka_unit_test(test_absolute_timer_keeps_its_grid),
		cmocka_unit_test(test_tasks_meet_at_a_barrier),
		cmocka_unit_test(test_phases_and_loops),
		cmocka_unit_test(test_misused_mutexes_fail),
		cmocka_unit_test(test_forked_tasks_and_semaphores),
		cmocka_unit_test(test_time_ends_waiting_at_semaphores),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_forks_as_often_as_is_said),
	};

	return cmocka_run_group_tests_name("workload/task_exec", tests, NULL, NULL);
}
