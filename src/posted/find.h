/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/find.h - the tables in any text. */
#ifndef POSTED_FIND_H
#define POSTED_FIND_H

#include "posted/posted.h"

#include <stddef.h>

/**
 * posted_find() - add the tables in text[len] to @posted
 * @source: name of the text, for people
 *
 * Text that belongs to no table is passed over. Linear in @len.
 *
 * Return: how many were added; where 0, posted->instead may say what the text is.
 */
size_t posted_find(struct posted *posted, const char *source, const char *text, size_t len);

#endif
