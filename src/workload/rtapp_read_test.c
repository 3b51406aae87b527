// SPDX-License-Identifier: GPL-2.0-only
#include "workload/rtapp_read.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static struct task_program read_text(const char *text)
{
	struct task_program program = { 0 };
	struct error err = { 0 };

	if (rtapp_read(&program, "f", text, strlen(text), &err))
		fail_msg("%s", err.text);
	return program;
}

static void assert_refused(const char *text, const char *words)
{
	struct task_program program = { 0 };
	struct error err = { 0 };

	assert_int_equal(rtapp_read(&program, "f", text, strlen(text), &err), -EINVAL);
	assert_string_equal(err.text, words);
	assert_null(program.tasks);
}

static void test_rtapp_task_without_phases(void **state)
{
	struct task_program p = read_text("{'tasks':{'a':{'run':2,'sleep0':3,},"
					  "'b':{'loop':5,'instance':3,'delay':7,'runtime1':4},"
					  "'c':{'loop':-1,'yield':''}}}");

	(void)state;
	assert_int_equal(p.nr_tasks, 3);
	assert_int_equal(task_program_tasks(&p), 5);
	assert_true(p.tasks[0].endless);
	assert_false(p.tasks[0].phases[0].endless);
	assert_int_equal(p.tasks[0].phases[0].loops, 1);
	assert_int_equal(p.tasks[0].phases[0].nr_ops, 2);
	assert_int_equal(p.tasks[0].phases[0].ops[0].kind, TASK_RUN);
	assert_int_equal(p.tasks[0].phases[0].ops[0].ns, 2000);
	assert_int_equal(p.tasks[0].phases[0].ops[1].kind, TASK_SLEEP);
	assert_false(p.tasks[0].sched.given);
	assert_int_equal(p.tasks[1].loops, 1);
	assert_int_equal(p.tasks[1].phases[0].loops, 5);
	assert_int_equal(p.tasks[1].delay_ns, 7000);
	assert_int_equal(p.tasks[1].phases[0].ops[0].kind, TASK_RUNTIME);
	assert_true(p.tasks[2].phases[0].endless);
	assert_ptr_equal(task_program_endless(&p), &p.tasks[0]);
	assert_false(p.ends_by_time);
	task_program_release(&p);
}

/* The keys of a task behind its phases count for them as well, and "global" behind the tasks. */
static void test_rtapp_phases_and_global(void **state)
{
	struct task_program p = read_text(
		"{'tasks':{'a':{'phases':{'p':{'loop':10,'cpus':[1,3],'run':1},"
		"'p':{'priority':5,'run':2}, 'q':{'run':3}},'cpus':[0],'loop':2}},"
		"'global':{'duration':6,'default_policy':'SCHED_BATCH','calibration':'CPU1',"
		"'pi_enabled':true,'gnuplot':false,'ftrace':'none','log_size':2}}");
	const struct task *a = &p.tasks[0];

	(void)state;
	assert_int_equal(a->nr_phases, 3);
	assert_false(a->endless);
	assert_int_equal(a->loops, 2);
	assert_int_equal(a->phases[0].loops, 10);
	assert_true(a->phases[0].bound && a->bound && !a->phases[1].bound);
	assert_true(cpumask_test(&a->phases[0].cpus, 3) && cpumask_test(&a->cpus, 0));
	assert_int_equal(cpumask_weight(&a->phases[0].cpus), 2);
	assert_true(a->sched.given);
	assert_int_equal(a->sched.policy, TASK_BATCH);
	assert_false(a->phases[0].sched.given);
	assert_true(a->phases[1].sched.given);
	assert_int_equal(a->phases[1].sched.policy, TASK_BATCH);
	assert_int_equal(a->phases[1].sched.priority, 5);
	assert_false(a->phases[2].sched.given);
	assert_true(p.ends_by_time && p.inherit_priority);
	assert_int_equal(p.duration_ns, 6000000000);
	assert_int_equal(p.calibration_cpu, 1);
	assert_null(task_program_endless(&p));
	task_program_release(&p);
}

