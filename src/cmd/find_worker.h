/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/find_worker.h - where schedproof-worker is. */
#ifndef CMD_FIND_WORKER_H
#define CMD_FIND_WORKER_H

#include "base/error.h"

/**
 * find_worker() - @wanted, or where NULL the one that belongs to this program
 *
 * Installed both lie in one folder; in a build tree each has its own.
 *
 * Return: its path, the caller's to free; NULL with the words.
 */
char *find_worker(const char *wanted, struct error *err);

#endif
