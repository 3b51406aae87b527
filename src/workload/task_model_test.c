// SPDX-License-Identifier: GPL-2.0-only
/* workload/task_model_test.c - programs whose length follows from what they ask for: all costs are 0 where none is named. */
#include "workload/task_model.h"

#include "base/mem.h"
#include "sim/fixture_script.h"
#include "workload/rtapp_read.h"
#include "workload/task_program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

#define US  1000
#define MS  1000000
#define ALL ((1u << NR_TASK_SAMPLES) - 1)

/* What a test plays; released by stop(). */
static struct script_world world;
static struct task_program program;
static struct task_model *model;
static struct task_outcome outcome;
static struct run run;

static void boot(uint32_t cores)
{
	script_world_init(&world, 1, 1, cores, 1);
	script_boot(&world);
}

static int play_program(uint64_t loops, struct error *err)
{
	int ret = task_model_new(&model, world.sim, &program, loops, ALL, 0, err);

	run = (struct run){ .limit_ns = UINT64_C(1000) * MS };
	if (!ret)
		ret = task_model_run(model, &run, err);
	if (!ret)
		task_model_outcome(model, &outcome);
	return ret;
}

/* In rt-app's words, on @cores CPUs. */
static int play(uint32_t cores, const char *text, struct error *err)
{
	boot(cores);
	assert_int_equal(rtapp_read(&program, "f", text, strlen(text), NULL), 0);
	return play_program(1, err);
}

static void play_well(uint32_t cores, const char *text)
{
	struct error err = { 0 };

	if (play(cores, text, &err))
		fail_msg("%s", err.text);
}

static void stop(void)
{
	if (model)
		task_model_free(model);
	model = NULL;
	task_program_release(&program);
	script_world_release(&world);
}

/* Ten times 1 ms of work and a timer of 5 ms: 50 ms, with 4 ms of slack each, and nobody is late. */
static void test_task_model_timers(void **state)
{
	const struct histogram *slack;

	(void)state;
	play_well(1, "{'tasks':{'a':{'loop':10,'run':1000,'timer':{'ref':'t','period':5000}}}}");
	assert_int_equal(run.stop_ns - run.start_ns, 50 * MS);
	assert_int_equal(task_model_ns(model), 50 * MS);
	assert_int_equal(outcome.sum.phases, 10);
	assert_int_equal(outcome.sum.runs, 10);
	assert_int_equal(outcome.sum.work_ns, 10 * MS);
	assert_int_equal(outcome.sum.asked_ns, 10 * MS);
	slack = outcome.samples[TASK_SAMPLES_SLACK];
	assert_int_equal(slack->count, 10);
	assert_int_equal(slack->min, 4 * MS);
	assert_int_equal(slack->max, 4 * MS);
	assert_int_equal(outcome.samples[TASK_SAMPLES_WAKEUP]->max, 0);
	assert_int_equal(outcome.samples[TASK_SAMPLES_PERIOD]->min, 5 * MS);
	assert_int_equal(outcome.samples[TASK_SAMPLES_WORK]->max, 1 * MS);
	stop();
}

/* Work of 3 ms for a timer of 2: each is missed by 1 ms, and the relative one starts anew: 4 x 3 ms. */
static void test_task_model_overruns(void **state)
{
	(void)state;
	play_well(1, "{'tasks':{'a':{'loop':4,'run':3000,'timer':{'ref':'t','period':2000}}}}");
	assert_int_equal(run.stop_ns - run.start_ns, 12 * MS);
	assert_int_equal(outcome.samples[TASK_SAMPLES_OVERRUN]->count, 4);
	assert_int_equal(outcome.samples[TASK_SAMPLES_OVERRUN]->min, 1 * MS);
	stop();
}

/* Two on one CPU have half of it each: 2 x 5 ms of work end after 10, 2 x 5 ms of time after 5 (and a tick). */
static void test_task_model_work_and_time(void **state)
{
	(void)state;
	play_well(1, "{'tasks':{'a':{'instance':2,'loop':1,'run':5000}}}");
	assert_int_equal(run.stop_ns - run.start_ns, 10 * MS);
	stop();
	play_well(1, "{'tasks':{'a':{'instance':2,'loop':1,'runtime':5000}}}");
	assert_in_range(run.stop_ns - run.start_ns, 5 * MS, 6 * MS);
	stop();
}

