/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/cli.h - a command line read by a table of options. */
#ifndef CMD_CLI_H
#define CMD_CLI_H

#include "cmd/cmd.h"

#include <stdbool.h>

/**
 * struct cli - a parsed command line
 * @cfg:  command->cfg_size bytes, filled by its options; heap
 * @args: positional arguments, borrowed from argv
 * @help: --help was among them; then nothing else was checked, and the word behind it is an argument if there was none
 *        before
 */
struct cli {
	void *cfg;
	char **args;
	size_t nr_args;
	bool help;
};

/**
 * cli_parse() - read what stands behind the command's name
 *
 * "--name value", "--name=value", "-x value"; a bool takes no value ("--resume") unless behind "=". Words of a name
 * are joined by '-' where the table has '_'. "--" ends the options, "-" alone is an argument, and so is a word with a
 * blank in it before any '='.
 *
 * Return: 0, or -EINVAL / -ERANGE with the words; free with cli_release() in both cases.
 */
int cli_parse(struct cli *cli, const struct command *command, int argc, char **argv,
	      struct error *err);
void cli_release(struct cli *cli, const struct command *command);

/** cli_option_name() - append "--dry-run" for the table's dry_run */
void cli_option_name(const struct opt *opt, struct strbuf *sb);

#endif
