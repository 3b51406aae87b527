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

/* Times from @now on: mostly near ones, so that some are equal; some hours away, which is out of a tree's reach; or never. */
static uint64_t random_time(struct rng *rng, uint64_t now)
{
	switch (rng_below(rng, 8)) {
	case 0:
		return EVENT_NEVER;
	case 1:
		return now + rng_below(rng, UINT64_C(1) << 45);
	case 2:
		return now + rng_below(rng, UINT64_C(1) << 33);
	default:
		return now + rng_below(rng, 50);
	}
}

/* In reach and out of it, also after a rebase. */
static void check_keys(const struct events *events, const struct event_key *keys, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct event_key key = events_key(events, i);

		assert_int_equal(key.time_ns, keys[i].time_ns);
		assert_int_equal(key.seq, keys[i].seq);
	}
}

/* As a look at all of them finds it, up to @until_ns. Return: when that was, or @until_ns. */
static uint64_t check_first(struct events *events, const struct event_key *keys, uint32_t n,
			    uint64_t until_ns)
{
	const uint32_t first = first_of(keys, n);
	const bool none = keys[first].time_ns == EVENT_NEVER;
	uint32_t cpu = UINT32_MAX;

	assert_int_equal(events_none(events), none);
	assert_int_equal(events_first(events, until_ns, &cpu),
			 !none && keys[first].time_ns <= until_ns);
	if (none || keys[first].time_ns > until_ns)
		return until_ns;
	assert_int_equal(cpu, first);
	assert_int_equal(events_first_ns(events), keys[first].time_ns);
	return keys[first].time_ns;
}

/* For numbers of CPUs that are a power of two and that are not. */
static void test_events_first_is_the_first(void **state)
{
	static const uint32_t sizes[] = { 1, 2, 3, 7, 64, 100 };

	(void)state;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		const uint32_t n = sizes[s];
		uint64_t now = 1000000;
		struct event_key keys[100];
		struct events events;
		struct rng rng;

		rng_seed(&rng, 1, "events", n);
		events_init(&events, n);
		for (uint32_t i = 0; i < n; i++)
			keys[i] = (struct event_key){ EVENT_NEVER, 0 };
		for (uint32_t k = 1; k < 20000; k++) {
			const uint32_t i = k % 4 ? (uint32_t)rng_below(&rng, n) : first_of(keys, n);

			keys[i] = (struct event_key){ random_time(&rng, now), k };
			events_set(&events, i, keys[i]);
			now = check_first(&events, keys, n, now + rng_below(&rng, 60));
			if (rng_below(&rng, 500) == 0)
				now = check_first(&events, keys, n, EVENT_NEVER - 1);
			check_keys(&events, keys, n);
		}
		events_release(&events);
	}
}

/* Of three with keys, and one without. */
static void test_events_second_is_behind_the_first(void **state)
{
	static const struct event_key keys[] = {
		{ 30, 1 }, { 10, 3 }, { 10, 2 }, { EVENT_NEVER, 0 }
	};
	struct events events;

	(void)state;
	events_init(&events, 4);
	for (uint32_t i = 0; i < 4; i++)
		events_set(&events, i, keys[i]);
	assert_int_equal(events_second(&events, 2), 1);
	events_set(&events, 2, keys[3]);
	assert_int_equal(events_second(&events, 1), 0);
	events_release(&events);
}

/* In and out at random: what comes out is in order, and all of it comes. */
static void test_timers_come_in_order(void **state)
{
	struct timers timers = { 0 };
	struct timer timer = { 0 };
	uint32_t in = 0, out = 0;
	uint64_t sum_in = 0, sum_out = 0;
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
		cmocka_unit_test(test_events_second_is_behind_the_first),
		cmocka_unit_test(test_timers_come_in_order),
	};

	return cmocka_run_group_tests_name("sim/events", tests, NULL, NULL);
}
