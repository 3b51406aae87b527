/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/patch_cores.h - schedproof patch: the two cores that are compared, built or found. */
#ifndef CMD_PATCH_CORES_H
#define CMD_PATCH_CORES_H

#include "base/error.h"

#include <stdint.h>

/**
 * struct patch_cores - of both sides, before first; release with patch_cores_release()
 * @name:  as of lab/sim_core.h
 * @about: a line for each
 */
struct patch_cores {
	char *name[2];
	char *about;
};

/**
 * patch_cores_build() - of the parent of @rev and of @rev in @tree
 * @config, @cpus: of struct kcore_build
 *
 * Return: as kcore_build(), with the revision.
 */
int patch_cores_build(struct patch_cores *cores, const char *tree, const char *rev,
		      const char *config, uint64_t cpus, struct error *err);

/** patch_cores_find() - those that are named: "debian-6.12", "model:k6.12". Return: as sim_core_open() */
int patch_cores_find(struct patch_cores *cores, const char *before, const char *after,
		     struct error *err);
void patch_cores_release(struct patch_cores *cores);

#endif
