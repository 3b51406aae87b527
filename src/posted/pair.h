/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/pair.h - what was found one side at a time becomes tables of two and more sides. */
#ifndef POSTED_PAIR_H
#define POSTED_PAIR_H

#include "base/error.h"
#include "posted/posted.h"

/**
 * posted_pair() - join tables of one side, and put the base first in all
 * @base: name of the side that the others are compared with, or NULL: a side that is called base, before, without,
 *        vanilla and the like, else the first
 *
 * Tables of one layout are joined. Texts are the sides where there are several texts, else the names that were found
 * are; two tables without a name are the first and the second side. Rows are joined by label and metric; more than
 * one figure of a side for the same row are several runs.
 * Rows and tables that are left with one side are dropped; a note tells of the rows.
 *
 * Return: 0; -ENOENT where no table has a side named @base; -ENODATA where only one side was found.
 */
int posted_pair(struct posted *posted, const char *base, struct error *err);

#endif
