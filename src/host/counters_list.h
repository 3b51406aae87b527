/* SPDX-License-Identifier: GPL-2.0-only */
/* host/counters_list.h - names of counters made into what perf_event_open() takes; opens nothing. */
#ifndef HOST_COUNTERS_LIST_H
#define HOST_COUNTERS_LIST_H

#include "base/error.h"
#include "base/metric.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

/* More events than this in one list are refused: each is a file descriptor and a slice of the PMU's time. */
#define COUNTERS_MAX 64

/**
 * struct counter_spec - one event
 * @name:  as the user or the default list wrote it; heap
 * @attr:  counts user and kernel, inherited, off until the next exec()
 * @unit:  UNIT_NS for the clocks, else UNIT_COUNT
 * @asked: named by the user: not being able to count it is an error
 */
struct counter_spec {
	char *name;
	struct perf_event_attr attr;
	enum unit unit;
	bool asked;
};

/** struct counter_list - events in the order in which they were named, none twice; initialise with { 0 } */
struct counter_list {
	struct counter_spec *specs;
	size_t n;
};

void counter_list_release(struct counter_list *list);

/**
 * counter_list_parse() - read a comma-separated list
 * @list: filled on success; fresh
 * @text: as for counters_new(); "default" may also be one of several names
 *
 * Return: 0; -EINVAL for an unknown name (with the nearest known one), an empty or over-long one; -E2BIG
 * above COUNTERS_MAX.
 */
int counter_list_parse(struct counter_list *list, const char *text, struct error *err);

#endif
