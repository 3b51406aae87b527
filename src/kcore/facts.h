/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/facts.h - what is known of a core, kept inside its object, so that one rename replaces both. */
#ifndef KCORE_FACTS_H
#define KCORE_FACTS_H

#include "base/strbuf.h"
#include "kcore/kcore.h"

/* Section of the object that holds them, as JSON. */
#define FACTS_SECTION ".schedproof"

/** kcore_facts_json() - append all but the size */
void kcore_facts_json(const struct kcore_facts *facts, struct strbuf *sb);

/** kcore_facts_parse() - the opposite; @facts filled on success. Return: 0 or -EINVAL */
int kcore_facts_parse(struct kcore_facts *facts, const char *text, size_t n, struct error *err);

/** kcore_facts_read() - of the object at @path. Return: 0; -ENOENT, -EINVAL */
int kcore_facts_read(struct kcore_facts *facts, const char *path, struct error *err);

#endif
