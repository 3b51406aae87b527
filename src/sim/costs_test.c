// SPDX-License-Identifier: GPL-2.0-only
#include "sim/costs.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static int parse(struct costs *costs, const char *text, struct error *err)
{
	costs_default(costs);
	return costs_parse(costs, "m.costs", text, strlen(text), err);
}

static void test_costs_parse_takes_what_is_there(void **state)
{
	static const char text[] = "[costs]\n"
				   "switch_ns = 1200 ; lmbench\n"
				   "wake_ns.cluster = 1900\n"
				   "wake_ns.package = 2500\n"
				   "send_ns.tcp = 4000\n"
				   "smt_speed = 600\n"
				   "source.wake_ns.cluster = calibrate, 15 runs\n";
	struct costs costs, usual;

	(void)state;
	costs_default(&usual);
	assert_int_equal(parse(&costs, text, NULL), 0);
	assert_int_equal(costs.switch_ns, 1200);
	assert_int_equal(costs.send_ns[SIM_TCP], 4000);
	assert_int_equal(costs.send_ns[SIM_PIPE], usual.send_ns[SIM_PIPE]);
	assert_int_equal(costs.smt_speed, 600);
	/* nearer ones stay, farther ones are as the next nearer */
	assert_int_equal(costs.wake_ns[SIM_SMT], usual.wake_ns[SIM_SMT]);
	assert_int_equal(costs.wake_ns[SIM_LLC], 1900);
	assert_int_equal(costs.wake_ns[SIM_NODE], 1900);
	assert_int_equal(costs.wake_ns[SIM_REMOTE], 2500);
	assert_int_equal(costs.ipi_ns[SIM_REMOTE], usual.ipi_ns[SIM_REMOTE]);
}

static void test_costs_parse_says_what_is_wrong(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *words;
	} cases[] = {
		{ "[costs]\nswich_ns = 1\n", EINVAL,
		  "m.costs:2: no cost is called 'swich_ns', did you mean 'switch_ns'?" },
		{ "[costs]\nwake_ns = 1\n", EINVAL,
		  "m.costs:2: 'wake_ns' needs one of its parts behind a dot, as 'wake_ns.llc'" },
		{ "[costs]\nsend_ns = 1\n", EINVAL,
		  "m.costs:2: 'send_ns' needs one of its parts behind a dot, as 'send_ns.pipe'" },
		{ "[costs]\nwake_ns.far = 1\n", EINVAL,
		  "m.costs:2: no cost is called 'wake_ns.far'" },
		{ "[costs]\nsource.foo_bar = x\n", EINVAL,
		  "m.costs:2: no cost is called 'foo_bar'" },
		{ "[costs]\nexit_ns = 1.5\n", EINVAL,
		  "m.costs:2: exit_ns: '1.5' is no whole number" },
		{ "[costs]\nexit_ns = -1\n", EINVAL,
		  "m.costs:2: exit_ns: '-1' is no whole number" },
		{ "[costs]\nsmt_speed = 0\n", ERANGE,
		  "m.costs:2: smt_speed: 0 is not in 1 .. 1024" },
		{ "[costs]\nexit_ns = 99999999999999999999\n", ERANGE,
		  "m.costs:2: exit_ns: 99999999999999999999 is not in 0 .. 1000000000000" },
		{ "[cost]\n", EINVAL,
		  "m.costs:1: [cost]: a file of costs has one section, [costs]" },
		{ "[costs]\n[costs]\n", EINVAL,
		  "m.costs:2: [costs]: a file of costs has one section, [costs]" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct error err = { 0 };
		struct costs costs;

		assert_int_equal(parse(&costs, cases[i].text, &err), -cases[i].code);
		assert_int_equal(strncmp(err.text, cases[i].words, strlen(cases[i].words)), 0);
	}
}

static const char *source(void *ctx, const char *name)
{
	(void)ctx;
	return strcmp(name, "ipi_ns.llc") ? NULL : "a guess";
}

/* Every value another one, all as they were. */
static void test_costs_print_is_read_back(void **state)
{
	struct costs costs, again;
	struct strbuf sb = { 0 };
	uint64_t *value = (uint64_t *)&costs;

	(void)state;
	for (size_t i = 0; i < sizeof(costs) / sizeof(*value); i++)
		value[i] = 100 + i;
	costs_print(&costs, source, NULL, &sb);
	assert_int_equal(parse(&again, sb.s, NULL), 0);
	assert_memory_equal(&costs, &again, sizeof(costs));
	assert_non_null(strstr(sb.s, "\nsource.ipi_ns.llc = a guess\n"));
	strbuf_release(&sb);
}

/* Every value of the defaults says where it is from: a source line for each. */
static const char *usual_source(void *ctx, const char *name)
{
	(void)ctx;
	return costs_default_source(name);
}

static void test_costs_default_has_sources(void **state)
{
	struct strbuf sb = { 0 };
	struct costs costs;
	size_t lines = 0;

	(void)state;
	costs_default(&costs);
	costs_print(&costs, usual_source, NULL, &sb);
	for (const char *s = sb.s; (s = strstr(s, " = default: ")); s++)
		lines++;
	assert_int_equal(lines, sizeof(costs) / sizeof(uint64_t));
	assert_null(costs_default_source("wake"));
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_costs_parse_takes_what_is_there),
		cmocka_unit_test(test_costs_parse_says_what_is_wrong),
		cmocka_unit_test(test_costs_print_is_read_back),
		cmocka_unit_test(test_costs_default_has_sources),
	};

	return cmocka_run_group_tests_name("sim/costs", tests, NULL, NULL);
}
