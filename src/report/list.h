/* SPDX-License-Identifier: GPL-2.0-only */
/* report/list.h - every report format, in the order in which they are shown; no include guard on purpose. */
REPORT_FORMAT(text)
REPORT_FORMAT(json)
