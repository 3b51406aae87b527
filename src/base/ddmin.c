// SPDX-License-Identifier: GPL-2.0-only
#include "base/ddmin.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* struct cut - @trial: what is tried of @keep; @left: indices of what is kept, left[n] */
struct cut {
	const struct ddmin *how;
	bool *keep, *trial;
	size_t nr;
	size_t *left;
	size_t n;
};

static bool is_over(const struct cut *cut)
{
	return (cut->how->stop && *cut->how->stop) || clock_ns(CLOCK_MONOTONIC) >= cut->how->end_ns;
}

static void count_left(struct cut *cut)
{
	cut->n = 0;
	for (size_t i = 0; i < cut->nr; i++)
		if (cut->keep[i])
			cut->left[cut->n++] = i;
}

/* Those at from .. to of what is left aren't needed? Then they go. 1, 0 or -errno */
static int try_without(struct cut *cut, size_t from, size_t to)
{
	int ret;

	memcpy(cut->trial, cut->keep, cut->nr * sizeof(*cut->trial));
	for (size_t i = from; i < to; i++)
		cut->trial[cut->left[i]] = false;
	ret = cut->how->shows(cut->how->ctx, cut->trial);
	if (ret > 0) {
		memcpy(cut->keep, cut->trial, cut->nr * sizeof(*cut->keep));
		count_left(cut);
	}
	return ret;
}

/* Return: 1 if any went, 0 or -errno */
static int pass(struct cut *cut, size_t size)
{
	int any = 0;

	for (size_t to = cut->n; to > 0 && !is_over(cut);) {
		const size_t from = to > size ? to - size : 0;
		const int ret = try_without(cut, from, to);

		if (ret < 0)
			return ret;
		any |= ret;
		to = from < cut->n ? from : cut->n;
	}
	return any;
}

static int reduce(struct cut *cut)
{
	size_t size = (cut->n + 1) / 2;
	int ret = 1;

	while (size && cut->n && !is_over(cut)) {
		ret = pass(cut, size);
		if (ret < 0)
			return ret;
		if (size > 1)
			size = (size + 1) / 2;
		else if (!ret)
			return 1;
	}
	return !cut->n;
}

int ddmin(bool *keep, size_t nr, const struct ddmin *how)
{
	struct cut cut = {
		.how = how,
		.keep = keep,
		.trial = xcalloc(nr + 1, sizeof(*cut.trial)),
		.nr = nr,
		.left = xcalloc(nr + 1, sizeof(*cut.left)),
	};
	int ret;

	count_left(&cut);
	ret = reduce(&cut);
	free(cut.trial);
	free(cut.left);
	return ret;
}
