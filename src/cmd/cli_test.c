// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cli.h"

#include <errno.h>
#include <string.h>

#include "check.h"

struct cfg {
	bool dry_run;
	uint64_t repeat;
	char *store;
};

static const struct opt opts[] = {
	OPT(struct cfg, dry_run, "no", 0, 0, "show the plan"),
	{ .name = "repeat",
	  .letter = 'r',
	  .type = OPT_TYPE_U64,
	  .offset = offsetof(struct cfg, repeat),
	  .def = "1",
	  .min = 1,
	  .max = 100,
	  .help = "runs" },
	OPT(struct cfg, store, NULL, 0, 0, "results file"),
	OPT_END,
};

static const struct command command = {
	.name = "t",
	.args = "FILE",
	.min_args = 1,
	.max_args = 2,
	.cfg_size = sizeof(struct cfg),
	.opts = opts,
};

/* Parses the words up to NULL. */
static int parse(struct cli *cli, struct error *err, char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	return cli_parse(cli, &command, argc, argv, err);
}

#define PARSE(cli, err, ...) parse((cli), (err), (char *[]){ __VA_ARGS__, NULL })

static void test_cli_reads_every_form(void **state)
{
	struct error err = { 0 };
	struct cli cli;
	struct cfg *cfg;

	(void)state;
	assert_int_equal(PARSE(&cli, &err, "--dry-run", "a", "-r", "5", "--store=x=y", "--", "-b"),
			 0);
	cfg = cli.cfg;
	assert_true(cfg->dry_run);
	assert_int_equal(cfg->repeat, 5);
	assert_string_equal(cfg->store, "x=y");
	assert_int_equal(cli.nr_args, 2);
	assert_string_equal(cli.args[1], "-b");
	cli_release(&cli, &command);
}

static void test_cli_bool_can_be_taken_back(void **state)
{
	struct cli cli;

	(void)state;
	assert_int_equal(PARSE(&cli, NULL, "-", "--dry_run", "--dry-run=no"), 0);
	assert_false(((struct cfg *)cli.cfg)->dry_run);
	assert_string_equal(cli.args[0], "-");
	cli_release(&cli, &command);
}

static void test_cli_a_word_with_blanks_is_an_argument(void **state)
{
	struct cli cli;

	(void)state;
	assert_int_equal(PARSE(&cli, NULL, "-smp 8 -numa node,cpus=0-3", "--store=a b"), 0);
	assert_int_equal(cli.nr_args, 1);
	assert_string_equal(((struct cfg *)cli.cfg)->store, "a b");
	cli_release(&cli, &command);
}

static void test_cli_help_wins_over_what_is_missing(void **state)
{
	struct cli cli;

	(void)state;
	assert_int_equal(PARSE(&cli, NULL, "-h"), 0);
	assert_true(cli.help);
	cli_release(&cli, &command);
}

static void test_cli_refuses_with_one_clear_line(void **state)
{
	static const struct {
		char *args[4];
		const char *words;
	} bad[] = {
		{ { "--dryrun", "a" }, "did you mean --dry-run?" },
		{ { "--zzzzzzzz", "a" }, "see schedproof t --help" },
		{ { "-x", "a" }, "unknown option -x" },
		{ { "-rr", "a" }, "unknown option -rr" },
		{ { "a", "--repeat" }, "--repeat needs a value" },
		{ { "a", "--repeat", "0" }, "allowed is 1 .. 100" },
		{ { "a", "--dry-run=perhaps" }, "expected yes|no" },
		{ { "a", "b", "c" }, "'c' is one argument too many" },
		{ { "--dry-run" }, "FILE is missing" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct error err = { 0 };
		struct cli cli;

		assert_true(parse(&cli, &err, (char **)bad[i].args) < 0);
		assert_non_null(strstr(err.text, bad[i].words));
		cli_release(&cli, &command);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cli_reads_every_form),
		cmocka_unit_test(test_cli_bool_can_be_taken_back),
		cmocka_unit_test(test_cli_a_word_with_blanks_is_an_argument),
		cmocka_unit_test(test_cli_help_wins_over_what_is_missing),
		cmocka_unit_test(test_cli_refuses_with_one_clear_line),
	};

	return cmocka_run_group_tests_name("cmd/cli", tests, NULL, NULL);
}
