// SPDX-License-Identifier: GPL-2.0-only
/* cmd/commands.c - the registry of commands */
#include "cmd/cmd.h"

#include "base/mem.h"

static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cmd/list.h"
#undef COMMAND
};

const struct command *command_at(size_t i)
{
	return i < ARRAY_SIZE(commands) ? commands[i] : NULL;
}
