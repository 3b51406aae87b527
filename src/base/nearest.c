// SPDX-License-Identifier: GPL-2.0-only
#include "base/nearest.h"

#include <string.h>

#define NAME_MAX_LEN 63

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

size_t edit_distance(const char *a, const char *b)
{
	size_t row[3][NAME_MAX_LEN + 1];
	size_t *before = row[0], *last = row[1], *now = row[2], *spare;
	size_t na = strnlen(a, NAME_MAX_LEN), nb = strnlen(b, NAME_MAX_LEN);

	memset(row, 0, sizeof(row));
	for (size_t j = 0; j <= nb; j++)
		last[j] = j;
	for (size_t i = 1; i <= na; i++) {
		now[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			size_t change = last[j - 1] + (a[i - 1] != b[j - 1]);

			now[j] = min3(last[j] + 1, now[j - 1] + 1, change);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		spare = before;
		before = last;
		last = now;
		now = spare;
	}
	return last[nb];
}

void nearest_init(struct nearest *nearest, const char *name)
{
	*nearest = (struct nearest){ .name = name };
}

void nearest_offer(struct nearest *nearest, const char *known)
{
	size_t longer = strlen(nearest->name), limit;
	size_t distance = edit_distance(nearest->name, known);

	if (strlen(known) > longer)
		longer = strlen(known);
	limit = longer / 3 ? longer / 3 : 1;
	if (distance > limit || (nearest->best && distance >= nearest->distance))
		return;
	nearest->best = known;
	nearest->distance = distance;
}
