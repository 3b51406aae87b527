/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/output.h - results on standard output, the same way from every command. */
#ifndef CMD_OUTPUT_H
#define CMD_OUTPUT_H

#include "lab/experiment.h"
#include "report/report.h"

#include <stdbool.h>

/**
 * struct output_style - how a result is printed
 * @json: JSON lines: the stored runs, then a line for each row of the verdict
 * @all:  every counter
 * @tails: all distributions inside runs
 * @format: without @json; NULL: text
 */
struct output_style {
	bool json;
	bool all;
	bool tails;
	const struct report_format *format;
};

/** what every command with a --format says of it */
#define OUTPUT_FORMAT_HELP                                                                         \
	"text, mail, lkp, mmtests, amd, intel, summary, ministat, benchstat, md, csv or json"

/** what every command with --tails says of it */
#define TAILS_HELP                                                                                 \
	"quantiles of the samples inside runs, A against B, also where their shape did not change"

/**
 * output_report() - print; coloured on a terminal only
 * @store: where @style->json takes the runs from; else not looked at
 *
 * Return: 0 or -errno
 */
int output_report(const struct report *report, struct store *store,
		  const struct output_style *style, struct error *err);

/** what every command with a --fail-on says of it */
#define FAIL_ON_HELP                                                                               \
	"regressed, or regressed:2%: exit 1 if a primary metric regressed (by that much)"

/** fail_on_status() - Return: EXIT_REGRESSED if that was asked for and is so, else EXIT_DONE */
int fail_on_status(const struct fail_on *fail_on, const struct report *report);

/** output_duration() - append "45 s", "3 min 20 s", "2 h 5 min" */
void output_duration(struct strbuf *sb, uint64_t ns);

#endif
