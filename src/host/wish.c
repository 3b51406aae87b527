// SPDX-License-Identifier: GPL-2.0-only
#include "host/wish.h"

#include "base/file.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CPUFREQ "sys/devices/system/cpu/cpufreq"
#define THP	"sys/kernel/mm/transparent_hugepage/enabled"

void wishes_release(struct wishes *wishes)
{
	for (size_t i = 0; i < wishes->n; i++)
		free(wishes->list[i].value);
	free(wishes->list);
	*wishes = (struct wishes){ 0 };
}

const struct wish *wishes_find(const struct wishes *wishes, size_t knob)
{
	for (size_t i = 0; i < wishes->n; i++)
		if (wishes->list[i].knob == knob)
			return &wishes->list[i];
	return NULL;
}

int wishes_add(struct wishes *wishes, struct knobs *knobs, const struct host *host, const char *key,
	       bool debugfs, const char *path, const char *value, struct error *err)
{
	size_t knob;
	int ret = knobs_find(knobs, host, debugfs, path, value, &knob, err);

	if (ret) {
		error_prefix(err, "%s", key);
		return ret;
	}
	wishes->list = xreallocarray(wishes->list, wishes->n + 1, sizeof(*wishes->list));
	wishes->list[wishes->n++] = (struct wish){ knob, key, xstrdup(value) };
	return 0;
}

/* What the functions below share. */
struct resolver {
	struct wishes *wishes;
	struct knobs *knobs;
	const struct host *host;
	const char *key;
};

static int add(const struct resolver *r, bool debugfs, const char *path, const char *value,
	       struct error *err)
{
	return wishes_add(r->wishes, r->knobs, r->host, r->key, debugfs, path, value, err);
}

/* @folder and the file behind the key's first dot; a dot parts folders. */
static int add_dotted(const struct resolver *r, bool debugfs, const char *folder, const char *value,
		      struct error *err)
{
	char *path = xasprintf("%s/%s", folder, strchr(r->key, '.') + 1);
	int ret;

	for (char *s = path + strlen(folder); *s; s++)
		if (*s == '.')
			*s = '/';
	ret = add(r, debugfs, path, value, err);
	free(path);
	return ret;
}

static int resolve_sysctl(const struct resolver *r, const char *value, struct error *err)
{
	return add_dotted(r, false, "proc/sys", value, err);
}

static int resolve_sched(const struct resolver *r, const char *value, struct error *err)
{
	return add_dotted(r, true, "sched", value, err);
}

static int resolve_thp(const struct resolver *r, const char *value, struct error *err)
{
	return add(r, false, THP, value, err);
}

static int resolve_features(const struct resolver *r, const char *value, struct error *err)
{
	char *names = xstrdup(value), *rest = NULL;
	int ret = 0;

	for (char *s = strtok_r(names, ",", &rest); s && !ret; s = strtok_r(NULL, ",", &rest))
		ret = add(r, true, "sched/features", s, err);
	free(names);
	return ret;
}

static int resolve_policy(const struct resolver *r, const char *policy, const char *governor,
			  struct error *err)
{
	char *path = xasprintf(CPUFREQ "/%s/scaling_available_governors", policy);
	char *offered = file_read_line(r->host->root_fd, path);
	int ret = 0;

	if (offered && !text_has_word(offered, governor))
		ret = error_set(err, EINVAL, "%s: '%.80s' is not among those of %s: %.160s", r->key,
				governor, policy, offered);
	free(offered);
	free(path);
	path = xasprintf(CPUFREQ "/%s/scaling_governor", policy);
	if (!ret)
		ret = add(r, false, path, governor, err);
	free(path);
	return ret;
}

static int is_policy(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "policy", 6);
}

static int resolve_governor(const struct resolver *r, const char *value, struct error *err)
{
	struct dirent **policies = NULL;
	int n = scandirat(r->host->root_fd, CPUFREQ, &policies, is_policy, versionsort), ret = 0;

	for (int i = 0; i < n; i++) {
		if (!ret)
			ret = resolve_policy(r, policies[i]->d_name, value, err);
		free(policies[i]);
	}
	free(policies);
	if (n <= 0)
		ret = error_set(err, EOPNOTSUPP, "%s: this machine has no cpufreq (%s is %s)",
				r->key, CPUFREQ, n ? "not there" : "empty");
	return ret;
}

int wishes_resolve(struct wishes *wishes, struct knobs *knobs, const struct host *host,
		   const struct settings *settings, struct error *err)
{
	static const struct {
		const char *key; /* or its beginning, up to the dot */
		int (*resolve)(const struct resolver *r, const char *value, struct error *err);
	} rows[] = {
		{ "sysctl.", resolve_sysctl }, { "features", resolve_features },
		{ "sched.", resolve_sched },   { "governor", resolve_governor },
		{ "thp", resolve_thp },
	};
	struct resolver r = { wishes, knobs, host, NULL };
	const char *value;
	int ret = 0;

	for (size_t i = 0; !ret && (r.key = settings_at(settings, i, &value)); i++)
		for (size_t k = 0; !ret && k < ARRAY_SIZE(rows); k++)
			if (!strncmp(r.key, rows[k].key, strlen(rows[k].key)))
				ret = rows[k].resolve(&r, value, err);
	return ret;
}
