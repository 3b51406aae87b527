// SPDX-License-Identifier: GPL-2.0-only
/* kcore/make.c - what the tree's own makefiles do. */
#include "kcore/job.h"

#include "base/file.h"
#include "base/mem.h"
#include "kcore/config.h"
#include "kcore/kit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONFIG_MAX (4 << 20)

static void begin_make(const struct job *job, struct argv *argv)
{
	argv_add(argv, "make");
	argv_add(argv, "--no-print-directory");
	argv_add(argv, "-s");
	argv_add(argv, "-C");
	argv_add(argv, "%s", job->overlay);
	argv_add(argv, "O=%s", job->build);
	argv_add(argv, "ARCH=" KIT_ARCH);
	argv_add(argv, "KIT_INCLUDE=%s", job->kit);
	if (job->how->cost)
		argv_add(argv, "KCFLAGS=-fsanitize-coverage=trace-pc");
}

/* @argv is released. */
static int run_make(const struct job *job, struct argv *argv, struct error *err)
{
	/* nothing of today or of this machine goes into an object */
	static const char *const env[] = { "KBUILD_BUILD_TIMESTAMP=1970-01-01",
					   "KBUILD_BUILD_USER=schedproof",
					   "KBUILD_BUILD_HOST=schedproof", NULL };
	struct process process = {
		.argv = argv, .env = env, .log = job->log, .stop = job->how->stop
	};
	struct stat st;
	size_t before = stat(job->log, &st) ? 0 : (size_t)st.st_size;
	int status, ret = process_run(&process, &status, err);

	if (!ret && status) {
		char *reason = log_reason(job->log, before);

		ret = error_set(err, ENOEXEC, "it doesn't compile (%s): %.250s", job->log,
				reason ? reason : "make doesn't say why");
		free(reason);
	}
	argv_release(argv);
	return ret;
}

static bool same_file(const char *path, const struct strbuf *text)
{
	struct strbuf there = { 0 };
	bool same = !file_read(&there, AT_FDCWD, path, CONFIG_MAX, NULL) &&
		    there.len == text->len && !memcmp(there.s, text->s, text->len);

	strbuf_release(&there);
	return same;
}

/*
 * The .config is written where what we want of it is new, or the kit, whose Kconfig may let an option be that was dropped before: make
 * takes a new one for a change.
 */
static int put_config(const struct job *job, const struct strbuf *text, struct error *err)
{
	char *wanted = xasprintf("%s/wanted.config", job->build);
	char *config = xasprintf("%s/.config", job->build);
	int ret = make_folders(AT_FDCWD, job->build, 0755, err);

	if (!ret && (access(config, R_OK) || !same_file(wanted, text))) {
		ret = file_replace(AT_FDCWD, config, text->s, text->len, 0644, err);
		if (!ret)
			ret = file_replace(AT_FDCWD, wanted, text->s, text->len, 0644, err);
	}
	free(wanted);
	free(config);
	return ret;
}

int job_configure(struct job *job, struct error *err)
{
	struct strbuf text = { 0 };
	struct argv argv = { 0 };
	int ret;

	strbuf_addf(&text, "# kit %016" PRIx64 "\n", job->wanted.kit);
	config_merge(&text, kit_text("arch/configs/" KIT_ARCH "_defconfig"), job->user_config,
		     job->how->cpus);
	ret = put_config(job, &text, err);
	strbuf_release(&text);
	if (ret)
		return ret;
	/* each time: an edited Kconfig file may ask something new */
	begin_make(job, &argv);
	argv_add(&argv, "olddefconfig");
	return run_make(job, &argv, err);
}

static bool in_tree(const struct job *job, const char *object)
{
	static const char *const suffixes[] = { "c", "S" };
	bool there = false;

	for (size_t i = 0; i < ARRAY_SIZE(suffixes) && !there; i++) {
		char *path = xasprintf("%s/%.*s%s", job->src, (int)strlen(object) - 1, object,
				       suffixes[i]);

		there = !access(path, F_OK);
		free(path);
	}
	return there;
}

/* Those of the kit's list that this tree has. */
static void list_objects(const struct job *job, struct argv *objects)
{
	const char *at = kit_text("objects.list");
	char buf[256], *word[1];

	while (kit_list(&at, buf, sizeof(buf), word, 1))
		if (in_tree(job, word[0]))
			argv_add(objects, "%s", word[0]);
}

/* Members of a folder's built-in.a, as paths below the build folder. */
static int list_members(const struct job *job, const char *folder, struct argv *objects,
			struct error *err)
{
	struct strbuf out = { 0 };
	struct argv argv = { 0 };
	struct process process = { .argv = &argv,
				   .folder = job->build,
				   .output = &out,
				   .log = job->log,
				   .stop = job->how->stop };
	int status, ret;

	argv_add(&argv, "ar");
	argv_add(&argv, "t");
	argv_add(&argv, "%sbuilt-in.a", folder);
	ret = process_run(&process, &status, err);
	if (!ret && (status || !out.len))
		ret = error_set(err, ENOEXEC, "%s: %sbuilt-in.a has no members", job->build,
				folder);
	if (!ret) {
		char *save = NULL;

		for (char *m = strtok_r(out.s, "\n", &save); m; m = strtok_r(NULL, "\n", &save))
			argv_add(objects, "%s%s", strncmp(m, folder, strlen(folder)) ? folder : "",
				 m);
	}
	argv_release(&argv);
	strbuf_release(&out);
	return ret;
}

int job_compile(struct job *job, struct error *err)
{
	static const char sched[] = "kernel/sched/", shim[] = "arch/" KIT_ARCH "/kernel/";
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct argv argv = { 0 }, objects = { 0 };
	int ret;

	list_objects(job, &objects);
	begin_make(job, &job->link.make);
	argv_add_all(&argv, &job->link.make);
	argv_add(&argv, "-j%" PRIu64,
		 job->how->jobs ? job->how->jobs : (uint64_t)(cpus > 0 ? cpus : 1));
	argv_add(&argv, "%s", sched);
	argv_add(&argv, "%s", shim);
	argv_add_all(&argv, &objects);
	ret = run_make(job, &argv, err);
	if (!ret)
		ret = list_members(job, sched, &job->link.real, err);
	argv_add_all(&job->link.real, &objects);
	if (!ret)
		ret = list_members(job, shim, &job->link.shim, err);
	argv_release(&objects);
	return ret;
}
