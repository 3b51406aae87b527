// SPDX-License-Identifier: GPL-2.0-only
/* workload/unixbench_model_test.c - loops whose length follows from the costs, for 1 ms each. */
#include "workload/unixbench.h"

#include "sim/fixture_script.h"
#include "workload/model.h"
#include "workload/model_figure.h"

#include <math.h>
#include <string.h>

#include "check.h"

extern const struct workload workload_unixbench;

static struct run play(struct script_world *world, int test, uint64_t copies)
{
	char ms[] = "1ms";
	const struct unixbench_cfg cfg = { .test = test, .copies = copies, .time = ms };
	struct run run = { .workload = &workload_unixbench };
	struct error err = { 0 };

	script_boot(world);
	if (unixbench_model(&run, world->sim, &cfg, &err))
		fail_msg("%s", err.text);
	script_world_release(world);
	return run;
}

static double score(struct script_world *world, int test)
{
	struct run run = play(world, test, 1);
	const double score = metric(&run, ub_tests[test].name);

	assert_near(metric(&run, "index"),
		    10 * score * ub_tests[test].per_s / ub_tests[test].baseline, 1e-6);
	result_release(&run.result);
	return score;
}

/* An execution takes 9900 + 100: 100 of them 1 ms. */
static void test_unixbench_model_execl(void **state)
{
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 1, 1);
	world.costs.exec_ns = 9900;
	world.costs.syscall_ns = 100;
	assert_near(score(&world, UB_EXECL), 100000, 1e-6);
}

static void boot_pipes(struct script_world *world)
{
	script_world_init(world, 1, 1, 1, 1);
	world->costs.syscall_ns = 100;
	world->costs.send_ns[SIM_PIPE] = 200;
	world->costs.receive_ns[SIM_PIPE] = 150;
	world->costs.wake_ns[SIM_SAME] = 300;
	world->costs.switch_ns = 1000;
}

/* 300 + 250 a loop; 64 of them 35200. */
static void test_unixbench_model_pipe(void **state)
{
	struct script_world world;

	(void)state;
	boot_pipes(&world);
	assert_near(score(&world, UB_PIPE), 1e9 / 550, 1e-3);
}

/* Two times 150 + 300 + 300 + 100 + 1000 a loop, as of the workload pipe; of the first one a bit less. */
static void test_unixbench_model_context1(void **state)
{
	struct script_world world;

	(void)state;
	boot_pipes(&world);
	assert_near(score(&world, UB_CONTEXT1), 1e9 / 3700, 1000);
}

/*
 * A fork, 60100; wait() that waits, 100; a switch, 1000; the child's exit, 40100, which wakes its parent, 300, and a switch, 1000: 102600. The
 * tenth ends behind 1 ms.
 */
static void test_unixbench_model_spawn(void **state)
{
	struct script_world world;

	(void)state;
	boot_pipes(&world);
	world.costs.fork_ns = 60000;
	world.costs.exit_ns = 40000;
	assert_near(score(&world, UB_SPAWN), 1e9 / 102600, 1e-3);
}

static void boot_processes(struct script_world *world, uint64_t copy_ns_kib)
{
	script_world_init(world, 1, 1, 1, 1);
	world->costs.fork_ns = 1000;
	world->costs.exec_ns = 2000;
	world->costs.exit_ns = 3000;
	world->costs.copy_ns_kib = copy_ns_kib;
}

/* multi.sh, and for each script itself and seven programs, 6000 each. */
static void test_unixbench_model_shell(void **state)
{
	struct script_world world;

	(void)state;
	boot_processes(&world, 0);
	assert_near(score(&world, UB_SHELL1), 1e9 / (9 * 6000), 1e-3);
	boot_processes(&world, 0);
	assert_near(score(&world, UB_SHELL8), 1e9 / (65 * 6000), 1e-3);
}

/*
 * With 1 ns for each byte: what od writes of the text (for 16 bytes 7 digits, 8 times a blank and 6 digits, and the line's end; at last
 * 7 digits and the line's end) and the lines with the word, these two times; a byte more for the end of each pipe, which takes 1; all
 * that is written and read.
 */
static void test_unixbench_model_shell_pipes(void **state)
{
	struct strbuf text = { 0 };
	struct script_world world;
	double dump, found = 0;

	(void)state;
	ub_input(&text);
	dump = (double)(text.len / 16) * 64 + 8;
	if (text.len % 16)
		dump += 8 + (double)((text.len % 16 + 1) / 2) * 7;
	for (char *line = strtok(text.s, "\n"); line; line = strtok(NULL, "\n"))
		if (strstr(line, "the"))
			found += (double)strlen(line) + 1;
	boot_processes(&world, 1024);
	assert_near(score(&world, UB_SHELL1), 1e9 / (9 * 6000 + 2 * (dump + 2 * found + 3)), 1e-3);
	strbuf_release(&text);
}

/* One on each CPU; all tests, one after the other. */
static void test_unixbench_model_in_copies(void **state)
{
	struct script_world world;
	struct run run;
	double product = 1;

	(void)state;
	boot_pipes(&world);
	fixture_machine_release(&world.machine);
	fixture_machine_init(&world.machine, 1, 1, 4, 1);
	world.costs.fork_ns = 60000;
	world.costs.exec_ns = 90000;
	world.costs.exit_ns = 40000;
	run = play(&world, UB_ALL, 0);
	for (int i = 0; i < NR_UB; i++) {
		product *= metric(&run, ub_tests[i].name) * ub_tests[i].per_s /
			   ub_tests[i].baseline * 10;
		assert_in_range((uint64_t)metric(&run, ub_tests[i].time_name), 1000000, 40000000);
	}
	assert_near(pow(metric(&run, "index"), 6) / product, 1, 1e-9);
	assert_string_equal(result_note(&run.result, "cpus"), "4");
	result_release(&run.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unixbench_model_execl),
		cmocka_unit_test(test_unixbench_model_pipe),
		cmocka_unit_test(test_unixbench_model_context1),
		cmocka_unit_test(test_unixbench_model_spawn),
		cmocka_unit_test(test_unixbench_model_shell),
		cmocka_unit_test(test_unixbench_model_shell_pipes),
		cmocka_unit_test(test_unixbench_model_in_copies),
	};

	return cmocka_run_group_tests_name("workload/unixbench_model", tests, NULL, NULL);
}
