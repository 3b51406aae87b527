// SPDX-License-Identifier: GPL-2.0-only
#include "topo/source.h"

#include "topo/machine_json.h"
#include "topo/preset.h"
#include "topo/unpack.h"

#include "base/file.h"
#include "base/mem.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The largest recorded tree: some thousand small files in an archive. */
#define MAX_BYTES ((size_t)256 << 20)

/* How many folders below the one named a recorded tree is looked for. */
#define INNER_DEPTH 2

/* The first line that starts so, or NULL; a blank in @word may be a tab. */
static const char *line_starting(const char *text, const char *word)
{
	for (const char *at = text; at; at = strchr(at, '\n')) {
		size_t n = 0;

		while (*at == '\n')
			at++;
		while (word[n] && (at[n] == word[n] || (at[n] == '\t' && word[n] == ' ')))
			n++;
		if (!word[n])
			return at;
	}
	return NULL;
}

static bool is_qemu(const char *text)
{
	return line_starting(text, "-smp") || strstr(text, " -smp ") || strstr(text, "-numa ");
}

/* "cpus 8", but not numactl's "cpus per node: 4" */
static bool counts_cpus(const char *text)
{
	const char *at = line_starting(text, "cpus ");

	if (!at)
		return false;
	at += strcspn(at, " \t");
	return isdigit((unsigned char)at[strspn(at, " \t")]);
}

static bool is_machine_file(const char *text)
{
	return line_starting(text, "possible ") || line_starting(text, "share ") ||
	       line_starting(text, "arch ") || line_starting(text, "# cpu ") || counts_cpus(text);
}

static int read_text(struct machine **m, const char *text, size_t len,
		     const struct source_opts *opts, struct error *err)
{
	const int ret = text_check(text, len, err);

	if (ret)
		return ret;
	if (text[strspn(text, " \t\n")] == '{')
		return machine_json_parse(m, text, len, opts, err);
	if (strstr(text, "<topology") && strstr(text, "<?xml"))
		return hwloc_parse(m, text, len, opts, err);
	if (strstr(text, "attaching sched-domain") || strstr(text, "attaching NULL"))
		return dump_parse(m, text, opts, err);
	if (strstr(text, "domain-0:"))
		return error_set(err, EINVAL,
				 "domains without the line 'CPU0 attaching sched-domain(s):' above "
				 "them: a machine is read from the log of all its CPUs");
	if (is_qemu(text))
		return qemu_parse(m, text, opts, err);
	if (is_machine_file(text))
		return machine_file_parse(m, text, opts, err);
	return numactl_parse(m, text, opts, err);
}

/* As a serial console or a mail from elsewhere ends lines. */
static void drop_returns(struct strbuf *sb, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] != '\r')
			strbuf_addch(sb, text[i]);
}

int source_text(struct machine **m, const char *text, size_t len, const char *name,
		const struct source_opts *opts, struct error *err)
{
	bool maybe_tar = len > 512 && len % 512 == 0;
	struct strbuf clean = { 0 };
	int ret;

	if (len > 512 && !memcmp(text + 257, "ustar", 5)) {
		ret = tar_read(m, text, len, opts, err);
	} else if (maybe_tar && !tar_read(m, text, len, opts, NULL)) {
		ret = 0;
	} else if (memchr(text, '\r', len)) {
		drop_returns(&clean, text, len);
		ret = read_text(m, strbuf_str(&clean), clean.len, opts, err);
		strbuf_release(&clean);
	} else {
		ret = read_text(m, text, len, opts, err);
	}
	if (ret)
		error_prefix(err, "%s", name);
	else if (!(*m)->name)
		(*m)->name = xstrdup(name);
	return ret;
}

static bool exists_at(int dir, const char *path)
{
	return faccessat(dir, path, F_OK, 0) == 0;
}

/* "# guest cmdline extra:" of the arguments that the recorded boot was started with. */
static int add_boot_words(struct machine *m, int dir, struct error *err)
{
	struct strbuf text = { 0 };
	const char *at;
	char *words;
	int ret = 0;

	if (!file_read(&text, dir, "qemu-args.txt", MAX_BYTES, NULL) &&
	    (at = strstr(strbuf_str(&text), "guest cmdline extra:"))) {
		words = xstrndup(at + 20, strcspn(at + 20, "\n"));
		ret = machine_set_boot(m, words, err);
		free(words);
	}
	strbuf_release(&text);
	return ret;
}

static int read_facts(struct machine **m, int dir, const struct source_opts *opts,
		      struct error *err)
{
	static const char *const files[] = { "topology/cpus.txt", "topology/nodes.txt",
					     "topology/caches.txt" };
	struct strbuf text = { 0 };
	struct machine *made = NULL;
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(files) && !ret; i++)
		if (i < 2 || exists_at(dir, files[i]))
			ret = file_read(&text, dir, files[i], MAX_BYTES, err);
	if (!ret)
		ret = machine_file_parse(&made, strbuf_str(&text), opts, err);
	if (!ret)
		ret = add_boot_words(made, dir, err);
	if (ret)
		machine_free(made);
	else
		*m = made;
	strbuf_release(&text);
	return ret;
}

