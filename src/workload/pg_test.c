// SPDX-License-Identifier: GPL-2.0-only
#include "workload/pg.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static void test_pg_url_parse_takes_what_libpq_takes(void **state)
{
	struct pg_url url;

	(void)state;
	assert_int_equal(pg_url_parse(&url, "postgresql://bench@/postgres", NULL), 0);
	assert_string_equal(url.user, "bench");
	assert_string_equal(url.host, "/var/run/postgresql");
	assert_string_equal(url.dbname, "postgres");
	assert_int_equal(url.port, 5432);
	assert_int_equal(pg_url_parse(&url, "postgresql://a@localhost:5433/b", NULL), 0);
	assert_string_equal(url.host, "127.0.0.1");
	assert_int_equal(url.port, 5433);
	assert_int_equal(pg_url_parse(&url, "postgresql://a@/b?host=/tmp/x&port=65535", NULL), 0);
	assert_string_equal(url.host, "/tmp/x");
	assert_int_equal(url.port, 65535);
}

static void test_pg_url_parse_refuses_the_rest(void **state)
{
	static const char *const wrong[] = {
		"",
		"mysql://a@/b",
		"postgresql://",
		"postgresql:///b",
		"postgresql://@/b",
		"postgresql://a:secret@/b",
		"postgresql://a@",
		"postgresql://a@/",
		"postgresql://a@h:/b",
		"postgresql://a@h:0/b",
		"postgresql://a@h:65536/b",
		"postgresql://a@h:123456/b",
		"postgresql://a@/b?port=1x",
		"postgresql://a@/b?host=",
		"postgresql://a@/b?sslmode=off",
	};
	struct pg_url url;
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		err = (struct error){ 0 };
		if (pg_url_parse(&url, wrong[i], &err) != -EINVAL)
			fail_msg("%s was taken", wrong[i]);
		assert_memory_equal(err.text, "url: '", 6);
	}
}

static void test_pg_error_fields_finds_words_in_any_bytes(void **state)
{
	static const char whole[] = "SERROR\0VERROR\0C42P01\0Mrelation is not there\0";
	char words[100];

	(void)state;
	pg_error_fields(words, sizeof(words), whole, sizeof(whole));
	assert_string_equal(words, "ERROR 42P01: relation is not there");
	/* cut off in the message, which has no end then */
	pg_error_fields(words, sizeof(words), whole,
			strlen("SERROR") + 1 + strlen("VERROR") + 1 + strlen("C42P01") + 1 +
				strlen("Mrelation"));
	assert_string_equal(words, "ERROR 42P01: relation");
	pg_error_fields(words, sizeof(words), "", 0);
	assert_string_equal(words, "ERROR ?: ?");
	pg_error_fields(words, 12, whole, sizeof(whole));
	assert_string_equal(words, "ERROR 42P01");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pg_url_parse_takes_what_libpq_takes),
		cmocka_unit_test(test_pg_url_parse_refuses_the_rest),
		cmocka_unit_test(test_pg_error_fields_finds_words_in_any_bytes),
	};

	return cmocka_run_group_tests_name("workload/pg", tests, NULL, NULL);
}
