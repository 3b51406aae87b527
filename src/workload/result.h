/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/result.h - what one run produced. The worker writes it, the backends and the store read it.
 *
 * Text form, one line of JSON:
 * {"schema":1,"workload":"pipe","status":"ok","reason":null,
 *  "metrics":[{"name":"loop","unit":"ns","better":"lower","value":9123.5}, ...],
 *  "counters":[{"name":"task-clock","unit":"ns","value":1.2e9,"counted":1}, ...]}
 */
#ifndef WORKLOAD_RESULT_H
#define WORKLOAD_RESULT_H

#include "base/error.h"
#include "base/metric.h"
#include "base/strbuf.h"

#include <stddef.h>

#define RESULT_SCHEMA 1

enum run_status {
	RUN_OK,
	RUN_FAILED, /* crash, wrong exit, error of the workload: has a reason, is never in a mean */
	RUN_HANG,   /* killed at its time limit */
};

/**
 * struct value - one figure of a run
 * @name:    metric or counter; heap
 * @value:   in @unit; finite
 * @counted: share of the run during which a counter really counted, 0 < counted <= 1; @value is
 *           already scaled up by it. 1 for metrics.
 */
struct value {
	char *name;
	enum unit unit;
	enum better better;
	double value;
	double counted;
};

/**
 * struct result - outcome of one run; initialise with { 0 }, free with result_release()
 * @workload: its name; heap
 * @reason:   one line, why it is not RUN_OK; heap, NULL when it is
 * @metrics:  the workload's declared metrics that it measured, in its order; empty unless RUN_OK
 * @counters: what the run cost (switches, faults, cycles); BETTER_NONE
 */
struct result {
	enum run_status status;
	char *workload;
	char *reason;
	struct value *metrics;
	size_t nr_metrics;
	struct value *counters;
	size_t nr_counters;
};

void result_release(struct result *result);

void result_add_metric(struct result *result, const struct metric *metric, double value);
void result_add_counter(struct result *result, const char *name, enum unit unit, double value,
			double counted);

/**
 * result_fail() - make it a failed run: metrics are dropped, counters kept, @reason copied
 * @status: RUN_FAILED or RUN_HANG
 */
void result_fail(struct result *result, enum run_status status, const char *reason);

/** result_metric() - value of metric @name, or NULL */
const struct value *result_metric(const struct result *result, const char *name);

/** run_status_name() - "ok", "failed", "hang" */
const char *run_status_name(enum run_status status);

/** run_status_parse() - Return: 0 or -EINVAL */
int run_status_parse(enum run_status *status, const char *name);

/** result_write() - append the text form without a newline */
void result_write(const struct result *result, struct strbuf *sb);

/**
 * result_read() - the opposite of result_write(); not in the worker, needs jansson
 * @out:  replaced on success, untouched on failure
 * @text: one JSON object; @n bytes
 *
 * Accepts at most 1000 metrics and 1000 counters, names up to 63 bytes, finite values.
 *
 * Return: 0, or -EINVAL with what is wrong and where.
 */
int result_read(struct result *out, const char *text, size_t n, struct error *err);

#endif
