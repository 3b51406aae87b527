// SPDX-License-Identifier: GPL-2.0-only
#include "topo/complaint.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void complaints_add(struct complaints *c, enum complaint_kind kind, unsigned int cpu,
		    const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	/* grows by doubling: a broken machine has several for each CPU and level */
	if (!(c->nr & (c->nr - 1)))
		c->list = xreallocarray(c->list, c->nr ? 2 * (size_t)c->nr : 1, sizeof(*c->list));
	c->list[c->nr++] = (struct complaint){ kind, cpu, 1, xstrdup(text) };
}

unsigned int complaints_count(const struct complaints *c, enum complaint_kind kind)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < c->nr; i++)
		n += c->list[i].kind == kind ? c->list[i].times : 0;
	return n;
}

void complaints_release(struct complaints *c)
{
	for (unsigned int i = 0; i < c->nr; i++)
		free(c->list[i].text);
	free(c->list);
	*c = (struct complaints){ 0 };
}

bool complaint_in_dump(enum complaint_kind kind)
{
	return kind == COMPLAINT_ASYMMETRIC || kind == COMPLAINT_DEBUG;
}

const char *complaint_why(enum complaint_kind kind)
{
	static const char *const why[NR_COMPLAINTS] = {
		[COMPLAINT_ASYMMETRIC] =
			"The distance table gives two nodes another distance in each direction. "
			"Domains "
			"are built all the same, but CPUs of the two nodes see different levels.",
		[COMPLAINT_SIBLING] =
			"Two CPUs share a core or the last level of cache but are in different "
			"nodes. "
			"The kernel drops the sharing, so the level ends at the node.",
		[COMPLAINT_PACKAGE_NODE] = "By count there is one node a package, yet a package "
					   "has CPUs of two nodes. The "
					   "PKG level stays and is cut at the node.",
		[COMPLAINT_SUBSET] = "A lower level reaches beyond the level above it. The upper "
				     "one is widened, so it "
				     "may overlap with its neighbours and fail the span check.",
		[COMPLAINT_SPAN] = "Two CPU masks of one level overlap without being equal. The "
				   "build is given up: "
				   "no CPU has a domain and nothing is balanced.",
		[COMPLAINT_SMT_CAPACITY] =
			"Threads of one core are told to differ in capacity, which "
			"the scheduler has no notion of. The domains are built "
			"all the same.",
		[COMPLAINT_DIAMETER] = "Some node is three hops away from another. Groups of the "
				       "outer levels don't "
				       "cover their domain right on such a release.",
		[COMPLAINT_DEBUG] = "The finished domains contradict themselves; balancing misses "
				    "CPUs or counts "
				    "them twice.",
	};

	return why[kind];
}
