// SPDX-License-Identifier: GPL-2.0-only
#include "topo/preset.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <string.h>

static const struct preset presets[] = {
#include "presets.inc"
};

const struct preset *preset_at(size_t i)
{
	return i < ARRAY_SIZE(presets) ? &presets[i] : NULL;
}

const struct preset *preset_find(const char *name, const char **nearest)
{
	struct nearest near;

	nearest_init(&near, name);
	for (size_t i = 0; i < ARRAY_SIZE(presets); i++) {
		nearest_offer(&near, presets[i].name);
		if (!strcmp(presets[i].name, name))
			return &presets[i];
	}
	*nearest = near.best;
	return NULL;
}
