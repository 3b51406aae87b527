// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/domains.h"

#include <errno.h>
#include <string.h>

#include "check.h"

/* What the fake core below does at boot. */
enum what {
	PRINTS,
	WARNS,
	FAILS,
	REFUSES,
};

static struct core *boot(const struct core_config *config, const struct core_host *host,
			 enum what what)
{
	char *memory = host->alloc(host->ctx, 5000);

	assert_true(config->verbose);
	assert_int_equal((uintptr_t)memory % 4096, 0);
	assert_int_equal(memory[4999], 0);
	assert_int_equal((uintptr_t)host->alloc(host->ctx, 65) % 64, 0);
	host->print(host->ctx, "one");
	if (what == WARNS)
		host->warn(host->ctx, "at kernel/sched/topology.c:1");
	if (what == FAILS) /* cmocka has a macro of that name */
		(host->fail)(host->ctx, "no such symbol");
	host->print(host->ctx, "two");
	return what == REFUSES ? NULL : (struct core *)memory;
}

static struct core *prints(const struct core_config *config, const struct core_host *host)
{
	return boot(config, host, PRINTS);
}

static struct core *warns(const struct core_config *config, const struct core_host *host)
{
	return boot(config, host, WARNS);
}

static struct core *fails(const struct core_config *config, const struct core_host *host)
{
	return boot(config, host, FAILS);
}

static struct core *refuses(const struct core_config *config, const struct core_host *host)
{
	return boot(config, host, REFUSES);
}

static void release(struct core *core)
{
	assert_non_null(core);
}

static void expect(struct core *(*how)(const struct core_config *, const struct core_host *),
		   int ret, const char *log, const char *words)
{
	const struct core_ops ops = { .boot = how, .release = release };
	const struct core_machine machine = { .nr_cpus = 1 };
	struct strbuf sb = { 0 };
	struct error err = { 0 };

	assert_int_equal(kcore_domains(&ops, &machine, &sb, &err), ret);
	assert_string_equal(sb.s, log);
	assert_non_null(strstr(err.text, words));
	strbuf_release(&sb);
}

static void test_log_is_what_was_printed(void **state)
{
	(void)state;
	expect(prints, 0, "one\ntwo\n", "");
}

static void test_complaints_are_errors_with_the_log(void **state)
{
	(void)state;
	expect(warns, -EPROTO, "one\ntwo\n", "topology.c:1");
	expect(fails, -EFAULT, "one\n", "no such symbol");
	expect(refuses, -EPROTO, "one\ntwo\n", "refuses");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_log_is_what_was_printed),
		cmocka_unit_test(test_complaints_are_errors_with_the_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
