/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/object.h - what is to be known of an object file: what it lacks, and how it uses that. */
#ifndef KCORE_OBJECT_H
#define KCORE_OBJECT_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct object_symbol - one that is used and not defined
 * @called: some relocation of it is that of a call, so it is a function
 */
struct object_symbol {
	char *name;
	bool called;
};

/**
 * object_undefined() - symbols that the relocatable object @path lacks, sorted by name; not weak ones and those of the linker
 * @symbols: symbols[*n], free with object_symbols_free()
 *
 * Return: 0; -EINVAL for what is no such object, or of a processor whose relocations we don't know; -errno.
 */
int object_undefined(struct object_symbol **symbols, size_t *n, const char *path,
		     struct error *err);
void object_symbols_free(struct object_symbol *symbols, size_t n);

/**
 * struct object_function - one that is defined
 * @at: where it begins: from the beginning of the image, where that is loaded
 */
struct object_function {
	uint64_t at;
	char *name;
};

/**
 * object_functions() - those that the object's table of symbols has, by where they begin; of several that begin there one
 * @functions: functions[*n], free with object_functions_free()
 *
 * Return: 0; -EINVAL for what has no such table; -errno.
 */
int object_functions(struct object_function **functions, size_t *n, const char *path,
		     struct error *err);
void object_functions_free(struct object_function *functions, size_t n);

/** object_section() - append the bytes of a section. Return: 0; -ENOENT if there is no such file; -EINVAL */
int object_section(struct strbuf *sb, const char *path, const char *section, struct error *err);

#endif
