// SPDX-License-Identifier: GPL-2.0-only
#include "report/utc.h"

#include <stdio.h>
#include <time.h>

void utc_print(char text[UTC_SIZE], int64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || !strftime(text, UTC_SIZE, "%Y-%m-%d %H:%M", &tm))
		snprintf(text, UTC_SIZE, "?");
}
