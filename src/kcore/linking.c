// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/linking.h"

#include "base/file.h"
#include "base/mem.h"
#include "kcore/object.h"
#include "kcore/declared.h"
#include "kcore/facts.h"
#include "kcore/kit.h"
#include "kcore/names.h"
#include "kcore/stubs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define LOG_MAX (64 << 20)

static bool tells_reason(const char *line, size_t n)
{
	static const char *const marks[] = { "error:",	"can't open file",
					     " Error ", "undefined reference",
					     "ld: ",	"***" };
	char *copy = xstrndup(line, n);
	bool yes = false;

	for (size_t i = 0; i < ARRAY_SIZE(marks) && !yes; i++)
		yes = strstr(copy, marks[i]) != NULL;
	free(copy);
	return yes;
}

static char *find_reason(const char *log, size_t from)
{
	struct strbuf text = { 0 };
	const char *at;
	char *reason = NULL;

	if (file_read(&text, AT_FDCWD, log, LOG_MAX, NULL) || from >= text.len) {
		strbuf_release(&text);
		return NULL;
	}
	for (at = text.s + from; *at && !reason; at += strcspn(at, "\n"), at += *at ? 1 : 0)
		if (tells_reason(at, strcspn(at, "\n")))
			reason = xstrndup(at, strcspn(at, "\n"));
	strbuf_release(&text);
	return reason;
}

/* Where there was no room, there was none for the log either. */
char *log_reason(const char *log, size_t from)
{
	char *reason = find_reason(log, from);
	struct statvfs fs;

	if (!reason && !statvfs(log, &fs) && !fs.f_bavail)
		reason = xstrdup(strerror(ENOSPC));
	return reason;
}

static size_t log_size(const char *log)
{
	struct stat st;

	return stat(log, &st) ? 0 : (size_t)st.st_size;
}

/* One of the tools, in the build folder; @argv is released. */
static int run_tool(const struct link *link, struct argv *argv, struct error *err)
{
	struct process process = {
		.argv = argv, .folder = link->build, .log = link->log, .stop = link->stop
	};
	size_t before = log_size(link->log);
	int status, ret = process_run(&process, &status, err);

	if (!ret && status) {
		char *reason = log_reason(link->log, before);

		ret = error_set(err, ENOEXEC, "%s fails (%s): %.200s", argv->word[0], link->log,
				reason ? reason : "it doesn't say why");
		free(reason);
	}
	argv_release(argv);
	return ret;
}

static int put_text(const struct link *link, const char *name, const char *text, size_t n,
		    struct error *err)
{
	char *path = xasprintf("%s/link/%s", link->build, name);
	int ret = file_replace(AT_FDCWD, path, text, n, 0644, err);

	free(path);
	return ret;
}

static void add_includes(const struct link *link, struct argv *argv)
{
	static const char arch[] = "arch/" KIT_ARCH "/include";

	/* in the order in which the kernel's own makefile has them */
	argv_add(argv, "-I%s/%s", link->overlay, arch);
	argv_add(argv, "-I%s/generated", arch);
	argv_add(argv, "-I%s/include", link->overlay);
	argv_add(argv, "-Iinclude");
	argv_add(argv, "-I%s/%s/uapi", link->overlay, arch);
	argv_add(argv, "-I%s/generated/uapi", arch);
	argv_add(argv, "-I%s/include/uapi", link->overlay);
	argv_add(argv, "-Iinclude/generated/uapi");
	argv_add(argv, "-include");
	argv_add(argv, "%s/include/linux/kconfig.h", link->overlay);
}

static int make_script(const struct link *link, struct error *err)
{
	static const char *const words[] = { "gcc",
					     "-E",
					     "-P",
					     "-undef",
					     "-D__ASSEMBLY__",
					     "-D__ASSEMBLER__",
					     "-DLINKER_SCRIPT",
					     "-D__KERNEL__",
					     "-x",
					     "assembler-with-cpp" };
	struct argv argv = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		argv_add(&argv, "%s", words[i]);
	add_includes(link, &argv);
	argv_add(&argv, "-o");
	argv_add(&argv, "link/link.lds");
	argv_add(&argv, "%s/link.lds.S", link->kit);
	return run_tool(link, &argv, err);
}

static int join_objects(const struct link *link, struct error *err)
{
	struct argv argv = { 0 };

	argv_add(&argv, "ld");
	argv_add(&argv, "-r");
	argv_add(&argv, "-T");
	argv_add(&argv, "link/link.lds");
	argv_add(&argv, "-o");
	argv_add(&argv, "link/1.o");
	argv_add_all(&argv, &link->real);
	argv_add_all(&argv, &link->shim);
	return run_tool(link, &argv, err);
}

/* Of which only the address is used and that nobody knows: functions, by the tree's headers, or the build ends with their names. */
static int resolve_unknown(struct link *link, const struct argv *unknown, struct strbuf *source,
			   struct error *err)
{
	struct argv functions = { 0 };
	struct strbuf data = { 0 };
	int ret = declared_functions(&functions, link, unknown, err);

	for (size_t i = 0; i < unknown->n && !ret; i++)
		if (!argv_has(&functions, unknown->word[i]))
			strbuf_addf(&data, "%s%s", data.len ? ", " : "", unknown->word[i]);
	for (size_t i = 0; i < functions.n && !ret; i++) {
		argv_add(&link->aborting, "%s", functions.word[i]);
		stub_source(source, functions.word[i], STUB_ABORT);
	}
	if (data.len)
		ret = error_set(err, ENOSYS,
				"the tree needs data that schedproof doesn't have: %.300s; to be "
				"defined in arch/kernel/data.c of its kit (src/kcore/kit)",
				data.s);
	argv_release(&functions);
	strbuf_release(&data);
	return ret;
}

