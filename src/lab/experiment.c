// SPDX-License-Identifier: GPL-2.0-only
#include "lab/experiment.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "lab/block_size.h"
#include "lab/parsing.h"
#include "lab/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEXT     (1 << 20)
#define DEFAULT_RUNS 12 /* of each variant: finds 2 % where runs scatter by 2 %, see METHOD.md */
/* of each variant, the least that can reach p < 0.01: 2 / 2^8 in pairs, 2 / 6^3 in blocks of two and two */
#define DEFAULT_PAIRED_BOOTS 8
#define DEFAULT_BOOTS	     6

enum kind {
	KIND_EXPERIMENT,
	KIND_VARIANT,
	KIND_WORKLOAD,
	NR_KINDS,
};

static const char *const kind_names[NR_KINDS] = {
	[KIND_EXPERIMENT] = "experiment",
	[KIND_VARIANT] = "variant",
	[KIND_WORKLOAD] = "workload",
};

int at_line(const struct parsing *p, unsigned int line, int ret)
{
	if (!ret)
		return 0;
	error_prefix(p->err, "%s:%u", p->path, line);
	ret = ret == -ERANGE ? -ERANGE : -EINVAL;
	if (p->err)
		p->err->code = -ret;
	return ret;
}

int need_value(const struct ini_key *key, struct error *err)
{
	return *key->value ? 0 : error_set(err, EINVAL, "%.80s: there is no value", key->name);
}

int check_name(const char *name, struct error *err)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

	if (*name && *name != '-' && strspn(name, letters) == strlen(name) &&
	    strlen(name) <= EXPERIMENT_MAX_NAME)
		return 0;
	return error_set(
		err, EINVAL,
		"'%.80s' is no name: 1 to %d letters, digits, '_', '.' and '-', which can't "
		"be the first",
		name, EXPERIMENT_MAX_NAME);
}

static int unknown_section(const struct parsing *p, const char *word)
{
	struct nearest nearest;

	nearest_init(&nearest, word);
	for (int i = 0; i < NR_KINDS; i++)
		nearest_offer(&nearest, kind_names[i]);
	if (nearest.best)
		return error_set(p->err, EINVAL, "unknown section [%s], did you mean [%s%s]?",
				 p->section->name, nearest.best,
				 !strcmp(nearest.best, "experiment") ? "" : " NAME");
	return error_set(p->err, EINVAL,
			 "unknown section [%s], there are [experiment], [variant NAME] and "
			 "[workload NAME]",
			 p->section->name);
}

/* "variant new" is the kind "variant" and the label "new". */
static int split_heading(struct parsing *p, enum kind *kind)
{
	char word[INI_TEXT_MAX_SECTION + 1] = "";
	const char *name = p->section->name;
	size_t n = strcspn(name, " \t");
	int i = 0;

	memcpy(word, name, n);
	p->label = name + n + strspn(name + n, " \t");
	while (i < NR_KINDS && strcmp(word, kind_names[i]) != 0)
		i++;
	if (i == NR_KINDS)
		return unknown_section(p, word);
	*kind = (enum kind)i;
	if (i != KIND_EXPERIMENT && !*p->label)
		return error_set(p->err, EINVAL, "[%s] needs a name: [%s NAME]", word, word);
	if (i != KIND_EXPERIMENT)
		return check_name(p->label, p->err);
	if (*p->label)
		return error_set(p->err, EINVAL, "[experiment] takes no name here, write name = %s",
				 p->label);
	return 0;
}

/* Is there an earlier section of the same heading? */
static int check_twin(const struct parsing *p, const struct ini_text *ini, enum kind kind)
{
	for (const struct ini_section *s = ini->sections; s < p->section; s++) {
		struct parsing twin = { .section = s };
		enum kind twin_kind = NR_KINDS;

		if (!split_heading(&twin, &twin_kind) && twin_kind == kind &&
		    !strcmp(twin.label, p->label))
			return error_set(p->err, EINVAL, "[%s] is there twice, first in line %u",
					 p->section->name, s->line);
	}
	return 0;
}

