// SPDX-License-Identifier: GPL-2.0-only
#include "topo/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

int text_long(const char *word, long min, long max, long *n)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(word, &end, 10);
	if (end == word || *end || errno || isspace((unsigned char)*word) || value < min ||
	    value > max)
		return -EINVAL;
	*n = value;
	return 0;
}

unsigned int text_words(char *line, char **word, unsigned int max)
{
	unsigned int nr = 0;

	while (nr < max) {
		while (isspace((unsigned char)*line))
			line++;
		if (!*line || *line == '#')
			break;
		word[nr++] = line;
		while (*line && !isspace((unsigned char)*line))
			line++;
		if (*line)
			*line++ = '\0';
	}
	return nr;
}