static void test_rtapp_policies(void **state)
{
	struct task_program p =
		read_text("{'tasks':{'f':{'policy':'SCHED_FIFO','run':1},"
			  "'d':{'policy':'SCHED_DEADLINE','dl-runtime':2,'dl-period':9,'run':1},"
			  "'s':{'priority':-19,'dl-runtime':3,'run':1}}}");

	(void)state;
	assert_int_equal(p.tasks[0].sched.priority, 10);
	assert_int_equal(p.tasks[1].sched.runtime_ns, 2000);
	assert_int_equal(p.tasks[1].sched.deadline_ns, 9000);
	assert_int_equal(p.tasks[1].sched.period_ns, 9000);
	assert_int_equal(p.tasks[2].sched.policy, TASK_OTHER);
	assert_int_equal(p.tasks[2].sched.priority, -19);
	assert_int_equal(p.tasks[2].sched.runtime_ns, 3000);
	task_program_release(&p);
}

static const struct task_object *object(const struct task_program *p, size_t op)
{
	return &p->objects[p->tasks[0].phases[0].ops[op].object];
}

static void test_rtapp_objects(void **state)
{
	struct task_program p = read_text(
		"{'tasks':{'a':{'instance':2,'lock':'m','wait':{'ref':'c','mutex':'m'},"
		"'unlock':'m','signal':'c','timer':{'ref':'unique1','period':5},"
		"'timer2':{'ref':'t','period':6,'mode':'absolute'},'barrier':'b','suspend',"
		"'resume':'a'},'b':{'barrier':'b'}}}");
	const struct task_op *ops = p.tasks[0].phases[0].ops;

	(void)state;
	assert_int_equal(p.tasks[0].phases[0].nr_ops, 9);
	assert_int_equal(ops[0].object, ops[1].mutex);
	assert_int_equal(ops[0].object, ops[2].object);
	assert_int_equal(ops[1].object, ops[3].object);
	assert_int_equal(object(&p, 1)->kind, TASK_CONDITION);
	assert_true(object(&p, 4)->own && !object(&p, 4)->absolute);
	assert_true(!object(&p, 5)->own && object(&p, 5)->absolute);
	assert_int_equal(ops[5].ns, 6000);
	/* two instances of a, one of b */
	assert_int_equal(object(&p, 6)->users, 3);
	assert_int_equal(ops[7].kind, TASK_SUSPEND);
	assert_string_equal(object(&p, 7)->name, "a");
	assert_int_equal(ops[7].object, ops[8].object);
	assert_int_equal(ops[7].mutex, ops[8].mutex);
	task_program_release(&p);
}

