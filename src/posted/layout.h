/* SPDX-License-Identifier: GPL-2.0-only */
/* posted/layout.h - one way in which figures are laid out: a row of posted/list.h, one file each. */
#ifndef POSTED_LAYOUT_H
#define POSTED_LAYOUT_H

#include "posted/lines.h"
#include "posted/posted.h"

/**
 * struct reading - how far the finder is in one text
 * @source: index of the text
 * @done:   first line that no table has taken yet; readers may look back to it, and not farther
 * @side:   nearest heading above that names a side ("with the patch:"), "" if none
 */
struct reading {
	const struct lines *lines;
	struct posted *posted;
	size_t source;
	size_t done;
	char *side;
};

/**
 * struct posted_layout - a reader
 * @name:    one word
 * @help:    half a line for doc/POSTED.md and --help
 * @read:    does a table of this layout begin at line @at? Then add it to reading->posted.
 *           It looks at a bounded number of lines before it says no, and at each line of its table a bounded number
 *           of times, so that the whole stays linear.
 *           Return: lines taken from @at on, 0 if there is no such table
 * @counts:  figures are counts of one run, not samples
 * @resolution: of the tool itself in the unit of its figures: schbench prints whole microseconds; 0 if none
 */
struct posted_layout {
	const char *name;
	const char *help;
	size_t (*read)(struct reading *reading, size_t at);
	bool counts;
	double resolution;
};

#define POSTED_LAYOUT(name) extern const struct posted_layout posted_layout_##name;
#include "posted/list.h"
#undef POSTED_LAYOUT

/**
 * reading_table() - a new table that begins at line @at
 *
 * One of a single side is named by the nearest heading.
 */
struct posted_table *reading_table(struct reading *reading, const struct posted_layout *layout,
				   size_t at, size_t nr_sides);

/** reading_keep() - has @table, the newest, a row? If not it was none and is forgotten */
bool reading_keep(struct reading *reading, const struct posted_table *table);

/** reading_at_heading() - does line @at name the side of what follows, as reading->side would be? */
bool reading_at_heading(const struct reading *reading, size_t at);

/** reading_number() - number of line @at in its text */
size_t reading_number(const struct reading *reading, size_t at);

/** reading_line() - text of line @at */
const char *reading_line(const struct reading *reading, size_t at);

#endif
