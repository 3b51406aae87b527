/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host/knob_text.h - the forms in which kernel files show a value: plain, the chosen one of several in brackets,
 * a list with or without NO_, a list that + and - change. Pure functions on texts.
 */
#ifndef HOST_KNOB_TEXT_H
#define HOST_KNOB_TEXT_H

#include "base/strbuf.h"

#include <stdbool.h>

/**
 * enum knob_kind - how a file shows what was written to it
 */
enum knob_kind {
	KNOB_VALUE, /* "950000", "4096 131072 6291456" */
	KNOB_CHOICE, /* "always [madvise] never", "none (full) lazy"; without brackets as KNOB_VALUE */
	KNOB_FEATURE,	 /* "A NO_B C": written "B" or "NO_B" */
	KNOB_CONTROLLER, /* "cpu io": written "+cpuset" or "-cpuset" */
};

/** text_has_word() - is @word one of the words of @text, which blanks and newlines part? */
bool text_has_word(const char *text, const char *word);

/** text_same_value() - equal but for blanks, spelling of numbers (0x10 and 16) and of yes and no (Y and 1) */
bool text_same_value(const char *a, const char *b);

/** text_choices() - append the words that a file of choices offers, without brackets; false if it has none */
bool text_choices(const char *content, struct strbuf *words);

/** knob_name() - what of @value names the member of a list: "B" of "NO_B", "cpu" of "+cpu"; borrowed */
const char *knob_name(enum knob_kind kind, const char *value);

/**
 * knob_value() - append what has to be written so that @content comes back
 * @name: member of the list, for KNOB_FEATURE and KNOB_CONTROLLER
 *
 * Return: false if there is no such: a feature that isn't in the list.
 */
bool knob_value(enum knob_kind kind, const char *content, const char *name, struct strbuf *value);

/** knob_holds() - does @content show that @value was taken? */
bool knob_holds(enum knob_kind kind, const char *content, const char *value);

/** knob_recorded() - append what a kernel that showed @content would show after @value was written */
void knob_recorded(enum knob_kind kind, const char *content, const char *value, struct strbuf *out);

#endif
