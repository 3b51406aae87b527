/* SPDX-License-Identifier: GPL-2.0-only */
/* report/format.h - the formats of list.h, declared. */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include "report/report.h"

#define REPORT_FORMAT(name) extern const struct report_format report_##name;
#include "report/list.h"
#undef REPORT_FORMAT

#endif
