/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/hwloc_io.h - machines to and from a loaded hwloc topology. */
#ifndef TOPO_HWLOC_IO_H
#define TOPO_HWLOC_IO_H

#include "topo/source.h"

#include <hwloc.h>

/** hwloc_to_machine() - a loaded topology as a machine */
int hwloc_to_machine(struct machine **m, hwloc_topology_t topology, const struct source_opts *opts,
		     struct error *err);

/** hwloc_xml_print() - the machine as hwloc XML; -EINVAL where hwloc doesn't take it */
int hwloc_xml_print(const struct machine *m, struct strbuf *sb, struct error *err);

/** synthetic_print() - in hwloc's synthetic syntax; -EOPNOTSUPP where that can't say it */
int synthetic_print(const struct machine *m, struct strbuf *sb, struct error *err);

#endif
