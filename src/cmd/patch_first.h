/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/patch_first.h - schedproof patch: the first decision in which two cores differ, and the events that lead to it. */
#ifndef CMD_PATCH_FIRST_H
#define CMD_PATCH_FIRST_H

#include "base/error.h"
#include "base/strbuf.h"
#include "lab/experiment.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * struct first - what is asked for; borrowed
 * @before, @after: cores, as lab/sim_core.h names them
 * @events:    file that the least list of events is written to; NULL: it is shown only where it is short
 * @shrink_ns: of this computer's time for making it small
 * @json:      a line instead of words
 */
struct first {
	const char *before;
	const char *after;
	const char *events;
	uint64_t shrink_ns;
	bool json;
};

/**
 * first_difference() - of a point of an experiment of two variants, in the first of its runs that has one
 * @machine: what it is called
 * @text:    appended: what was found
 *
 * Return: 1; 0: all decisions of all runs are the same, and nothing was appended; -errno.
 */
int first_difference(const struct first *first, const struct experiment *experiment,
		     const char *machine, size_t point, struct strbuf *text, struct error *err);

/**
 * first_replay() - the events of a file, played again
 * @first: its cores, where they are given, take the place of the file's
 *
 * Return: 1 if they differ, 0 or -errno; @text tells.
 */
int first_replay(const struct first *first, const char *path, struct strbuf *text,
		 struct error *err);

#endif
