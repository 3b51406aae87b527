// SPDX-License-Identifier: GPL-2.0-only
#include "workload/result.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const struct metric loop = { .name = "loop", .unit = UNIT_NS, .better = BETTER_LOWER };

static const struct metric latency = { .name = "latency", .unit = UNIT_NS, .better = BETTER_LOWER };

static const char ok_line[] =
	"{\"schema\":2,\"workload\":\"pipe\",\"status\":\"ok\",\"reason\":null,"
	"\"metrics\":[{\"name\":\"loop\",\"unit\":\"ns\",\"better\":\"lower\",\"value\":9123.5}],"
	"\"counters\":[{\"name\":\"task-clock\",\"unit\":\"ns\",\"value\":1200000000,"
	"\"counted\":0.5}],"
	"\"histograms\":[{\"name\":\"latency\",\"unit\":\"ns\",\"better\":\"lower\","
	"\"samples\":\"9;2;3;5;8;1,+1,1\"}],"
	"\"notes\":[{\"name\":\"placement\",\"text\":\"CPU 0\"}]}";

static const char failed_line[] =
	"{\"schema\":2,\"workload\":\"pipe\",\"status\":\"failed\",\"reason\":\"killed\","
	"\"metrics\":[],\"counters\":[{\"name\":\"task-clock\",\"unit\":\"ns\","
	"\"value\":1200000000,\"counted\":0.5}],\"histograms\":[],"
	"\"notes\":[{\"name\":\"placement\",\"text\":\"CPU 0\"}]}";

static struct result ok_result(void)
{
	struct result result = { .workload = strdup("pipe") };

	result_add_metric(&result, &loop, 9123.5);
	result_add_counter(&result, "task-clock", UNIT_NS, 1.2e9, 0.5);
	result_add_samples(&result, &latency, "9;2;3;5;8;1,+1,1");
	result_add_note(&result, "placement", "CPU 0");
	return result;
}

static void assert_writes(const struct result *result, const char *line)
{
	struct strbuf sb = { 0 };

	result_write(result, &sb);
	assert_string_equal(sb.s, line);
	strbuf_release(&sb);
}

static void test_result_write_gives_the_documented_line(void **state)
{
	struct result result = ok_result();

	(void)state;
	assert_writes(&result, ok_line);
	result_release(&result);
}

static void test_result_fail_drops_metrics_and_histograms_and_keeps_the_rest(void **state)
{
	struct result result = ok_result();

	(void)state;
	result_fail(&result, RUN_FAILED, "killed");
	assert_writes(&result, failed_line);
	result_fail(&result, RUN_HANG, result.reason);
	assert_int_equal(result.status, RUN_HANG);
	assert_string_equal(result.reason, "killed");
	result_release(&result);
}

static void test_result_read_gives_back_what_was_written(void **state)
{
	static const char *const lines[] = { ok_line, failed_line };
	struct error err = { 0 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct result result = { 0 };

		assert_int_equal(result_read(&result, lines[i], strlen(lines[i]), &err), 0);
		assert_writes(&result, lines[i]);
		result_release(&result);
	}
}

/* What earlier releases wrote. */
static void test_result_read_takes_schema_1(void **state)
{
	static const char line[] =
		"{\"schema\":1,\"workload\":\"pipe\",\"status\":\"ok\",\"reason\":null,"
		"\"metrics\":[{\"name\":\"loop\",\"unit\":\"ns\",\"better\":\"lower\",\"value\":5}]"
		","
		"\"counters\":[]}";
	struct result result = { 0 };

	(void)state;
	assert_int_equal(result_read(&result, line, strlen(line), NULL), 0);
	assert_near(result_metric(&result, "loop")->value, 5, 0);
	assert_int_equal(result.nr_histograms, 0);
	assert_int_equal(result.nr_notes, 0);
	result_release(&result);
}

static void test_result_histogram_and_note_are_found_by_name(void **state)
{
	struct histogram *h = calloc(1, sizeof(*h));
	struct result result = ok_result();

	(void)state;
	assert_true(result_histogram(&result, "latency", h));
	assert_true(h->count == 2 && h->min == 3 && h->max == 5);
	assert_false(result_histogram(&result, "loop", h));
	assert_string_equal(result_note(&result, "placement"), "CPU 0");
	assert_null(result_note(&result, "latency"));
	result_release(&result);
	free(h);
}

/* 999 bytes and a letter of two: it would be torn at 1000, so it is left out. */
static void test_result_add_note_cuts_between_letters(void **state)
{
	struct result result = { 0 };
	char text[1100];

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text + 999, "\xc3\xa9", 2);
	text[1099] = '\0';
	text[5] = '\n';
	result_add_note(&result, "long", text);
	assert_int_equal(strlen(result_note(&result, "long")), 999);
	assert_int_equal(result_note(&result, "long")[5], ' ');
	result_release(&result);
}

