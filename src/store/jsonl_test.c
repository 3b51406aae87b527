// SPDX-License-Identifier: GPL-2.0-only
#include "store/jsonl.h"

#include "base/mem.h"
#include "store/fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* clang-format off */
#define EXPERIMENT                                                                                 \
	"{\"schema\":2,\"kind\":\"experiment\",\"name\":\"e\",\"text\":\"\",\"fingerprint\":\"f\"," \
	"\"seed\":\"18446744073709551615\",\"blocks\":2,\"budget_ns\":0,\"runs_per_boot\":0,"      \
	"\"created_ns\":7,\"finished\":true,\"runs_per_block\":1,\"margin\":0.25,"                  \
	"\"until\":0,\"purpose\":\"aa\",\"ended\":\"known\","                                    \
	"\"variants\":[{\"name\":\"a\",\"settings\":\"\",\"asks\":\"\"},"                          \
	"{\"name\":\"b\",\"settings\":\"nice = 5\\u000a\",\"asks\":\"\"}],"                        \
	"\"points\":[{\"label\":\"pipe\",\"workload\":\"pipe\",\"params\":\"\",\"primary\":\"turn\"}]}\n"
#define SESSION                                                                                    \
	"{\"schema\":2,\"kind\":\"session\",\"session\":0,\"boot_id\":\"x\",\"started_ns\":8,"     \
	"\"notes\":\"\",\"facts\":{\"b\":\"1\",\"a\":\"2\"}}\n"
#define RUN(position, more, metric)                                                                \
	"{\"schema\":2,\"kind\":\"run\",\"session\":0,\"block\":0,\"position\":" #position ","     \
	"\"variant\":\"b\",\"point\":\"pipe\",\"warmup\":false,\"started_ns\":9,\"load\":null,"    \
	"\"facts\":{}," more "\"result\":{\"schema\":2,\"workload\":\"pipe\",\"status\":\"ok\","   \
	"\"reason\":null,\"metrics\":[{\"name\":\"turn\",\"unit\":\"ns\",\"better\":\"lower\","    \
	"\"value\":" #metric "}],\"counters\":[],\"histograms\":[],\"notes\":[]}}\n"
/* clang-format on */

static struct store *memory_store(void)
{
	struct store *store = NULL;

	assert_int_equal(store_open(&store, ":memory:", STORE_WRITE, NULL), 0);
	return store;
}

