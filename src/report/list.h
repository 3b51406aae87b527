/* SPDX-License-Identifier: GPL-2.0-only */
/* report/list.h - every report format, in the order in which they are shown; no include guard on purpose. */
REPORT_FORMAT(text)
REPORT_FORMAT(mail)
REPORT_FORMAT(lkp)
REPORT_FORMAT(mmtests)
REPORT_FORMAT(amd)
REPORT_FORMAT(intel)
REPORT_FORMAT(summary)
REPORT_FORMAT(ministat)
REPORT_FORMAT(benchstat)
REPORT_FORMAT(md)
REPORT_FORMAT(csv)
REPORT_FORMAT(json)
