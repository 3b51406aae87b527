// SPDX-License-Identifier: GPL-2.0-only
#include "stats/blocks.h"

#include "base/mem.h"
#include "stats/shift.h"

#include <math.h>
#include <stdlib.h>

static bool same_block(const struct trial *trial, size_t i, size_t k)
{
	return trial->order != TRIAL_RANDOM || trial->block[i] == trial->block[k];
}

/* Takes over units first .. end - 1 of the trial, which are one block, if both sides are among them. */
static void add_block(struct blocks *blocks, const struct trial *trial, size_t first, size_t end)
{
	size_t n_b = 0;

	for (size_t i = first; i < end; i++)
		n_b += trial->side[i];
	if (n_b == 0 || n_b == end - first)
		return;
	for (size_t i = first; i < end; i++) {
		blocks->value[blocks->n] = trial->value[i];
		blocks->side[blocks->n++] = trial->side[i];
	}
	blocks->n_b += n_b;
	blocks->pairs &= end - first == 2;
	blocks->start[++blocks->nr] = blocks->n;
}

static void set_scale(struct blocks *blocks)
{
	blocks->relative = blocks->n > 0;
	for (size_t i = 0; i < blocks->n; i++)
		blocks->relative &= blocks->value[i] > 0;
	for (size_t i = 0; i < blocks->n; i++)
		blocks->y[i] = blocks->relative ? log(blocks->value[i]) : blocks->value[i];
}

void blocks_init(struct blocks *blocks, const struct trial *trial)
{
	size_t first = 0, end;

	*blocks = (struct blocks){
		.value = xcalloc(trial->n, sizeof(*blocks->value)),
		.y = xcalloc(trial->n, sizeof(*blocks->y)),
		.side = xcalloc(trial->n, sizeof(*blocks->side)),
		.start = xcalloc(trial->n + 1, sizeof(*blocks->start)),
		.pairs = true,
	};
	for (; first < trial->n; first = end) {
		for (end = first + 1; end < trial->n && same_block(trial, first, end); end++)
			;
		add_block(blocks, trial, first, end);
	}
	set_scale(blocks);
}

void blocks_release(struct blocks *blocks)
{
	free(blocks->value);
	free(blocks->y);
	free(blocks->side);
	free(blocks->start);
	*blocks = (struct blocks){ 0 };
}

struct blocks blocks_part(const struct blocks *blocks, size_t first, size_t end)
{
	struct blocks part = *blocks;

	part.start += first;
	part.nr = end - first;
	part.n = part.start[part.nr] - part.start[0];
	part.pairs = true;
	part.n_b = 0;
	for (size_t i = 0; i < part.nr; i++) {
		part.n_b += blocks_size_b(&part, i);
		part.pairs &= blocks_size(&part, i) == 2;
	}
	return part;
}

size_t blocks_size(const struct blocks *blocks, size_t i)
{
	return blocks->start[i + 1] - blocks->start[i];
}

size_t blocks_size_b(const struct blocks *blocks, size_t i)
{
	size_t n_b = 0;

	for (size_t k = blocks->start[i]; k < blocks->start[i + 1]; k++)
		n_b += blocks->side[k];
	return n_b;
}

size_t blocks_side(const struct blocks *blocks, const double *x, size_t first, size_t end,
		   unsigned char side, double *out)
{
	size_t n = 0;

	for (size_t i = blocks->start[first]; i < blocks->start[end]; i++)
		if (blocks->side[i] == side)
			out[n++] = x[i];
	return n;
}

void blocks_differences(const struct blocks *blocks, double *d)
{
	double *a = xcalloc(blocks->n, sizeof(*a)), *b = xcalloc(blocks->n, sizeof(*b));

	for (size_t i = 0; i < blocks->nr; i++) {
		size_t n_a = blocks_side(blocks, blocks->y, i, i + 1, 0, a);
		size_t n_b = blocks_side(blocks, blocks->y, i, i + 1, 1, b);

		d[i] = shift_median(a, n_a, b, n_b);
	}
	free(a);
	free(b);
}
