// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/patch_cores.h"

#include "base/mem.h"
#include "cmd/cmd.h"
#include "kcore/kcore.h"
#include "lab/sim_core.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(void *ctx, const char *line)
{
	fprintf(stderr, "%s: %s\n", (const char *)ctx, line);
}

static int build(struct kcore_build how, char **name, char **about, struct error *err)
{
	struct kcore_built built = { 0 };
	char *rev = xstrdup(how.rev);
	int ret;

	how.stop = &stop_signal;
	how.say = say;
	how.ctx = rev;
	ret = kcore_build(&built, &how, err);
	if (ret) {
		error_prefix(err, "%s", rev);
	} else {
		*name = xasprintf("kernel:%s", built.facts.name);
		*about = xasprintf("%.12s (%s, Linux %s)", built.facts.rev, rev,
				   built.facts.release);
		kcore_built_release(&built);
	}
	free(rev);
	return ret;
}

/* Takes both texts. */
static void set_about(struct patch_cores *cores, char *before, char *after)
{
	if (before && after)
		cores->about = xasprintf("before: %s\nafter:  %s\n", before, after);
	free(before);
	free(after);
}

int patch_cores_build(struct patch_cores *cores, const char *tree, const char *rev,
		      const char *config, uint64_t cpus, struct error *err)
{
	char *parent = xasprintf("%s^", rev), *before = NULL, *after = NULL;
	struct kcore_build how = { .tree = tree, .rev = parent, .config = config, .cpus = cpus };
	int ret = build(how, &cores->name[0], &before, err);

	how.rev = rev;
	if (!ret)
		ret = build(how, &cores->name[1], &after, err);
	set_about(cores, before, after);
	free(parent);
	return ret;
}

static int find(const char *word, char **name, char **about, struct error *err)
{
	const bool model = !strncmp(word, "model", 5) && (!word[5] || word[5] == ':');
	const bool whole = model || !strncmp(word, "kernel:", 7);
	char *full = whole ? xstrdup(word) : xasprintf("kernel:%s", word);
	struct sim_core found;
	int ret = sim_core_open(&found, full, err);

	if (ret) {
		free(full);
		return ret;
	}
	*name = full;
	*about = xstrdup(found.about);
	sim_core_close(&found);
	return 0;
}

int patch_cores_find(struct patch_cores *cores, const char *before_word, const char *after_word,
		     struct error *err)
{
	char *before = NULL, *after = NULL;
	int ret = find(before_word, &cores->name[0], &before, err);

	if (!ret)
		ret = find(after_word, &cores->name[1], &after, err);
	set_about(cores, before, after);
	return ret;
}

void patch_cores_release(struct patch_cores *cores)
{
	free(cores->name[0]);
	free(cores->name[1]);
	free(cores->about);
	*cores = (struct patch_cores){ 0 };
}