/* A recorder may have put its tree some folders down: the first that has one. */
static int inner_folder(int dir, unsigned int depth)
{
	int copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), inner = -1, found = -1;
	DIR *list = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	while (list && found < 0 && (entry = readdir(list))) {
		if (entry->d_name[0] == '.')
			continue;
		inner = openat(dir, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (inner < 0)
			continue;
		if (exists_at(inner, "sys/devices/system/cpu"))
			found = fcntl(inner, F_DUPFD_CLOEXEC, 0);
		else if (depth)
			found = inner_folder(inner, depth - 1);
		close(inner);
	}
	if (list)
		closedir(list);
	else if (copy >= 0)
		close(copy);
	return found;
}

static int read_folder(struct machine **m, const char *path, const struct source_opts *opts,
		       struct error *err)
{
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), inner, ret;

	if (dir < 0)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	if (exists_at(dir, "topology/cpus.txt")) {
		ret = read_facts(m, dir, opts, err);
	} else if (exists_at(dir, "sys/devices/system/cpu")) {
		ret = sysfs_read(m, dir, opts, err);
	} else if ((inner = inner_folder(dir, INNER_DEPTH)) >= 0) {
		ret = sysfs_read(m, inner, opts, err);
		close(inner);
	} else {
		ret = error_set(err, EINVAL, "neither topology/ nor sys/devices/system/cpu below");
	}
	close(dir);
	if (ret)
		error_prefix(err, "%s", path);
	else if (!(*m)->name)
		(*m)->name = xstrdup(path);
	return ret;
}

static int read_live(struct machine **m, const struct source_opts *opts, struct error *err)
{
	struct source_opts live = *opts;
	struct release release = *opts->release;
	struct utsname uts;
	struct strbuf text = { 0 };
	int root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;

	if (root < 0)
		return error_set(err, errno, "/: %s", strerror(errno));
	if (!opts->arch_known && !uname(&uts))
		live.arch_known = !machine_arch_parse(&release.arch, uts.machine, NULL);
	live.release = &release;
	ret = sysfs_read(m, root, &live, err);
	if (ret && !exists_at(root, "sys/devices"))
		error_set(err, -ret, "there is no /sys to read this computer from");
	if (!ret && !file_read(&text, root, "proc/cmdline", MAX_BYTES, NULL))
		ret = machine_set_boot(*m, strbuf_str(&text), err);
	if (!ret)
		(*m)->name = xstrdup("live");
	strbuf_release(&text);
	close(root);
	return ret;
}

/* What a recorder has packed, or text that was. */
static int read_packed(struct machine **m, const struct strbuf *packed, const char *program,
		       const char *path, const struct source_opts *opts, struct error *err)
{
	struct strbuf text = { 0 };
	bool cut;
	int ret = unpack(&text, program, packed->s, packed->len, MAX_BYTES, &cut, err);

	if (ret)
		error_prefix(err, "%s", path);
	else
		ret = source_text(m, strbuf_str(&text), text.len, path, opts, err);
	/* an archive says so itself */
	if (!ret && cut && !strstr(strbuf_str(&(*m)->notes), "cut off"))
		machine_note(*m, "the file is cut off: what %s could unpack is read", program);
	strbuf_release(&text);
	return ret;
}

static int read_file(struct machine **m, const char *path, const struct source_opts *opts,
		     struct error *err)
{
	struct strbuf text = { 0 };
	int ret = file_read_input(&text, path, MAX_BYTES, err);
	const char *program = ret ? NULL : unpack_program(strbuf_str(&text), text.len);

	if (!strcmp(path, "-"))
		path = "standard input";
	if (program)
		ret = read_packed(m, &text, program, path, opts, err);
	else if (!ret)
		ret = source_text(m, strbuf_str(&text), text.len, path, opts, err);
	strbuf_release(&text);
	return ret;
}

/* "pack:2 core:4 pu:2", as hwloc's tools take it; "[numa] ..." too */
static bool is_synthetic(const char *what)
{
	const char *colon = strchr(what, ':');

	return colon && colon > what && isdigit((unsigned char)colon[1]) && !strchr(what, '/') &&
	       !strchr(what, '\n');
}

static int read_preset(struct machine **m, const char *name, const struct source_opts *opts,
		       struct error *err)
{
	const char *nearest = NULL;
	const struct preset *preset = preset_find(name, &nearest);
	int ret;

	if (!preset)
		return error_set(err, ENOENT, "no file, folder or machine '%.80s': %s%s%s", name,
				 nearest ? "did you mean '" : "", nearest ? nearest : "",
				 nearest ? "'?" : "schedproof list machines names those built in");
	ret = machine_file_parse(m, preset->text, opts, err);
	if (ret)
		error_prefix(err, "%s", name);
	return ret;
}

int source_open(struct machine **m, const char *what, const struct source_opts *opts,
		struct error *err)
{
	struct stat st;

	if (!strcmp(what, "live"))
		return read_live(m, opts, err);
	if (!strcmp(what, "-"))
		return read_file(m, what, opts, err);
	if (!stat(what, &st))
		return S_ISDIR(st.st_mode) ? read_folder(m, what, opts, err)
					   : read_file(m, what, opts, err);
	if (is_synthetic(what))
		return hwloc_synthetic(m, what, opts, err);
	if (is_qemu(what) || strchr(what, '\n'))
		return source_text(m, what, strlen(what), "argument", opts, err);
	return read_preset(m, what, opts, err);
}
