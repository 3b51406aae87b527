// SPDX-License-Identifier: GPL-2.0-only
#include "lab/sim_core.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "kcore/kcore.h"
#include "sched/model_core.h"
#include "sched/preset.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What follows @word and ':' in @name, "" for @word alone; NULL where it begins otherwise. */
static const char *behind(const char *name, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(name, word, n) != 0 || (name[n] && name[n] != ':'))
		return NULL;
	return name[n] ? name + n + 1 : name + n;
}

static int unknown(const char *name, struct error *err)
{
	char *head = xstrndup(name, strcspn(name, ":"));
	struct nearest nearest;

	nearest_init(&nearest, head);
	nearest_offer(&nearest, "model");
	nearest_offer(&nearest, "kernel");
	free(head);
	if (nearest.best)
		return error_set(err, EINVAL, "unknown core '%.80s', did you mean '%s%s'?", name,
				 nearest.best, strcmp(nearest.best, "kernel") ? "" : ":NAME");
	return error_set(err, EINVAL,
			 "unknown core '%.80s', there are model, model:RELEASE (model:k6.12) and "
			 "kernel:NAME",
			 name);
}

int sim_core_check(const char *name, struct error *err)
{
	const char *kernel = behind(name, "kernel"), *model = behind(name, "model");

	if (!kernel && !model)
		return unknown(name, err);
	if (kernel && !*kernel)
		return error_set(err, EINVAL,
				 "core '%.80s': which? kernel:NAME, see schedproof kernel list",
				 name);
	if (model && *model && *model != 'k')
		return error_set(err, EINVAL,
				 "core '%.80s': a release is written as in model:k6.12", name);
	return 0;
}

/* The kernel whose domains the model builds: that of a preset "k6.12" or "k6.12.117". */
static char *release_of(const char *preset)
{
	return xstrdup(preset + (*preset == 'k'));
}

static int open_model(struct sim_core *core, const char *preset, struct error *err)
{
	const char *const name = *preset ? preset : MODEL_DEFAULT_PRESET;
	int ret = preset_check(name, err);

	if (ret) {
		error_prefix(err, "core");
		return ret;
	}
	*core = (struct sim_core){
		.ops = &core_model,
		.knob = xasprintf("preset=%s", name),
		.release = release_of(name),
		.about = xasprintf("model %s, preset %s", core_model.version, name),
	};
	return 0;
}

/*
 * Which build of that name it is, too: by the commit and the options that were taken, or by its files. Of an object that was named by its
 * path nothing more is known.
 */
static char *about_kernel(const struct core_ops *ops, const char *name)
{
	struct kcore_facts facts = { 0 };
	struct strbuf sb = { 0 };

	strbuf_addf(&sb, "kernel %s, core %s", ops->version, name);
	if (strchr(name, '/') || kcore_find(&facts, name, NULL))
		return strbuf_take(&sb);
	if (*facts.rev)
		strbuf_addf(&sb, " of commit %.12s", facts.rev);
	if (!*facts.rev)
		strbuf_addf(&sb, "; the hash of its sources' names, sizes and times is %016" PRIx64,
			    facts.inputs);
	else if (*facts.config)
		strbuf_addf(&sb, "; its .config's hash is %016" PRIx64, facts.inputs);
	kcore_facts_release(&facts);
	return strbuf_take(&sb);
}

static int open_kernel(struct sim_core *core, const char *name, struct error *err)
{
	struct kcore *kcore = NULL;
	const struct core_ops *ops;
	int ret;

	ret = kcore_open(&kcore, name, err);
	if (ret)
		return ret;
	ops = kcore_ops(kcore);
	*core = (struct sim_core){
		.ops = ops,
		.release = xstrdup(ops->version),
		.about = about_kernel(ops, name),
		.kcore = kcore,
	};
	return 0;
}

int sim_core_open(struct sim_core *core, const char *name, struct error *err)
{
	const char *kernel = behind(name, "kernel"), *model = behind(name, "model");
	int ret = sim_core_check(name, err);

	if (ret)
		return ret;
	return kernel ? open_kernel(core, kernel, err) : open_model(core, model, err);
}

void sim_core_close(struct sim_core *core)
{
	kcore_close(core->kcore);
	free(core->knob);
	free(core->release);
	free(core->about);
	*core = (struct sim_core){ 0 };
}
