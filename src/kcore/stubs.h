/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/stubs.h - functions in place of what nothing defines. */
#ifndef KCORE_STUBS_H
#define KCORE_STUBS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "kcore/object.h"

#include <stddef.h>

enum stub_kind {
	STUB_ABORT,   /* says its name and ends the run */
	STUB_ZERO,    /* returns 0 */
	STUB_UNKNOWN, /* it may be data */
};

/** stub_kind() - what @symbol gets. @list: text of the kit's stubs.list */
enum stub_kind stub_kind(const struct object_symbol *symbol, const char *list);

/** stub_source() - append C of a stub */
void stub_source(struct strbuf *sb, const char *name, enum stub_kind kind);

/** stub_prologue() - what stands in front of all of them */
void stub_prologue(struct strbuf *sb);

#endif
