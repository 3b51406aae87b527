// SPDX-License-Identifier: GPL-2.0-only
/* There and back: what is written is read as the same events, but for what doc/TRACE.md says a format loses. */
#include "check.h"
#include "trace/fixture.h"
#include "trace/perfetto.h"
#include "trace/proto.h"

#include <errno.h>
#include <string.h>

/* One of each kind, as a simulator tells them. */
#define SWITCH                                                                                     \
	"{\"t\":1000,\"cpu\":0,\"kind\":\"switch\",\"task\":0,\"prio\":0,\"runnable\":false,"      \
	"\"other\":7,\"other_comm\":\"a b=c\",\"other_prio\":120}\n"                               \
	"{\"t\":1001,\"cpu\":0,\"kind\":\"switch\",\"task\":7,\"comm\":\"a b=c\",\"prio\":120,"    \
	"\"runnable\":true,\"state\":\"+\",\"other\":8,\"other_comm\":\"x -> y\","                 \
	"\"other_prio\":-1}\n"                                                                     \
	"{\"t\":1002,\"cpu\":0,\"kind\":\"switch\",\"task\":8,\"comm\":\"x -> y\",\"prio\":-1,"    \
	"\"runnable\":false,\"state\":\"D\",\"other\":7,\"other_comm\":\"a b=c\","                 \
	"\"other_prio\":120}\n"
#define WAKES                                                                                      \
	"{\"t\":2000,\"cpu\":0,\"kind\":\"waking\",\"task\":8,\"comm\":\"x -> y\",\"prio\":-1,"    \
	"\"other\":7,\"target\":1}\n"                                                              \
	"{\"t\":2001,\"cpu\":1,\"kind\":\"wakeup\",\"task\":8,\"comm\":\"x -> y\",\"prio\":-1,"    \
	"\"other\":0,\"target\":1}\n"                                                              \
	"{\"t\":2002,\"cpu\":0,\"kind\":\"new\",\"task\":9,\"comm\":\"kid\",\"prio\":120,"         \
	"\"other\":7,\"target\":2}\n"                                                              \
	"{\"t\":2003,\"cpu\":0,\"kind\":\"exit\",\"task\":7,\"comm\":\"a b=c\",\"prio\":120}\n"
#define MOVES                                                                                      \
	"{\"t\":3000,\"cpu\":2,\"kind\":\"migrate\",\"task\":9,\"comm\":\"kid\",\"prio\":120,"     \
	"\"target\":3,\"reason\":\"newidle\"}\n"                                                   \
	"{\"t\":3001,\"cpu\":3,\"kind\":\"migrate\",\"task\":9,\"comm\":\"kid\",\"prio\":120,"     \
	"\"target\":2,\"reason\":\"balance\"}\n"
#define REST                                                                                       \
	"{\"t\":4000,\"cpu\":0,\"kind\":\"block\",\"task\":7,\"comm\":\"a b=c\",\"text\":\"pipe "  \
	"3\"}\n"                                                                                   \
	"{\"t\":4001,\"cpu\":0,\"kind\":\"tick\"}\n"                                               \
	"{\"t\":4002,\"cpu\":0,\"kind\":\"ipi\",\"value\":1}\n"                                    \
	"{\"t\":4003,\"cpu\":0,\"kind\":\"timer\"}\n"                                              \
	"{\"t\":4004,\"cpu\":1,\"kind\":\"frequency\",\"value\":512}\n"                            \
	"{\"t\":4005,\"cpu\":0,\"kind\":\"hotplug\",\"target\":3,\"value\":1}\n"                   \
	"{\"t\":4006,\"cpu\":0,\"kind\":\"mark\",\"text\":\"begin \\\"of\\\" all\"}\n"             \
	"{\"t\":4007,\"cpu\":0,\"kind\":\"why\",\"task\":8,\"comm\":\"x -> y\",\"why\":{"          \
	"\"decision\":\"wake\",\"what\":\"idle_sibling\",\"outcome\":\"taken\",\"cpu\":0,"         \
	"\"subject\":3,\"values\":{\"util\":-12,\"load\":9000000000}}}\n"                          \
	"{\"t\":4008,\"cpu\":0,\"kind\":\"affinity\",\"task\":8,\"text\":\"0-1,4\"}\n"             \
	"{\"t\":4009,\"cpu\":0,\"kind\":\"mark\",\"text\":\"two\\u000alines\"}\n"                  \
	"{\"t\":4009,\"cpu\":0,\"kind\":\"lost\",\"value\":3}\n"                                   \
	"{\"t\":4009,\"cpu\":0,\"kind\":\"mark\",\"text\":\"schedproof is ours\"}\n"
