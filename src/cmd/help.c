// SPDX-License-Identifier: GPL-2.0-only
/* cmd/help.c - schedproof help */
#include "cmd/cmd.h"

#include "cmd/manual.h"
#include "cmd/workload_text.h"

#include <stdio.h>
#include <string.h>

struct help_cfg {
	bool man;
	bool experiment;
};

static const struct opt help_opts[] = {
	OPT(struct help_cfg, man, "no", 0, 0, "print the manual page, for man -l -"),
	OPT(struct help_cfg, experiment, "no", 0, 0, "print the keys of the experiment file"),
	OPT_END,
};

static int help_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct help_cfg *cfg = cfg_;
	const struct command *command = NULL;
	const struct workload *workload = NULL;
	struct strbuf text = { 0 };

	for (size_t i = 0; nr_args && command_at(i); i++)
		if (!strcmp(command_at(i)->name, args[0]))
			command = command_at(i);
	if (nr_args && !command)
		workload = workload_find(args[0]);
	if (nr_args && !command && !workload) {
		struct error err = { 0 };

		error_set(&err, 2,
			  "help: there is no command or workload '%s', see schedproof help",
			  args[0]);
		return complain(&err, EXIT_USAGE);
	}
	if (cfg->man)
		manual_page(&text);
	else if (cfg->experiment)
		manual_experiment(&text);
	else if (workload)
		workload_text(workload, &text);
	else if (command)
		manual_command(command, &text);
	else
		manual_overview(&text);
	fputs(text.s, stdout);
	strbuf_release(&text);
	return EXIT_DONE;
}

const struct command command_help = {
	.name = "help",
	.args = "[COMMAND|WORKLOAD]",
	.max_args = 1,
	.summary = "this overview, the help of a command or a workload, or the manual",
	.help = "Shows all commands, or what one of them takes, or a workload.",
	.example = "schedproof help --man | man -l -",
	.cfg_size = sizeof(struct help_cfg),
	.opts = help_opts,
	.run = help_run,
};
