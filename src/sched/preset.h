/* SPDX-License-Identifier: GPL-2.0-only */
/* sched/preset.h - all features and tunables as a kernel release has them. */
#ifndef SCHED_PRESET_H
#define SCHED_PRESET_H

#include "base/error.h"
#include "sched/model.h"

/** MODEL_DEFAULT_PRESET - what the model is where nobody says */
#define MODEL_DEFAULT_PRESET "k6.19"

/**
 * preset_apply() - features, normal tunables and release of @m
 * @name: "k6.12": a mainline release; "k6.12.117": a stable one that is known, with what it took from later ones
 *
 * Return: 0, or -EINVAL with what there is.
 */
int preset_apply(struct model *m, const char *name, struct error *err);

/** preset_check() - is @name one? Return: 0, or -EINVAL with what there is, as preset_apply() says it */
int preset_check(const char *name, struct error *err);

/** model_preset_at() - the @i-th of those that documents and sweeps name; NULL behind the last */
const char *model_preset_at(size_t i);

#endif
