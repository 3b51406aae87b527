// SPDX-License-Identifier: GPL-2.0-only
#include "sim/costs.h"

#include "topo/machine.h"

#include <errno.h>
#include <string.h>

#include "check.h"

static const struct costs_pairs no_pairs;

static int parse_all(struct costs *costs, struct costs_pairs *pairs, const char *text,
		     struct error *err)
{
	costs_default(costs);
	*pairs = (struct costs_pairs){ 0 };
	return costs_parse(costs, pairs, "m.costs", text, strlen(text), err);
}

static int parse(struct costs *costs, const char *text, struct error *err)
{
	struct costs_pairs pairs;
	const int ret = parse_all(costs, &pairs, text, err);

	assert_int_equal(pairs.nr, 0);
	return ret;
}

static void test_costs_parse_takes_what_is_there(void **state)
{
	static const char text[] = "[costs]\n"
				   "switch_ns = 1200 ; lmbench\n"
				   "wake_ns.cluster = 1900\n"
				   "wake_ns.package = 2500\n"
				   "send_ns.tcp = 4000\n"
				   "message_far_ns.tcp.cluster = 50\n"
				   "message_far_ns.tcp.node = 900\n"
				   "smt_speed = 600\n"
				   "idle_deep_ns = 7000\n"
				   "idle_deep_after_ns.3 = 8000\n"
				   "source.wake_ns.cluster = calibrate, 15 runs\n";
	struct costs costs, usual;

	(void)state;
	costs_default(&usual);
	assert_int_equal(parse(&costs, text, NULL), 0);
	assert_int_equal(costs.switch_ns, 1200);
	assert_int_equal(costs.send_ns[SIM_TCP], 4000);
	assert_int_equal(costs.send_ns[SIM_PIPE], usual.send_ns[SIM_PIPE]);
	assert_int_equal(costs.smt_speed, 600);
	assert_int_equal(costs.idle_deep_ns[0], 7000);
	assert_int_equal(costs.idle_deep_ns[1], 0);
	assert_int_equal(costs.idle_deep_after_ns[2], 8000);
	/* nearer ones stay, farther ones are as the next nearer */
	assert_int_equal(costs.wake_ns[SIM_SMT], usual.wake_ns[SIM_SMT]);
	assert_int_equal(costs.wake_ns[SIM_LLC], 1900);
	assert_int_equal(costs.wake_ns[SIM_NODE], 1900);
	assert_int_equal(costs.wake_ns[SIM_REMOTE], 2500);
	assert_int_equal(costs.ipi_ns[SIM_REMOTE], usual.ipi_ns[SIM_REMOTE]);
	/* of this transport, not of the next one */
	assert_int_equal(costs.message_far_ns[SIM_TCP][SIM_SMT],
			 usual.message_far_ns[SIM_TCP][SIM_SMT]);
	assert_int_equal(costs.message_far_ns[SIM_TCP][SIM_LLC], 50);
	assert_int_equal(costs.message_far_ns[SIM_TCP][SIM_REMOTE], 900);
	assert_memory_equal(costs.message_far_ns[SIM_UDP], usual.message_far_ns[SIM_UDP],
			    sizeof(costs.message_far_ns[SIM_UDP]));
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
		{ "[costs]\nmessage_far_ns.tcp = 1\n", EINVAL,
		  "m.costs:2: no cost is called 'message_far_ns.tcp', did you mean "
		  "'message_far_ns'?" },
		{ "[costs]\nmessage_far_ns = 1\n", EINVAL,
		  "m.costs:2: 'message_far_ns' needs one of its parts behind a dot, as "
		  "'message_far_ns.pipe.llc'" },
		{ "[costs]\nwake_ns.far = 1\n", EINVAL,
		  "m.costs:2: no cost is called 'wake_ns.far'" },
		{ "[costs]\nidle_deep_ns.5 = 1\n", EINVAL,
		  "m.costs:2: no cost is called 'idle_deep_ns.5', did you mean 'idle_deep_ns'?" },
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
		{ "[costs]\nmemory_ns_kib.0-2 = 1\n", EINVAL,
		  "m.costs:2: memory_ns_kib: '0-2' is no pair of nodes, as '0->2' is: CPUs of node "
		  "0, "
		  "memory of node 2" },
		{ "[costs]\nmemory_mib_s.0-> = 1\n", EINVAL,
		  "m.costs:2: memory_mib_s: '0->' is no pair of nodes" },
		{ "[costs]\nmemory_mib_s.0->02 = 1\n", EINVAL,
		  "m.costs:2: memory_mib_s: '0->02' is no pair of nodes" },
		{ "[costs]\nmemory_mib_s.0->100000 = 1\n", EINVAL,
		  "m.costs:2: memory_mib_s: '0->100000' is no pair of nodes" },
		{ "[costs]\nsource.memory_mib_s.0->1->2 = 1\n", EINVAL,
		  "m.costs:2: memory_mib_s: '0->1->2' is no pair of nodes" },
		{ "[costs]\nmemory_ns_kib.0->1 = 1\nmemory_ns_kib.0->1 = 1\n", EINVAL,
		  "m.costs:3: 'memory_ns_kib.0->1' is given twice, first in line 2" },
		{ "[costs]\nmemory_ns_kib.0->1 = 5\nmemory_mib_s.0->1 = 0\n", ERANGE,
		  "m.costs:3: memory_mib_s.0->1: 0 is not in 1 .. 1073741824" },
		{ "[costs]\nmemory_ns_kib.0->1 = many\n", EINVAL,
		  "m.costs:2: memory_ns_kib.0->1: 'many' is no whole number" },
		{ "[costs]\nwake_ns.0->1 = 5\n", EINVAL,
		  "m.costs:2: no cost is called 'wake_ns.0->1'" },
		{ "", EINVAL, "m.costs: there is no [costs] in it" },
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
	costs_print(&costs, &no_pairs, source, NULL, &sb);
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
	costs_print(&costs, &no_pairs, usual_source, NULL, &sb);
	for (const char *s = sb.s; (s = strstr(s, " = default: ")); s++)
		lines++;
	assert_int_equal(lines, sizeof(costs) / sizeof(uint64_t));
	assert_null(costs_default_source("wake"));
	assert_string_equal(costs_default_source("idle_deep_ns.3"), "default: no such depth");
	strbuf_release(&sb);
}