#define ALL SWITCH WAKES MOVES REST

static void there_and_back(const char *format, const char *events)
{
	size_t n;
	char *written = convert_text(format, events, strlen(events), &n);
	char *got = events_of(written, n, NULL);

	assert_string_equal(got, events);
	free(got);
	free(written);
}

static void test_all_kinds_survive_each_format(void **state)
{
	const struct trace_format *format;

	(void)state;
	for (size_t i = 0; (format = trace_format_at(i)); i++)
		there_and_back(format->name, ALL);
}

/* The reason of a migration has no place in ftrace's event: readers conclude it. */
static void test_json_and_perfetto_keep_any_reason(void **state)
{
	static const char numa[] = "{\"t\":3000,\"cpu\":2,\"kind\":\"migrate\",\"task\":9,\"comm\":"
				   "\"kid\",\"prio\":120,"
				   "\"target\":3,\"reason\":\"numa\"}\n";
	size_t n;
	char *written, *got;

	(void)state;
	there_and_back("json", numa);
	there_and_back("perfetto", numa);
	written = convert_text("ftrace", numa, strlen(numa), &n);
	got = events_of(written, n, NULL);
	assert_non_null(strstr(got, "\"reason\":\"other\""));
	free(got);
	free(written);
}

static void test_ftrace_looks_as_the_kernel_prints_it(void **state)
{
	size_t n;
	char *got = convert_text("ftrace", ALL, strlen(ALL), &n);

	(void)state;
	assert_int_equal(strncmp(got, "# tracer: nop\n#\n", 16), 0);
	assert_non_null(
		strstr(got, "          <idle>-0       [000] d..2.     0.000001000: sched_switch: "
			    "prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
			    "next_comm=a b=c next_pid=7 next_prio=120\n"));
	/* who runs there has no name in that event */
	assert_non_null(strstr(got, "           <...>-7       [000] d..2.     0.000002000: "
				    "sched_waking: comm=x -> y pid=8 prio=-1 target_cpu=001\n"));
	/* newidle is told on the line of the CPU that takes the task */
	assert_non_null(strstr(got, "[003] d..2.     0.000003000: sched_migrate_task: comm=kid "
				    "pid=9 prio=120 orig_cpu=2 dest_cpu=3\n"));
	assert_non_null(strstr(got, "\nCPU:0 [LOST 3 EVENTS]\n"));
	free(got);
}

/*
 * By hand, from the wire format: a field is number * 8 + type. The packet of the system: 45 * 8 + 2 = 362 = ea 02.
 * The bundle: cpu 1: 08 01; an event 12 len: timestamp 08 e8 07 (1000), pid 10 05, sched_waking 20 * 8 + 2 = 162 = a2 01,
 * with comm 0a 01 'a', pid 10 09, prio 18 78, success 20 01, target_cpu 28 01 (11 bytes).
 */
static void test_perfetto_is_the_wire_format(void **state)
{
	static const char json[] =
		"{\"t\":1000,\"cpu\":1,\"kind\":\"waking\",\"task\":9,\"comm\":\"a\","
		"\"prio\":120,\"other\":5,\"target\":1}\n";
	static const unsigned char system_info[] = { 0x0a, 0x12, 0xea, 0x02, 0x0f, 0x0a, 0x0d,
						     0x0a, 0x05, 'L',  'i',  'n',  'u',	 'x',
						     0x1a, 0x04, '6',  '.',  '1',  '2' };
	/* a process 9 "a" of one thread: process_tree 12, processes 0a { 08 09 1a 01 a }, threads 12 { 08 09 12 01 a 18 09 } */
	static const unsigned char tree[] = { 0x0a, 0x12, 0x12, 0x10, 0x0a, 0x05, 0x08,
					      0x09, 0x1a, 0x01, 'a',  0x12, 0x07, 0x08,
					      0x09, 0x12, 0x01, 'a',  0x18, 0x09 };
	static const unsigned char bundle[] = { 0x0a, 0x19, 0x0a, 0x17, 0x08, 0x01, 0x12,
						0x13, 0x08, 0xe8, 0x07, 0x10, 0x05, 0xa2,
						0x01, 0x0b, 0x0a, 0x01, 'a',  0x10, 0x09,
						0x18, 0x78, 0x20, 0x01, 0x28, 0x01 };
	size_t n;
	char *got = convert_text("perfetto", json, strlen(json), &n);

	(void)state;
	assert_int_equal(n, sizeof(system_info) + sizeof(tree) + sizeof(bundle));
	assert_memory_equal(got, system_info, sizeof(system_info));
	assert_memory_equal(got + sizeof(system_info), tree, sizeof(tree));
	assert_memory_equal(got + sizeof(system_info) + sizeof(tree), bundle, sizeof(bundle));
	free(got);
}

