// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cli.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void cli_option_name(const struct opt *opt, struct strbuf *sb)
{
	strbuf_addstr(sb, "--");
	for (const char *c = opt->name; *c; c++)
		strbuf_addch(sb, *c == '_' ? '-' : *c);
}

/* The row of "--name" or "--name=value"; @len is the name's length. */
static const struct opt *find_long(const struct opt *opts, const char *name, size_t len)
{
	for (; opts && opts->name; opts++) {
		size_t i = 0;

		while (i < len && opts->name[i] &&
		       (opts->name[i] == name[i] || (opts->name[i] == '_' && name[i] == '-')))
			i++;
		if (i == len && !opts->name[i])
			return opts;
	}
	return NULL;
}

static const struct opt *find_letter(const struct opt *opts, char letter)
{
	for (; opts && opts->name; opts++)
		if (opts->letter && opts->letter == letter)
			return opts;
	return NULL;
}

static int unknown_option(const struct command *command, const char *arg, struct error *err)
{
	char *name = xstrndup(arg, strcspn(arg, "="));
	struct strbuf known = { 0 };
	struct nearest nearest;
	int ret;

	nearest_init(&nearest, name);
	nearest_offer(&nearest, "--help");
	for (const struct opt *opt = command->opts; opt && opt->name; opt++) {
		struct strbuf offer = { 0 };

		cli_option_name(opt, &offer);
		nearest_offer(&nearest, offer.s);
		if (nearest.best == offer.s) {
			/* keep the winner alive until it is printed */
			strbuf_reset(&known);
			strbuf_addstr(&known, offer.s);
			nearest.best = known.s;
		}
		strbuf_release(&offer);
	}
	if (nearest.best)
		ret = error_set(err, EINVAL, "%s: unknown option %s, did you mean %s?",
				command->name, name, nearest.best);
	else
		ret = error_set(err, EINVAL, "%s: unknown option %s, see schedproof %s --help",
				command->name, name, command->name);
	strbuf_release(&known);
	free(name);
	return ret;
}

/* One option at argv[*i]; moves *i to the last word it used. */
static int parse_option(struct cli *cli, const struct command *command, int argc, char **argv,
			int *i, struct error *err)
{
	const char *arg = argv[*i], *value = NULL, *equals = strchr(arg, '=');
	const struct opt *opt;
	int ret;

	if (arg[1] == '-')
		opt = find_long(command->opts, arg + 2, strcspn(arg + 2, "="));
	else
		opt = arg[2] ? NULL : find_letter(command->opts, arg[1]);
	if (!opt)
		return unknown_option(command, arg, err);
	if (equals)
		value = equals + 1;
	else if (opt->type == OPT_TYPE_BOOL)
		value = "yes";
	else if (*i + 1 < argc)
		value = argv[++*i];
	else
		return error_set(err, EINVAL, "%s: %s needs a value", command->name, arg);
	ret = opt_parse(opt, cli->cfg, value, err);
	if (ret)
		error_prefix(err, "%s", command->name);
	return ret;
}

/* "-smp 8 -numa node" in one word is a machine, not an option: a name has no blank. */
static bool is_option(const char *arg)
{
	return arg[0] == '-' && arg[1] && strcspn(arg, " ") >= strcspn(arg, "=");
}

int cli_parse(struct cli *cli, const struct command *command, int argc, char **argv,
	      struct error *err)
{
	bool options = true;
	int ret;

	*cli = (struct cli){ .cfg = xcalloc(1, command->cfg_size),
			     .args = xcalloc((size_t)argc + 1, sizeof(char *)) };
	if (command->opts)
		opts_init(command->opts, cli->cfg);
	for (int i = 0; i < argc; i++) {
		char *arg = argv[i];

		if (options && !strcmp(arg, "--")) {
			options = false;
			if (command->rest)
				cli->args[cli->nr_args++] = arg;
		} else if (options && (!strcmp(arg, "--help") || !strcmp(arg, "-h"))) {
			cli->help = true;
			if (!cli->nr_args && i + 1 < argc)
				cli->args[cli->nr_args++] = argv[i + 1];
			return 0;
		} else if (options && is_option(arg)) {
			ret = parse_option(cli, command, argc, argv, &i, err);
			if (ret)
				return ret;
		} else {
			cli->args[cli->nr_args++] = arg;
		}
	}
	if (cli->nr_args < command->min_args)
		return error_set(err, EINVAL, "%s: %s is missing, see schedproof %s --help",
				 command->name, command->args, command->name);
	if (cli->nr_args > command->max_args)
		return error_set(err, EINVAL, "%s: '%s' is one argument too many", command->name,
				 cli->args[command->max_args]);
	return 0;
}

void cli_release(struct cli *cli, const struct command *command)
{
	if (command->opts)
		opts_release(command->opts, cli->cfg);
	free(cli->cfg);
	free(cli->args);
}
