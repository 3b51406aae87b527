// SPDX-License-Identifier: GPL-2.0-only
#include "host/knob_text.h"

#include "check.h"

static void test_text_same_value_forgives_spelling_only(void **state)
{
	(void)state;
	assert_true(text_same_value("4096\t131072\n", " 4096 131072"));
	assert_true(text_same_value("16", "0x10"));
	assert_true(text_same_value("Y\n", "1"));
	assert_true(text_same_value("0", "N"));
	assert_true(text_same_value("", "\n"));
	assert_false(text_same_value("4096", "4096 1"));
	assert_false(text_same_value("4096 1", "4096"));
	assert_false(text_same_value("10", "1"));
	assert_false(text_same_value("a", "A"));
	assert_false(text_same_value("1x", "1"));
	/* beyond 64 bits both would saturate to the same number */
	assert_false(text_same_value("99999999999999999998", "99999999999999999999"));
}

/* content, value, what brings the content back, does it hold, and the content a kernel shows afterwards */
static const struct {
	enum knob_kind kind;
	const char *content, *value, *back;
	bool holds;
	const char *after;
} rows[] = {
	{ KNOB_VALUE, "950000\n", "-1", "950000", false, "-1\n" },
	{ KNOB_VALUE, "a [b] c\n", "b", "a [b] c", false, "b\n" },
	{ KNOB_CHOICE, "always [madvise] never\n", "never", "madvise", false,
	  "always madvise [never]\n" },
	{ KNOB_CHOICE, "always [madvise] never\n", "madvise", "madvise", true,
	  "always [madvise] never\n" },
	{ KNOB_CHOICE, "none (full) lazy\n", "none", "full", false, "(none) full lazy\n" },
	{ KNOB_CHOICE, "3000000\n", "0x2dc6c0", "3000000", true, "0x2dc6c0\n" },
	{ KNOB_FEATURE, "A NO_B NO_BB \n", "B", "NO_B", false, "A B NO_BB\n" },
	{ KNOB_FEATURE, "A NO_B NO_BB \n", "NO_B", "NO_B", true, "A NO_B NO_BB\n" },
	{ KNOB_FEATURE, "A NO_B NO_BB \n", "NO_A", "A", false, "NO_A NO_B NO_BB\n" },
	{ KNOB_CONTROLLER, "cpu io\n", "+cpuset", "-cpuset", false, "cpu io cpuset\n" },
	{ KNOB_CONTROLLER, "cpu io\n", "-cpu", "+cpu", false, "io\n" },
	{ KNOB_CONTROLLER, "\n", "+cpu", "-cpu", false, "cpu\n" },
	{ KNOB_CONTROLLER, "cpu io\n", "+cpu", "+cpu", true, "io cpu\n" },
};

static void test_knob_forms_are_read_and_compared(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *name = knob_name(rows[i].kind, rows[i].value);
		struct strbuf back = { 0 };

		assert_true(knob_value(rows[i].kind, rows[i].content, name, &back));
		assert_string_equal(back.s, rows[i].back);
		assert_int_equal(knob_holds(rows[i].kind, rows[i].content, rows[i].value),
				 rows[i].holds);
		/* what brings it back is what it holds now */
		assert_true(knob_holds(rows[i].kind, rows[i].content, back.s));
		strbuf_release(&back);
	}
}

static void test_knob_recorded_shows_what_was_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct strbuf after = { 0 };

		knob_recorded(rows[i].kind, rows[i].content, rows[i].value, &after);
		assert_string_equal(after.s, rows[i].after);
		assert_true(knob_holds(rows[i].kind, after.s, rows[i].value));
		strbuf_release(&after);
	}
}

static void test_knob_value_knows_no_feature_that_is_not_listed(void **state)
{
	struct strbuf back = { 0 };

	(void)state;
	assert_false(knob_value(KNOB_FEATURE, "A NO_B\n", "C", &back));
	assert_false(knob_holds(KNOB_FEATURE, "A NO_B\n", "NO_C"));
	assert_int_equal(back.len, 0);
	strbuf_release(&back);
}

static void test_text_choices_need_exactly_one_in_brackets(void **state)
{
	struct strbuf words = { 0 };

	(void)state;
	assert_true(text_choices("always [madvise] never\n", &words));
	assert_string_equal(words.s, "always madvise never");
	assert_false(text_choices("madvise\n", &words));
	assert_false(text_choices("[madvise]\n", &words));
	assert_false(text_choices("[a] (b)\n", &words));
	assert_string_equal(words.s, "always madvise never");
	strbuf_release(&words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_same_value_forgives_spelling_only),
		cmocka_unit_test(test_knob_forms_are_read_and_compared),
		cmocka_unit_test(test_knob_recorded_shows_what_was_written),
		cmocka_unit_test(test_knob_value_knows_no_feature_that_is_not_listed),
		cmocka_unit_test(test_text_choices_need_exactly_one_in_brackets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