/* C of the stubs. */
static int choose_stubs(struct link *link, struct strbuf *source, struct error *err)
{
	const char *list = kit_text("stubs.list");
	struct object_symbol *symbols = NULL;
	struct argv unknown = { 0 };
	char *path = xasprintf("%s/link/1.o", link->build);
	size_t n = 0;
	int ret = object_undefined(&symbols, &n, path, err);

	stub_prologue(source);
	for (size_t i = 0; i < n; i++) {
		enum stub_kind kind = stub_kind(&symbols[i], list);

		if (kind == STUB_UNKNOWN) {
			argv_add(&unknown, "%s", symbols[i].name);
			continue;
		}
		argv_add(kind == STUB_ZERO ? &link->zero : &link->aborting, "%s", symbols[i].name);
		stub_source(source, symbols[i].name, kind);
	}
	if (unknown.n)
		ret = resolve_unknown(link, &unknown, source, err);
	object_symbols_free(symbols, n);
	argv_release(&unknown);
	free(path);
	return ret;
}

/* C that is made here, link/NAME.c, becomes link/NAME.o. */
static int compile(const struct link *link, const char *name, const struct strbuf *source,
		   struct error *err)
{
	/* stubs have names of functions that the compiler may know with other arguments: -w */
	static const char *const words[] = { "gcc",
					     "-c",
					     "-w",
					     "-O1",
					     "-fPIC",
					     "-ffreestanding",
					     "-fno-builtin",
					     "-fvisibility=hidden",
					     "-fno-stack-protector" };
	struct argv argv = { 0 };
	char *file = xasprintf("%s.c", name);
	int ret = put_text(link, file, source->s, source->len, err);

	free(file);
	if (ret)
		return ret;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		argv_add(&argv, "%s", words[i]);
	argv_add(&argv, "-o");
	argv_add(&argv, "link/%s.o", name);
	argv_add(&argv, "link/%s.c", name);
	return run_tool(link, &argv, err);
}

static int run_words(const struct link *link, const char *const *words, struct error *err)
{
	struct argv argv = { 0 };

	for (; *words; words++)
		argv_add(&argv, "%s", *words);
	return run_tool(link, &argv, err);
}

/* All but the one name stays inside: the kernel's names are those of the C library too. */
static int make_shared(const struct link *link, const struct strbuf *names, struct error *err)
{
	static const char *const join[] = { "ld",	"-r",		"-o",		"link/2.o",
					    "link/1.o", "link/stubs.o", "link/names.o", NULL };
	static const char *const hide[] = { "objcopy", "--keep-global-symbol=schedproof_core",
					    "link/2.o", "link/3.o", NULL };
	static const char *const shared[] = {
		"gcc",	       "-shared", "-nostdlib",	  "-Wl,-z,text", "-Wl,-z,noexecstack",
		"-Wl,-z,defs", "-o",	  "link/core.so", "link/3.o",	 NULL
	};
	int ret = compile(link, "names", names, err);

	if (!ret)
		ret = run_words(link, join, err);
	if (!ret)
		ret = run_words(link, hide, err);
	return ret ? ret : run_words(link, shared, err);
}

/* Where functions are is known when all is linked, so it is linked a second time, with the table of their names. */
static int make_named(const struct link *link, struct error *err)
{
	struct strbuf none = { 0 }, names = { 0 }, again = { 0 };
	char *object = xasprintf("%s/link/core.so", link->build);
	int ret = names_source(&none, NULL, err);

	if (!ret)
		ret = make_shared(link, &none, err);
	if (!ret)
		ret = names_source(&names, object, err);
	if (!ret)
		ret = make_shared(link, &names, err);
	if (!ret)
		ret = names_source(&again, object, err);
	if (!ret && strcmp(strbuf_str(&names), strbuf_str(&again)) != 0)
		ret = error_set(err, ENOEXEC, "%s: the table of names has moved functions", object);
	strbuf_release(&none);
	strbuf_release(&names);
	strbuf_release(&again);
	free(object);
	return ret;
}

int link_core(struct link *link, struct error *err)
{
	struct strbuf source = { 0 };
	char *folder = xasprintf("%s/link", link->build);
	int ret = make_folders(AT_FDCWD, folder, 0755, err);

	free(folder);
	if (!ret)
		ret = make_script(link, err);
	if (!ret)
		ret = join_objects(link, err);
	if (!ret)
		ret = choose_stubs(link, &source, err);
	if (!ret)
		ret = compile(link, "stubs", &source, err);
	if (!ret)
		ret = make_named(link, err);
	strbuf_release(&source);
	return ret;
}

int link_add_facts(const struct link *link, const char *json, struct error *err)
{
	static const char *const words[] = { "objcopy", "--remove-section=" FACTS_SECTION,
					     "--add-section=" FACTS_SECTION "=link/facts.json",
					     "link/core.so", NULL };
	int ret = put_text(link, "facts.json", json, strlen(json), err);

	return ret ? ret : run_words(link, words, err);
}

void link_release(struct link *link)
{
	argv_release(&link->make);
	argv_release(&link->real);
	argv_release(&link->shim);
	argv_release(&link->aborting);
	argv_release(&link->zero);
}