static uint64_t pair_value(const struct costs_pairs *pairs, enum costs_pair_kind kind,
			   uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < pairs->nr; i++)
		if (pairs->pair[i].kind == kind && pairs->pair[i].from == from &&
		    pairs->pair[i].to == to)
			return pairs->pair[i].value;
	fail_msg("no pair %u->%u", from, to);
	return 0;
}

/* A pair there, one back, and a controller: each for itself, and those by distance as they were. */
static void test_costs_parse_takes_pairs(void **state)
{
	static const char text[] = "[costs]\n"
				   "memory_ns_kib.2->0 = 410\n"
				   "memory_ns_kib.0->2 = 310\n"
				   "source.memory_ns_kib.0->2 = a data sheet\n"
				   "memory_mib_s.0->2 = 45000\n"
				   "memory_mib_s.2->2 = 60000\n"
				   "memory_ns_kib.0->10 = 0\n"
				   "source.memory_mib_s.10->0 = has its distance's\n";
	struct costs costs, usual;
	struct costs_pairs pairs;

	(void)state;
	costs_default(&usual);
	assert_int_equal(parse_all(&costs, &pairs, text, NULL), 0);
	assert_memory_equal(&costs, &usual, sizeof(costs));
	assert_int_equal(pairs.nr, 5);
	assert_int_equal(pair_value(&pairs, COSTS_PAIR_NS_KIB, 0, 2), 310);
	assert_int_equal(pair_value(&pairs, COSTS_PAIR_NS_KIB, 2, 0), 410);
	assert_int_equal(pair_value(&pairs, COSTS_PAIR_NS_KIB, 0, 10), 0);
	assert_int_equal(pair_value(&pairs, COSTS_PAIR_MIB_S, 0, 2), 45000);
	assert_int_equal(pair_value(&pairs, COSTS_PAIR_MIB_S, 2, 2), 60000);
	/* in the order of kind, from, to */
	assert_int_equal(pairs.pair[0].to, 2);
	assert_int_equal(pairs.pair[1].to, 10);
	assert_int_equal(pairs.pair[2].from, 2);
	/* another file over it */
	assert_int_equal(
		costs_parse(&costs, &pairs, "b", "[costs]\nmemory_mib_s.0->2 = 7\n", 30, NULL), 0);
	assert_int_equal(pairs.nr, 5);
	assert_int_equal(pair_value(&pairs, COSTS_PAIR_MIB_S, 0, 2), 7);
	/* one that is wrong changes nothing */
	assert_int_equal(costs_parse(&costs, &pairs, "c",
				     "[costs]\nmemory_mib_s.0->2 = 8\nexit_ns = x\n", 42, NULL),
			 -EINVAL);
	assert_int_equal(pair_value(&pairs, COSTS_PAIR_MIB_S, 0, 2), 7);
	costs_pairs_release(&pairs);
}

static const char *pair_source(void *ctx, const char *name)
{
	(void)ctx;
	return strcmp(name, "memory_mib_s.3->1") ? NULL : "measured";
}

