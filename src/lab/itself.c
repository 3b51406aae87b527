// SPDX-License-Identifier: GPL-2.0-only
/* lab/itself.c - an experiment of one variant against itself. */
#include "lab/experiment.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

static struct settings *copy_settings(const struct settings *settings)
{
	struct settings *copy = settings_new();
	const char *key, *value;

	for (size_t i = 0; (key = settings_at(settings, i, &value)); i++) {
		int ret = settings_set(copy, key, value, NULL);

		/* their own text form reads back */
		assert(!ret);
		(void)ret;
	}
	return copy;
}

void experiment_against_itself(struct experiment *experiment, size_t variant)
{
	struct variant kept = experiment->variants[variant];

	for (size_t v = 0; v < experiment->nr_variants; v++) {
		if (v == variant)
			continue;
		free(experiment->variants[v].name);
		settings_free(experiment->variants[v].settings);
		free(experiment->variants[v].place);
	}
	experiment->variants[0] = kept;
	experiment->variants[1] = (struct variant){
		.name = xasprintf("%s-again", kept.name),
		.settings = copy_settings(kept.settings),
		.place = kept.place ? xstrdup(kept.place) : NULL,
	};
	experiment->nr_variants = 2;
	experiment->by_kernel = false;
	experiment_set_blocks(experiment);
}
