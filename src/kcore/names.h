/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/names.h - names of an image's functions, which it carries so that its backtraces can be read. */
#ifndef KCORE_NAMES_H
#define KCORE_NAMES_H

#include "base/error.h"
#include "base/strbuf.h"

/**
 * names_source() - append C of the table that the kit's log.c reads
 * @object: whose functions; NULL: a table of none, as what to find the places with
 *
 * It is constant and without relocations, so that it moves no function of an image that it is linked into.
 *
 * Return: 0; -EINVAL for what has no table of symbols; -errno.
 */
int names_source(struct strbuf *sb, const char *object, struct error *err);

#endif
