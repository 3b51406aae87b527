/* SPDX-License-Identifier: GPL-2.0-only */
/* host/wish.h - the settings of a variant that change files of the machine, found on this machine. */
#ifndef HOST_WISH_H
#define HOST_WISH_H

#include "base/error.h"
#include "host/host.h"
#include "host/knob.h"
#include "host/settings.h"

#include <stddef.h>

/**
 * struct wish - one knob that a variant wants at a value
 * @knob:  its place in a struct knobs
 * @key:   of the setting; borrowed from the settings
 * @value: heap
 */
struct wish {
	size_t knob;
	const char *key;
	char *value;
};

/**
 * struct wishes - those of one variant; initialise with { 0 }
 */
struct wishes {
	struct wish *list;
	size_t n;
};

void wishes_release(struct wishes *wishes);

/** wishes_find() - what is wished for knob number @knob, or NULL */
const struct wish *wishes_find(const struct wishes *wishes, size_t knob);

/**
 * wishes_add() - wish for @value in a file; @knobs gets the knob if it is new
 *
 * Return: as knobs_find(), with "key: " before the words.
 */
int wishes_add(struct wishes *wishes, struct knobs *knobs, const struct host *host, const char *key,
	       bool debugfs, const char *path, const char *value, struct error *err);

/**
 * wishes_resolve() - sysctl, features, sched, governor and thp of @settings
 *
 * Other settings are passed over.
 */
int wishes_resolve(struct wishes *wishes, struct knobs *knobs, const struct host *host,
		   const struct settings *settings, struct error *err);

#endif