/*
 * By hand as above: at 2002 (d2 0f) task 7 makes 9, first as task_newtask 235 * 8 + 2 = 1882 = da 0e with pid and comm, for
 * that is what a task begins with there, then as sched_wakeup_new 114 * 8 + 2 = 914 = 92 07. No process_tree tells of 9 before.
 */
static void test_perfetto_has_a_new_task_begin(void **state)
{
	static const char json[] =
		"{\"t\":2002,\"cpu\":0,\"kind\":\"new\",\"task\":9,\"comm\":\"kid\","
		"\"prio\":120,\"other\":7,\"target\":2}\n";
	static const unsigned char bundle[] = { 0x0a, 0x2c, 0x0a, 0x2a, 0x08, 0x00, 0x12, 0x0f,
						0x08, 0xd2, 0x0f, 0x10, 0x07, 0xda, 0x0e, 0x07,
						0x08, 0x09, 0x12, 0x03, 'k',  'i',  'd',  0x12,
						0x15, 0x08, 0xd2, 0x0f, 0x10, 0x07, 0x92, 0x07,
						0x0d, 0x0a, 0x03, 'k',	'i',  'd',  0x10, 0x09,
						0x18, 0x78, 0x20, 0x01, 0x28, 0x02 };
	const size_t system_info = 20;
	size_t n;
	char *got = convert_text("perfetto", json, strlen(json), &n);

	(void)state;
	assert_int_equal(n, system_info + sizeof(bundle));
	assert_memory_equal(got + system_info, bundle, sizeof(bundle));
	free(got);
}

/* Only pid 0 tells that an interrupt woke: the importer would take common_flags for another event. */
static void test_perfetto_has_the_idle_task_wake_for_interrupts(void **state)
{
	static const char json[] =
		"{\"t\":1000,\"cpu\":1,\"kind\":\"waking\",\"task\":9,\"prio\":120,"
		"\"other\":0,\"target\":1}\n";
	static const unsigned char event[] = {
		0x12, 0x10, 0x08, 0xe8, 0x07, 0x10, 0x00, 0xa2, 0x01,
		0x08, 0x10, 0x09, 0x18, 0x78, 0x20, 0x01, 0x28, 0x01
	};
	size_t n;
	char *got = convert_text("perfetto", json, strlen(json), &n);

	(void)state;
	assert_memory_equal(got + n - sizeof(event), event, sizeof(event));
	free(got);
}

struct descriptor {
	uint64_t uuid, parent, ordering, rank;
};

/* Return: the file's descriptors of tracks, n of them */
static size_t descriptors(const char *file, size_t size, struct descriptor found[static 4])
{
	struct proto trace = { (const unsigned char *)file, (const unsigned char *)file + size };
	struct proto_field packet, part, field;
	size_t n = 0;

	while (proto_next(&trace, &packet) > 0) {
		for (struct proto p = proto_of(&packet); proto_next(&p, &part) > 0;) {
			struct proto d = proto_of(&part);

			if (part.number != PACKET_TRACK_DESCRIPTOR)
				continue;
			assert_true(n < 4);
			found[n] = (struct descriptor){ 0 };
			while (proto_next(&d, &field) > 0)
				*(field.number == TRACK_UUID		     ? &found[n].uuid
				  : field.number == TRACK_PARENT_UUID	     ? &found[n].parent
				  : field.number == TRACK_CHILD_ORDERING     ? &found[n].ordering
				  : field.number == TRACK_SIBLING_ORDER_RANK ? &found[n].rank
									     : &packet.value) =
					field.value;
			n++;
		}
	}
	return n;
}

/* 3 is EXPLICIT: CPU 2 before CPU 10, which by name would come first. */
static void test_perfetto_groups_tracks_by_what_they_show(void **state)
{
	static const char json[] = "{\"t\":1,\"cpu\":10,\"kind\":\"tick\"}\n"
				   "{\"t\":2,\"cpu\":2,\"kind\":\"tick\"}\n";
	struct descriptor found[4];
	size_t n;
	char *got = convert_text("perfetto", json, strlen(json), &n);

	(void)state;
	assert_int_equal(descriptors(got, n, found), 3);
	assert_int_equal(found[0].rank, 10);
	assert_int_equal(found[0].parent, found[1].uuid);
	assert_int_equal(found[1].parent, 0);
	assert_int_equal(found[1].ordering, 3);
	assert_int_equal(found[2].rank, 2);
	assert_int_equal(found[2].parent, found[1].uuid);
	assert_int_not_equal(found[2].uuid, found[0].uuid);
	free(got);
}

