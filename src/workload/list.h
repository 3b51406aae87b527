/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/list.h - every workload, in the order in which they are shown; no include guard on purpose. */
WORKLOAD(cpuload)
WORKLOAD(exec)
WORKLOAD(hackbench)
WORKLOAD(hotplug)
WORKLOAD(numa)
WORKLOAD(oltp)
WORKLOAD(pipe)
WORKLOAD(rr)
WORKLOAD(rtapp)
WORKLOAD(schbench)
WORKLOAD(schedlat)
WORKLOAD(unixbench)
