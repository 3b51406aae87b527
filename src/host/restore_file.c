// SPDX-License-Identifier: GPL-2.0-only
#include "host/restore.h"

#include "base/file.h"
#include "base/json_out.h"
#include "base/mem.h"
#include "host/cgroup.h"

#include <errno.h>
#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VERSION	 1
#define FILE_MAX ((size_t)1 << 20)

static char *restore_path(const struct host *host)
{
	return xasprintf("%s/restore.json", host->state_dir);
}

static void write_knob(struct json_out *out, const struct knob *knob)
{
	json_out_object(out, NULL);
	json_out_bool(out, "debugfs", knob->debugfs);
	json_out_str(out, "path", knob->path);
	json_out_str(out, "value", knob->original);
	json_out_end_object(out);
}

static void write_restore(struct json_out *out, const struct restore *restore,
			  const struct host *host)
{
	json_out_object(out, NULL);
	json_out_int(out, "version", VERSION);
	json_out_str(out, "boot_id", host->boot_id);
	json_out_int(out, "pid", getpid());
	json_out_array(out, "files");
	for (size_t i = 0; i < restore->knobs.n; i++)
		write_knob(out, &restore->knobs.list[i]);
	json_out_end_array(out);
	json_out_array(out, "cgroups");
	for (size_t i = 0; i < restore->nr_cgroups; i++)
		json_out_str(out, NULL, restore->cgroups[i]);
	json_out_end_array(out);
	json_out_end_object(out);
}

int restore_save(const struct restore *restore, const struct host *host, struct error *err)
{
	struct strbuf sb = { 0 };
	struct json_out out = { .sb = &sb };
	char *path = restore_path(host);
	int ret;

	write_restore(&out, restore, host);
	strbuf_addch(&sb, '\n');
	ret = file_replace(host->root_fd, path, sb.s, sb.len, 0644, err);
	strbuf_release(&sb);
	free(path);
	return ret;
}

/* No step up, no empty step: below where it starts. */
static bool stays_below(const char *path)
{
	char *copy = xasprintf("/%s/", path);
	bool below = !strstr(copy, "//") && !strstr(copy, "/./") && !strstr(copy, "/../");

	free(copy);
	return below;
}

static bool is_subtree_control(const struct host *host, const char *path)
{
	size_t n = host->cgroup2 ? strlen(host->cgroup2) : 0;

	return n && !strncmp(path, host->cgroup2, n) && path[n] == '/' &&
	       !fnmatch("*/cgroup.subtree_control", path + n, 0);
}

static bool knob_is_ours(const struct host *host, bool debugfs, const char *path, const char *value)
{
	static const char *const patterns[] = {
		"proc/sys/*",
		"sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
		"sys/kernel/mm/transparent_hugepage/enabled",
	};
	bool ours = debugfs ? !strncmp(path, "sched/", 6) : is_subtree_control(host, path);

	for (size_t i = 0; !debugfs && !ours && i < ARRAY_SIZE(patterns); i++)
		ours = !fnmatch(patterns[i], path, 0);
	return ours && stays_below(path) && !value[strcspn(value, "\n")];
}

static int read_knob(struct restore *restore, const struct host *host, json_t *entry,
		     struct error *err)
{
	const char *path, *value;
	int debugfs;

	if (json_unpack(entry, "{s:b, s:s, s:s}", "debugfs", &debugfs, "path", &path, "value",
			&value))
		return error_set(err, EINVAL, "an entry of 'files' is not whole");
	if (!knob_is_ours(host, debugfs, path, value))
		return error_set(err, EINVAL, "'%.160s' is no file that schedproof changes", path);
	knobs_add(&restore->knobs, debugfs, path, value);
	return 0;
}

static int read_cgroup(struct restore *restore, const struct host *host, json_t *entry,
		       struct error *err)
{
	const char *path = json_string_value(entry);

	if (!path || !cgroup_is_ours(host, path) || !stays_below(path))
		return error_set(err, EINVAL, "'%.160s' is no cgroup that schedproof makes",
				 path ? path : "");
	restore_add_cgroup(restore, path);
	return 0;
}

static int read_restore(struct restore *restore, bool *this_boot, const struct host *host,
			json_t *root, struct error *err)
{
	json_t *files, *cgroups, *entry;
	const char *boot_id;
	int version, ret = 0;
	size_t i;

	if (json_unpack(root, "{s:i, s:s, s:o, s:o}", "version", &version, "boot_id", &boot_id,
			"files", &files, "cgroups", &cgroups) ||
	    version != VERSION || !json_is_array(files) || !json_is_array(cgroups))
		return error_set(err, EINVAL, "not a restore file of this version of schedproof");
	*this_boot = !strcmp(boot_id, host->boot_id);
	if (!*this_boot)
		return 0; /* it may have been mounted and built otherwise: nothing to judge */
	json_array_foreach(files, i, entry) if (!ret) ret = read_knob(restore, host, entry, err);
	json_array_foreach(cgroups, i, entry) if (!ret) ret =
		read_cgroup(restore, host, entry, err);
	return ret;
}

int restore_load(struct restore *restore, bool *this_boot, const struct host *host,
		 struct error *err)
{
	struct restore loaded = { 0 };
	char *path = restore_path(host);
	struct strbuf sb = { 0 };
	json_error_t json_err;
	json_t *root = NULL;
	int ret = file_read(&sb, host->root_fd, path, FILE_MAX, err);

	if (ret)
		goto out;
	root = json_loadb(strbuf_str(&sb), sb.len, 0, &json_err);
	ret = root ? read_restore(&loaded, this_boot, host, root, err)
		   : error_set(err, EINVAL, "line %d: %s", json_err.line, json_err.text);
	if (ret) {
		error_prefix(err, "%s", path);
		restore_release(&loaded);
		goto out;
	}
	*restore = loaded;
out:
	json_decref(root);
	strbuf_release(&sb);
	free(path);
	return ret;
}

int restore_forget(const struct host *host, struct error *err)
{
	char *path = restore_path(host);
	int ret = 0;

	if (unlinkat(host->root_fd, path, 0) && errno != ENOENT)
		ret = error_set(err, errno, "%s: %s", path, strerror(errno));
	free(path);
	return ret;
}
