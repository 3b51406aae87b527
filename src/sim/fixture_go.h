/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/fixture_go.h - for unit tests: a script_world carried out. Apart from fixture_script.h, which benches have too. */
#ifndef SIM_FIXTURE_GO_H
#define SIM_FIXTURE_GO_H

#include "sim/fixture_script.h"

#include "check.h"

/** script_go() - until all tasks have exited; the test fails where that doesn't come */
static inline void script_go(struct script_world *world)
{
	enum sim_end end = SIM_TIME;
	struct error err = { 0 };

	if (sim_go(world->sim, UINT64_MAX, &end, &err))
		fail_msg("%s", err.text);
	assert_int_equal(end, SIM_ALL_EXITED);
}

#endif
