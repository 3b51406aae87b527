// SPDX-License-Identifier: GPL-2.0-only
#include "sim/events.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

void events_init(struct events *events, uint32_t n)
{
	uint32_t width = 2;

	assert(n <= 1u << EVENT_CPU_BITS);
	while (width < n)
		width *= 2;
	events->width = width;
	events->time_ns = xcalloc((size_t)width * 2, sizeof(*events->time_ns));
	events->seq = xcalloc((size_t)width * 2, sizeof(*events->seq));
	for (uint32_t i = 0; i < 2 * width; i++)
		events->time_ns[i] = EVENT_NEVER;
}

void events_release(struct events *events)
{
	free(events->time_ns);
	free(events->seq);
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
