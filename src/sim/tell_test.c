// SPDX-License-Identifier: GPL-2.0-only
/* sim/tell_test.c - what a trace is told of tasks that are bound, wait for devices, of the end of a run, and in which order. */
#include "sim/tell.h"

#include "sim/fixture_script.h"

#include <string.h>

#include "check.h"

/* struct diary - lines of what was told of some kinds */
struct diary {
	struct trace_sink sink;
	struct strbuf lines;
};

static void write_line(struct trace_sink *sink, const struct trace_event *event)
{
	struct diary *diary = (struct diary *)sink;

	if (event->kind != TRACE_AFFINITY && event->kind != TRACE_MARK &&
	    event->kind != TRACE_BLOCK && event->kind != TRACE_WAKING && event->kind != TRACE_NEW)
		return;
	strbuf_addf(&diary->lines, "%u %s %s %s\n", (unsigned int)(event->time_ns - SIM_BOOT_NS),
		    trace_kind_name(event->kind), event->comm ? event->comm : "-",
		    event->text ? event->text : "-");
}

/* One task, bound to @cpus, on five CPUs; all costs are 0. */
static void assert_told(const struct script_op *ops, uint64_t cpus, const char *lines)
{
	struct diary diary = { .sink.event = write_line };
	struct script script = { .op = ops };
	struct script_world world;
	enum sim_end end;

	script_world_init(&world, 1, 1, 5, 1);
	world.setup.trace = &diary.sink;
	script_boot(&world);
	script_spawn(world.sim, "a", &script, cpus);
	sim_go(world.sim, UINT64_MAX, &end, NULL);
	assert_string_equal(strbuf_str(&diary.lines), lines);
	strbuf_release(&diary.lines);
	script_world_release(&world);
}

/* A set that the core refuses, that of no CPU here, changes nothing. */
static void test_tell_affinity(void **state)
{
	static const struct script_op ops[] = { { DO_RUN, NULL, 1000 },
						{ DO_AFFINITY, NULL, 0x17 },
						{ DO_AFFINITY, NULL, 0x20 },
						{ DO_EXIT } };

	(void)state;
	assert_told(ops, 0x6, "0 new a -\n0 affinity a 1-2\n1000 affinity a 0-2,4\n");
	assert_told(ops, 0, "0 new a -\n1000 affinity a 0-2,4\n");
}

/* A task of a group of CPUs 1-3, of which it then asks for those from 2 on; the machine has no CPU beyond 4. */
static void test_tell_affinity_of_a_group(void **state)
{
	static const uint64_t cpus = 0xe, beyond = UINT64_MAX;
	static const struct script_op ops[] = { { DO_RUN, NULL, 1000 },
						{ DO_AFFINITY, NULL, 0x1c },
						{ DO_EXIT } };
	struct diary diary = { .sink.event = write_line };
	struct script script = { .op = ops };
	struct script_world world;
	struct core_group *group;
	enum sim_end end;

	(void)state;
	script_world_init(&world, 1, 1, 5, 1);
	world.setup.trace = &diary.sink;
	script_boot(&world);
	group = sim_group_new(world.sim, NULL, 100, 0, 0);
	assert_int_equal(sim_group_cpus(world.sim, group, &beyond, CORE_MEMBER), 0);
	assert_int_equal(sim_group_cpus(world.sim, group, &cpus, CORE_MEMBER), 0);
	sim_begin_in(world.sim, group);
	script_spawn(world.sim, "a", &script, 0);
	sim_go(world.sim, UINT64_MAX, &end, NULL);
	assert_string_equal(strbuf_str(&diary.lines),
			    "0 new a -\n0 affinity a 1-3\n1000 affinity a 2-3\n");
	strbuf_release(&diary.lines);
	script_world_release(&world);
}

static void test_tell_waits_for_devices(void **state)
{
	static const struct script_op ops[] = { { DO_IO, NULL, 5000 },
						{ DO_IO, NULL, 0 },
						{ DO_EXIT } };

	(void)state;
	assert_told(ops, 0, "0 new a -\n0 block a io\n5000 waking a -\n");
}

/* An end that is a failure is marked, one that isn't is not. */
static void test_tell_end(void **state)
{
	static const struct script_op loop[] = { { DO_RUN, NULL, 0 },
						 { DO_AGAIN, NULL, UINT64_MAX },
						 { DO_EXIT } };
	static const struct script_op stop[] = { { DO_RUN, NULL, 2000 }, { DO_STOP } };

	(void)state;
	assert_told(stop, 0, "0 new a -\n");
	assert_told(loop, 0,
		    "0 new a -\n0 mark - at 0.001000000 s: 'a' (1) makes step after step, 1000000 "
		    "so far, and no time passes\n");
}

static void write_hotplug(struct trace_sink *sink, const struct trace_event *event)
{
	struct diary *diary = (struct diary *)sink;

	if (event->kind == TRACE_HOTPLUG)
		strbuf_addf(&diary->lines, "%u CPU %u: %u %s\n",
			    (unsigned int)(event->time_ns - SIM_BOOT_NS), event->cpu, event->target,
			    event->value ? "up" : "down");
}

/* Each by itself, but the one that is offline. */
static void test_tell_which_cpus_are_up(void **state)
{
	struct diary diary = { .sink.event = write_hotplug };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 3, 1);
	world.machine.online[1] = false;
	world.setup.trace = &diary.sink;
	script_boot(&world);
	assert_string_equal(strbuf_str(&diary.lines), "0 CPU 0: 0 up\n0 CPU 2: 2 up\n");
	strbuf_release(&diary.lines);
	script_world_release(&world);
}

/* With the core's work in it, what one CPU does to another is told of the other before what that one does earlier. */
static void test_tell_no_event_before_the_last(void **state)
{
	static const struct {
		uint32_t cpu;
		uint64_t ns;
	} events[] = { { 1, 300 }, { 0, 100 }, { 1, 200 }, { 1, 400 } };
	struct diary diary = { .sink.event = write_line };
	struct script_world world;

	(void)state;
	script_world_init(&world, 1, 1, 2, 1);
	world.setup.trace = &diary.sink;
	script_boot(&world);
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		const struct trace_event event = { .time_ns = SIM_BOOT_NS + events[i].ns,
						   .kind = TRACE_MARK,
						   .cpu = events[i].cpu };

		tell_event(world.sim, &event);
	}
	assert_string_equal(strbuf_str(&diary.lines),
			    "300 mark - -\n100 mark - -\n300 mark - -\n400 mark - -\n");
	strbuf_release(&diary.lines);
	script_world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tell_affinity),
		cmocka_unit_test(test_tell_affinity_of_a_group),
		cmocka_unit_test(test_tell_waits_for_devices),
		cmocka_unit_test(test_tell_end),
		cmocka_unit_test(test_tell_which_cpus_are_up),
		cmocka_unit_test(test_tell_no_event_before_the_last),
	};

	return cmocka_run_group_tests_name("sim/tell", tests, NULL, NULL);
}
