/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/result.h - a result as a user names it: a stored experiment's number or name, or a file. */
#ifndef CMD_RESULT_H
#define CMD_RESULT_H

#include "base/error.h"
#include "store/store.h"

#include <stdbool.h>

/** result_is_file() - no experiment has a '/' in its name; a bare word with a dot may be either */
bool result_is_file(const char *result);

/**
 * result_open() - find a result
 * @store:  where it lies, the caller's to close after a failure too; a file's is in memory
 * @result: NULL: the newest stored one
 * @path:   of the results file, NULL: the default place
 *
 * Return: 0; -ENOENT; -EINVAL (a file that holds no experiment, or several).
 */
int result_open(struct store **store, int64_t *id, const char *result, const char *path,
		struct error *err);

#endif
