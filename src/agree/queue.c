// SPDX-License-Identifier: GPL-2.0-only
/* agree/queue.c - events to come. */
#include "agree/pair.h"

#include "base/mem.h"

static bool before(const struct agree_event *a, const struct agree_event *b)
{
	return a->when_ns != b->when_ns ? a->when_ns < b->when_ns : a->seq < b->seq;
}

void agree_queue_push(struct agree_queue *queue, struct agree_event event)
{
	size_t i;

	if (queue->nr == queue->room) {
		queue->room = queue->room ? 2 * queue->room : 256;
		queue->event = xreallocarray(queue->event, queue->room, sizeof(*queue->event));
	}
	event.seq = queue->seq++;
	for (i = queue->nr++; i && before(&event, &queue->event[(i - 1) / 2]); i = (i - 1) / 2)
		queue->event[i] = queue->event[(i - 1) / 2];
	queue->event[i] = event;
}

struct agree_event agree_queue_pop(struct agree_queue *queue)
{
	const struct agree_event first = queue->event[0], last = queue->event[--queue->nr];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < queue->nr) {
		if (child + 1 < queue->nr && before(&queue->event[child + 1], &queue->event[child]))
			child++;
		if (!before(&queue->event[child], &last))
			break;
		queue->event[i] = queue->event[child];
		i = child;
	}
	queue->event[i] = last;
	return first;
}
