// SPDX-License-Identifier: GPL-2.0-only
/* kcore/build.c - a core is built, step by step. */
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "kcore/facts.h"
#include "kcore/inputs.h"
#include "kcore/job.h"
#include "kcore/kit.h"
#include "kcore/place.h"
#include "kcore/tools.h"
#include "kcore/tree.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONFIG_MAX (4 << 20)
#define OBJECT_MAX (256 << 20)

void kcore_built_release(struct kcore_built *built)
{
	kcore_facts_release(&built->facts);
	free(built->real);
	free(built->shim);
	free(built->changed);
	free(built->list);
	*built = (struct kcore_built){ 0 };
}

static void job_release(struct job *job)
{
	char **owned[] = { &job->dir,	  &job->object, &job->log, &job->work,	     &job->src,
			   &job->overlay, &job->build,	&job->kit, &job->user_config };

	for (size_t i = 0; i < ARRAY_SIZE(owned); i++)
		free(*owned[i]);
	kcore_facts_release(&job->wanted);
	checkout_release(&job->checkout);
	link_release(&job->link);
}

/* Text of the .config that options are taken from: the one named, or the tree's if it has one. */
static int read_config(struct job *job, struct error *err)
{
	char *path = job->how->config ? realpath(job->how->config, NULL)
				      : xasprintf("%s/.config", job->wanted.tree);
	struct strbuf text = { 0 };
	int ret = 0;

	if (!path)
		return error_set(err, EINVAL, "%s: %s", job->how->config, strerror(errno));
	if (!job->how->config && access(path, R_OK))
		*path = '\0';
	else if (file_read(&text, AT_FDCWD, path, CONFIG_MAX, err))
		ret = -EINVAL; /* whatever it is, it is no .config */
	job->wanted.config = path;
	if (!ret && *path)
		job->user_config = text.s ? strbuf_take(&text) : xstrdup("");
	strbuf_release(&text);
	return ret;
}

/* A folder's name that tells a person which tree, and nobody else's build: by @source, which is its path or repository. */
static char *work_name(const struct job *job, const char *source)
{
	const char *slash = strrchr(job->wanted.tree, '/');
	uint64_t key[3] = { job->how->cost, job->how->cpus, job->how->rev != NULL };
	uint64_t hash = hash64(HASH64_INIT, source, strlen(source) + 1);
	char *name = xasprintf("%.40s-%016" PRIx64, slash ? slash + 1 : "",
			       hash64(hash, key, sizeof(key)));

	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._+-", *c))
			*c = '_';
	return name;
}

/* Kernel makefiles split paths at blanks and colons; the tree's own path they never see. */
static int check_path(const char *path, struct error *err)
{
	if (strpbrk(path, " \t:"))
		return error_set(
			err, EINVAL,
			"%s: kernel makefiles can't work in a path with blanks or colons: set "
			"XDG_CACHE_HOME",
			path);
	return 0;
}

static int find_commit(struct job *job, struct error *err)
{
	const struct kcore_build *how = job->how;
	char *folder = kcore_folder(err), *log;
	int ret;

	if (!folder)
		return -ENOENT;
	log = xasprintf("%s/git.log", folder);
	ret = make_folders(AT_FDCWD, folder, 0755, err);
	job->checkout =
		(struct checkout){ .tree = job->wanted.tree, .log = log, .stop = how->stop };
	if (!ret)
		ret = checkout_find(&job->checkout, how->rev, err);
	job->checkout.log = NULL;
	free(folder);
	free(log);
	return ret;
}

/* What is known before anything is made: name, places, facts. */
static int plan(struct job *job, struct error *err)
{
	const struct kcore_build *how = job->how;
	struct kcore_facts *wanted = &job->wanted;
	char *folder;
	int ret;

	ret = tree_path(&wanted->tree, how->tree, err);
	if (ret)
		return ret;
	ret = how->rev ? find_commit(job, err) : tree_release(&wanted->release, wanted->tree, err);
	if (!ret)
		ret = read_config(job, err);
	if (ret)
		return ret;
	wanted->rev = xstrdup(how->rev ? job->checkout.hash : "");
	wanted->name = xstrdup(how->name  ? how->name
			       : how->rev ? job->checkout.brief
					  : wanted->release);
	wanted->work = work_name(job, how->rev ? job->checkout.objects : wanted->tree);
	wanted->abi = CORE_ABI;
	wanted->kit = kit_hash();
	wanted->cost = how->cost;
	ret = place_check_name(wanted->name, err);
	folder = ret ? NULL : kcore_folder(err);
	if (!folder)
		return ret ? ret : -ENOENT;
	job->dir = xasprintf("%s/%s", folder, wanted->name);
	job->object = xasprintf("%s/core.so", job->dir);
	job->log = xasprintf("%s/log", job->dir);
	job->work = xasprintf("%s/.work/%s", folder, wanted->work);
	job->overlay = xasprintf("%s/tree", job->work);
	job->build = xasprintf("%s/build", job->work);
	job->kit = xasprintf("%s/kit", job->work);
	job->src = how->rev ? xasprintf("%s/src", job->work) : xstrdup(wanted->tree);
	free(folder);
	return check_path(job->work, err);
}

/* Is the core that is there the one that is wanted? Then its facts are in @built. */
static bool nothing_to_do(const struct job *job, struct kcore_built *built)
{
	struct kcore_facts there = { 0 };
	const struct kcore_facts *wanted = &job->wanted;

	if (job->how->force || kcore_facts_read(&there, job->object, NULL))
		return false;
	if (strcmp(there.tree, wanted->tree) || strcmp(there.rev, wanted->rev) ||
	    strcmp(there.config, wanted->config) || strcmp(there.work, wanted->work) ||
	    strcmp(there.name, wanted->name) || kcore_stale(&there)) {
		kcore_facts_release(&there);
		return false;
	}
	built->facts = there;
	built->unchanged = true;
	built->list = xasprintf("%s/core.txt", job->dir);
	return true;
}

