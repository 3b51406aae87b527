// SPDX-License-Identifier: GPL-2.0-only
#include "sim/events.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

void events_init(struct events *events, uint32_t n)
{
	uint32_t bits = 1;

	assert(n && n <= EVENT_CPUS_MAX);
	while (UINT32_C(1) << bits < n)
		bits++;
	*events = (struct events){
		.late = xcalloc(n, sizeof(*events->late)),
		.tree = xcalloc((size_t)2 << bits, sizeof(*events->tree)),
		.cpu_bits = bits,
		.cpu_mask = (UINT64_C(1) << bits) - 1,
		.shift = EVENT_SEQ_BITS + bits,
		.reach = UINT64_MAX >> (EVENT_SEQ_BITS + bits),
		.far = UINT64_MAX << (EVENT_SEQ_BITS + bits),
		.width = UINT32_C(1) << bits,
		.n = n,
	};
	for (uint32_t i = 0; i < n; i++)
		events->late[i] = (struct event_key){ EVENT_NEVER, 0 };
	for (uint32_t i = 0; i < 2 * events->width; i++)
		events->tree[i] = UINT64_MAX;
}

void events_release(struct events *events)
{
	free(events->late);
	free(events->tree);
}

static uint64_t first_time(const struct events *events)
{
	uint64_t first_ns = EVENT_NEVER, time_ns;

	for (uint32_t i = 0; i < events->n; i++) {
		time_ns = events_key(events, i).time_ns;
		first_ns = time_ns < first_ns ? time_ns : first_ns;
	}
	return first_ns;
}

bool events_none(const struct events *events)
{
	return first_time(events) == EVENT_NEVER;
}

bool events_rebase(struct events *events, uint64_t until_ns)
{
	const uint64_t first_ns = first_time(events);
	uint64_t *tree = events->tree;

	if (first_ns == EVENT_NEVER || first_ns > until_ns)
		return false;
	for (uint32_t i = 0; i < events->n; i++)
		events->late[i] = events_key(events, i);
	events->base_ns = first_ns;
	for (uint32_t i = 0; i < events->n; i++)
		tree[events->width + i] = events_number(events, i, events->late[i]);
	for (size_t i = events->width - 1; i; i--)
		tree[i] = tree[2 * i] < tree[2 * i + 1] ? tree[2 * i] : tree[2 * i + 1];
	return true;
}

void timers_release(struct timers *timers)
{
	free(timers->heap);
}

void timers_add(struct timers *timers, const struct timer *timer)
{
	size_t i = timers->nr++;

	if (timers->nr > timers->size) {
		timers->size = timers->size ? 2 * timers->size : 8;
		timers->heap = xreallocarray(timers->heap, timers->size, sizeof(*timers->heap));
	}
	while (i && event_before(timer->key, timers->heap[(i - 1) / 2].key)) {
		timers->heap[i] = timers->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	timers->heap[i] = *timer;
}

struct timer timers_pop(struct timers *timers)
{
	struct timer *heap = timers->heap, first = heap[0];
	const struct timer last = heap[--timers->nr];
	size_t i = 0, child;

	assert(timers->nr < timers->size);
	while ((child = 2 * i + 1) < timers->nr) {
		if (child + 1 < timers->nr && event_before(heap[child + 1].key, heap[child].key))
			child++;
		if (!event_before(heap[child].key, last.key))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return first;
}
