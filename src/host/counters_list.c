// SPDX-License-Identifier: GPL-2.0-only
#include "host/counters_list.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <errno.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What result_read() takes as the name of a counter. */
#define NAME_MAX_LEN 63

/* The default list, and names that need no libpfm4. */
static const struct known_counter {
	const char *name;
	uint32_t type;
	uint64_t config;
} known[] = {
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
};

static const struct known_counter *find_known(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].name, name))
			return &known[i];
	return NULL;
}

static int encode_known(struct perf_event_attr *attr, const char *name)
{
	const struct known_counter *counter = find_known(name);

	if (!counter)
		return -ENOENT;
	attr->type = counter->type;
	attr->config = counter->config;
	return 0;
}

/* Return: 0 or a PFM_ERR */
static int encode_by_libpfm(struct perf_event_attr *attr, const char *name)
{
	pfm_perf_encode_arg_t arg = { .attr = attr, .size = sizeof(arg) };
	int ret = pfm_initialize(); /* counts for nothing the second time */

	if (ret != PFM_SUCCESS)
		return ret;
	return pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3 | PFM_PLMH, PFM_OS_PERF_EVENT,
					 &arg);
}

static int error_unknown(const char *name, int pfm_err, struct error *err)
{
	struct nearest nearest;

	nearest_init(&nearest, name);
	nearest_offer(&nearest, "default");
	nearest_offer(&nearest, "none");
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		nearest_offer(&nearest, known[i].name);
	if (nearest.best)
		return error_set(err, EINVAL, "counter %s: unknown; did you mean %s?", name,
				 nearest.best);
	return error_set(err, EINVAL, "counter %s: libpfm4 says: %s", name, pfm_strerror(pfm_err));
}

static int encode(struct perf_event_attr *attr, const char *name, struct error *err)
{
	int ret;

	*attr = (struct perf_event_attr){ .size = sizeof(*attr) };
	if (encode_known(attr, name)) {
		ret = encode_by_libpfm(attr, name);
		if (ret != PFM_SUCCESS)
			return error_unknown(name, ret, err);
	}
	attr->disabled = 1;
	attr->inherit = 1;
	attr->enable_on_exec = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return 0;
}

static enum unit unit_of(const struct perf_event_attr *attr)
{
	if (attr->type == PERF_TYPE_SOFTWARE &&
	    (attr->config == PERF_COUNT_SW_TASK_CLOCK || attr->config == PERF_COUNT_SW_CPU_CLOCK))
		return UNIT_NS;
	return UNIT_COUNT;
}

static struct counter_spec *find(const struct counter_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->specs[i].name, name))
			return &list->specs[i];
	return NULL;
}

static int add(struct counter_list *list, const char *name, bool asked, struct error *err)
{
	struct counter_spec *spec = find(list, name);
	struct perf_event_attr attr;
	int ret;

	if (spec) {
		spec->asked |= asked;
		return 0;
	}
	if (list->n == COUNTERS_MAX)
		return error_set(err, E2BIG, "counters: more than %d", COUNTERS_MAX);
	if (strlen(name) > NAME_MAX_LEN)
		return error_set(err, EINVAL, "counter %.20s...: longer than %d bytes", name,
				 NAME_MAX_LEN);
	ret = encode(&attr, name, err);
	if (ret)
		return ret;
	list->specs = xreallocarray(list->specs, list->n + 1, sizeof(*list->specs));
	list->specs[list->n++] = (struct counter_spec){
		.name = xstrdup(name),
		.attr = attr,
		.unit = unit_of(&attr),
		.asked = asked,
	};
	return 0;
}

static int add_item(struct counter_list *list, const char *name, struct error *err)
{
	int ret = 0;

	if (!*name)
		return error_set(err, EINVAL, "counters: a name is missing beside a comma");
	if (strcmp(name, "default") != 0)
		return add(list, name, true, err);
	for (size_t i = 0; i < ARRAY_SIZE(known) && !ret; i++)
		ret = add(list, known[i].name, false, err);
	return ret;
}

/* Cuts spaces off both ends, in place. */
static char *trim(char *text)
{
	size_t n;

	text += strspn(text, " \t");
	n = strlen(text);
	while (n && strchr(" \t", text[n - 1]))
		text[--n] = '\0';
	return text;
}

int counter_list_parse(struct counter_list *list, const char *text, struct error *err)
{
	struct counter_list made = { 0 };
	char *copy, *rest, *item;
	int ret = 0;

	if (text && !strcmp(text, "none"))
		return 0;
	copy = rest = xstrdup(text ? text : "default");
	while (!ret && (item = strsep(&rest, ",")))
		ret = add_item(&made, trim(item), err);
	free(copy);
	if (ret)
		counter_list_release(&made);
	else
		*list = made;
	return ret;
}

void counter_list_release(struct counter_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->specs[i].name);
	free(list->specs);
	*list = (struct counter_list){ 0 };
}
