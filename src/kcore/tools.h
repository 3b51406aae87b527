/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/tools.h - the programs that a build needs. */
#ifndef KCORE_TOOLS_H
#define KCORE_TOOLS_H

#include "base/error.h"

#include <stdbool.h>

/** tools_check() - are they all there? @git: that too. Return: 0; -ENOENT with what is missing and its Debian packages */
int tools_check(bool git, struct error *err);

#endif
