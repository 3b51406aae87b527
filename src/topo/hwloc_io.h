/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/hwloc_io.h - a machine from a loaded hwloc topology. */
#ifndef TOPO_HWLOC_IO_H
#define TOPO_HWLOC_IO_H

#include "topo/source.h"

#include <hwloc.h>

/** hwloc_to_machine() - a loaded topology as a machine */
int hwloc_to_machine(struct machine **m, hwloc_topology_t topology, const struct source_opts *opts,
		     struct error *err);

#endif
