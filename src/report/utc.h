/* SPDX-License-Identifier: GPL-2.0-only */
/* report/utc.h - a date for people, the same wherever it is read. */
#ifndef REPORT_UTC_H
#define REPORT_UTC_H

#include <stdint.h>

#define UTC_SIZE 32

/** utc_print() - "2026-11-30 20:37" of ns since 1970; "?" for years that calendars don't know */
void utc_print(char text[UTC_SIZE], int64_t ns);

#endif
