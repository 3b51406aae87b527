/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/kernel_text.h - kernel cores in words and as JSON. */
#ifndef CMD_KERNEL_TEXT_H
#define CMD_KERNEL_TEXT_H

#include "base/strbuf.h"
#include "kcore/kcore.h"

/** kernel_built_text() - append what a build came to; @took_ns: its time */
void kernel_built_text(const struct kcore_built *built, uint64_t took_ns, struct strbuf *sb);

/** kernel_list_text() - append a table of facts[n] */
void kernel_list_text(const struct kcore_facts *facts, size_t n, struct strbuf *sb);

/** kernel_json() - append one core as an object on a line */
void kernel_json(const struct kcore_facts *facts, struct strbuf *sb);

#endif