static void test_result_read_replaces_what_was_there(void **state)
{
	struct result result = ok_result();

	(void)state;
	assert_int_equal(result_read(&result, failed_line, strlen(failed_line), NULL), 0);
	assert_int_equal(result.status, RUN_FAILED);
	assert_null(result_metric(&result, "loop"));
	assert_int_equal(result.nr_counters, 1);
	result_release(&result);
}

static void test_result_metric_finds_by_name(void **state)
{
	struct result result = ok_result();

	(void)state;
	assert_near(result_metric(&result, "loop")->value, 9123.5, 0);
	assert_int_equal(result_metric(&result, "loop")->better, BETTER_LOWER);
	assert_null(result_metric(&result, "task-clock"));
	result_release(&result);
}

#define HEAD "{\"schema\":1,\"workload\":\"pipe\",\"status\":\"ok\",\"reason\":null,"
#define HEAD2                                                                                      \
	"{\"schema\":2,\"workload\":\"pipe\",\"status\":\"ok\",\"reason\":null,\"metrics\":[],"    \
	"\"counters\":[]"
#define HIST(s)	   "{\"name\":\"h\",\"unit\":\"ns\",\"better\":\"lower\",\"samples\":\"" s "\"}"
#define NOTE(s)	   "{\"name\":\"n\",\"text\":\"" s "\"}"
#define METRIC(v)  "{\"name\":\"m\",\"unit\":\"ns\",\"better\":\"lower\",\"value\":" v "}"
#define COUNTER(c) "{\"name\":\"c\",\"unit\":\"ns\",\"value\":1,\"counted\":" c "}"

static void test_result_read_refuses_and_says_why(void **state)
{
	static const char *const cases[][2] = {
		{ "", "line" },
		{ "{", "line 1" },
		{ "[]", "object" },
		{ HEAD "\"metrics\":[],\"counters\":[]} x", "end of file expected" },
		{ HEAD "\"metrics\":[]}", "counters" },
		{ HEAD "\"metrics\":[],\"counters\":[],\"new\":1}", "new" },
		{ HEAD "\"metrics\":[],\"counters\":[],\"schema\":1}", "duplicate" },
		{ HEAD "\"metrics\":{},\"counters\":[]}", "metrics is no array" },
		{ HEAD "\"metrics\":[" METRIC("1e999") "],\"counters\":[]}", "real number" },
		{ HEAD "\"metrics\":[" METRIC("null") "],\"counters\":[]}", "metrics[0]" },
		{ HEAD "\"metrics\":[" METRIC("1") "," METRIC("2") "],\"counters\":[]}", "twice" },
		{ HEAD "\"metrics\":[],\"counters\":[" COUNTER("0") "]}", "counted 0" },
		{ HEAD "\"metrics\":[],\"counters\":[" COUNTER("1.5") "]}", "counted 1.5" },
		{ "{\"schema\":3,\"workload\":\"p\",\"status\":\"ok\",\"reason\":null,"
		  "\"metrics\":[],\"counters\":[]}",
		  "schema 3" },
		{ HEAD "\"metrics\":[],\"counters\":[],\"histograms\":[],\"notes\":[]}",
		  "schema 1 has no histograms" },
		{ HEAD2 "}", "schema 2 has histograms and notes" },
		{ HEAD2 ",\"histograms\":[]}", "schema 2 has histograms and notes" },
		{ HEAD2 ",\"histograms\":{},\"notes\":[]}", "histograms is no array" },
		{ HEAD2 ",\"histograms\":[" HIST("9;1") "],\"notes\":[]}",
		  "histograms[0]: h: histogram: " },
		{ HEAD2 ",\"histograms\":[" HIST("9;0") "," HIST("9;0") "],\"notes\":[]}",
		  "'h' is there twice" },
		{ HEAD2 ",\"histograms\":[],\"notes\":[{\"name\":\"n\"}]}", "notes[0]" },
		{ HEAD2 ",\"histograms\":[],\"notes\":[" NOTE("a\\nb") "]}",
		  "notes[0]: n: not one line" },
		{ HEAD2 ",\"histograms\":[],\"notes\":[" NOTE("") "," NOTE("") "]}",
		  "'n' is there twice" },
		{ "{\"schema\":2,\"workload\":\"p\",\"status\":\"hang\",\"reason\":\"why\","
		  "\"metrics\":[],\"counters\":[],\"histograms\":[" HIST("9;0") "],\"notes\":[]}",
		  "'hang' with histograms" },
		{ "{\"schema\":1,\"workload\":\"p\",\"status\":\"fine\",\"reason\":null,"
		  "\"metrics\":[],\"counters\":[]}",
		  "'fine' is no status" },
		{ "{\"schema\":1,\"workload\":\"p\",\"status\":\"ok\",\"reason\":\"why\","
		  "\"metrics\":[],\"counters\":[]}",
		  "'ok' with a reason" },
		{ "{\"schema\":1,\"workload\":\"p\",\"status\":\"hang\",\"reason\":null,"
		  "\"metrics\":[],\"counters\":[]}",
		  "'hang' without a reason" },
		{ "{\"schema\":1,\"workload\":\"p\",\"status\":\"failed\",\"reason\":\"a\\nb\","
		  "\"metrics\":[],\"counters\":[]}",
		  "not one line" },
		{ "{\"schema\":1,\"workload\":\"p\",\"status\":\"failed\",\"reason\":\"why\","
		  "\"metrics\":[" METRIC("1") "],\"counters\":[]}",
		  "'failed' with metrics" },
		{ "{\"schema\":1,\"workload\":\"p\",\"status\":\"failed\",\"reason\":7,"
		  "\"metrics\":[],\"counters\":[]}",
		  "neither a string nor null" },
		{ "{\"schema\":1,\"workload\":\"\",\"status\":\"ok\",\"reason\":null,"
		  "\"metrics\":[],\"counters\":[]}",
		  "workload is not" },
	};
	struct result result = ok_result();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = { 0 };
		const char *text = cases[i][0];

		assert_int_equal(result_read(&result, text, strlen(text), &err), -EINVAL);
		if (!strstr(err.text, cases[i][1]))
			fail_msg("case %zu: '%s' lacks '%s'", i, err.text, cases[i][1]);
	}
	assert_writes(&result, ok_line);
	result_release(&result);
}

