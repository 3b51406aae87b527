/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/preset.h - the machines of machines/, built in. */
#ifndef TOPO_PRESET_H
#define TOPO_PRESET_H

#include <stddef.h>

/**
 * struct preset - a machine file
 * @text:  as machine_file_parse() takes it
 * @costs: of the cost file beside it, as costs_parse() of sim/costs.h takes it; NULL where there is none
 */
struct preset {
	const char *name;
	const char *text;
	const char *costs;
};

/** preset_at() - the @i-th, by name; NULL behind the last */
const struct preset *preset_at(size_t i);

/** preset_find() - by name; NULL if there is none, then *@nearest is what may be meant, or NULL */
const struct preset *preset_find(const char *name, const char **nearest);

#endif
