// SPDX-License-Identifier: GPL-2.0-only
#include "base/json_out.h"

#include <math.h>

#include "check.h"

static void test_json_out_puts_commas_between_only(void **state)
{
	struct strbuf sb = { 0 };
	struct json_out out = { .sb = &sb };

	(void)state;
	json_out_object(&out, NULL);
	json_out_array(&out, "a");
	json_out_int(&out, NULL, -1);
	json_out_double(&out, NULL, 0.5);
	json_out_end_array(&out);
	json_out_object(&out, "o");
	json_out_end_object(&out);
	json_out_bool(&out, "b", true);
	json_out_str(&out, "n", NULL);
	json_out_double(&out, "nan", NAN);
	json_out_json(&out, "j", "[{}]");
	json_out_end_object(&out);
	assert_string_equal(sb.s, "{\"a\":[-1,0.5],\"o\":{},\"b\":true,\"n\":null,\"nan\":null,"
				  "\"j\":[{}]}");
	strbuf_release(&sb);
}

/* Overlong "/" (c0 af) and a lone surrogate (ed a0 80) are not UTF-8. */
static void test_json_out_escapes_and_mends_text(void **state)
{
	struct strbuf sb = { 0 };
	struct json_out out = { .sb = &sb };

	(void)state;
	json_out_str(&out, NULL, "q\"b\\n\n\xc3\xa9\xc0\xaf\xed\xa0\x80.");
	assert_string_equal(sb.s, "\"q\\\"b\\\\n\\u000a\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
				  "\xef\xbf\xbd\xef\xbf\xbd.\"");
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_out_puts_commas_between_only),
		cmocka_unit_test(test_json_out_escapes_and_mends_text),
	};

	return cmocka_run_group_tests_name("base/json_out", tests, NULL, NULL);
}
