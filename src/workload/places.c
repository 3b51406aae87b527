// SPDX-License-Identifier: GPL-2.0-only
#include "workload/places.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int parse_distance(struct places *places, const char *text)
{
	for (int d = DISTANCE_SAME; d <= DISTANCE_REMOTE; d++) {
		if (strcmp(text, distance_name((enum distance)d)) != 0)
			continue;
		places->pair = true;
		places->distance = (enum distance)d;
		return 0;
	}
	return -ENOENT;
}

int places_parse(struct places *places, const char *text, struct error *err)
{
	int ret;

	if (!text || !*text || !strcmp(text, "free") || !parse_distance(places, text))
		return 0;
	ret = cpumask_parse(&places->mask, text, err);
	if (!ret && !cpumask_weight(&places->mask))
		ret = error_set(err, EINVAL, "'%.80s' is no CPU", text);
	if (ret)
		error_prefix(err, "cpus");
	places->bound = !ret;
	return ret;
}

static int choose(struct places *places, struct error *err)
{
	struct cpumask allowed = { 0 };
	int root, ret;

	if (!places->pair)
		return 0;
	root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	ret = place_allowed(&allowed, err);
	if (!ret)
		ret = place_pair(places->cpus, places->distance, root, &allowed, err);
	if (ret)
		error_prefix(err, "cpus");
	close(root);
	cpumask_release(&allowed);
	return ret;
}

int places_probe(const char *text, struct error *err)
{
	struct places places = { 0 };
	int ret = places_parse(&places, text, err);

	if (!ret)
		ret = choose(&places, err);
	places_release(&places);
	return ret;
}

int places_enter(struct places *places, const char *text, struct error *err)
{
	int ret = places_parse(places, text, err);

	if (!ret)
		ret = choose(places, err);
	if (!ret && places->bound) {
		ret = place_bind(&places->mask, err);
		if (ret)
			error_prefix(err, "cpus");
	}
	return ret;
}

void places_release(struct places *places)
{
	cpumask_release(&places->mask);
}
