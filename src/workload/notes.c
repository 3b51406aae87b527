// SPDX-License-Identifier: GPL-2.0-only
#include "workload/notes.h"

#include <stdio.h>
#include <string.h>

/* A result cuts notes at 1000. */
#define NOTE_BYTES 900

static void write_note(struct notes *notes)
{
	char name[64];

	if (notes->text.len && notes->nr < notes->max) {
		snprintf(name, sizeof(name), "%s-%u", notes->name, notes->nr++);
		run_note(notes->run, name, "%s", strbuf_str(&notes->text));
	}
	strbuf_reset(&notes->text);
}

void notes_end_entry(struct notes *notes)
{
	strbuf_addstr(&notes->text, ";");
	if (notes->text.len >= NOTE_BYTES)
		write_note(notes);
}

void notes_add_word(struct notes *notes, const char *word, size_t max)
{
	for (; *word && max; word++, max--)
		strbuf_addf(&notes->text, "%c", *word == ';' ? '_' : *word);
}

void notes_finish(struct notes *notes)
{
	write_note(notes);
	strbuf_release(&notes->text);
}

const char *notes_next(struct notes_cursor *c)
{
	const char *entry;
	char name[64];

	if (!c->at || !*c->at) {
		snprintf(name, sizeof(name), "%s-%u", c->name, c->nr++);
		c->at = result_note(c->result, name);
	}
	entry = c->at;
	c->at = entry ? strchr(entry, ';') : NULL;
	if (!c->at)
		return NULL;
	c->at++;
	return entry;
}
