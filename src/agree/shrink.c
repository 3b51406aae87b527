// SPDX-License-Identifier: GPL-2.0-only
/* agree/shrink.c - the fewest events that still show a difference. */
#include "agree/run.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* Does it show without op[from .. from + n)? Or an error. */
static int shows_without(const struct agree_ops *ops, size_t from, size_t n,
			 const struct agree_setup *setup, enum agree_kind kind, struct error *err)
{
	struct agree_outcome out = { 0 };
	struct agree_ops part = { 0 };
	int ret;

	for (size_t i = 0; i < ops->nr; i++)
		if (i < from || i >= from + n)
			agree_ops_add(&part, &ops->op[i]);
	ret = agree_replay(&out, setup, &part, false, err);
	if (!ret)
		ret = out.differs && out.kind == kind;
	agree_ops_release(&part);
	agree_outcome_release(&out);
	return ret;
}

static void leave_out(struct agree_ops *ops, size_t from, size_t n)
{
	memmove(ops->op + from, ops->op + from + n, (ops->nr - from - n) * sizeof(*ops->op));
	ops->nr -= n;
}

static bool is_late(const struct agree_setup *setup, uint64_t end_ns)
{
	return (setup->stop && *setup->stop) || clock_ns(CLOCK_MONOTONIC) >= end_ns;
}

/* From the end on: what came last was often needed least. Return: 1 where something went, 0, or -errno */
static int pass(struct agree_ops *ops, size_t chunk, const struct agree_setup *setup,
		enum agree_kind kind, uint64_t end_ns, struct error *err)
{
	int went = 0;

	for (size_t end = ops->nr; end && !is_late(setup, end_ns);) {
		const size_t n = end < chunk ? end : chunk;
		const int shows = shows_without(ops, end - n, n, setup, kind, err);

		if (shows < 0)
			return shows;
		if (shows)
			leave_out(ops, end - n, n);
		went |= shows;
		end -= n;
	}
	return went;
}

int agree_shrink(struct agree_ops *ops, const struct agree_setup *setup, enum agree_kind kind,
		 uint64_t limit_ns, struct error *err)
{
	const uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + limit_ns;
	size_t chunk = ops->nr / 2;

	while (chunk && !is_late(setup, end_ns)) {
		const int went = pass(ops, chunk, setup, kind, end_ns, err);

		if (went < 0)
			return went;
		if (chunk > 1 || !went)
			chunk /= 2;
	}
	return 0;
}
