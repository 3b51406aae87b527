/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/unpack.h - archives as recorders pack them, by the programs that unpack them. */
#ifndef TOPO_UNPACK_H
#define TOPO_UNPACK_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/** unpack_program() - gzip, bzip2, xz or zstd, by the first bytes of @data; NULL: not packed by any of them */
const char *unpack_program(const char *data, size_t len);

/**
 * unpack() - append what @program makes of @data
 * @max: more bytes than this are refused
 * @cut: set: the program stopped before the end of @data; what it gave up to there is in @sb
 *
 * Return: 0; -ENOENT if there is no such program; -EFBIG; -EINVAL if it gives nothing at all.
 */
int unpack(struct strbuf *sb, const char *program, const char *data, size_t len, size_t max,
	   bool *cut, struct error *err);

#endif
