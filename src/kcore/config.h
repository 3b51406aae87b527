/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/config.h - a configuration for the kit's architecture with the scheduler options of a user's .config. */
#ifndef KCORE_CONFIG_H
#define KCORE_CONFIG_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** config_is_option() - is that an option of the scheduler that is the user's choice? @name without CONFIG_ */
bool config_is_option(const char *name, size_t n);

/**
 * config_merge() - append what is handed to "make olddefconfig"
 * @base: the kit's own lines
 * @user: text of a .config, NULL: none; its scheduler options take the place of the base's
 * @cpus: CONFIG_NR_CPUS, 0: as the base has it
 */
void config_merge(struct strbuf *sb, const char *base, const char *user, uint64_t cpus);

/**
 * config_compare() - scheduler options of @user that came out otherwise in @made, those that aren't the user's choice included
 * @changed: appended: "PREEMPT_RT: y there, n here", a line each
 *
 * Return: how many came out as they are there.
 */
size_t config_compare(struct strbuf *changed, const char *user, const char *made);

/** config_value() - of CONFIG_@name in a .config: appended; "n" if it isn't set */
void config_value(struct strbuf *sb, const char *config, const char *name, size_t n);

#endif
