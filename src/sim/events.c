// SPDX-License-Identifier: GPL-2.0-only
#include "sim/events.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

void events_init(struct events *events, uint32_t n)
{
	uint32_t width = 2;

	while (width < n)
		width *= 2;
	events->width = width;
	events->key = xcalloc(width, sizeof(*events->key));
	events->winner = xcalloc(width, sizeof(*events->winner));
	for (uint32_t i = 0; i < width; i++)
		events->key[i] = (struct event_key){ EVENT_NEVER, EVENT_NEVER };
	for (uint32_t node = width - 1; node; node--)
		events->winner[node] =
			node >= width / 2 ? 2 * node - width : events->winner[2 * node];
}

void events_release(struct events *events)
{
	free(events->key);
	free(events->winner);
}

void events_set(struct events *events, uint32_t i, struct event_key key)
{
	const struct event_key *keys = events->key;
	uint32_t node = (events->width + i) / 2;
	uint32_t a = i & ~1u, b = i | 1u;

	events->key[i] = key;
	for (;;) {
		uint32_t winner = event_before(keys[b], keys[a]) ? b : a;

		/* another one won here before and does so again: nothing above sees a difference */
		if (events->winner[node] == winner && winner != i)
			return;
		events->winner[node] = winner;
		if (node == 1)
			return;
		node /= 2;
		a = events->winner[2 * node];
		b = events->winner[2 * node + 1];
	}
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
