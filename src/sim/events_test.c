// SPDX-License-Identifier: GPL-2.0-only
#include "sim/events.h"

#include "base/rng.h"

#include "check.h"

static uint32_t first_of(const struct event_key *keys, uint32_t n)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < n; i++)
		if (event_before(keys[i], keys[best]))
			best = i;
	return best;
}

/* Against a look at all of them, for numbers of CPUs that are a power of two and that are not. */
static void test_events_first_is_the_first(void **state)
{
	static const uint32_t sizes[] = { 1, 2, 3, 7, 64, 100 };

	(void)state;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		const uint32_t n = sizes[s];
		struct event_key keys[100];
		struct events events;
		struct rng rng;

		rng_seed(&rng, 1, "events", n);
		events_init(&events, n);
		for (uint32_t i = 0; i < n; i++)
			keys[i] = (struct event_key){ EVENT_NEVER, EVENT_NEVER };
		for (uint64_t k = 0; k < 5000; k++) {
			const uint32_t i = (uint32_t)rng_below(&rng, n);
			struct event_key key = { rng_below(&rng, 50), k };

			if (rng_below(&rng, 4) == 0)
				key = (struct event_key){ EVENT_NEVER, EVENT_NEVER };
			keys[i] = key;
			events_set(&events, i, key);
			assert_int_equal(events_time(&events), keys[first_of(keys, n)].time_ns);
			if (events_time(&events) != EVENT_NEVER)
				assert_int_equal(events_cpu(&events), first_of(keys, n));
		}
		events_release(&events);
	}
}

/* In and out at random: what comes out is in order, and all of it comes. */
static void test_timers_come_in_order(void **state)
{
	struct timers timers = { 0 };
	struct timer timer = { 0 };
	uint64_t in = 0, out = 0, sum_in = 0, sum_out = 0;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 2, "timers", 0);
	for (int k = 0; k < 2000; k++) {
		timer.key = (struct event_key){ rng_below(&rng, 500), in++ };
		sum_in += timer.key.time_ns;
		timers_add(&timers, &timer);
		if (rng_below(&rng, 3) == 0) {
			sum_out += timers_pop(&timers).key.time_ns;
			out++;
		}
	}
	timer = timers_pop(&timers);
	timers_add(&timers, &timer);
	timers_hasten(&timers, 0);
	sum_in -= timer.key.time_ns;
	for (struct event_key last = { 0 }; timers.nr; out++) {
		struct event_key key = timers_pop(&timers).key;

		assert_false(event_before(key, last));
		last = key;
		sum_out += key.time_ns;
	}
	assert_int_equal(in, out);
	assert_int_equal(sum_in, sum_out);
	timers_release(&timers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_first_is_the_first),
		cmocka_unit_test(test_timers_come_in_order),
	};

	return cmocka_run_group_tests_name("sim/events", tests, NULL, NULL);
}