static void test_rtapp_refuses_with_key_and_line(void **state)
{
	(void)state;
	assert_refused("{'tasks':{\n'a':{\n'xmem':1}}}", "f:3: task 'a': 'xmem': is not supported");
	assert_refused(
		"{'tasks':{'a':{'phases':{\n'p':{'taskgroup':'/x','run':1}}}}}",
		"f:2: task 'a': phase 'p': 'taskgroup': '/x' is not supported: rt-app's groups "
		"are version 1 of the kernel's control groups, for threads");
	assert_refused("{'tasks':{'a':{'run':'x'}}}",
		       "f:1: task 'a': 'run': ''' where a whole number is expected");
	assert_refused("{'tasks':{'a':{'run':-1}}}",
		       "f:1: task 'a': 'run': -1 is not in 0 .. 2147483647");
	assert_refused("{'tasks':{'a':{'loop':1,'loop':2,'run':1}}}",
		       "f:1: task 'a': 'loop': there are two");
	assert_refused("{'tasks':{'a':{'loop':0,'run':1}}}",
		       "f:1: task 'a': 'loop': 0 times is not supported, -1 is without end");
	assert_refused("{'tasks':{'a':{'run':1},\n'a':{'run':1}}}", "f:2: task 'a': there are two");
	assert_refused("{'tasks':{'a':{'run':1,'phases':{'p':{'run':1}}}}}",
		       "f:1: task 'a': there are events beside 'phases'");
	assert_refused("{'tasks':{\n'a':{\n'loop':1}}}", "f:2: task 'a': there is no event in it");
	assert_refused("{'tasks':{'a':{'timer':{'ref':'t','mode':'x'}}}}",
		       "f:1: task 'a': 'timer': mode 'x' is not relative or absolute");
	assert_refused("{'tasks':{'a':{'suspend':'b'}}}",
		       "f:1: task 'a': 'suspend': 'b' is not this task: rt-app takes the task's "
		       "own name, and old ones took this");
	assert_refused("{'tasks':{'a':{'policy':'SCHED_FIFO','priority':0,'run':1}}}",
		       "f:1: task 'a': the priority of SCHED_FIFO and SCHED_RR is 1 .. 99");
	assert_refused("{'tasks':{'a':{'policy':'SCHED_DEADLINE','run':1}}}",
		       "f:1: task 'a': SCHED_DEADLINE needs 0 < dl-runtime <= dl-deadline <= "
		       "dl-period");
	assert_refused("{'global':{\n'cumulative_slack':1},'tasks':{}}",
		       "f:2: global: 'cumulative_slack': '1' where true or false is expected");
	assert_refused("{'tasks':{}}", "f:1: no task runs");
	assert_refused("{}", "f:1: no task runs");
	assert_refused("{'task':{}}", "f:1: 'task' is not supported");
	assert_refused("{'tasks':{'a':{'instance':9999,'run':1},'b':{'instance':2,'run':1}}}",
		       "f:1: task 'b': these are more than 10000 tasks");
	assert_refused("{'tasks':{'a':{'cpus':[],'run':1}}}",
		       "f:1: task 'a': 'cpus': there is no CPU in it");
}

/* All of a task's mem and iorun use one buffer; a memrun has that of those that are alike, or of its name. */
static void test_rtapp_memory(void **state)
{
	struct task_program p = read_text(
		"{'tasks':{'a':{'loop':1,'mem':5,'iorun1':6,"
		"'memrun':{'type':'chase','size':4096,'stride':128,'count':7},"
		"'memrun1':{'type':'chase','size':4096,'stride':128,'count':8,'pattern':'random'},"
		"'memrun2':{'type':'chase','size':4096,'count':9,'pattern':'sequential'},"
		"'memrun3':{'type':'write','size':100,'count':10,'ref':'x'},"
		"'memrun4':{'type':'read','size':200,'count':11,'ref':'x'}}},"
		"'global':{'mem_buffer_size':3000,'io_device':'/dev/zero'}}");
	const struct task_op *ops = p.tasks[0].phases[0].ops;

	(void)state;
	assert_int_equal(ops[0].kind, TASK_FILL);
	assert_int_equal(ops[1].kind, TASK_IO);
	assert_int_equal(ops[0].count, 5);
	assert_int_equal(ops[1].count, 6);
	assert_int_equal(ops[0].object, ops[1].object);
	assert_int_equal(object(&p, 0)->bytes, 3000);
	assert_true(object(&p, 0)->own && !object(&p, 0)->stride);
	assert_string_equal(p.io_path, "/dev/zero");
	assert_int_equal(ops[2].kind, TASK_CHASE);
	assert_int_equal(ops[2].object, ops[3].object);
	assert_true(object(&p, 2)->own && object(&p, 2)->shuffled);
	assert_int_equal(object(&p, 2)->stride, 128);
	assert_int_equal(object(&p, 4)->stride, 64);
	assert_false(object(&p, 4)->shuffled);
	assert_int_equal(ops[5].kind, TASK_WRITE);
	assert_int_equal(ops[6].kind, TASK_READ);
	assert_int_equal(object(&p, 5)->bytes, 100);
	assert_int_equal(object(&p, 6)->bytes, 200);
	assert_false(object(&p, 5)->own);
	assert_true(task_uses_memory(&p, &p.tasks[0], ops[6].object));
	task_program_release(&p);
	p = read_text("{'tasks':{'a':{'loop':1,'mem':1}}}");
	assert_int_equal(object(&p, 0)->bytes, 4194304);
	assert_string_equal(p.io_path, "/dev/null");
	task_program_release(&p);
}

