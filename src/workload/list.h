/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/list.h - every workload, in the order in which they are shown; no include guard on purpose. */
WORKLOAD(hackbench)
WORKLOAD(pipe)
WORKLOAD(schbench)
WORKLOAD(schedlat)
