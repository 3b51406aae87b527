// SPDX-License-Identifier: GPL-2.0-only
/* sched/knob.c - what can be set by name: presets, features, tunables. */
#include "base/mem.h"
#include "base/nearest.h"
#include "sched/frame.h"
#include "sched/preset.h"
#include "sched/tunable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void features_to_release(struct model *m)
{
	m->release.topo_span_check = m->features.topo_span_check;
	m->release.topo_node_mask_bug = m->features.topo_node_mask_bug;
	m->release.topo_diameter_fix = m->features.topo_diameter_fix;
	m->release.config_cluster = m->features.topo_cluster;
	m->release.schedstat_version = m->features.schedstat_version + 15U;
}

/* "features" takes the kernel's names, several by spaces. */
static int set_features(struct model *m, const char *value, struct error *err)
{
	char *copy = xstrdup(value), *state, *word;
	int ret = 0;

	for (word = strtok_r(copy, " ,", &state); word && !ret; word = strtok_r(NULL, " ,", &state))
		ret = features_set(&m->features, word, "", err);
	free(copy);
	return ret;
}

/* How the instance was built can't change under it. */
static int fixed(const struct model *m, const char *name, struct error *err)
{
	if (m->booted && (!strcmp(name, "core") || !strcmp(name, "preset") || !strcmp(name, "hz") ||
			  !strncmp(name, "cpufreq.", 8)))
		return error_set(err, EINVAL, "%s: only at boot", name);
	return 0;
}

static int set_tunable(struct model *m, const char *name, const char *value, struct error *err)
{
	int ret = tunables_set(&m->tunables, name, value, err);

	if (!ret && m->booted && !strcmp(name, "tunable_scaling"))
		tunables_scale(&m->tunables, &m->normal, m->nr_online);
	return ret;
}

int knob_set(struct model *m, const char *name, const char *value, struct error *err)
{
	struct error other = { 0 };
	int ret = fixed(m, name, err);

	if (ret)
		return ret;
	if (!strcmp(name, "preset"))
		return preset_apply(m, value, err);
	if (!strcmp(name, "features"))
		return set_features(m, value, err);
	ret = features_set(&m->features, name, value, err);
	if (ret == -ENOENT) {
		ret = set_tunable(m, name, value, &other);
		if (ret != -ENOENT || strstr(other.text, "did you mean"))
			*(err ? err : &other) = other;
	}
	if (!ret)
		features_to_release(m);
	return ret;
}

int model_knob(struct core *core, const char *name, const char *value)
{
	struct model *m = model_of(core);
	struct error err = { 0 };
	int ret = knob_set(m, name, value ? value : "", &err);

	if (ret)
		model_print(m, "%s", err.text);
	return ret;
}

/* Presets and the kernel's file first, then the dotted names, the kernel's own, the tunables. */
const char *model_knob_at(const struct core *core, uint32_t i)
{
	static const char *const special[] = { "preset", "features" };
	const struct tunable *tunable;
	size_t k;

	(void)core;
	if (i < ARRAY_SIZE(special))
		return special[i];
	i -= ARRAY_SIZE(special);
	for (k = 0; feature_at(k); k++) {
		if (!i--)
			return feature_at(k)->name;
	}
	for (k = 0; feature_at(k); k++) {
		if (*feature_at(k)->kernel && !i--)
			return feature_at(k)->kernel;
	}
	tunable = tunable_at(i);
	return tunable ? tunable->name : NULL;
}