static void test_rtapp_refuses_memory(void **state)
{
#define MEMRUN "{'tasks':{'a':{'loop':1,'memrun':{'type':"

	(void)state;
	assert_refused(MEMRUN "'read','size':8}}}}",
		       "f:1: task 'a': 'memrun': needs type, size and count");
	assert_refused(MEMRUN "'x','size':8,'count':1}}}}",
		       "f:1: task 'a': 'memrun': type 'x' is not read, write or chase");
	assert_refused(MEMRUN "'chase','size':64,'count':1,'stride':12}}}}",
		       "f:1: task 'a': 'memrun': stride 12 is no multiple of 8 up to the size");
	assert_refused(MEMRUN "'chase','size':32,'count':1}}}}",
		       "f:1: task 'a': 'memrun': stride 64 is no multiple of 8 up to the size");
	assert_refused(MEMRUN "'chase','size':64,'count':1,'pattern':'x'}}}}",
		       "f:1: task 'a': 'memrun': pattern 'x' is not random or sequential");
	assert_refused(
		MEMRUN "'read','size':8,'count':1,'ref':'r'},'memrun1':"
		       "{'type':'read','size':9,'count':1,'ref':'r'}}}}",
		"f:1: task 'a': 'memrun1': another one with ref 'r' has another size, stride "
		"or pattern");
	assert_refused(MEMRUN "'read','size':0,'count':1}}}}",
		       "f:1: task 'a': 'memrun': 'size': 0 is not in 8 .. 2147483647");
	assert_refused("{'global':{'mem_buffer_size':0},'tasks':{}}",
		       "f:1: global: 'mem_buffer_size': 0 is not in 1 .. 2147483647");
}

/* A clamp stands by itself: the policy stays what it was. */
static void test_rtapp_clamps_and_nodes(void **state)
{
	struct task_program p = read_text(
		"{'tasks':{'a':{'loop':1,'util_min':100,'taskgroup':'','nodes_membind':[0,2],"
		"'phases':{'p':{'util_max':1024,'run':1},'q':{'util_min':-1,'run':1,"
		"'nodes_membind':[1]}}}}}");
	const struct task *a = &p.tasks[0];

	(void)state;
	assert_true(a->sched.clamps && !a->sched.given);
	assert_true(a->sched.util_min.given && !a->sched.util_max.given);
	assert_int_equal(a->sched.util_min.util, 100);
	assert_true(a->phases[0].sched.util_max.given && !a->phases[0].sched.util_min.given);
	assert_int_equal(a->phases[0].sched.util_max.util, 1024);
	assert_false(a->phases[1].sched.clamps);
	assert_int_equal(cpumask_weight(&a->nodes), 2);
	assert_true(cpumask_test(&a->nodes, 2) && cpumask_test(&a->phases[1].nodes, 1));
	task_program_release(&p);
	assert_refused("{'tasks':{'a':{'util_min':1025,'run':1}}}",
		       "f:1: task 'a': 'util_min': 1025 is not in -1 .. 1024");
	assert_refused("{'tasks':{'a':{'util_min':5,'util_max':4,'run':1}}}",
		       "f:1: task 'a': util_min is above util_max");
	assert_refused("{'tasks':{'a':{'nodes_membind':[],'run':1}}}",
		       "f:1: task 'a': 'nodes_membind': there is no node in it");
}

