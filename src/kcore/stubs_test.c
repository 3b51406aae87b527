// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/stubs.h"

#include "check.h"

static const char list[] =
	"# a list\nseq_read abort its address is in a table\nnop zero\tof no effect\n";

/* A name that the list has needs no call to be taken for a function; another one does. */
static void test_kind_is_by_list_then_by_calls(void **state)
{
	char seq_read[] = "seq_read", nop[] = "nop", other[] = "other";

	(void)state;
	assert_int_equal(stub_kind(&(struct object_symbol){ seq_read, false }, list), STUB_ABORT);
	assert_int_equal(stub_kind(&(struct object_symbol){ nop, true }, list), STUB_ZERO);
	assert_int_equal(stub_kind(&(struct object_symbol){ other, true }, list), STUB_ABORT);
	assert_int_equal(stub_kind(&(struct object_symbol){ other, false }, list), STUB_UNKNOWN);
}

static void test_source_names_the_function(void **state)
{
	struct strbuf sb = { 0 };

	(void)state;
	stub_source(&sb, "f", STUB_ABORT);
	stub_source(&sb, "g", STUB_ZERO);
	assert_string_equal(sb.s, "void f(void) { kit_missing(\"f\"); }\n"
				  "long g(void) { return 0; }\n");
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kind_is_by_list_then_by_calls),
		cmocka_unit_test(test_source_names_the_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
