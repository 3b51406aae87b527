// SPDX-License-Identifier: GPL-2.0-only
#include "base/ini_text.h"

#include "base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * What the reader and the handler of inih share. inih does not announce a section that has no keys, so the reader
 * follows each section line with a line "=", which reaches the handler as an empty name.
 */
struct reading {
	struct ini_text *out;
	const char *path;
	const char *at, *end;
	unsigned int line;
	bool announce;	/* the next line to hand out is "=" */
	bool announced; /* it is what the handler sees now */
	int ret;
	struct error *err;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Length of s[n] up to a comment, without blanks at the end. */
static size_t cut_comment(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((s[i] == ';' || s[i] == '#') && (i == 0 || is_blank(s[i - 1])))
			n = i;
	while (n && is_blank(s[n - 1]))
		n--;
	return n;
}

/* Next line without indentation and comment; false at the end. */
static bool next_line(struct reading *r, const char **line, size_t *n)
{
	const char *newline;

	if (r->at == r->end)
		return false;
	r->line++;
	newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
	*line = r->at;
	*n = (size_t)((newline ? newline : r->end) - r->at);
	r->at = newline ? newline + 1 : r->end;
	while (*n && is_blank(**line)) {
		++*line;
		--*n;
	}
	return true;
}

static int check_section_line(const struct reading *r, const char *line, size_t n)
{
	const char *close = memchr(line, ']', n);

	if (!close)
		return error_set(r->err, EINVAL, "%s:%u: '%.*s' has no ']'", r->path, r->line,
				 n > 80 ? 80 : (int)n, line);
	if (close != line + n - 1)
		return error_set(r->err, EINVAL, "%s:%u: text behind the ']'", r->path, r->line);
	if (n - 2 > INI_TEXT_MAX_SECTION)
		return error_set(r->err, EINVAL, "%s:%u: the section's name has more than %d bytes",
				 r->path, r->line, INI_TEXT_MAX_SECTION);
	return 0;
}

static int check_key_line(const struct reading *r, const char *line, size_t n)
{
	size_t name = 0;

	while (name < n && line[name] != '=' && line[name] != ':')
		name++;
	if (name == n)
		return error_set(r->err, EINVAL,
				 "%s:%u: '%.*s' is no 'key = value': the '=' is missing", r->path,
				 r->line, n > 80 ? 80 : (int)n, line);
	if (name == 0)
		return error_set(r->err, EINVAL, "%s:%u: no key before the '%c'", r->path, r->line,
				 *line);
	while (is_blank(line[name - 1]))
		name--;
	if (!r->out->nr_sections)
		return error_set(r->err, EINVAL, "%s:%u: '%.*s' stands before the first [section]",
				 r->path, r->line, name > 80 ? 80 : (int)name, line);
	return 0;
}

static int check_line(const struct reading *r, const char *line, size_t n, size_t room)
{
	if (memchr(line, '\0', n))
		return error_set(r->err, EINVAL, "%s:%u: a NUL byte: is this a text file?", r->path,
				 r->line);
	if (n > room)
		return error_set(r->err, EINVAL, "%s:%u: the line has more than %zu bytes", r->path,
				 r->line, room);
	return *line == '[' ? check_section_line(r, line, n) : check_key_line(r, line, n);
}

/* The reader of inih, called as fgets() is. */
static char *read_line(char *buf, int size, void *stream)
{
	struct reading *r = stream;
	const char *line;
	size_t n;

	if (r->ret)
		return NULL;
	if (r->announce) {
		r->announce = false;
		r->announced = true;
		return memcpy(buf, "=\n", sizeof("=\n"));
	}
	r->announced = false;
	do {
		if (!next_line(r, &line, &n))
			return NULL;
		n = cut_comment(line, n);
	} while (!n);
	/* room for the text, a newline and the NUL */
	r->ret = check_line(r, line, n, (size_t)size - 2);
	if (r->ret)
		return NULL;
	memcpy(buf, line, n);
	memcpy(buf + n, "\n", 2);
	r->announce = *line == '[';
	return buf;
}

static void add_section(struct ini_text *ini, const char *name, unsigned int line)
{
	size_t n;

	while (is_blank(*name))
		name++;
	for (n = strlen(name); n && is_blank(name[n - 1]);)
		n--;
	ini->sections = xreallocarray(ini->sections, ini->nr_sections + 1, sizeof(*ini->sections));
	ini->sections[ini->nr_sections++] =
		(struct ini_section){ .name = xstrndup(name, n), .line = line };
}

static int add_key(struct reading *r, const char *name, const char *value)
{
	struct ini_section *section = &r->out->sections[r->out->nr_sections - 1];
	const struct ini_key *twin = ini_section_find(section, name);

	if (twin)
		return error_set(r->err, EINVAL, "%s:%u: '%.80s' is given twice, first in line %u",
				 r->path, r->line, name, twin->line);
	if (section->nr_keys == INI_TEXT_MAX_KEYS)
		return error_set(r->err, EINVAL, "%s:%u: the section has more than %d keys",
				 r->path, r->line, INI_TEXT_MAX_KEYS);
	section->keys = xreallocarray(section->keys, section->nr_keys + 1, sizeof(*section->keys));
	section->keys[section->nr_keys++] =
		(struct ini_key){ xstrdup(name), xstrdup(value), r->line };
	return 0;
}

/* The handler of inih; nonzero is success. */
static int take_line(void *user, const char *section, const char *name, const char *value)
{
	struct reading *r = user;

	if (r->announced)
		add_section(r->out, section, r->line);
	else
		r->ret = add_key(r, name, value);
	return 1;
}

int ini_text_parse(struct ini_text *out, const char *path, const char *text, size_t n,
		   struct error *err)
{
	static const char mark[] = "\xef\xbb\xbf";
	struct ini_text ini = { 0 };
	struct reading r = { .out = &ini, .path = path, .at = text, .end = text + n, .err = err };

	if (n >= 3 && !memcmp(text, mark, 3))
		r.at += 3;
	if (ini_parse_stream(read_line, &r, take_line, &r) && !r.ret)
		r.ret = error_set(err, EINVAL, "%s: not an INI file", path);
	if (r.ret) {
		ini_text_release(&ini);
		return r.ret;
	}
	*out = ini;
	return 0;
}

void ini_text_release(struct ini_text *ini)
{
	for (size_t i = 0; i < ini->nr_sections; i++) {
		struct ini_section *section = &ini->sections[i];

		for (size_t k = 0; k < section->nr_keys; k++) {
			free(section->keys[k].name);
			free(section->keys[k].value);
		}
		free(section->keys);
		free(section->name);
	}
	free(ini->sections);
	*ini = (struct ini_text){ 0 };
}

const struct ini_key *ini_section_find(const struct ini_section *section, const char *name)
{
	for (size_t i = 0; i < section->nr_keys; i++)
		if (!strcmp(section->keys[i].name, name))
			return &section->keys[i];
	return NULL;
}