/* Imports into @store and exports all of it. */
static void import_and_export(struct store *store, const char *text, struct strbuf *sb)
{
	struct error err = { 0 };
	size_t n = 0;
	int64_t *ids;

	if (jsonl_import(store, "in", text, strlen(text), &ids, &n, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(jsonl_export(store, ids[i], sb, NULL), 0);
	free(ids);
}

static void expect_refusal(const char *text, const char *words)
{
	struct store *store = memory_store();
	struct error err = { 0 };
	int64_t *ids = NULL, id;
	size_t n = 77;

	assert_int_equal(jsonl_import(store, "in", text, strlen(text), &ids, &n, &err), -EINVAL);
	if (!strstr(err.text, words))
		fail_msg("'%s' lacks '%s'", err.text, words);
	assert_null(ids);
	assert_int_equal(n, 77);
	assert_int_equal(store_find_experiment(store, NULL, &id, NULL), -ENOENT);
	store_close(store);
}

static void test_export_writes_the_agreed_lines(void **state)
{
	static const char text[] = EXPERIMENT SESSION RUN(0, , 0.1) RUN(3, , 1e-300);
	struct store *store = memory_store();
	struct strbuf sb = { 0 };

	(void)state;
	import_and_export(store, text, &sb);
	/* the double next to 0.1 needs 17 digits, the one next to 1e-300 has zeros behind the first */
	assert_string_equal(sb.s,
			    EXPERIMENT SESSION RUN(0, , 0.10000000000000001) RUN(3, , 1e-300));
	strbuf_release(&sb);
	store_close(store);
}

static void test_import_keeps_what_was_stored(void **state)
{
	struct strbuf once = { 0 }, twice = { 0 };
	struct store *store = memory_store();
	int64_t session, id = sample_fill(store, 9, &session);
	struct run_row row;

	(void)state;
	sample_run(&row, id, session, 9);
	row.block = -2;
	row.warmup = true;
	result_fail(&row.result, RUN_FAILED, "signal 11, \"core\" \xff dumped");
	assert_int_equal(store_add_run(store, &row, NULL), 0);
	run_row_release(&row);
	assert_int_equal(store_finish_experiment(store, id, NULL, NULL), 0);
	assert_int_equal(jsonl_export(store, id, &once, NULL), 0);
	import_and_export(store, once.s, &twice);
	assert_string_equal(once.s, twice.s);
	strbuf_release(&once);
	strbuf_release(&twice);
	store_close(store);
}

static void test_import_takes_lines_in_any_order_and_passes_over_unknown_ones(void **state)
{
	static const char text[] = "\n{\"kind\":\"verdict\",\"schema\":9}\n" EXPERIMENT
				   " \t\r\n" SESSION RUN(1, , 2) "{\"kind\":\"x\"}\n" RUN(0, , 1);
	struct store *store = memory_store();
	struct strbuf sb = { 0 };

	(void)state;
	import_and_export(store, text, &sb);
	assert_string_equal(sb.s, EXPERIMENT SESSION RUN(0, , 1) RUN(1, , 2));
	strbuf_release(&sb);
	store_close(store);
}

static void test_import_gives_every_experiment_an_id(void **state)
{
	static const char text[] = EXPERIMENT SESSION RUN(0, , 1) EXPERIMENT EXPERIMENT SESSION;
	struct store *store = memory_store();
	struct strbuf sb = { 0 };

	(void)state;
	import_and_export(store, text, &sb);
	assert_string_equal(sb.s, text);
	strbuf_release(&sb);
	store_close(store);
}

static void test_import_says_what_is_wrong_and_where(void **state)
{
	(void)state;
	expect_refusal("", "in: there is no experiment");
	expect_refusal("{\"kind\":\"verdict\"}", "in: there is no experiment");
	expect_refusal("\n{]", "in:2: column");
	expect_refusal("[1]", "in:1: not an object with a 'kind'");
	expect_refusal(SESSION, "in:1: a session before any experiment");
	expect_refusal(EXPERIMENT SESSION SESSION, "in:3: 'session' must be a whole number 1 .. 1");
	expect_refusal(EXPERIMENT RUN(0, , 1), "in:2: 'session' must be");
	expect_refusal(EXPERIMENT SESSION RUN(0, , 1) RUN(0, , 1), "in:4: ");
	expect_refusal(EXPERIMENT SESSION RUN(-1, , 1), "'position' must be a whole number 0 ..");
	expect_refusal(EXPERIMENT SESSION RUN(0, "\"more\":1,", 1), "in:3: 'more' is unknown");
	expect_refusal(EXPERIMENT SESSION RUN(0, "\"facts\":{},", 1), "in:3: column");
	expect_refusal(EXPERIMENT SESSION RUN(0, , null), "in:3: result: ");
	expect_refusal(EXPERIMENT SESSION RUN(0, , 1e999), "in:3: column");
}

/* EXPERIMENT, SESSION and a RUN with one text in it replaced. */
static void expect_refusal_of(const char *old, const char *new, const char *words)
{
	static const char text[] = EXPERIMENT SESSION RUN(0, , 1);
	const char *at = strstr(text, old);
	char *changed;

	assert_non_null(at);
	changed = xasprintf("%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
	expect_refusal(changed, words);
	free(changed);
}

static void test_import_checks_every_member(void **state)
{
	(void)state;
	expect_refusal_of("\"schema\":2", "\"schema\":3",
			  "in:1: 'schema' must be a whole number 1 .. 2");
	expect_refusal_of("\"aa\"", "\"bb\"", "in:1: 'purpose' must be ab, aa or pilot");
	expect_refusal_of("\"name\":\"e\",", "", "in:1: 'name' is missing");
	expect_refusal_of("\"name\":\"e\"", "\"name\":\"\"", "in:1: ");
	expect_refusal_of("\"name\":\"e\"", "\"name\":\"\\u0000\"", "in:1: column");
	expect_refusal_of("\"18446744073709551615\"", "\"18446744073709551616\"", "'seed' must be");
	expect_refusal_of("\"18446744073709551615\"", "\"-1\"", "'seed' must be");
	expect_refusal_of("\"18446744073709551615\"", "1", "'seed' must be a text");
	expect_refusal_of("\"blocks\":2", "\"blocks\":2.0", "'blocks' must be a whole number");
	expect_refusal_of("\"finished\":true", "\"finished\":1",
			  "'finished' must be true or false");
	expect_refusal_of("\"name\":\"b\"", "\"name\":\"a\"", "one name");
	expect_refusal_of("\"asks\":\"\"", "\"ask\":\"\"", "variants[0]: 'asks' is missing");
	expect_refusal_of("[{\"label\"", "[1,{\"label\"", "points[0]: not an object");
	expect_refusal_of("\"boot_id\":\"x\"", "\"boot_id\":null",
			  "in:2: 'boot_id' must be a text");
	expect_refusal_of("{\"b\":\"1\"", "[{\"b\":\"1\"", "in:2: column");
	expect_refusal_of("\"facts\":{}", "\"facts\":[]", "in:3: 'facts' must be an object");
	expect_refusal_of("\"variant\":\"b\"", "\"variant\":\"c\"", "in:3: no variant 'c'");
	expect_refusal_of("\"point\":\"pipe\"", "\"point\":\"hackbench\"", "no point 'hackbench'");
	expect_refusal_of("\"warmup\":false", "\"warmup\":true", "warm-up");
	expect_refusal_of("\"load\":null", "\"load\":\"high\"", "'load' must be a number or null");
	expect_refusal_of("\"session\":0,\"block\"", "\"session\":1,\"block\"", "0 .. 0");
	expect_refusal_of("2,\"workload\":\"pipe\"", "2,\"workload\":\"sleep\"", "'sleep'");
}

static void test_export_of_nothing_adds_nothing(void **state)
{
	struct store *store = memory_store();
	struct strbuf sb = { 0 };

	(void)state;
	strbuf_addstr(&sb, "before");
	assert_int_equal(jsonl_export(store, 1, &sb, NULL), -ENOENT);
	assert_string_equal(sb.s, "before");
	strbuf_release(&sb);
	store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_export_writes_the_agreed_lines),
		cmocka_unit_test(test_import_keeps_what_was_stored),
		cmocka_unit_test(test_import_takes_lines_in_any_order_and_passes_over_unknown_ones),
		cmocka_unit_test(test_import_gives_every_experiment_an_id),
		cmocka_unit_test(test_import_says_what_is_wrong_and_where),
		cmocka_unit_test(test_import_checks_every_member),
		cmocka_unit_test(test_export_of_nothing_adds_nothing),
	};

	return cmocka_run_group_tests_name("store/jsonl", tests, NULL, NULL);
}
