// SPDX-License-Identifier: GPL-2.0-only
#include "boot.h"

#include "base/file.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *boot_file(int dir, const char *path)
{
	struct strbuf sb = { 0 };

	if (file_read(&sb, dir, path, 1 << 26, NULL)) {
		strbuf_release(&sb);
		return NULL;
	}
	return sb.s ? strbuf_take(&sb) : xstrdup("");
}

static bool starts_line(const char *line)
{
	while (*line == ' ')
		line++;
	return !strncmp(line, "CPU", 3) || !strncmp(line, "domain-", 7) ||
	       !strncmp(line, "groups:", 7) || !strncmp(line, "root", 4) ||
	       !strncmp(line, "ERROR", 5);
}

char *boot_normal(const char *text, bool join)
{
	struct strbuf sb = { 0 };

	while (*text == '\n')
		text++;
	while (*text) {
		if (!strncmp(text, " cap=", 5)) {
			text += 5;
			text += strspn(text, "0123456789");
			continue;
		}
		if (join && *text == '\n' && text[1] && !starts_line(text + 1)) {
			text++;
			continue;
		}
		strbuf_addch(&sb, *text++);
	}
	return sb.s ? strbuf_take(&sb) : xstrdup("");
}

/* The capacity that a group's text shows, up to its closing brace. */
static long shown_capacity(const char *group)
{
	const char *end = strchr(group, '}');

	for (const char *at = group; at && at < end; at++)
		if (!strncmp(at, " cap=", 5))
			return strtol(at + 5, NULL, 10);
	return 1024;
}

/* The next group in a dump of megabytes. Not by strstr(), for which the address sanitizer measures all that is left. */
static const char *next_group(const char *text)
{
	while ((text = strchr(text, ':')) && strncmp(text, ":{ ", 3))
		text++;
	return text;
}

bool boot_capacities_fit(const char *theirs, const char *ours)
{
	while ((theirs = next_group(theirs)) && (ours = next_group(ours))) {
		long t = shown_capacity(theirs), o = shown_capacity(ours);

		if (t > o || t * 2 < o)
			return false;
		theirs += 3;
		ours += 3;
	}
	return true;
}

char *boot_words(const char *args)
{
	const char *at = strstr(args, "guest cmdline extra:");

	return at ? xstrndup(at + 20, strcspn(at + 20, "\n")) : xstrdup("");
}

struct machine *boot_machine(int dir, const struct source_opts *opts, const char *boot)
{
	static const char *const files[] = { "topology/cpus.txt", "topology/caches.txt",
					     "topology/nodes.txt" };
	struct strbuf text = { 0 };
	struct machine *m = NULL;
	struct error err = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		file_read(&text, dir, files[i], 1 << 26, NULL);
	if (machine_file_parse(&m, strbuf_str(&text), opts, &err) ||
	    machine_set_boot(m, boot, &err))
		fprintf(stderr, "%s\n", err.text);
	strbuf_release(&text);
	return m;
}
