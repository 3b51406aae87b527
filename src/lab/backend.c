// SPDX-License-Identifier: GPL-2.0-only
/* lab/backend.c - on what the runs of an experiment are made: this machine or a simulated one. */
#include "lab/parsing.h"

#include "base/mem.h"
#include "lab/sim_core.h"
#include "lab/sim_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* By its own words, else by those of [experiment]. */
static bool variant_sim(const struct parsing *p, const struct variant *variant)
{
	if (settings_get(variant->settings, "backend") || settings_sim(variant->settings))
		return settings_sim(variant->settings);
	if (p->backend)
		return !strcmp(p->backend->value, "sim");
	return p->machine || p->core;
}

static int mixed(const struct parsing *p, const struct ini_text *ini, size_t v)
{
	const struct experiment *experiment = p->experiment;
	const bool sim = experiment->sim;

	return at_line(
		p, variant_line(p, ini, v),
		error_set(p->err, EINVAL,
			  "variant %s is simulated and variant %s is not: what they differ in "
			  "would be the simulator",
			  experiment->variants[sim ? 0 : v].name,
			  experiment->variants[sim ? v : 0].name));
}

static int set_if_missing(struct settings *settings, const char *key, const struct ini_key *given,
			  const char *otherwise, struct error *err)
{
	if (settings_get(settings, key))
		return 0;
	return settings_set(settings, key, given ? given->value : otherwise, err);
}

/* So that what is stored says all of it. */
static int complete(const struct parsing *p, struct settings *settings)
{
	int ret = set_if_missing(settings, "backend", NULL, "sim", p->err);

	if (!ret)
		ret = set_if_missing(settings, "machine", p->machine, "live", p->err);
	if (!ret)
		ret = set_if_missing(settings, "core", p->core, "model", p->err);
	if (!ret)
		ret = sim_core_check(settings_get(settings, "core"), p->err);
	return ret;
}

/* What a plan of simulated runs has no use for. */
static int check_head(const struct parsing *p, const struct ini_section *head)
{
	static const struct {
		const char *key, *fine, *why;
	} useless[] = {
		{ "runs_per_block", "1",
		  "a block of simulated runs is one of each variant, with one seed" },
		{ "warmup", "0",
		  "a simulated machine starts each run as new, there is no warm-up" },
		{ "counters", "none", "a simulated machine counts everything, there is no choice" },
	};

	for (size_t i = 0; head && i < ARRAY_SIZE(useless); i++) {
		const struct ini_key *key = ini_section_find(head, useless[i].key);

		if (key && strcmp(key->value, useless[i].fine) != 0)
			return at_line(
				p, key->line,
				error_set(p->err, EINVAL, "%s: %s", key->name, useless[i].why));
	}
	return 0;
}

static int check_models(const struct parsing *p)
{
	for (size_t i = 0; i < p->experiment->nr_points; i++) {
		int ret = sim_modelled(p->experiment->points[i].workload, p->err);

		if (ret) {
			error_prefix(p->err, "%s", p->experiment->points[i].place);
			if (p->err)
				p->err->code = EINVAL;
			return -EINVAL;
		}
	}
	return 0;
}

static int check_unused(const struct parsing *p)
{
	const struct ini_key *key = p->machine ? p->machine : p->core;

	if (!key)
		return 0;
	return at_line(p, key->line,
		       error_set(p->err, EINVAL, "'%s' goes with 'backend = sim' only", key->name));
}

int resolve_backends(struct parsing *p, const struct ini_text *ini, const struct ini_section *head)
{
	struct experiment *experiment = p->experiment;
	int ret = 0;

	experiment->sim = variant_sim(p, &experiment->variants[0]);
	for (size_t v = 0; v < experiment->nr_variants && !ret; v++) {
		struct variant *variant = &experiment->variants[v];

		if (variant_sim(p, variant) != experiment->sim)
			return mixed(p, ini, v);
		ret = settings_validate_for(variant->settings, experiment->sim, p->err);
		if (!ret && experiment->sim)
			ret = complete(p, variant->settings);
		if (ret) {
			error_prefix(p->err, "variant %s", variant->name);
			ret = at_line(p, variant_line(p, ini, v), ret);
		}
	}
	if (ret || !experiment->sim)
		return ret ? ret : check_unused(p);
	experiment->warmup = 0;
	ret = check_head(p, head);
	return ret ? ret : check_models(p);
}