/* All pairs of 40 nodes, given the other way round: behind the values of their distances, in order, and as they were. */
static void test_costs_print_has_pairs(void **state)
{
	struct costs_pairs pairs = { 0 }, again;
	struct strbuf sb = { 0 };
	struct costs costs;

	(void)state;
	for (uint32_t i = 2 * 40 * 40; i--;)
		costs_pairs_set(&pairs, &(struct costs_pair){ .kind = i % 2,
							      .from = i / 2 / 40,
							      .to = i / 2 % 40,
							      .value = 1 + i });
	costs_default(&costs);
	costs_print(&costs, &pairs, pair_source, NULL, &sb);
	assert_non_null(strstr(sb.s, "memory_ns_kib.remote = 150\n"
				     "memory_ns_kib.0->0 = 1\nmemory_ns_kib.0->1 = 3\n"));
	assert_non_null(strstr(sb.s, "memory_mib_s.3->1 = 244\n"
				     "source.memory_mib_s.3->1 = measured\n"));
	assert_int_equal(parse_all(&costs, &again, sb.s, NULL), 0);
	assert_int_equal(again.nr, pairs.nr);
	for (size_t i = 0; i < pairs.nr; i++) {
		pairs.pair[i].line = again.pair[i].line;
		assert_memory_equal(&again.pair[i], &pairs.pair[i], sizeof(*pairs.pair));
	}
	costs_pairs_release(&pairs);
	costs_pairs_release(&again);
	strbuf_release(&sb);
}

/* Nodes 0, 8 and 252, as POWER numbers them; the last has memory only. */
static struct machine *make_machine(void)
{
	struct machine *m = machine_new(2);

	machine_set_nodes(m, 3);
	m->node[1].id = 8;
	m->node[2].id = 252;
	m->cpu[1].node = 1;
	assert_int_equal(machine_finish(m, NULL), 0);
	return m;
}

static void test_costs_pairs_join_by_the_kernels_numbers(void **state)
{
	struct machine *m = make_machine();
	struct costs_pairs pairs;
	struct costs costs;

	(void)state;
	assert_int_equal(parse_all(&costs, &pairs,
				   "[costs]\nmemory_ns_kib.8->252 = 5\nmemory_mib_s.0->8 = 6\n"
				   "memory_mib_s.252->252 = 7\n",
				   NULL),
			 0);
	assert_int_equal(costs_pairs_join(&pairs, m, "m.costs", NULL), 0);
	assert_int_equal(pairs.nr, 3);
	assert_int_equal(pair_value(&pairs, COSTS_PAIR_NS_KIB, 1, 2), 5);
	assert_int_equal(pair_value(&pairs, COSTS_PAIR_MIB_S, 0, 1), 6);
	assert_int_equal(pair_value(&pairs, COSTS_PAIR_MIB_S, 2, 2), 7);
	costs_pairs_release(&pairs);
	machine_free(m);
}

static void test_costs_pairs_join_says_what_the_machine_has_not(void **state)
{
	static const struct {
		const char *text;
		const char *words;
	} cases[] = {
		{ "[costs]\n\nmemory_ns_kib.0->1 = 5\n",
		  "m.costs:3: memory_ns_kib.0->1: the machine has no node 1" },
		{ "[costs]\nmemory_ns_kib.8->0 = 5\nmemory_mib_s.2->0 = 5\n",
		  "m.costs:3: memory_mib_s.2->0: the machine has no node 2" },
		{ "[costs]\nmemory_mib_s.252->0 = 5\n",
		  "m.costs:2: memory_mib_s.252->0: the machine has no CPU that could read on node "
		  "252" },
		{ "[costs]\nmemory_ns_kib.252->252 = 5\n",
		  "m.costs:2: memory_ns_kib.252->252: the machine has no CPU that could read on "
		  "node "
		  "252" },
	};
	struct machine *m = make_machine();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct error err = { 0 };
		struct costs_pairs pairs;
		struct costs costs;
		uint32_t from;

		assert_int_equal(parse_all(&costs, &pairs, cases[i].text, NULL), 0);
		from = pairs.pair[0].from;
		assert_int_equal(costs_pairs_join(&pairs, m, "m.costs", &err), -EINVAL);
		assert_string_equal(err.text, cases[i].words);
		assert_int_equal(pairs.pair[0].from, from);
		costs_pairs_release(&pairs);
	}
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_costs_parse_takes_what_is_there),
		cmocka_unit_test(test_costs_parse_says_what_is_wrong),
		cmocka_unit_test(test_costs_print_is_read_back),
		cmocka_unit_test(test_costs_default_has_sources),
		cmocka_unit_test(test_costs_parse_takes_pairs),
		cmocka_unit_test(test_costs_print_has_pairs),
		cmocka_unit_test(test_costs_pairs_join_by_the_kernels_numbers),
		cmocka_unit_test(test_costs_pairs_join_says_what_the_machine_has_not),
	};

	return cmocka_run_group_tests_name("sim/costs", tests, NULL, NULL);
}