static int parse_variant(struct parsing *p)
{
	struct experiment *experiment = p->experiment;
	struct variant *variant = &experiment->variants[experiment->nr_variants];
	int ret;

	if (experiment->nr_variants == EXPERIMENT_MAX_VARIANTS)
		return at_line(p, p->section->line,
			       error_set(p->err, ERANGE, "more than %d variants",
					 EXPERIMENT_MAX_VARIANTS));
	variant->name = xstrdup(p->label);
	variant->settings = settings_new();
	variant->place = xasprintf("%s:%u", p->path, p->section->line);
	experiment->nr_variants++;
	for (size_t i = 0; i < p->section->nr_keys; i++) {
		const struct ini_key *key = &p->section->keys[i];

		/* an environment variable may well be empty */
		ret = strncmp(key->name, "env.", 4) != 0 ? need_value(key, p->err) : 0;
		if (!ret)
			ret = settings_set(variant->settings, key->name, key->value, p->err);
		if (ret)
			return at_line(p, key->line, ret);
	}
	ret = settings_validate(variant->settings, p->err);
	if (ret)
		error_prefix(p->err, "variant %s", variant->name);
	return at_line(p, p->section->line, ret);
}

static int parse_section(struct parsing *p, const struct ini_text *ini,
			 const struct ini_section **head)
{
	enum kind kind = NR_KINDS;
	int ret;

	ret = split_heading(p, &kind);
	if (!ret)
		ret = check_twin(p, ini, kind);
	if (ret)
		return at_line(p, p->section->line, ret);
	if (kind == KIND_VARIANT)
		return parse_variant(p);
	if (kind == KIND_WORKLOAD)
		return parse_workload(p);
	*head = p->section;
	return parse_head(p);
}

unsigned int variant_line(const struct parsing *p, const struct ini_text *ini, size_t v)
{
	for (size_t i = 0; i < ini->nr_sections; i++) {
		struct parsing at = { .section = &ini->sections[i] };
		enum kind kind = NR_KINDS;

		if (!split_heading(&at, &kind) && kind == KIND_VARIANT &&
		    !strcmp(at.label, p->experiment->variants[v].name))
			return ini->sections[i].line;
	}
	return 0;
}

/* Patterns for all variants or for none; sets by_kernel. */
static int check_kernels(const struct parsing *p, const struct ini_text *ini)
{
	struct experiment *experiment = p->experiment;
	const struct variant *first = &experiment->variants[0];
	const char *pattern = settings_kernel(first->settings);

	for (size_t v = 1; v < experiment->nr_variants; v++) {
		const struct variant *variant = &experiment->variants[v];
		const char *other = settings_kernel(variant->settings);

		if (!pattern != !other)
			return at_line(p, variant_line(p, ini, pattern ? v : 0),
				       error_set(p->err, EINVAL,
						 "variant %s has no kernel pattern while %s has: "
						 "give it to all or to none",
						 pattern ? variant->name : first->name,
						 pattern ? first->name : variant->name));
		if (pattern && strcmp(pattern, other) != 0)
			experiment->by_kernel = true;
	}
	return 0;
}

static int check_boots(const struct parsing *p, const struct ini_section *head)
{
	const struct ini_key *per_boot = head ? ini_section_find(head, "runs_per_boot") : NULL;
	const struct ini_key *time = head ? ini_section_find(head, "time") : NULL;

	if (per_boot && !p->experiment->by_kernel)
		return at_line(p, per_boot->line,
			       error_set(p->err, EINVAL,
					 "runs_per_boot is for variants with different kernel = "
					 "patterns"));
	if (time && p->experiment->by_kernel)
		return at_line(
			p, time->line,
			error_set(p->err, EINVAL,
				  "a time budget can't be shared between boots: with kernel = "
				  "in the variants, give blocks instead"));
	return 0;
}

static uint64_t default_runs_per_block(const struct experiment *experiment)
{
	if (experiment->sim)
		return 1;
	if (experiment->own_blocks)
		return EXPERIMENT_BLOCK_RUNS;
	if (experiment->begun_runs_per_block)
		return experiment->begun_runs_per_block;
	if (experiment->by_kernel || experiment->usual_block_ns > BLOCK_LONG_NS)
		return 1;
	return EXPERIMENT_BLOCK_RUNS;
}

static uint64_t default_units(const struct experiment *experiment)
{
	if (!experiment->by_kernel)
		return DEFAULT_RUNS;
	return experiment->runs_per_block == 1 ? DEFAULT_PAIRED_BOOTS : DEFAULT_BOOTS;
}

