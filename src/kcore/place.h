/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/place.h - where things lie in the cache, and who may build there now. */
#ifndef KCORE_PLACE_H
#define KCORE_PLACE_H

#include "base/error.h"
#include "kcore/kcore.h"

#include <stdbool.h>

/* Of longest names of cores. */
#define PLACE_NAME_MAX 64

/** place_check_name() - can a core have that name? Letters, digits and "._+-", no dot in front. Return: 0 or -EINVAL */
int place_check_name(const char *name, struct error *err);

/** place_of() - file @file of the core @name, the caller's to free; NULL without a home */
char *place_of(const char *name, const char *file, struct error *err);

/**
 * place_lock() - have @folder (made if need be) for us alone, until the descriptor is closed
 * @fd:  set on success
 * @how: told when somebody else has it, and looked at while waiting
 *
 * Return: 0; -EINTR; -errno.
 */
int place_lock(int *fd, const char *folder, const struct kcore_build *how, struct error *err);

/** place_inputs() - what kcore_facts.inputs would be now; 0 if that can't be told */
uint64_t place_inputs(const struct kcore_facts *facts);

/** place_say() - a line to whom it concerns */
void place_say(const struct kcore_build *how, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
