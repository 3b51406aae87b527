/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/list.h - every workload, in the order in which they are shown; no include guard on purpose. */
WORKLOAD(cpuload)
WORKLOAD(exec)
WORKLOAD(hackbench)
WORKLOAD(pipe)
WORKLOAD(rtapp)
WORKLOAD(unixbench)
WORKLOAD(numa)
