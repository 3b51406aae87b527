// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/checkout.h"

#include "base/file.h"
#include "base/mem.h"
#include "kcore/kit.h"
#include "kcore/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * What the build reads of a tree, as git's patterns: all Kconfig files, and no driver, file system, protocol or architecture
 * beside them; the syscall table is what the tree's own check of them reads. That is a fifth of the files. Folders of the
 * kit's objects are added.
 */
static const char needed[] = "/*\n"
			     "!/Documentation/\n"
			     "!/LICENSES/\n"
			     "!/arch/*/*\n"
			     "!/drivers/*/\n"
			     "!/fs/*/\n"
			     "!/net/*/\n"
			     "!/samples/*\n"
			     "!/sound/*\n"
			     "!/tools/perf/\n"
			     "!/tools/testing/\n"
			     "/arch/x86/entry/syscalls/\n"
			     "Kconfig*\n";

static char *patterns(void)
{
	const char *at = kit_text("objects.list");
	struct strbuf sb = { 0 };
	char buf[256], *word[1];

	strbuf_addstr(&sb, needed);
	while (kit_list(&at, buf, sizeof(buf), word, 1)) {
		const char *slash = strrchr(word[0], '/');

		strbuf_addf(&sb, "/%.*s\n", (int)(slash ? slash + 1 - word[0] : 0), word[0]);
	}
	return strbuf_take(&sb);
}

/* Runs git with those words; its output without the last newline. */
static int git(const struct checkout *checkout, struct argv *argv, char **output, struct error *err)
{
	struct strbuf out = { 0 };
	struct process process = { .argv = argv,
				   .log = checkout->log,
				   .stop = checkout->stop,
				   .output = output ? &out : NULL };
	int status, ret = process_run(&process, &status, err);

	if (!ret && status)
		ret = error_set(err, ENOENT, "git fails: see %s", checkout->log);
	if (!ret && output) {
		*output = out.s ? strbuf_take(&out) : xstrdup("");
		(*output)[strcspn(*output, "\n")] = '\0';
	}
	strbuf_release(&out);
	return ret;
}

static int ask(const struct checkout *checkout, char **output, const char *question,
	       const char *word, struct error *err)
{
	struct argv argv = { 0 };
	int ret;

	argv_add(&argv, "git");
	argv_add(&argv, "-C");
	argv_add(&argv, "%s", checkout->tree);
	argv_add(&argv, "rev-parse");
	argv_add(&argv, "%s", question);
	if (word)
		argv_add(&argv, "%s", word);
	ret = git(checkout, &argv, output, err);
	argv_release(&argv);
	return ret;
}

/* "REV^" is the user's REV where it is missing itself. Return: -ENOENT, or -EINTR */
static int say_missing(struct checkout *checkout, const char *rev, struct error *err)
{
	const size_t n = strlen(rev);
	char *child, *commit, *hash = NULL;
	int ret;

	if (!n || rev[n - 1] != '^')
		return error_set(err, ENOENT, "%s: there is no commit '%s'", checkout->tree, rev);
	child = xstrndup(rev, n - 1);
	commit = xasprintf("%s^{commit}", child);
	ret = ask(checkout, &hash, "--verify", commit, err);
	if (!ret)
		ret = error_set(err, ENOENT,
				"%s: commit '%s' has no parent here: it is the first one, or the "
				"clone is shallow",
				checkout->tree, child);
	else if (ret != -EINTR)
		ret = error_set(err, ENOENT, "%s: there is no commit '%s'", checkout->tree, child);
	free(child);
	free(commit);
	free(hash);
	return ret;
}

