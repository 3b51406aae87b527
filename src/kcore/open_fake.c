// SPDX-License-Identifier: GPL-2.0-only
/* kcore/open_fake.c - an object that open_test.c loads: as little of a core as it needs. */
#include "core/core.h"

extern const struct core_ops schedproof_core;

static uint64_t calls;

static uint64_t tick_ns(const struct core *core)
{
	(void)core;
	return ++calls;
}

const struct core_ops schedproof_core = {
	.abi = CORE_ABI,
	.name = "fake",
	.version = "0",
	.tick_ns = tick_ns,
};
