/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/calibrate_text.h - what was measured, as a table, as JSON and as a file of costs. */
#ifndef CMD_CALIBRATE_TEXT_H
#define CMD_CALIBRATE_TEXT_H

#include "base/json_out.h"
#include "host/calibrate.h"

void calibrate_text(const struct calibration *calibration, struct strbuf *sb);
void calibrate_json(const struct calibration *calibration, struct json_out *out);

/** calibrate_file() - @date: for the sources */
void calibrate_file(const struct calibration *calibration, const char *date, struct strbuf *sb);

/** calibrate_value_json() - how one was found: members of the object under way */
void calibrate_value_json(const struct calibrate_value *value, struct json_out *out);

/** calibrate_matrices() - what memory takes by pair of nodes, and why where it isn't measured; nothing where there is one node */
void calibrate_matrices(const struct calibration *calibration, struct strbuf *sb);

/** calibrate_missing() - a line for each reason why pairs have no value, with the words @before it */
void calibrate_missing(const struct calibration *calibration, const char *before,
		       struct strbuf *sb);

/** calibrate_pairs_json() - "pairs" */
void calibrate_pairs_json(const struct calibration *calibration, struct json_out *out);

#endif