/*
 * b runs by itself, and 2 x 3 x 5 = 30 times forked by a's two instances, c only forked: once by each of 31 b,
 * and by the endless d at each of its two events 1024 times at most.
 */
static void test_rtapp_forks(void **state)
{
	struct task_program p = read_text(
		"{'tasks':{'a':{'instance':2,'loop':3,'phases':{'p':{'loop':5,'fork':'b'}}},"
		"'b':{'loop':1,'cpus':[3],'run':1,'fork1':'c'},"
		"'c':{'instance':0,'loop':1,'run':1},"
		"'d':{'fork':'c','fork2':'c','sleep':1}},'global':{'duration':1}}");

	(void)state;
	assert_int_equal(p.nr_tasks, 5);
	assert_int_equal(p.tasks[1].instances, 1);
	assert_false(p.tasks[1].forked);
	assert_string_equal(p.tasks[4].name, "b");
	assert_true(p.tasks[4].forked && cpumask_test(&p.tasks[4].cpus, 3));
	assert_int_equal(p.tasks[4].instances, 30);
	assert_int_equal(p.tasks[0].phases[0].ops[0].object, 4);
	assert_true(p.tasks[2].forked);
	assert_int_equal(p.tasks[2].instances, 31 + 2 * 1024);
	assert_int_equal(p.tasks[1].phases[0].ops[1].object, 2);
	assert_int_equal(p.tasks[4].phases[0].ops[1].object, 2);
	task_program_release(&p);
}

static void test_rtapp_refuses_forks(void **state)
{
	(void)state;
	assert_refused("{'tasks':{'a':{'loop':1,'fork':'x'}}}",
		       "f:1: task 'a': 'fork': 'x' is no task");
	assert_refused("{'tasks':{'a':{'loop':1,'fork':'b'},'b':{'loop':1,'fork':'a'}}}",
		       "f:1: task 'a' forks itself in the end");
	assert_refused("{'tasks':{'a':{'loop':1,'fork':'b'},'b':{'loop':1,'barrier':'x'}}}",
		       "f:1: task 'b' is forked: it can't have a barrier, of which all must be "
		       "there from the start");
	assert_refused("{'tasks':{'a':{'loop':10000,'fork':'b'},'b':{'loop':1,'run':1}}}",
		       "f:1: with those that are forked more than 10000 tasks");
}

/* Both names mean one semaphore, whatever follows the event's. */
static void test_rtapp_semaphores(void **state)
{
	struct task_program p = read_text(
		"{'tasks':{'a':{'loop':1,'sem_post1':'s'},'b':{'loop':1,'sem_wait':'s'}}}");

	(void)state;
	assert_int_equal(p.nr_objects, 1);
	assert_int_equal(p.objects[0].kind, TASK_SEMAPHORE);
	assert_int_equal(p.tasks[0].phases[0].ops[0].kind, TASK_POST);
	assert_int_equal(p.tasks[1].phases[0].ops[0].kind, TASK_TAKE);
	assert_int_equal(p.tasks[1].phases[0].ops[0].object, 0);
	task_program_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rtapp_task_without_phases),
		cmocka_unit_test(test_rtapp_phases_and_global),
		cmocka_unit_test(test_rtapp_policies),
		cmocka_unit_test(test_rtapp_objects),
		cmocka_unit_test(test_rtapp_refuses_with_key_and_line),
		cmocka_unit_test(test_rtapp_memory),
		cmocka_unit_test(test_rtapp_refuses_memory),
		cmocka_unit_test(test_rtapp_clamps_and_nodes),
		cmocka_unit_test(test_rtapp_forks),
		cmocka_unit_test(test_rtapp_refuses_forks),
		cmocka_unit_test(test_rtapp_semaphores),
	};

	return cmocka_run_group_tests_name("workload/rtapp_read", tests, NULL, NULL);
}
