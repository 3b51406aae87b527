/* SPDX-License-Identifier: GPL-2.0-only */
/* host/settings_form.h - the table behind settings.h: one row a key form, its values and its help. */
#ifndef HOST_SETTINGS_FORM_H
#define HOST_SETTINGS_FORM_H

#include "base/error.h"
#include "base/opt.h"
#include "base/strbuf.h"

/**
 * struct settings_form - one form of key
 * @name:   the key, or a prefix, a dot and a word in capitals ("env.NAME"); NULL ends the table
 * @prefix: "env" there, NULL where @name is the whole key
 * @help:   half a line, no full stop
 * @opt:    how plain values are read; unused where @value is set
 * @value:  reads @text (trimmed, no control characters but tabs) and appends its one text form
 */
struct settings_form {
	const char *name;
	const char *prefix;
	const char *help;
	struct opt opt;
	int (*value)(const char *text, struct strbuf *out, struct error *err);
};

/** in the order in which settings are kept and printed */
extern const struct settings_form settings_forms[];

/**
 * settings_form_find() - the form of @key
 *
 * Return: 0; -ENOENT for an unknown key, with the nearest known one; -EINVAL for a prefix without a name
 * that could be one.
 */
int settings_form_find(const struct settings_form **out, const char *key, struct error *err);

/**
 * settings_form_value() - append the one text form of the value @text of @key
 *
 * Return: 0, -EINVAL or -ERANGE with "key: what".
 */
int settings_form_value(const struct settings_form *form, const char *key, const char *text,
			struct strbuf *out, struct error *err);

#endif
