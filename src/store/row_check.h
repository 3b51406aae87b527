/* SPDX-License-Identifier: GPL-2.0-only */
/* store/row_check.h - what a row must be, to be stored and when it is read back; and facts in one form. */
#ifndef STORE_ROW_CHECK_H
#define STORE_ROW_CHECK_H

#include "store/store.h"

/** check_experiment() - what is wrong with a row (its ids aside), static text; NULL if nothing is */
const char *check_experiment(const struct experiment_row *row);

const char *check_session(const struct session_row *row);
const char *check_run(const struct run_row *row);

/**
 * facts_canonical() - a JSON object as the store keeps it: without blanks, keys in their order
 * @text: NULL is the same as "{}"
 *
 * Return: the text, the caller's to free, or NULL if it isn't a JSON object or is too long.
 */
char *facts_canonical(const char *text);

#endif