int checkout_find(struct checkout *checkout, const char *rev, struct error *err)
{
	char *commit = xasprintf("%s^{commit}", rev), *prefix = NULL, *objects = NULL;
	int ret;

	ret = ask(checkout, &prefix, "--show-prefix", NULL, NULL);
	if (ret == -EINTR)
		error_set(err, EINTR, "stopped");
	else if (ret)
		ret = error_set(err, ENOENT,
				"%s: no git repository that can be read: %s has git's reason",
				checkout->tree, checkout->log);
	else if (*prefix)
		ret = error_set(err, EINVAL, "%s: inside of a repository, not its top",
				checkout->tree);
	if (!ret && *rev == '-')
		ret = error_set(err, ENOENT, "'%s' is no revision", rev);
	if (!ret) {
		ret = ask(checkout, &checkout->hash, "--verify", commit, err);
		if (ret && ret != -EINTR)
			ret = say_missing(checkout, rev, err);
	}
	if (!ret)
		ret = ask(checkout, &checkout->brief, "--short=12", checkout->hash, err);
	if (!ret)
		ret = ask(checkout, &objects, "--git-path", "objects", err);
	if (!ret) {
		char *path = *objects == '/' ? xstrdup(objects)
					     : xasprintf("%s/%s", checkout->tree, objects);

		checkout->objects = realpath(path, NULL);
		if (!checkout->objects)
			ret = error_set(err, errno, "%s: %s", path, strerror(errno));
		free(path);
	}
	free(commit);
	free(prefix);
	free(objects);
	return ret;
}

static int put_text(const char *folder, const char *name, const char *text, struct error *err)
{
	char *path = xasprintf("%s/%s", folder, name);
	int ret = file_replace(AT_FDCWD, path, text, strlen(text), 0644, err);

	free(path);
	return ret;
}

/* An empty repository that finds its objects in the user's. */
static int make_borrower(const struct checkout *checkout, const char *repo, struct error *err)
{
	char *alternates = xasprintf("%s\n", checkout->objects), *files = patterns();
	struct argv argv = { 0 };
	int ret;

	argv_add(&argv, "git");
	argv_add(&argv, "init");
	argv_add(&argv, "--quiet");
	argv_add(&argv, "--bare");
	argv_add(&argv, "--template=");
	argv_add(&argv, "%s", repo);
	ret = git(checkout, &argv, NULL, err);
	argv_release(&argv);
	if (!ret) {
		char *info = xasprintf("%s/info", repo);

		ret = make_folders(AT_FDCWD, info, 0755, err);
		free(info);
	}
	if (!ret)
		ret = put_text(repo, "objects/info/alternates", alternates, err);
	if (!ret)
		ret = put_text(repo, "info/sparse-checkout", files, err);
	free(alternates);
	free(files);
	return ret;
}

int checkout_files(const struct checkout *checkout, const char *folder, struct error *err)
{
	char *repo = xasprintf("%s/repo.git", folder), *src = xasprintf("%s/src", folder);
	char *lock = xasprintf("%s/index.lock", repo);
	struct argv argv = { 0 };
	int ret = make_folders(AT_FDCWD, src, 0755, err);

	if (!ret)
		ret = make_borrower(checkout, repo, err);
	/* of one that was killed; nobody else is here: the caller holds the folder's lock */
	unlink(lock);
	argv_add(&argv, "git");
	argv_add(&argv, "--git-dir=%s", repo);
	argv_add(&argv, "--work-tree=%s", src);
	argv_add(&argv, "-c");
	argv_add(&argv, "core.sparseCheckout=true");
	argv_add(&argv, "-c");
	argv_add(&argv, "core.bare=false");
	argv_add(&argv, "-c");
	argv_add(&argv, "advice.detachedHead=false");
	argv_add(&argv, "checkout");
	argv_add(&argv, "--quiet");
	argv_add(&argv, "--force");
	argv_add(&argv, "--detach");
	argv_add(&argv, "%s", checkout->hash);
	if (!ret)
		ret = git(checkout, &argv, NULL, err);
	if (ret && ret != -EINTR)
		error_prefix(err, "commit %s", checkout->brief);
	argv_release(&argv);
	free(repo);
	free(src);
	free(lock);
	return ret;
}

void checkout_release(struct checkout *checkout)
{
	free(checkout->hash);
	free(checkout->brief);
	free(checkout->objects);
	checkout->hash = checkout->brief = checkout->objects = NULL;
}