/* Sources where make finds them. */
static int lay_out(struct job *job, struct error *err)
{
	char *arch = xasprintf("%s/arch", job->kit);
	int ret = 0;

	if (job->how->rev) {
		place_say(job->how, "checking out %s", job->checkout.brief);
		job->checkout.log = job->log;
		ret = checkout_files(&job->checkout, job->work, err);
		if (!ret)
			ret = tree_release(&job->wanted.release, job->src, err);
	}
	if (!ret)
		ret = kit_unpack(job->kit, err);
	if (!ret)
		ret = overlay_make(job->overlay, job->src, arch, err);
	free(arch);
	return ret;
}

/* The list of inputs goes first: should we end here, the old object is stale and not wrong. */
static int note_inputs(struct job *job, struct kcore_facts *facts, struct error *err)
{
	char *path = xasprintf("%s/inputs", job->dir);
	struct strbuf list = { 0 };
	uint64_t newest = 0;
	int ret = 0;

	/* a commit never changes */
	if (!job->how->rev)
		ret = inputs_collect(&list, job->build, job->overlay, job->link.real.word, err);
	if (!ret)
		ret = file_replace(AT_FDCWD, path, strbuf_str(&list), list.len, 0644, err);
	if (!ret) {
		inputs_hash(strbuf_str(&list), facts->tree, &newest);
		facts->inputs = newest < job->start_ns ? place_inputs(facts) : 0;
	}
	strbuf_release(&list);
	free(path);
	return ret;
}

static void copy_facts(struct kcore_facts *to, const struct kcore_facts *from)
{
	*to = *from;
	to->name = xstrdup(from->name);
	to->release = xstrdup(from->release);
	to->tree = xstrdup(from->tree);
	to->rev = xstrdup(from->rev);
	to->config = xstrdup(from->config);
	to->work = xstrdup(from->work);
}

/* The finished object takes the old one's place. */
static int put_in_place(struct job *job, struct kcore_built *built, struct error *err)
{
	char *made = xasprintf("%s/link/core.so", job->build);
	struct strbuf json = { 0 }, object = { 0 }, summary = { 0 };
	int ret;

	kcore_facts_json(&built->facts, &json);
	ret = link_add_facts(&job->link, json.s, err);
	if (!ret)
		ret = file_read(&object, AT_FDCWD, made, OBJECT_MAX, err);
	if (!ret)
		ret = file_replace(AT_FDCWD, job->object, object.s, object.len, 0644, err);
	if (!ret) {
		built->facts.size_bytes = object.len;
		job_summary(job, built, &summary);
		ret = file_replace(AT_FDCWD, built->list, summary.s, summary.len, 0644, err);
	}
	strbuf_release(&json);
	strbuf_release(&object);
	strbuf_release(&summary);
	free(made);
	return ret;
}

static int finish(struct job *job, struct kcore_built *built, struct error *err)
{
	struct kcore_facts *facts = &built->facts;
	int ret;

	copy_facts(facts, &job->wanted);
	facts->built_ns = clock_ns(CLOCK_REALTIME);
	facts->real = job->link.real.n;
	facts->shim = job->link.shim.n;
	facts->stubs = job->link.aborting.n + job->link.zero.n;
	built->real = argv_text(&job->link.real);
	built->shim = argv_text(&job->link.shim);
	built->list = xasprintf("%s/core.txt", job->dir);
	ret = job_compare(job, built, err);
	if (!ret)
		ret = note_inputs(job, facts, err);
	return ret ? ret : put_in_place(job, built, err);
}

/* With both locks held. */
static int build(struct job *job, struct kcore_built *built, struct error *err)
{
	int ret;

	if (nothing_to_do(job, built)) /* who we waited for has done it */
		return 0;
	unlink(job->log);
	job->start_ns = clock_ns(CLOCK_REALTIME);
	ret = lay_out(job, err);
	if (ret)
		return ret;
	place_say(job->how, "configuring %s", job->wanted.release);
	ret = job_configure(job, err);
	if (ret)
		return ret;
	place_say(job->how, "compiling kernel/sched of %s", job->wanted.release);
	ret = job_compile(job, err);
	if (ret)
		return ret;
	job->link.build = job->build;
	job->link.overlay = job->overlay;
	job->link.kit = job->kit;
	job->link.log = job->log;
	job->link.stop = job->how->stop;
	place_say(job->how, "linking");
	ret = link_core(&job->link, err);
	return ret ? ret : finish(job, built, err);
}

static int build_alone(struct job *job, struct kcore_built *built, struct error *err)
{
	int name_lock, work_lock, ret = place_lock(&name_lock, job->dir, job->how, err);

	if (ret)
		return ret;
	ret = place_lock(&work_lock, job->work, job->how, err);
	if (!ret) {
		ret = build(job, built, err);
		close(work_lock);
	}
	close(name_lock);
	return ret;
}

int kcore_build(struct kcore_built *built, const struct kcore_build *how, struct error *err)
{
	struct job job = { .how = how };
	struct error own = { 0 };
	int ret;

	*built = (struct kcore_built){ 0 };
	if (!err)
		err = &own;
	ret = how->rev ? tools_check(true, err) : 0;
	if (!ret)
		ret = plan(&job, err);
	if (!ret && !nothing_to_do(&job, built)) {
		ret = tools_check(how->rev != NULL, err);
		if (!ret)
			ret = build_alone(&job, built, err);
	}
	if (ret)
		kcore_built_release(built);
	job_release(&job);
	return ret;
}