/* One works for 1 ms and two for 2 before they meet, ten times: 20 ms. */
static void test_task_model_barrier(void **state)
{
	(void)state;
	play_well(4, "{'tasks':{'a':{'loop':10,'run':1000,'barrier':'b'},"
		     "'b':{'instance':2,'loop':10,'run':2000,'barrier':'b'}}}");
	assert_int_equal(run.stop_ns - run.start_ns, 20 * MS);
	assert_int_equal(outcome.counts[0].phases, 10);
	assert_int_equal(outcome.counts[1].phases, 20);
	stop();
}

/* Each holds the mutex for 2 ms, ten times, on a CPU of its own: 40 ms. */
static void test_task_model_mutex(void **state)
{
	(void)state;
	play_well(2, "{'tasks':{'a':{'instance':2,'loop':10,'lock':'m','run':2000,'unlock':'m'}}}");
	assert_int_equal(run.stop_ns - run.start_ns, 40 * MS);
	stop();
}

/*
 * The turn goes to and fro with nobody lost, 100 times each, but the last one to wait is left alone until the time is over. Who is
 * suspended is woken at 2.01, 4.01 ... 10.01 ms and then works for 1 ms.
 */
static void test_task_model_hands_over(void **state)
{
	(void)state;
	play_well(2, "{'tasks':{'a':{'instance':2,'loop':100,'run':1000,"
		     "'sync':{'ref':'c','mutex':'m'}}},'global':{'duration':1}}");
	assert_int_equal(run.stop_ns - run.start_ns, 1000 * MS);
	assert_in_range(outcome.sum.phases, 198, 199);
	stop();
	play_well(2, "{'tasks':{'a':{'loop':5,'suspend':'','run':1000},"
		     "'b':{'loop':5,'delay':10,'sleep':2000,'resume':'a'}}}");
	assert_int_equal(run.stop_ns - run.start_ns, 11010 * US);
	assert_int_equal(outcome.counts[0].phases, 5);
	stop();
}

/* The end of the time ends all of it. A system call takes 100 ns, else no time would pass at a barrier. */
static void test_task_model_end_of_time(void **state)
{
	static const char *const events[] = {
		"'run':60000000",
		"'runtime':60000000",
		"'sleep':60000000",
		"'suspend':''",
		"'barrier':'b','yield':''",
		"'lock':'m','wait':{'ref':'c','mutex':'m'}",
		"'timer':{'ref':'t','period':60000000}",
		"'timer':{'ref':'t','period':0}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		char text[200];

		snprintf(text, sizeof(text),
			 "{'tasks':{'t':{'instance':2,'loop':-1,%s}},'global':{'duration':1}}",
			 events[i]);
		script_world_init(&world, 1, 1, 2, 1);
		world.costs.syscall_ns = 100;
		script_boot(&world);
		assert_int_equal(rtapp_read(&program, "f", text, strlen(text), NULL), 0);
		program.duration_ns = 50 * MS;
		assert_int_equal(play_program(1, NULL), 0);
		assert_in_range(run.stop_ns - run.start_ns, 50 * MS, 51 * MS);
		stop();
	}
}

static void test_task_model_misused_mutexes_fail(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(play(1, "{'tasks':{'a':{'loop':1,'lock':'m','lock':'m'}}}", &err),
			 -EDEADLK);
	assert_string_equal(err.text, "task 'a': lock 'm': the task holds it already");
	stop();
	assert_int_equal(play(1, "{'tasks':{'a':{'loop':1,'unlock':'m'}}}", &err), -EPERM);
	assert_string_equal(err.text, "task 'a': unlock 'm': the task does not hold it");
	stop();
	assert_int_equal(play(1, "{'tasks':{'a':{'loop':1,'wait':{'ref':'c','mutex':'m'}}}}", &err),
			 -EPERM);
	stop();
	assert_int_equal(play(1, "{'tasks':{'a':{'loop':1,'cpus':[5],'run':1}}}", &err),
			 -EOPNOTSUPP);
	assert_string_equal(err.text, "task 'a': the machine has none of CPUs 5 online");
	stop();
}