void experiment_set_blocks(struct experiment *experiment)
{
	uint64_t per_block;

	if (!experiment->own_runs_per_block)
		experiment->runs_per_block = default_runs_per_block(experiment);
	if (experiment->own_blocks)
		return;
	per_block = experiment->runs_per_block;
	if (experiment->until > 0)
		experiment->blocks = EXPERIMENT_UNTIL_BLOCKS;
	else if (experiment->budget_ns)
		experiment->blocks = 0;
	else
		experiment->blocks = (default_units(experiment) + per_block - 1) / per_block;
}

static int check_parts(const struct parsing *p)
{
	const struct experiment *experiment = p->experiment;

	if (experiment->nr_variants < 2)
		return error_set(p->err, EINVAL,
				 "%s: a comparison needs two [variant NAME] sections, there %s",
				 p->path, experiment->nr_variants ? "is one" : "are none");
	if (experiment->nr_points < 1)
		return error_set(p->err, EINVAL, "%s: there is no [workload NAME] section",
				 p->path);
	return 0;
}

static int check_size(const struct parsing *p)
{
	const struct experiment *experiment = p->experiment;
	/* a time budget makes one block at least */
	uint64_t blocks = experiment->blocks ? experiment->blocks : 1;
	/* no overflow: 64 x 1000 x (1000 x 8 x 100 + 100) at most */
	uint64_t runs = blocks * plan_block_size(experiment) +
			experiment->warmup * plan_warmup_size(experiment);

	if (runs <= EXPERIMENT_MAX_RUNS)
		return 0;
	return error_set(p->err, ERANGE,
			 "%s: %llu runs in all (blocks x variants x workload points), at most %d "
			 "are allowed",
			 p->path, (unsigned long long)runs, EXPERIMENT_MAX_RUNS);
}

static int parse_sections(struct parsing *p, const struct ini_text *ini)
{
	const struct ini_section *head = NULL;
	int ret = 0;

	for (size_t i = 0; i < ini->nr_sections && !ret; i++) {
		p->section = &ini->sections[i];
		ret = parse_section(p, ini, &head);
	}
	p->section = NULL;
	if (!ret && !head)
		ret = parse_head(p);
	if (!ret)
		ret = check_parts(p);
	if (!ret)
		ret = resolve_backends(p, ini, head);
	if (!ret)
		ret = check_kernels(p, ini);
	if (!ret)
		ret = check_boots(p, head);
	if (!ret) {
		experiment_set_blocks(p->experiment);
		ret = check_size(p);
	}
	return ret;
}

int experiment_parse(struct experiment **out, const char *path, const char *text, size_t n,
		     struct error *err)
{
	struct experiment *experiment;
	struct ini_text ini;
	int ret;

	if (n > MAX_TEXT)
		return error_set(err, EINVAL, "%s: larger than %d bytes", path, MAX_TEXT);
	ret = ini_text_parse(&ini, path, text, n, err);
	if (ret)
		return ret;
	experiment = xcalloc(1, sizeof(*experiment));
	experiment->text = xstrndup(text, n);
	experiment->variants = xcalloc(EXPERIMENT_MAX_VARIANTS, sizeof(*experiment->variants));
	ret = parse_sections(
		&(struct parsing){ .path = path, .experiment = experiment, .err = err }, &ini);
	ini_text_release(&ini);
	if (ret) {
		experiment_free(experiment);
		return ret;
	}
	*out = experiment;
	return 0;
}

int experiment_load(struct experiment **out, const char *path, struct error *err)
{
	const bool standard_input = !strcmp(path, "-");
	struct strbuf text = { 0 };
	int ret;

	ret = file_read_input(&text, path, MAX_TEXT, err);
	if (!ret)
		ret = experiment_parse(out, standard_input ? "stdin" : path, strbuf_str(&text),
				       text.len, err);
	strbuf_release(&text);
	return ret;
}

void experiment_free(struct experiment *experiment)
{
	if (!experiment)
		return;
	for (size_t v = 0; v < experiment->nr_variants; v++) {
		free(experiment->variants[v].name);
		settings_free(experiment->variants[v].settings);
		free(experiment->variants[v].place);
	}
	for (size_t i = 0; i < experiment->nr_points; i++)
		point_release(&experiment->points[i]);
	free(experiment->variants);
	free(experiment->points);
	free(experiment->name);
	free(experiment->text);
	free(experiment->counters);
	free(experiment);
}
