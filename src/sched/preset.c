// SPDX-License-Identifier: GPL-2.0-only
#include "sched/preset.h"

#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = { "k6.1",  "k6.5",  "k6.6", "k6.8",	   "k6.12",
				     "k6.17", "k6.19", "k7.3", "k6.1.192", "k6.12.117" };

/* What stable releases took from later mainline ones, as their sources show. */
static const struct backport {
	const char *preset;
	const char *name, *value; /* of a feature or tunable */
} backports[] = {
	{ "k6.1.192", "newidle.random", "on" },	    { "k6.12.117", "newidle.random", "on" },
	{ "k6.12.117", "fair.yield", "forfeit" },   { "k6.1.192", "lb.pinned_limit", "on" },
	{ "k6.1.192", "lb.misfit_core", "on" },	    { "k6.12.117", "lb.misfit_core", "on" },
	{ "k6.12.117", "base_slice_ns", "700000" },
};

const char *model_preset_at(size_t i)
{
	return i < ARRAY_SIZE(names) ? names[i] : NULL;
}

static void apply_backports(struct model *m, const char *preset)
{
	for (size_t i = 0; i < ARRAY_SIZE(backports); i++) {
		const struct backport *b = &backports[i];
		int ret;

		if (strcmp(b->preset, preset) != 0)
			continue;
		ret = features_set(&m->features, b->name, b->value, NULL);
		if (ret == -ENOENT)
			ret = tunables_set(&m->normal, b->name, b->value, NULL);
		assert(!ret);
		(void)ret;
	}
}

static bool is_known(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return false;
}

/* "k6.12", or with a third number a stable release that is known. */
static bool parse(const char *name, unsigned int *major, unsigned int *minor)
{
	unsigned long a, b;
	char *end;

	if (name[0] != 'k' || !isdigit((unsigned char)name[1]))
		return false;
	a = strtoul(name + 1, &end, 10);
	if (*end != '.' || !isdigit((unsigned char)end[1]))
		return false;
	b = strtoul(end + 1, &end, 10);
	if ((*end && !is_known(name)) || a > 99 || b > 999)
		return false;
	*major = (unsigned int)a;
	*minor = (unsigned int)b;
	return release_known(*major, *minor);
}

static int unknown_preset(const char *name, struct error *err)
{
	return error_set(err, EINVAL,
			 "'%.40s' is no release that is modelled: k%d.%d to k" RELEASE_LAST
			 ", k6.1.192 and k6.12.117 are",
			 name, RELEASE_FIRST_MAJOR, RELEASE_FIRST_MINOR);
}

int preset_check(const char *name, struct error *err)
{
	unsigned int major, minor;

	return parse(name, &major, &minor) ? 0 : unknown_preset(name, err);
}

int preset_apply(struct model *m, const char *name, struct error *err)
{
	unsigned int major, minor;

	if (!parse(name, &major, &minor))
		return unknown_preset(name, err);
	release_preset(&m->release, major, minor, m->topo->arch);
	features_release(&m->features, major, minor);
	tunables_release(&m->normal, major, minor);
	apply_backports(m, name);
	return 0;
}
