// SPDX-License-Identifier: GPL-2.0-only
#include "sched/pelt.h"

#define HALF_LIFE UINT64_C(32) /* periods */

/* (2^32 - 1) * 2^(-i / 32), rounded down */
static const uint32_t decay_factor[HALF_LIFE] = {
	0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a, 0xeac0c6e6, 0xe5b906e6, 0xe0ccdeeb,
	0xdbfbb796, 0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85, 0xc5672a10, 0xc12c4cc9,
	0xbd08a39e, 0xb8fbaf46, 0xb504f333, 0xb123f581, 0xad583ee9, 0xa9a15ab4, 0xa5fed6a9,
	0xa2704302, 0x9ef5325f, 0x9b8d39b9, 0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a,
	0x8b95c1e3, 0x88980e80, 0x85aac367, 0x82cd8698,
};

uint64_t pelt_decay(uint64_t value, uint64_t periods)
{
	if (periods > HALF_LIFE * 63)
		return 0;
	value >>= periods / HALF_LIFE;
	return (uint64_t)((unsigned __int128)value * decay_factor[periods % HALF_LIFE] >> 32);
}

/* Units that count now, of an interval from @contrib into one period to @rest into the one @periods later. */
static uint32_t segments(uint64_t periods, uint32_t contrib, uint32_t rest)
{
	uint32_t oldest = (uint32_t)pelt_decay(PELT_PERIOD - contrib, periods);
	uint32_t whole = PELT_MAX - (uint32_t)pelt_decay(PELT_MAX, periods) - PELT_PERIOD;

	return oldest + whole + rest;
}

void pelt_pass(struct pelt *pelt, uint64_t units, uint64_t load, uint64_t runnable, bool running)
{
	const uint64_t periods = (units + pelt->contrib) / PELT_PERIOD;
	const uint32_t rest = (uint32_t)(units + pelt->contrib) % PELT_PERIOD;

	pelt->load_sum = pelt_decay(pelt->load_sum, periods);
	pelt->runnable_sum = pelt_decay(pelt->runnable_sum, periods);
	pelt->util_sum = (uint32_t)pelt_decay(pelt->util_sum, periods);
	if (load)
		pelt_add(pelt, segments(periods, pelt->contrib, rest), load, runnable, running);
	pelt->contrib = rest;
}

void pelt_average(struct pelt *pelt, uint64_t weight)
{
	uint32_t divider = pelt_divider(pelt);

	pelt->load_avg = weight * pelt->load_sum / divider;
	pelt->runnable_avg = pelt->runnable_sum / divider;
	pelt->util_avg = pelt->util_sum / divider;
}