static void add_counters(struct strbuf *sb, int n)
{
	strbuf_addstr(sb, HEAD "\"metrics\":[],\"counters\":[");
	for (int i = 0; i < n; i++)
		strbuf_addf(sb, "%s{\"name\":\"c%d\",\"unit\":\"count\",\"value\":1,\"counted\":1}",
			    i ? "," : "", i);
	strbuf_addstr(sb, "]}");
}

static void test_result_read_takes_1000_counters_and_no_more(void **state)
{
	struct result result = { 0 };
	struct strbuf sb = { 0 };
	struct error err = { 0 };

	(void)state;
	add_counters(&sb, 1000);
	assert_int_equal(result_read(&result, sb.s, sb.len, &err), 0);
	assert_int_equal(result.nr_counters, 1000);
	strbuf_reset(&sb);
	add_counters(&sb, 1001);
	assert_int_equal(result_read(&result, sb.s, sb.len, &err), -EINVAL);
	assert_string_equal(err.text, "more than 1000 counters");
	strbuf_release(&sb);
	result_release(&result);
}

static void test_result_read_takes_names_of_63_bytes_and_no_more(void **state)
{
	char name[65];

	(void)state;
	for (size_t len = 63; len <= 64; len++) {
		struct result result = { 0 };
		struct strbuf sb = { 0 };

		memset(name, 'n', len);
		name[len] = '\0';
		strbuf_addf(&sb,
			    "{\"schema\":1,\"workload\":\"%s\",\"status\":\"ok\",\"reason\":null,"
			    "\"metrics\":[],\"counters\":[]}",
			    name);
		assert_int_equal(result_read(&result, sb.s, sb.len, NULL), len == 63 ? 0 : -EINVAL);
		strbuf_release(&sb);
		result_release(&result);
	}
}

static void test_run_status_names_parse_back(void **state)
{
	enum run_status status;

	(void)state;
	for (int i = RUN_OK; i <= RUN_HANG; i++) {
		assert_int_equal(run_status_parse(&status, run_status_name((enum run_status)i)), 0);
		assert_int_equal(status, i);
	}
	assert_int_equal(run_status_parse(&status, "OK"), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_result_write_gives_the_documented_line),
		cmocka_unit_test(test_result_fail_drops_metrics_and_histograms_and_keeps_the_rest),
		cmocka_unit_test(test_result_read_gives_back_what_was_written),
		cmocka_unit_test(test_result_read_takes_schema_1),
		cmocka_unit_test(test_result_histogram_and_note_are_found_by_name),
		cmocka_unit_test(test_result_add_note_cuts_between_letters),
		cmocka_unit_test(test_result_read_replaces_what_was_there),
		cmocka_unit_test(test_result_metric_finds_by_name),
		cmocka_unit_test(test_result_read_refuses_and_says_why),
		cmocka_unit_test(test_result_read_takes_1000_counters_and_no_more),
		cmocka_unit_test(test_result_read_takes_names_of_63_bytes_and_no_more),
		cmocka_unit_test(test_run_status_names_parse_back),
	};

	return cmocka_run_group_tests_name("workload/result", tests, NULL, NULL);
}
