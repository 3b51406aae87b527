// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/workload_text.h"

#include "base/json_out.h"
#include "cmd/manual.h"

#include <errno.h>

#define COLUMN 18

const struct workload *workload_named(const char *command, const char *name, const char *hint,
				      struct error *err)
{
	const struct workload *workload = workload_find(name);
	const char *near = workload_nearest(name);

	if (workload)
		return workload;
	if (near)
		error_set(err, EINVAL, "%s: unknown workload '%.80s', did you mean '%s'?", command,
			  name, near);
	else
		error_set(err, EINVAL,
			  "%s: unknown workload '%.80s', see schedproof list workloads%s", command,
			  name, hint);
	return NULL;
}

/* "help [default] (range)" */
static void parameter_text(const struct opt *opt, struct strbuf *sb)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s [%s] (", opt->help, opt->def ? opt->def : "");
	opt_print_range(opt, &text);
	strbuf_addch(&text, ')');
	manual_entry(sb, opt->name, text.s, COLUMN);
	strbuf_release(&text);
}

static void metric_text(const struct metric *metric, const char *mark, struct strbuf *sb)
{
	struct strbuf name = { 0 }, text = { 0 };

	strbuf_addf(&name, "%s %s", mark, metric->name);
	if (metric->better == BETTER_NONE)
		strbuf_addf(&text, "%s, explains the others: %s", unit_name(metric->unit),
			    metric->help);
	else
		strbuf_addf(&text, "%s, %s is better: %s", unit_name(metric->unit),
			    better_name(metric->better), metric->help);
	manual_entry(sb, name.s, text.s, COLUMN);
	strbuf_release(&name);
	strbuf_release(&text);
}

void workload_text(const struct workload *workload, struct strbuf *sb)
{
	strbuf_addf(sb, "%s: %s\n", workload->name, workload->summary);
	for (const struct opt *opt = workload->opts; opt->name; opt++)
		parameter_text(opt, sb);
	if (workload->rest) {
		struct strbuf text = { 0 };

		strbuf_addf(&text, "the same as %s='WORDS ...'", workload->rest);
		manual_entry(sb, "-- WORDS ...", text.s, COLUMN);
		strbuf_release(&text);
	}
	for (const struct metric *metric = workload->metrics; metric->name; metric++)
		metric_text(metric, "->", sb);
	for (const struct metric *row = workload->histograms; row && row->name; row++)
		metric_text(row, "-> all samples of", sb);
}

static void parameter_json(const struct opt *opt, struct json_out *out)
{
	struct strbuf range = { 0 };

	opt_print_range(opt, &range);
	json_out_object(out, NULL);
	json_out_str(out, "name", opt->name);
	json_out_str(out, "default", opt->def);
	json_out_str(out, "range", range.s);
	json_out_str(out, "help", opt->help);
	json_out_end_object(out);
	strbuf_release(&range);
}

static void metrics_json(const char *key, const struct metric *metrics, struct json_out *out)
{
	json_out_array(out, key);
	for (; metrics && metrics->name; metrics++) {
		json_out_object(out, NULL);
		json_out_str(out, "name", metrics->name);
		json_out_str(out, "unit", unit_name(metrics->unit));
		json_out_str(out, "better", better_name(metrics->better));
		json_out_str(out, "help", metrics->help);
		if (metrics->of) {
			json_out_str(out, "histogram", metrics->of);
			json_out_double(out, "quantile", metrics->quantile);
		}
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

void workload_json(const struct workload *workload, struct strbuf *sb)
{
	struct json_out out = { .sb = sb };

	json_out_object(&out, NULL);
	json_out_str(&out, "kind", "workload");
	json_out_str(&out, "name", workload->name);
	json_out_str(&out, "summary", workload->summary);
	json_out_array(&out, "parameters");
	for (const struct opt *opt = workload->opts; opt->name; opt++)
		parameter_json(opt, &out);
	json_out_end_array(&out);
	json_out_str(&out, "rest", workload->rest);
	metrics_json("metrics", workload->metrics, &out);
	metrics_json("histograms", workload->histograms, &out);
	json_out_end_object(&out);
	strbuf_addch(sb, '\n');
}
