/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/text.h - words and numbers of small text formats. */
#ifndef TOPO_TEXT_H
#define TOPO_TEXT_H

/** text_long() - a whole decimal number in @min .. @max. Return: 0 or -EINVAL; *@n untouched then */
int text_long(const char *word, long min, long max, long *n);

/**
 * text_words() - split a line in place at white space; a '#' ends it
 * @word: filled with at most @max words; the rest of the line is dropped
 *
 * Return: how many.
 */
unsigned int text_words(char *line, char **word, unsigned int max);

#endif
