// SPDX-License-Identifier: GPL-2.0-only
/* cmd/restore.c - schedproof restore */
#include "cmd/cmd.h"

#include <stdio.h>

struct restore_cfg {
	char *root;
};

static const struct opt restore_opts[] = {
	OPT(struct restore_cfg, root, "/", 0, 0, "folder that sys/ and proc/ are taken from"),
	OPT_END,
};

static int restore_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct restore_cfg *cfg = cfg_;
	struct error err = { 0 };

	(void)args;
	(void)nr_args;
	return recover_settings(cfg->root, &err) ? complain(&err, EXIT_RUN) : EXIT_DONE;
}

const struct command command_restore = {
	.name = "restore",
	.args = "",
	.summary = "put back settings that an experiment that died has left changed",
	.help = "Every command does this when it starts; this one does nothing else. An experiment "
		"that is "
		"still running is left alone.",
	.example = "schedproof restore",
	.cfg_size = sizeof(struct restore_cfg),
	.opts = restore_opts,
	.recovers = true,
	.run = restore_run,
};