/* What writing these events ends with. */
static int ending(const struct trace_format *format, const char *events)
{
	FILE *out = fopen("/dev/null", "w");
	struct trace_writer *writer = trace_writer_new(format, out);
	int ret;

	assert_int_equal(trace_read_text(&writer->sink, NULL, events, strlen(events), "t", NULL),
			 0);
	ret = trace_writer_finish(writer, NULL);
	fclose(out);
	return ret;
}

/* Its importer refuses the whole file, see PERFETTO_CPUS; other formats end at the highest CPU that is read at all. */
static void test_perfetto_takes_1024_cpus(void **state)
{
	static const char fits[] = "{\"t\":1,\"cpu\":1023,\"kind\":\"tick\"}\n";
	static const char above[] = "{\"t\":1,\"cpu\":1024,\"kind\":\"tick\"}\n";
	const struct trace_format *format;

	(void)state;
	for (size_t i = 0; (format = trace_format_at(i)); i++) {
		const bool limited = !strcmp(format->name, "perfetto");

		assert_int_equal(format->max_cpus, limited ? 1024 : 0);
		assert_int_equal(ending(format, fits), 0);
		assert_int_equal(ending(format, above), limited ? -ERANGE : 0);
	}
}

static void test_a_perfetto_file_cut_off_is_read_up_to_there(void **state)
{
	struct trace_found found;
	size_t n;
	char *written = convert_text("perfetto", ALL, strlen(ALL), &n);
	char *got = events_of(written, n - 3, &found);

	(void)state;
	assert_int_equal(found.broken, 1);
	assert_string_equal(found.first_broken.text + strlen(found.first_broken.text) - 27,
			    " the last packet is cut off");
	assert_int_equal(found.events, 20);
	free(got);
	free(written);
}

static void test_wrong_json_says_where(void **state)
{
	static const char text[] = "{\"schedproof\":\"trace\",\"version\":1}\n"
				   "{\"t\":1,\"cpu\":0,\"kind\":\"tick\"}\n"
				   "{\"t\":2,\"cpu\":9000,\"kind\":\"tick\"}\n"
				   "{\"t\":3,\"cpu\":0,\"kind\":\"tick\"}\n";
	static const char newer[] = "{\"schedproof\":\"trace\",\"version\":2}\n";
	struct keeper keeper = keeper_new();
	struct error err = { 0 };

	(void)state;
	assert_int_equal(trace_read_text(&keeper.sink, NULL, text, strlen(text), "f", &err),
			 -EINVAL);
	assert_string_equal(err.text, "f:3: 9000 is not in 0 .. 8191");
	assert_int_equal(trace_read_text(&keeper.sink, NULL, newer, strlen(newer), "f", &err),
			 -EINVAL);
	assert_string_equal(err.text,
			    "f:1: a trace of version 2, only 1 is known: written by a newer "
			    "schedproof?");
	strbuf_release(&keeper.text);
}

/* A text of 5000 bytes is cut to 4096 where it is written, so that it can be read. */
static void test_long_texts_are_cut(void **state)
{
	struct strbuf json = { 0 };
	const struct trace_format *format;

	(void)state;
	strbuf_addstr(&json, "{\"t\":1,\"cpu\":0,\"kind\":\"mark\",\"text\":\"");
	strbuf_pad(&json, json.len + 5000, 'm');
	strbuf_addstr(&json, "\"}\n");
	for (size_t i = 0; (format = trace_format_at(i)); i++) {
		size_t n;
		char *written = convert_text(format->name, json.s, json.len, &n);
		char *got = events_of(written, n, NULL);

		assert_int_equal(strspn(strstr(got, "mmm"), "m"), 4096);
		free(got);
		free(written);
	}
	strbuf_release(&json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_kinds_survive_each_format),
		cmocka_unit_test(test_json_and_perfetto_keep_any_reason),
		cmocka_unit_test(test_ftrace_looks_as_the_kernel_prints_it),
		cmocka_unit_test(test_perfetto_is_the_wire_format),
		cmocka_unit_test(test_perfetto_has_a_new_task_begin),
		cmocka_unit_test(test_perfetto_has_the_idle_task_wake_for_interrupts),
		cmocka_unit_test(test_perfetto_groups_tracks_by_what_they_show),
		cmocka_unit_test(test_perfetto_takes_1024_cpus),
		cmocka_unit_test(test_a_perfetto_file_cut_off_is_read_up_to_there),
		cmocka_unit_test(test_wrong_json_says_where),
		cmocka_unit_test(test_long_texts_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
