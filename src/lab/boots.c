// SPDX-License-Identifier: GPL-2.0-only
#include "lab/boots.h"

#include "base/mem.h"
#include "base/strbuf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct boot - one boot that made runs
 * @done: [point], runs made
 */
struct boot {
	char *id;
	uint64_t *done;
};

struct boots {
	const struct experiment *experiment;
	const struct host *host;
	struct boot *list;
	size_t n;
	size_t planned;
};

struct boots *boots_new(const struct experiment *experiment, const struct host *host)
{
	struct boots *boots = xcalloc(1, sizeof(*boots));

	boots->experiment = experiment;
	boots->host = host;
	boots->planned = experiment->blocks * plan_block_units(experiment);
	return boots;
}

void boots_free(struct boots *boots)
{
	if (!boots)
		return;
	for (size_t i = 0; i < boots->n; i++) {
		free(boots->list[i].id);
		free(boots->list[i].done);
	}
	free(boots->list);
	free(boots);
}

/* Its place, or the next free one. */
static size_t place_of(const struct boots *boots, const char *boot_id)
{
	size_t i = 0;

	while (i < boots->n && strcmp(boots->list[i].id, boot_id) != 0)
		i++;
	return i;
}

void boots_add(struct boots *boots, const char *boot_id, size_t point)
{
	size_t place = place_of(boots, boot_id);

	if (place == boots->n) {
		boots->list = xreallocarray(boots->list, boots->n + 1, sizeof(*boots->list));
		boots->list[boots->n++] = (struct boot){
			.id = xstrdup(boot_id),
			.done = xcalloc(boots->experiment->nr_points, sizeof(uint64_t)),
		};
	}
	boots->list[place].done[point]++;
}

static size_t variant_of(const struct boots *boots, size_t place)
{
	const size_t n = plan_block_units(boots->experiment);
	unsigned int *variants = xcalloc(n, sizeof(*variants));
	size_t variant;

	plan_boots(boots->experiment, place / n, variants);
	variant = variants[place % n];
	free(variants);
	return variant;
}

static const struct variant *next_variant(const struct boots *boots)
{
	return &boots->experiment->variants[variant_of(boots, boots->n)];
}

int boots_check(const struct boots *boots, struct error *err)
{
	const struct variant *next;

	if (place_of(boots, boots->host->boot_id) < boots->n || boots->n == boots->planned)
		return 0;
	next = next_variant(boots);
	if (settings_kernel_matches(next->settings, boots->host->release))
		return 0;
	return error_set(err, EINVAL,
			 "%s is booted, but boot %zu of the plan is of variant %s: boot a kernel "
			 "that matches %s, then %s",
			 boots->host->release, boots->n + 1, next->name,
			 settings_kernel(next->settings), boots->n ? "resume" : "start");
}

size_t boots_variant(const struct boots *boots)
{
	return variant_of(boots, place_of(boots, boots->host->boot_id));
}

size_t boots_todo(const struct boots *boots, const bool *given_up, struct planned_run *runs)
{
	const struct experiment *experiment = boots->experiment;
	const size_t size = plan_boot_size(experiment), units = plan_block_units(experiment);
	size_t place = place_of(boots, boots->host->boot_id), n = 0;
	uint64_t *skip;

	if (place >= boots->planned)
		return 0;
	skip = xcalloc(experiment->nr_points, sizeof(*skip));
	if (place < boots->n)
		memcpy(skip, boots->list[place].done, experiment->nr_points * sizeof(*skip));
	plan_boot(experiment, place / units, place % units, runs);
	for (size_t i = 0; i < size; i++) {
		struct planned_run run = runs[i];

		if (skip[run.point])
			skip[run.point]--;
		else if (!given_up[run.point])
			runs[n++] = run;
	}
	free(skip);
	return n;
}

/* Boots that will make no further run: those before the last, and the last one if it has all. */
static size_t boots_over(const struct boots *boots, const bool *given_up)
{
	const struct experiment *experiment = boots->experiment;

	if (!boots->n)
		return 0;
	for (size_t p = 0; p < experiment->nr_points; p++)
		if (boots->list[boots->n - 1].done[p] < experiment->runs_per_boot && !given_up[p])
			return boots->n - 1;
	return boots->n;
}

uint64_t boots_blocks_done(const struct boots *boots, const bool *given_up)
{
	return boots_over(boots, given_up) / plan_block_units(boots->experiment);
}

static bool all_given_up(const struct boots *boots, const bool *given_up)
{
	for (size_t p = 0; p < boots->experiment->nr_points; p++)
		if (!given_up[p])
			return false;
	return true;
}

bool boots_finished(const struct boots *boots, const bool *given_up)
{
	return boots_over(boots, given_up) >= boots->planned || all_given_up(boots, given_up);
}

char *boots_left(const struct boots *boots, const bool *given_up)
{
	size_t over = boots_over(boots, given_up);
	const struct variant *next;

	if (boots_finished(boots, given_up))
		return NULL;
	if (over < boots->n) /* can only be this one: others are over when it begins */
		return xasprintf("%zu of %zu boots are left, this one's rest included: resume\n",
				 boots->planned - over, boots->planned);
	next = next_variant(boots);
	return xasprintf(
		"%zu of %zu boots are left; the next one is of variant %s: boot a kernel "
		"that matches %s%s, then resume\n",
		boots->planned - over, boots->planned, next->name, settings_kernel(next->settings),
		settings_kernel_matches(next->settings, boots->host->release) ? " again" : "");
}
