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

#endif
