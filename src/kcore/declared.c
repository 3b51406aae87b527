// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/declared.h"

#include "base/file.h"
#include "base/mem.h"
#include "kcore/object.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX (64 << 20)

/* Does the compiler's list of prototypes have @name? "extern int f (int);", "extern char *f (void);" */
static bool has_prototype(const char *prototypes, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = prototypes; (at = strstr(at, name)); at += n)
		if (at > prototypes && (at[-1] == ' ' || at[-1] == '*') &&
		    !strncmp(at + n, " (", 2))
			return true;
	return false;
}

/* Does the object lack one of the names? */
static bool lacks_any(const char *object, const struct argv *names)
{
	struct object_symbol *symbols = NULL;
	size_t n = 0;
	bool lacks = false;

	if (object_undefined(&symbols, &n, object, NULL))
		return false;
	for (size_t i = 0; i < n && !lacks; i++)
		for (size_t j = 0; j < names->n && !lacks; j++)
			lacks = !strcmp(symbols[i].name, names->word[j]);
	object_symbols_free(symbols, n);
	return lacks;
}

/* Preprocessed sources of the objects that lack them, "kernel/sched/core.i". */
static void list_units(struct argv *units, const struct link *link, const struct argv *objects,
		       const struct argv *names)
{
	for (size_t i = 0; i < objects->n; i++) {
		const char *object = objects->word[i];
		char *path = xasprintf("%s/%s", link->build, object);

		if (lacks_any(path, names))
			argv_add(units, "%.*si", (int)strlen(object) - 1, object);
		free(path);
	}
}

static int preprocess(const struct link *link, const struct argv *units, struct error *err)
{
	struct argv argv = { 0 };
	struct process process = { .argv = &argv, .log = link->log, .stop = link->stop };
	int status, ret;

	argv_add_all(&argv, &link->make);
	argv_add_all(&argv, units);
	ret = process_run(&process, &status, err);
	argv_release(&argv);
	return ret;
}

/* Appends every function that the unit knows of. */
static int list_prototypes(struct strbuf *sb, const struct link *link, const char *unit,
			   struct error *err)
{
	static const char *const words[] = {
		"gcc",	     "-fsyntax-only",	"-w", "-std=gnu11", "-fms-extensions",
		"-aux-info", "link/prototypes", "-x", "cpp-output"
	};
	char *path = xasprintf("%s/link/prototypes", link->build);
	struct argv argv = { 0 };
	struct process process = {
		.argv = &argv, .folder = link->build, .log = link->log, .stop = link->stop
	};
	int status, ret;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		argv_add(&argv, "%s", words[i]);
	argv_add(&argv, "%s", unit);
	ret = process_run(&process, &status, err);
	if (!ret)
		file_read(sb, AT_FDCWD, path, TEXT_MAX, NULL);
	argv_release(&argv);
	free(path);
	return ret;
}

static int ask_compiler(struct strbuf *prototypes, const struct link *link,
			const struct argv *names, struct error *err)
{
	struct argv units = { 0 };
	int ret;

	list_units(&units, link, &link->real, names);
	list_units(&units, link, &link->shim, names);
	ret = units.n ? preprocess(link, &units, err) : 0;
	for (size_t i = 0; i < units.n && !ret; i++)
		ret = list_prototypes(prototypes, link, units.word[i], err);
	argv_release(&units);
	return ret;
}

/* Moves names that @prototypes has to @functions; @left gets the others. */
static void sort_out(struct argv *functions, struct argv *left, const struct argv *names,
		     const char *prototypes)
{
	for (size_t i = 0; i < names->n; i++)
		argv_add(has_prototype(prototypes, names->word[i]) ? functions : left, "%s",
			 names->word[i]);
}

/* Kept in the compiler's own form. */
static void keep(const char *path, const struct argv *functions)
{
	struct strbuf sb = { 0 };

	for (size_t i = 0; i < functions->n; i++)
		strbuf_addf(&sb, "extern %s ();\n", functions->word[i]);
	file_replace(AT_FDCWD, path, strbuf_str(&sb), sb.len, 0644, NULL);
	strbuf_release(&sb);
}

int declared_functions(struct argv *functions, const struct link *link, const struct argv *names,
		       struct error *err)
{
	char *path = xasprintf("%s/link/functions", link->build);
	struct argv left = { 0 }, data = { 0 }, found = { 0 };
	struct strbuf kept = { 0 }, prototypes = { 0 };
	int ret = 0;

	file_read(&kept, AT_FDCWD, path, TEXT_MAX, NULL);
	sort_out(&found, &left, names, strbuf_str(&kept));
	if (left.n)
		ret = ask_compiler(&prototypes, link, &left, err);
	if (!ret && left.n) {
		sort_out(&found, &data, &left, strbuf_str(&prototypes));
		keep(path, &found);
	}
	if (!ret)
		argv_add_all(functions, &found);
	argv_release(&left);
	argv_release(&data);
	argv_release(&found);
	strbuf_release(&kept);
	strbuf_release(&prototypes);
	free(path);
	return ret;
}
