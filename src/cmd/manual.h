/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/manual.h - help texts and the manual page, made from the tables of commands and options. */
#ifndef CMD_MANUAL_H
#define CMD_MANUAL_H

#include "cmd/cmd.h"

/** manual_overview() - append all commands, a line each */
void manual_overview(struct strbuf *sb);

/** manual_command() - append one command's help */
void manual_command(const struct command *command, struct strbuf *sb);

/** manual_experiment() - append the experiment file's keys: of [experiment], [variant], [workload] */
void manual_experiment(struct strbuf *sb);

/**
 * manual_entry() - append "  name  text", the text wrapped in a column of its own
 * @column: where the text begins; a name that is wider stands alone on its line
 */
void manual_entry(struct strbuf *sb, const char *name, const char *text, size_t column);

/** manual_page() - append the whole manual in the man(7) language */
void manual_page(struct strbuf *sb);

#endif
