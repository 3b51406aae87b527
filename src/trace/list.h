/* SPDX-License-Identifier: GPL-2.0-only */
/* trace/list.h - every format that a trace is written in; no include guard on purpose. */
TRACE_FORMAT(perfetto)
TRACE_FORMAT(ftrace)
TRACE_FORMAT(json)
