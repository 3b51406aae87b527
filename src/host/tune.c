// SPDX-License-Identifier: GPL-2.0-only
#include "host/tune.h"

#include "base/cpumask.h"
#include "base/file.h"
#include "base/mem.h"
#include "host/attr.h"
#include "host/cgroup.h"
#include "host/restore.h"
#include "host/wish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/**
 * struct tune_variant - one variant on this machine
 * @booted: its kernel is the one that runs; otherwise nothing of it was looked at
 * @cgroup: folder of its own cgroup, or NULL; @procs: the file to enter it by
 */
struct tune_variant {
	const struct settings *settings;
	const char *name;
	bool booted;
	struct wishes wishes;
	char *cgroup;
	char *procs;
};

/**
 * struct tune - see tune.h
 * @restore: originals of all that any variant changes, and its cgroups
 * @saved:   the restore file is on disk
 */
struct tune {
	const struct host *host;
	int lock_fd;
	struct restore restore;
	bool saved;
	struct tune_variant *variants;
	size_t n;
};

static int check_online(const struct host *host, const struct settings *settings, struct error *err)
{
	static const char *const keys[] = { "cpus", "cgroup.cpuset.cpus" };
	struct cpumask cpus = { 0 };
	struct strbuf online = { 0 };
	int ret = 0;

	cpumask_print(&host->online, &online);
	for (size_t i = 0; i < ARRAY_SIZE(keys) && !ret; i++) {
		const char *text = settings_get(settings, keys[i]);

		if (!text || !online.len)
			continue;
		cpumask_parse(&cpus, text, NULL);
		if (!cpumask_subset(&cpus, &host->online))
			ret = error_set(err, EINVAL, "%s: %s are not all online, %s are", keys[i],
					text, online.s);
	}
	strbuf_release(&online);
	cpumask_release(&cpus);
	return ret;
}

/* What can be known without changing anything. */
static int find_variant(struct tune *tune, size_t i, struct error *err)
{
	struct tune_variant *variant = &tune->variants[i];
	struct knobs *knobs = &tune->restore.knobs;
	int ret;

	variant->booted = settings_kernel_matches(variant->settings, tune->host->release);
	if (!variant->booted)
		return 0;
	ret = settings_validate(variant->settings, err);
	if (!ret)
		ret = check_online(tune->host, variant->settings, err);
	if (!ret)
		ret = wishes_resolve(&variant->wishes, knobs, tune->host, variant->settings, err);
	if (!ret)
		ret = cgroup_plan(&variant->cgroup, &variant->wishes, knobs, tune->host,
				  variant->settings, i, err);
	if (ret || !variant->cgroup)
		return ret;
	variant->procs = xasprintf("%s/cgroup.procs", variant->cgroup);
	restore_add_cgroup(&tune->restore, variant->cgroup);
	return 0;
}

static int save(struct tune *tune, struct error *err)
{
	int ret = 0;

	if (tune->saved || (!tune->restore.knobs.n && !tune->restore.nr_cgroups))
		return 0;
	ret = restore_save(&tune->restore, tune->host, err);
	tune->saved = !ret;
	return ret;
}

static int write_knobs(struct tune *tune, const struct tune_variant *variant, struct error *err)
{
	const struct knobs *knobs = &tune->restore.knobs;
	const char **values = xcalloc(knobs->n, sizeof(*values));
	size_t count;
	int ret;

	for (size_t i = 0; i < knobs->n; i++) {
		const struct wish *wish = wishes_find(&variant->wishes, i);

		values[i] = wish ? wish->value : knobs->list[i].original;
	}
	ret = knobs_write(knobs, tune->host, values, &count, err);
	free(values);
	return ret;
}

static int remove_cgroups(struct tune *tune, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; i < tune->restore.nr_cgroups && !ret; i++)
		ret = cgroup_remove(tune->host, tune->restore.cgroups[i], err);
	return ret;
}

/* @name: NULL if the settings are nobody's */
static void say_whose(struct error *err, const char *name)
{
	if (name)
		error_prefix(err, "variant %s", name);
}

int tune_apply(struct tune *tune, size_t i, struct error *err)
{
	struct tune_variant *variant = &tune->variants[i];
	int ret = variant->booted ? save(tune, err)
				  : error_set(err, EINVAL, "its kernel is not booted");

	if (!ret)
		ret = remove_cgroups(tune, err);
	if (!ret)
		ret = write_knobs(tune, variant, err);
	if (!ret && variant->cgroup)
		ret = cgroup_make(tune->host, variant->cgroup, variant->settings, err);
	if (ret)
		say_whose(err, variant->name);
	return ret;
}

const char *tune_cgroup(const struct tune *tune, size_t i)
{
	return tune->variants[i].procs;
}