/* Who waits for each other's lock waits for ever: the sim says so. */
static void test_task_model_deadlock(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(play(2,
			      "{'tasks':{'a':{'loop':1,'lock':'m','run':1000,'lock':'n'},"
			      "'b':{'loop':1,'lock':'n','run':1000,'lock':'m'}}}",
			      &err),
			 -EDEADLK);
	assert_non_null(strstr(err.text, " s locks mutex 'm', which 'a' (2) holds"));
	assert_non_null(strstr(err.text, " s locks mutex 'n', which 'b' (3) holds"));
	assert_non_null(strstr(err.text, " s waits at the tasks' end"));
	stop();
}

static void add_task(const char *name, bool forked)
{
	struct task *task = task_program_add_task(&program, name);

	task->instances = 1;
	task->loops = 1;
	task->forked = forked;
	task_add_phase(task)->loops = 1;
}

static struct task_op *add_op(size_t task, enum task_op_kind kind, size_t object)
{
	struct task_op *op = task_phase_add_op(program.tasks[task].phases, kind);

	op->object = object;
	return op;
}

/*
 * The parent posts, forks after 1 ms, works for 2 ms and posts again. The child has its first post at once, works for 1 ms until 2 ms,
 * sleeps until 3 ms, and is woken there. Its mark of 2.5 ms is 0.5 ms late, the parent's of 10 ms not at all. Three times over: 9 ms.
 */
static void test_task_model_forks_and_semaphores(void **state)
{
	struct error err = { 0 };
	size_t s;

	(void)state;
	boot(2);
	s = task_program_object(&program, TASK_SEMAPHORE, "s");
	add_task("parent", false);
	add_task("child", true);
	add_op(0, TASK_POST, s);
	add_op(0, TASK_RUN, 0)->ns = 1 * MS;
	add_op(0, TASK_FORK, 1);
	add_op(0, TASK_RUN, 0)->ns = 2 * MS;
	add_op(0, TASK_POST, s);
	add_op(0, TASK_MARK, 0)->ns = 10 * MS;
	add_op(1, TASK_TAKE, s);
	add_op(1, TASK_RUN, 0)->ns = 1 * MS;
	add_op(1, TASK_TAKE, s);
	add_op(1, TASK_MARK, 0)->ns = 2500 * US;
	if (play_program(3, &err))
		fail_msg("%s", err.text);
	assert_int_equal(task_model_ns(model), 9 * MS);
	assert_int_equal(outcome.counts[0].phases, 3);
	assert_int_equal(outcome.counts[1].phases, 3);
	assert_int_equal(outcome.samples[TASK_SAMPLES_LATE]->count, 6);
	assert_int_equal(outcome.samples[TASK_SAMPLES_LATE]->min, 0);
	assert_int_equal(outcome.samples[TASK_SAMPLES_LATE]->max, 500 * US);
	assert_int_equal(outcome.samples[TASK_SAMPLES_WOKEN]->count, 3);
	assert_int_equal(outcome.samples[TASK_SAMPLES_WOKEN]->max, 0);
	stop();
}

/*
 * 100 ns a KiB: 10 KiB through a buffer of 4 KiB are 1000 ns, 16 pointers of a cache line each 100 ns more, whatever the ring's
 * stride. And what the simulator has not is refused by name.
 */
static void test_task_model_memory(void **state)
{
	static const char text[] =
		"{'tasks':{'a':{'loop':2,'mem':10240,'memrun':{'type':'chase','size':8192,"
		"'stride':4096,'count':16}}},'global':{'mem_buffer_size':4096}}";
	struct error err = { 0 };

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	world.costs.memory_ns_kib[SIM_NODE] = 100;
	script_boot(&world);
	assert_int_equal(rtapp_read(&program, "f", text, strlen(text), NULL), 0);
	if (play_program(1, &err))
		fail_msg("%s", err.text);
	assert_int_equal(outcome.samples[TASK_SAMPLES_PERIOD]->count, 2);
	assert_int_equal(outcome.samples[TASK_SAMPLES_PERIOD]->min, 1100);
	assert_int_equal(outcome.samples[TASK_SAMPLES_PERIOD]->max, 1100);
	stop();
}

