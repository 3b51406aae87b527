/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/machine_json.h - a machine as JSON, all of it: doc/TOPOLOGY.md has the members. */
#ifndef TOPO_MACHINE_JSON_H
#define TOPO_MACHINE_JSON_H

#include "topo/source.h"

#include "base/json_out.h"

/** machine_json() - write the machine as an object; notes are left out */
void machine_json(const struct machine *m, const char *key, struct json_out *out);

/** machine_json_parse() - read such an object: written and read again it is the same machine; -EINVAL, -EFBIG */
int machine_json_parse(struct machine **m, const char *text, size_t len,
		       const struct source_opts *opts, struct error *err);

#endif
