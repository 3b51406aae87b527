// SPDX-License-Identifier: GPL-2.0-only
/* agree/shrink.c - the fewest events that still show a difference. */
#include "agree/run.h"

#include "base/clock.h"
#include "base/ddmin.h"
#include "base/mem.h"

#include <stdlib.h>

/* struct search - ops whose difference of @kind is to stay */
struct search {
	const struct agree_ops *ops;
	const struct agree_setup *setup;
	enum agree_kind kind;
	struct error *err;
};

/* Of struct ddmin. */
static int shows(void *ctx, bool *keep)
{
	const struct search *search = ctx;
	struct agree_outcome out = { 0 };
	struct agree_ops part = { 0 };
	int ret;

	for (size_t i = 0; i < search->ops->nr; i++)
		if (keep[i])
			agree_ops_add(&part, &search->ops->op[i]);
	ret = agree_replay(&out, search->setup, &part, false, search->err);
	if (!ret)
		ret = out.differs && out.kind == search->kind;
	agree_ops_release(&part);
	agree_outcome_release(&out);
	return ret;
}

static void take(struct agree_ops *ops, const bool *keep)
{
	size_t n = 0;

	for (size_t i = 0; i < ops->nr; i++)
		if (keep[i])
			ops->op[n++] = ops->op[i];
	ops->nr = n;
}

int agree_shrink(struct agree_ops *ops, const struct agree_setup *setup, enum agree_kind kind,
		 uint64_t limit_ns, struct error *err)
{
	struct search search = { ops, setup, kind, err };
	const struct ddmin how = {
		.shows = shows,
		.ctx = &search,
		.end_ns = clock_ns(CLOCK_MONOTONIC) + limit_ns,
		.stop = setup->stop,
	};
	bool *keep = xcalloc(ops->nr + 1, sizeof(*keep));
	int ret;

	for (size_t i = 0; i < ops->nr; i++)
		keep[i] = true;
	ret = ddmin(keep, ops->nr, &how);
	take(ops, keep);
	free(keep);
	return ret < 0 ? ret : 0;
}
