/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/declared.h - is a symbol of which only the address is used a function? The tree's own headers say so. */
#ifndef KCORE_DECLARED_H
#define KCORE_DECLARED_H

#include "kcore/linking.h"

/**
 * declared_functions() - those of @names that the sources declare as functions
 * @functions: appended
 *
 * Asks the compiler, which goes through the files that use them: seconds. The answers are kept in the build folder.
 *
 * Return: 0; -EINTR; -errno. What the compiler can't tell is no function.
 */
int declared_functions(struct argv *functions, const struct link *link, const struct argv *names,
		       struct error *err);

#endif
