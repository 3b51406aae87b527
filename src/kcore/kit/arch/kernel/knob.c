// SPDX-License-Identifier: GPL-2.0-only
/* knob.c - what can be set, by name: scheduler features, files of debugfs, sysctls */
#include "kit.h"

static LIST_HEAD(knobs);
static unsigned int nr_knobs;

static const char *const features[] = {
#define SCHED_FEAT(name, enabled) #name,
#include "features.h"
#undef SCHED_FEAT
};

void kit_knob_add(const char *name, int (*set)(const struct kit_knob *, char *), void *data,
		  const void *how)
{
	struct kit_knob *knob = kit_alloc(sizeof(*knob) + strlen(name) + 1);
	char *copy = (char *)(knob + 1);

	strcpy(copy, name);
	*knob = (struct kit_knob){ .name = copy, .set = set, .data = data, .how = how };
	list_add_tail(&knob->list, &knobs);
	nr_knobs++;
}

/* By its path, or by its last part alone where no other path ends so: then *several is set and none is found. */
static struct kit_knob *find(const char *name, bool *several)
{
	struct kit_knob *knob, *found = NULL;

	*several = false;
	list_for_each_entry(knob, &knobs, list)
	{
		const char *base = strrchr(knob->name, '/');

		if (!strcmp(knob->name, name))
			return knob;
		if (!base || strcmp(base + 1, name))
			continue;
		*several = found;
		if (*several)
			return NULL;
		found = knob;
	}
	return found;
}

static bool is_feature(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(features); i++) {
		if (!strcmp(features[i], name))
			return true;
	}
	return false;
}

static bool negates(const char *value)
{
	return !strcmp(value, "0") || !strcmp(value, "no") || !strcmp(value, "false") ||
	       !strcmp(value, "off");
}

/* Handlers take a buffer of their own, which some of them cut up. */
static int set(const struct kit_knob *knob, const char *value)
{
	char text[64];

	if (strscpy(text, value, sizeof(text)) < 0)
		return -EINVAL;
	return knob->set(knob, text) ? -EINVAL : 0;
}

static int feature_set(const char *name, bool on)
{
	char text[64];
	bool several;

	snprintf(text, sizeof(text), "%s%s", on ? "" : "NO_", name);
	return set(find("features", &several), text);
}

/* Called between events, and by the boot: wherever it is, it comes back there. */
int kit_knob_set(struct core *core, const char *name, const char *value)
{
	bool no = !strncmp(name, "NO_", 3);
	const char *feature = no ? name + 3 : name;
	struct kit_knob *knob;
	bool several;

	if (is_feature(feature))
		return feature_set(feature, no == negates(value));
	knob = find(name, &several);
	if (knob)
		return set(knob, value);
	return several ? -ENOTUNIQ : -ENOENT;
}

const char *kit_knob_at(const struct core *core, uint32_t i)
{
	struct kit_knob *knob;

	if (i < ARRAY_SIZE(features))
		return features[i];
	i -= ARRAY_SIZE(features);
	list_for_each_entry(knob, &knobs, list)
	{
		if (!i--)
			return knob->name;
	}
	return NULL;
}
