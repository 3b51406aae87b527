/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/notes.h - many short entries as notes of a run: a result takes few notes, and each is short. The text of an entry has no ';'.
 */
#ifndef WORKLOAD_NOTES_H
#define WORKLOAD_NOTES_H

#include "base/strbuf.h"
#include "workload/run.h"

/**
 * struct notes - initialise with .run, .name and .max
 * @name: of the notes: NAME-0, NAME-1, ...
 * @max:  so many; what does not fit is dropped
 * @text: where an entry is appended
 */
struct notes {
	struct run *run;
	const char *name;
	unsigned int max;
	unsigned int nr;
	struct strbuf text;
};

/** notes_end_entry() - of at most 99 bytes */
void notes_end_entry(struct notes *notes);

/** notes_add_word() - append a word whose ';' become '_' and which is cut at @max bytes */
void notes_add_word(struct notes *notes, const char *word, size_t max);

/** notes_finish() - behind the last entry; frees what it holds */
void notes_finish(struct notes *notes);

/* struct notes_cursor - initialise with .result and .name */
struct notes_cursor {
	const struct result *result;
	const char *name;
	unsigned int nr;
	const char *at;
};

/** notes_next() - where the next entry begins, which ends with a ';', or NULL */
const char *notes_next(struct notes_cursor *cursor);

#endif
