// SPDX-License-Identifier: GPL-2.0-only
#include "host/settings.h"

#include "base/mem.h"
#include "host/settings_form.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct setting {
	const struct settings_form *form;
	char *key;
	char *value; /* in the form's one text form */
};

/* Sorted by form, then by key: the order of settings_print(). */
struct settings {
	struct setting *list;
	size_t n;
};

struct settings *settings_new(void)
{
	return xcalloc(1, sizeof(struct settings));
}

void settings_free(struct settings *settings)
{
	if (!settings)
		return;
	for (size_t i = 0; i < settings->n; i++) {
		free(settings->list[i].key);
		free(settings->list[i].value);
	}
	free(settings->list);
	free(settings);
}

/* A copy without the blanks around it. */
static int trimmed(char **out, const char *key, const char *value, struct error *err)
{
	size_t n;

	for (const char *s = value; *s; s++)
		if (iscntrl((unsigned char)*s) && *s != '\t')
			return error_set(err, EINVAL, "%.80s: a control character in the value",
					 key);
	value += strspn(value, " \t");
	for (n = strlen(value); n && strchr(" \t", value[n - 1]);)
		n--;
	*out = xstrndup(value, n);
	return 0;
}

static int by_form_and_key(const struct settings_form *form, const char *key,
			   const struct setting *other)
{
	if (form != other->form)
		return form < other->form ? -1 : 1;
	return strcmp(key, other->key);
}

static void insert(struct settings *settings, size_t at, struct setting setting)
{
	settings->list = xreallocarray(settings->list, settings->n + 1, sizeof(setting));
	memmove(&settings->list[at + 1], &settings->list[at], (settings->n - at) * sizeof(setting));
	settings->list[at] = setting;
	settings->n++;
}

int settings_set(struct settings *settings, const char *key, const char *value, struct error *err)
{
	const struct settings_form *form;
	struct strbuf text = { 0 };
	char *plain = NULL;
	size_t at = 0;
	int ret;

	ret = settings_form_find(&form, key, err);
	if (ret)
		return ret;
	while (at < settings->n && by_form_and_key(form, key, &settings->list[at]) > 0)
		at++;
	if (at < settings->n && !by_form_and_key(form, key, &settings->list[at]))
		return error_set(err, EEXIST, "'%.80s' is given twice", key);
	ret = trimmed(&plain, key, value, err);
	if (!ret)
		ret = settings_form_value(form, key, plain, &text, err);
	if (!ret)
		insert(settings, at,
		       (struct setting){ form, xstrdup(key), xstrdup(strbuf_str(&text)) });
	strbuf_release(&text);
	free(plain);
	return ret;
}

void settings_print(const struct settings *settings, struct strbuf *sb)
{
	for (size_t i = 0; i < settings->n; i++)
		strbuf_addf(sb, "%s = %s\n", settings->list[i].key, settings->list[i].value);
}

struct settings *settings_read(const char *text)
{
	struct settings *settings = settings_new();
	char *copy = xstrdup(text), *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		char *value = strstr(line, " = ");

		if (!value)
			continue;
		*value = '\0';
		(void)settings_set(settings, line, value + 3, NULL);
	}
	free(copy);
	return settings;
}

const char *settings_at(const struct settings *settings, size_t i, const char **value)
{
	if (i >= settings->n)
		return NULL;
	*value = settings->list[i].value;
	return settings->list[i].key;
}

const char *settings_get(const struct settings *settings, const char *key)
{
	for (size_t i = 0; i < settings->n; i++)
		if (!strcmp(settings->list[i].key, key))
			return settings->list[i].value;
	return NULL;
}

uint64_t settings_seed(const struct settings *settings)
{
	const char *seed = settings_get(settings, "seed");

	return seed ? strtoull(seed, NULL, 10) : 0;
}

const char *settings_kernel(const struct settings *settings)
{
	return settings_get(settings, "kernel");
}

bool settings_kernel_matches(const struct settings *settings, const char *release)
{
	const char *pattern = settings_kernel(settings);

	return !pattern || !fnmatch(pattern, release, 0);
}

const char *settings_key(size_t i, const char **help)
{
	for (const struct settings_form *form = settings_forms; form->name; form++, i--) {
		if (i)
			continue;
		*help = form->help;
		return form->name;
	}
	return NULL;
}