/* a forks b at 0, 1 and 2 ms, each of which runs 4 ms on a CPU of its own: the last one ends after 6 ms. */
static void test_task_model_forks_several(void **state)
{
	(void)state;
	play_well(4, "{'tasks':{'a':{'loop':3,'fork':'b','run':1000},"
		     "'b':{'instance':0,'loop':1,'run':4000}}}");
	assert_int_equal(outcome.counts[0].phases, 3);
	assert_int_equal(outcome.counts[1].phases, 3);
	assert_int_equal(run.stop_ns - run.start_ns, 6 * MS);
	stop();
}

/* What writing @bytes from a buffer of 4096 to @device takes, with what begins and ends a run. */
static uint64_t writing_ns(const char *device, unsigned int bytes)
{
	char text[200];
	uint64_t ns;

	snprintf(text, sizeof(text),
		 "{'global':{'io_device':'%s','mem_buffer_size':4096},"
		 "'tasks':{'a':{'loop':1,'iorun':%u}}}",
		 device, bytes);
	boot(1);
	world.costs.syscall_ns = 100;
	world.costs.copy_ns_kib = 60;
	world.costs.io_ns = 20000;
	assert_int_equal(rtapp_read(&program, "f", text, strlen(text), NULL), 0);
	assert_int_equal(play_program(1, NULL), 0);
	ns = run.stop_ns - run.start_ns;
	stop();
	return ns;
}

/*
 * 10,000 bytes are three writes, 4096 are one. To /dev/null each is a system call of 100 ns; to a file each waits for 20 us as well,
 * and copies: 60 ns a KiB are 240, 240 and 105 ns.
 */
static void test_task_model_writes(void **state)
{
	const uint64_t one_ns = writing_ns("/dev/null", 4096);

	(void)state;
	assert_int_equal(writing_ns("/dev/null", 10000), one_ns + 200);
	assert_int_equal(writing_ns("/tmp/file", 4096), one_ns + 20240);
	assert_int_equal(writing_ns("/tmp/file", 10000), one_ns + 200 + 60585);
}

static void assert_not_simulated(const char *text, const char *words)
{
	struct error err = { 0 };

	assert_int_equal(play(1, text, &err), -EOPNOTSUPP);
	assert_string_equal(err.text, words);
	model = NULL;
	stop();
}

static void test_task_model_refuses(void **state)
{
	(void)state;
	assert_not_simulated("{'tasks':{'a':{'loop':1,'run':1,'util_max':1}}}",
			     "task 'a': util_min and util_max are not simulated");
	assert_not_simulated("{'tasks':{'a':{'loop':1,'phases':{'p':{'run':1,'nodes_membind':[0]}}"
			     "}}}",
			     "task 'a': nodes_membind is not simulated");
}

/* The test's core refuses nice 30. Before, the task went on as it was, and the run was a good one. */
static void test_task_model_what_the_core_refuses_fails_the_run(void **state)
{
	static const char text[] = "{'tasks':{'a':{'loop':1,'priority':-20,'run':1}}}";
	struct error err = { 0 };

	(void)state;
	boot(1);
	assert_int_equal(rtapp_read(&program, "f", text, strlen(text), NULL), 0);
	program.tasks[0].sched.priority = 30;
	assert_int_equal(play_program(1, &err), -EINVAL);
	assert_string_equal(err.text, "task 'a': SCHED_OTHER, priority 30: Invalid argument");
	stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_task_model_timers),
		cmocka_unit_test(test_task_model_overruns),
		cmocka_unit_test(test_task_model_work_and_time),
		cmocka_unit_test(test_task_model_barrier),
		cmocka_unit_test(test_task_model_mutex),
		cmocka_unit_test(test_task_model_hands_over),
		cmocka_unit_test(test_task_model_end_of_time),
		cmocka_unit_test(test_task_model_misused_mutexes_fail),
		cmocka_unit_test(test_task_model_deadlock),
		cmocka_unit_test(test_task_model_forks_and_semaphores),
		cmocka_unit_test(test_task_model_memory),
		cmocka_unit_test(test_task_model_forks_several),
		cmocka_unit_test(test_task_model_writes),
		cmocka_unit_test(test_task_model_refuses),
		cmocka_unit_test(test_task_model_what_the_core_refuses_fails_the_run),
	};

	return cmocka_run_group_tests_name("workload/task_model", tests, NULL, NULL);
}
