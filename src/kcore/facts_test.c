// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/facts.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

#include "check.h"

/* Hashes have all 64 bits; a path may have what JSON escapes. */
static void test_facts_come_back_as_they_were(void **state)
{
	struct kcore_facts facts = {
		.name = xstrdup("before"),
		.release = xstrdup("6.12.117"),
		.tree = xstrdup("/home/a \"b\"/linux"),
		.rev = xstrdup(""),
		.config = xstrdup("/boot/config"),
		.work = xstrdup("linux-0"),
		.abi = 1,
		.kit = UINT64_C(0xfedcba9876543210),
		.inputs = UINT64_MAX,
		.cpus = 1024,
		.cost = true,
		.built_ns = 1,
		.real = 2,
		.shim = 3,
		.stubs = 4,
	};
	struct kcore_facts back = { 0 };
	struct strbuf sb = { 0 };

	(void)state;
	kcore_facts_json(&facts, &sb);
	assert_int_equal(kcore_facts_parse(&back, sb.s, sb.len, NULL), 0);
	assert_string_equal(back.tree, "/home/a \"b\"/linux");
	assert_string_equal(back.config, "/boot/config");
	assert_int_equal(back.kit, UINT64_C(0xfedcba9876543210));
	assert_int_equal(back.inputs, UINT64_MAX);
	assert_true(back.cost);
	assert_int_equal(back.stubs, 4);
	kcore_facts_release(&facts);
	kcore_facts_release(&back);
	strbuf_release(&sb);
}

static void test_facts_of_another_form_are_refused(void **state)
{
	static const char *const texts[] = { "", "[]", "{}", "{\"name\":\"x\"}", "{\"name\":1" };
	struct kcore_facts facts = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct error err = { 0 };

		assert_int_equal(kcore_facts_parse(&facts, texts[i], strlen(texts[i]), &err),
				 -EINVAL);
		assert_non_null(strstr(err.text, "build it again"));
		assert_null(facts.name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts_come_back_as_they_were),
		cmocka_unit_test(test_facts_of_another_form_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
