/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/result.h - what one run produced. The worker writes it, the backends and the store read it.
 *
 * Text form, one line of JSON:
 * {"schema":2,"workload":"pipe","status":"ok","reason":null,
 *  "metrics":[{"name":"loop","unit":"ns","better":"lower","value":9123.5}, ...],
 *  "counters":[{"name":"task-clock","unit":"ns","value":1.2e9,"counted":1}, ...],
 *  "histograms":[{"name":"loop","unit":"ns","better":"lower","samples":"9;2;7000;9000;16000;1,+280,1"}, ...],
 *  "notes":[{"name":"placement","text":"both on CPU 0"}, ...]}
 * Schema 1 had no histograms and notes, and is read as well.
 */
#ifndef WORKLOAD_RESULT_H
#define WORKLOAD_RESULT_H

#include "base/error.h"
#include "base/histogram.h"
#include "base/metric.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>

#define RESULT_SCHEMA 2

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
 * struct samples_text - all samples of a run, of latencies say
 * @name: histogram; heap
 * @text: of histogram_write(), always one that histogram_read() takes; heap. Text, since hundreds of runs are held at
 *        once and each struct histogram has 230 KB
 */
struct samples_text {
	char *name;
	enum unit unit;
	enum better better;
	char *text;
};

/**
 * struct note - what a workload says of its run beyond figures: where it ran, what it calibrated, what it left out
 * @name: heap
 * @text: one line; heap
 */
struct note {
	char *name;
	char *text;
};

/**
 * struct result - outcome of one run; initialise with { 0 }, free with result_release()
 * @workload: its name; heap
 * @reason:   one line, why it is not RUN_OK; heap, NULL when it is
 * @metrics:  the workload's declared metrics that it measured, in its order; empty unless RUN_OK
 * @counters: what the run cost (switches, faults, cycles) and what explains it; BETTER_NONE
 * @histograms: of the workload's declared ones those that it took; empty unless RUN_OK
 * @notes:    kept whatever the status
 */
struct result {
	enum run_status status;
	char *workload;
	char *reason;
	struct value *metrics;
	size_t nr_metrics;
	struct value *counters;
	size_t nr_counters;
	struct samples_text *histograms;
	size_t nr_histograms;
	struct note *notes;
	size_t nr_notes;
};

void result_release(struct result *result);

void result_add_metric(struct result *result, const struct metric *metric, double value);
void result_add_counter(struct result *result, const char *name, enum unit unit, double value,
			double counted);

/** result_add_histogram() - @row is its row in the workload's table; @samples are copied */
void result_add_histogram(struct result *result, const struct metric *row,
			  const struct histogram *samples);

/** result_add_samples() - the same from a text that histogram_read() takes */
void result_add_samples(struct result *result, const struct metric *row, const char *text);

/** result_add_note() - @text loses its control characters and what is beyond 1000 bytes */
void result_add_note(struct result *result, const char *name, const char *text);

/**
 * result_fail() - make it a failed run: metrics and histograms are dropped, the rest kept, @reason copied
 * @status: RUN_FAILED or RUN_HANG
 */
void result_fail(struct result *result, enum run_status status, const char *reason);

/** result_metric() - value of metric @name, or NULL */
const struct value *result_metric(const struct result *result, const char *name);

/** result_counter() - value of counter @name, or NULL */
const struct value *result_counter(const struct result *result, const char *name);

/**
 * result_histogram() - the samples named @name
 * @h: filled on success, see histogram_read()
 *
 * Return: whether there are any.
 */
bool result_histogram(const struct result *result, const char *name, struct histogram *h);

/** result_note() - text of note @name, or NULL */
const char *result_note(const struct result *result, const char *name);

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
 * Accepts at most 1000 metrics, 1000 counters, 100 histograms and 100 notes, names up to 63 bytes, finite values.
 *
 * Return: 0, or -EINVAL with what is wrong and where.
 */
int result_read(struct result *out, const char *text, size_t n, struct error *err);

#endif