int tune_restore(struct tune *tune, struct error *err)
{
	size_t count;
	int ret;

	if (!tune->saved)
		return 0;
	ret = restore_put_back(&tune->restore, tune->host, &count, err);
	if (!ret)
		ret = restore_forget(tune->host, err);
	tune->saved = ret != 0;
	return ret;
}

/*
 * The originals are written over themselves: what the kernel doesn't take now it would not take later.
 * Nothing is changed by that, so the restore file can go if it fails.
 */
static int rehearse_restore(struct tune *tune, struct error *err)
{
	size_t count;
	int ret = restore_put_back(&tune->restore, tune->host, &count, err);

	if (!ret)
		return 0;
	restore_forget(tune->host, NULL);
	tune->saved = false;
	error_prefix(err, "a setting that could not be put back later");
	return ret;
}

/* Applied, and the process attributes tried with the settings in force. */
static int rehearse_variant(struct tune *tune, size_t i, struct error *err)
{
	const struct tune_variant *variant = &tune->variants[i];
	int ret;

	if (!variant->booted)
		return 0;
	ret = tune_apply(tune, i, err);
	if (ret || !tune->host->live)
		return ret;
	ret = settings_try(variant->settings, tune->host->root_fd, variant->procs, err);
	if (ret)
		say_whose(err, variant->name);
	return ret;
}

static int rehearse(struct tune *tune, struct error *err)
{
	int ret = save(tune, err);

	if (!ret)
		ret = rehearse_restore(tune, err);
	for (size_t i = 0; !ret && i < tune->n; i++)
		ret = rehearse_variant(tune, i, err);
	return ret ? ret : tune_restore(tune, err);
}

/* With the lock held. */
static int recover(const struct host *host, size_t *count, struct error *err)
{
	struct restore restore = { 0 };
	struct error why = { 0 };
	bool this_boot = false;
	int ret = restore_load(&restore, &this_boot, host, &why);

	*count = 0;
	if (ret == -ENOENT)
		return 0;
	if (!ret && this_boot) {
		ret = restore_put_back(&restore, host, count, &why);
		if (ret)
			error_prefix(&why, "%s/restore.json", host->state_dir);
	}
	if (!ret)
		ret = restore_forget(host, &why);
	restore_release(&restore);
	if (!ret)
		return 0;
	return error_set(err, -ret, "what an interrupted experiment changed can't be put back: %s",
			 why.text);
}

static int take_lock(struct tune *tune, struct error *err)
{
	const struct host *host = tune->host;
	size_t count;
	int ret;

	if (!host->state_dir)
		return error_set(err, ENOENT, "no folder for the restore file: set XDG_STATE_HOME");
	ret = make_folders(host->root_fd, host->state_dir, 0755, err);
	if (ret)
		error_prefix(err, "no folder for the restore file, see XDG_STATE_HOME");
	if (!ret)
		ret = restore_lock(host, &tune->lock_fd, err);
	return ret ? ret : recover(host, &count, err);
}

static struct tune *tune_new(const struct host *host, const struct settings *const *variants,
			     const char *const *names, size_t n)
{
	struct tune *tune = xcalloc(1, sizeof(*tune));

	tune->host = host;
	tune->lock_fd = -1;
	tune->n = n;
	tune->variants = xcalloc(n, sizeof(*tune->variants));
	for (size_t i = 0; i < n; i++) {
		tune->variants[i].settings = variants[i];
		tune->variants[i].name = names[i];
	}
	return tune;
}

int tune_open(struct tune **out, const struct host *host, const struct settings *const *variants,
	      const char *const *names, size_t n, struct error *err)
{
	struct tune *tune = tune_new(host, variants, names, n);
	int ret = take_lock(tune, err);

	for (size_t i = 0; !ret && i < n; i++) {
		ret = find_variant(tune, i, err);
		if (ret)
			say_whose(err, names[i]);
	}
	if (!ret)
		ret = rehearse(tune, err);
	if (ret)
		tune_free(tune);
	else
		*out = tune;
	return ret;
}

void tune_free(struct tune *tune)
{
	if (!tune)
		return;
	tune_restore(tune, NULL);
	for (size_t i = 0; i < tune->n; i++) {
		wishes_release(&tune->variants[i].wishes);
		free(tune->variants[i].cgroup);
		free(tune->variants[i].procs);
	}
	free(tune->variants);
	restore_release(&tune->restore);
	if (tune->lock_fd >= 0)
		close(tune->lock_fd);
	free(tune);
}

int tune_recover(const struct host *host, size_t *count, struct error *err)
{
	char *path = host->state_dir ? xasprintf("%s/restore.json", host->state_dir) : NULL;
	bool there = path && !faccessat(host->root_fd, path, R_OK, AT_EACCESS);
	int fd, ret;

	free(path);
	*count = 0;
	if (!there)
		return 0;
	ret = restore_lock(host, &fd, err);
	if (ret)
		return ret == -EBUSY ? 0 : ret;
	ret = recover(host, count, err);
	close(fd);
	return ret;
}
