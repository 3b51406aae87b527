// SPDX-License-Identifier: GPL-2.0-only
#include "base/opt.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"

struct cfg {
	uint64_t groups;
	uint64_t limit_ns;
	uint64_t size_bytes;
	double rate;
	bool pin;
	char *cpus;
	int mode;
};

static const struct opt opts[] = {
	OPT(struct cfg, groups, "10", 1, 1000, "groups"),
	OPT_NS(struct cfg, "limit", limit_ns, "60s", 1, 3600e9, "time limit"),
	OPT_BYTES(struct cfg, "size", size_bytes, "100", 1, 1 << 20, "bytes of a message"),
	OPT(struct cfg, rate, "0.5", 0, 1, "rate"),
	OPT(struct cfg, pin, "no", 0, 0, "pin"),
	OPT(struct cfg, cpus, NULL, 0, 0, "CPUs"),
	OPT_CHOICE(struct cfg, mode, "thread", "process|thread", "kind of task"),
	OPT_END,
};

#include "check.h"

static void test_opts_init_sets_the_defaults(void **state)
{
	struct cfg cfg = { 0 };

	(void)state;
	opts_init(opts, &cfg);
	assert_int_equal(cfg.groups, 10);
	assert_int_equal(cfg.limit_ns, 60000000000);
	assert_int_equal(cfg.size_bytes, 100);
	assert_near(cfg.rate, 0.5, 0);
	assert_int_equal(cfg.mode, 1);
	assert_null(cfg.cpus);
	opts_release(opts, &cfg);
}

static void test_opt_print_gives_text_that_parses_to_the_same(void **state)
{
	static const char *const pairs[][2] = {
		{ "groups", "4" },
		{ "limit", "1500ms" },
		{ "limit", "7ns" },
		{ "size", "64KiB" },
		{ "rate", "0.10000000000000001" },
		{ "pin", "yes" },
		{ "cpus", "0-3" },
		{ "mode", "process" },
	};
	struct cfg cfg = { 0 };

	(void)state;
	opts_init(opts, &cfg);
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		struct strbuf sb = { 0 };

		assert_int_equal(opts_set(opts, &cfg, pairs[i][0], pairs[i][1], NULL), 0);
		opt_print(opts_find(opts, pairs[i][0]), &cfg, &sb);
		assert_string_equal(sb.s, pairs[i][1]);
		strbuf_release(&sb);
	}
	opts_release(opts, &cfg);
}

static void test_opts_set_refuses_what_is_not_of_the_form(void **state)
{
	static const char *const bad[][2] = {
		{ "groups", "" },      { "groups", "-5" }, { "groups", "4x" }, { "groups", "0x10" },
		{ "groups", " 4" },    { "limit", "3 s" }, { "limit", "m" },   { "limit", "1e" },
		{ "rate", "nan" },     { "rate", "half" }, { "pin", "maybe" }, { "mode", "thr" },
		{ "mode", "thread|" }, { "groups", "." },
	};
	struct cfg cfg = { 0 };

	(void)state;
	opts_init(opts, &cfg);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct error err = { 0 };

		assert_int_equal(opts_set(opts, &cfg, bad[i][0], bad[i][1], &err), -EINVAL);
		assert_non_null(strstr(err.text, bad[i][0]));
	}
	assert_int_equal(cfg.groups, 10);
	opts_release(opts, &cfg);
}

static void test_opts_set_says_the_range(void **state)
{
	struct cfg cfg = { 0 };
	struct error err = { 0 };

	(void)state;
	opts_init(opts, &cfg);
	assert_int_equal(opts_set(opts, &cfg, "groups", "1001", &err), -ERANGE);
	assert_string_equal(err.text, "groups: '1001' is out of range, allowed is 1 .. 1000");
	assert_int_equal(opts_set(opts, &cfg, "groups", "99999999999999999999999", &err), -ERANGE);
	assert_int_equal(opts_set(opts, &cfg, "limit", "99999999999h", &err), -ERANGE);
	opts_release(opts, &cfg);
}

static void test_opts_set_names_the_nearest_key(void **state)
{
	struct cfg cfg = { 0 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(opts_set(opts, &cfg, "gruops", "1", &err), -ENOENT);
	assert_string_equal(err.text, "unknown key 'gruops', did you mean 'groups'?");
}

/* 2^63 - 1 ns is the largest; a double would round it. */
static void test_parse_ns_keeps_all_digits_of_whole_numbers(void **state)
{
	uint64_t ns;

	(void)state;
	assert_int_equal(parse_ns(&ns, "9223372036854775807ns", NULL), 0);
	assert_true(ns == INT64_MAX);
	assert_int_equal(parse_ns(&ns, "9223372036854775808ns", NULL), -ERANGE);
	assert_int_equal(parse_ns(&ns, "1.5m", NULL), 0);
	assert_int_equal(ns, 90000000000);
}

static void test_opt_lines_are_gathered(void **state)
{
	struct {
		char *set;
	} cfg = { 0 };
	const struct opt lines[] = {
		{ .name = "set", .type = OPT_TYPE_LINES, .offset = 0, .help = "a setting" },
		OPT_END,
	};
	struct strbuf sb = { 0 };

	(void)state;
	assert_int_equal(opts_set(lines, &cfg, "set", "cpus=0", NULL), 0);
	assert_int_equal(opts_set(lines, &cfg, "set", "nice=5", NULL), 0);
	assert_string_equal(cfg.set, "cpus=0\nnice=5");
	opt_print(lines, &cfg, &sb);
	assert_string_equal(sb.s, cfg.set);
	opts_release(lines, &cfg);
	assert_null(cfg.set);
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_opts_init_sets_the_defaults),
		cmocka_unit_test(test_opt_print_gives_text_that_parses_to_the_same),
		cmocka_unit_test(test_opts_set_refuses_what_is_not_of_the_form),
		cmocka_unit_test(test_opts_set_says_the_range),
		cmocka_unit_test(test_opts_set_names_the_nearest_key),
		cmocka_unit_test(test_parse_ns_keeps_all_digits_of_whole_numbers),
		cmocka_unit_test(test_opt_lines_are_gathered),
	};

	return cmocka_run_group_tests_name("base/opt", tests, NULL, NULL);
}
