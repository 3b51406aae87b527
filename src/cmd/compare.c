// SPDX-License-Identifier: GPL-2.0-only
/* cmd/compare.c - schedproof compare: variants of one stored result or of several, against one base. */
#include "cmd/cmd.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "cmd/output.h"
#include "cmd/result.h"
#include "lab/experiment.h"
#include "report/join.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SIDES 64
#define MAX_BYTES ((size_t)256 << 20)

struct compare_cfg {
	char *base;
	char *format;
	bool all;
	bool tails;
	char *fail_on;
	char *store;
};

static const struct opt compare_opts[] = {
	OPT(struct compare_cfg, base, NULL, 0, 0,
	    "what all others are compared with: RESULT, RESULT:VARIANT, or a variant of the only "
	    "RESULT"),
	OPT(struct compare_cfg, format, "text", 0, 0, OUTPUT_FORMAT_HELP),
	OPT(struct compare_cfg, all, "no", 0, 0, "every counter, not only those that moved"),
	OPT(struct compare_cfg, tails, "no", 0, 0, TAILS_HELP),
	OPT(struct compare_cfg, fail_on, NULL, 0, 0, FAIL_ON_HELP),
	OPT(struct compare_cfg, store, NULL, 0, 0, "results file"),
	OPT_END,
};

/**
 * struct comparison - in the making
 * @words:  words[nr_inputs]: how the user called them, without the variant
 * @ids:    ids[nr_inputs]: of stored ones, 0 for files
 * @names:  names[nr_sides]: what the sides' names are kept in
 */
struct comparison {
	const char *store_path;
	struct report_input inputs[MAX_SIDES];
	char *words[MAX_SIDES];
	int64_t ids[MAX_SIDES];
	size_t nr_inputs;
	struct join_side sides[MAX_SIDES];
	char *names[MAX_SIDES];
	size_t nr_sides;
};

static bool is_loaded(const struct comparison *c, size_t *input, const char *word, int64_t id)
{
	for (size_t i = 0; i < c->nr_inputs; i++) {
		if (!strcmp(c->words[i], word) || (id && c->ids[i] == id)) {
			*input = i;
			return true;
		}
	}
	return false;
}

/* Results are loaded once, however often they are named. */
static int load(struct comparison *c, size_t *input, const char *word, struct error *err)
{
	struct store *store = NULL;
	int64_t id = 0;
	int ret;

	if (is_loaded(c, input, word, 0))
		return 0;
	if (c->nr_inputs == MAX_SIDES)
		return error_set(err, EINVAL, "more than %d results", MAX_SIDES);
	ret = result_open(&store, &id, word, c->store_path, err);
	if (!ret && !result_is_file(word) && is_loaded(c, input, word, id))
		goto out;
	if (!ret)
		ret = report_input_load(&c->inputs[c->nr_inputs], store, id, err);
	if (!ret) {
		c->words[c->nr_inputs] = xstrdup(word);
		c->ids[c->nr_inputs] = result_is_file(word) ? 0 : id;
		*input = c->nr_inputs++;
	}
out:
	store_close(store);
	return ret;
}

static int find_variant(size_t *variant, const struct experiment_row *experiment, const char *name,
			struct error *err)
{
	struct nearest nearest;

	nearest_init(&nearest, name);
	for (size_t v = 0; v < experiment->nr_variants; v++) {
		if (!strcmp(experiment->variants[v].name, name)) {
			*variant = v;
			return 0;
		}
		nearest_offer(&nearest, experiment->variants[v].name);
	}
	return error_set(err, ENOENT, "%s has no variant '%s'%s%s%s", experiment->name, name,
			 nearest.best ? ", did you mean '" : "", nearest.best ? nearest.best : "",
			 nearest.best ? "'?" : "");
}

/* "first:pinned" is one variant, "first" all; a ':' of an existing file's name belongs to it. */
static const char *variant_of(const char *word)
{
	if (!access(word, F_OK))
		return NULL;
	return strrchr(word, ':');
}

/* @variant: the first of @n variants that @word names. */
static int resolve(struct comparison *c, const char *word, size_t *input, size_t *variant,
		   size_t *n, struct error *err)
{
	const char *colon = variant_of(word);
	char *result = xstrndup(word, colon ? (size_t)(colon - word) : strlen(word));
	int ret = load(c, input, result, err);

	if (!ret && colon) {
		ret = find_variant(variant, &c->inputs[*input].experiment, colon + 1, err);
		*n = 1;
	} else if (!ret) {
		*variant = 0;
		*n = c->inputs[*input].experiment.nr_variants;
	}
	free(result);
	return ret;
}

static int add_side(struct comparison *c, size_t input, size_t variant, struct error *err)
{
	for (size_t i = 0; i < c->nr_sides; i++) {
		if (c->sides[i].input == input && c->sides[i].variant == variant)
			return 0; /* the base among the others, or one named twice */
	}
	if (c->nr_sides == MAX_SIDES)
		return error_set(err, EINVAL, "more than %d variants", MAX_SIDES);
	c->sides[c->nr_sides++] = (struct join_side){ .input = input, .variant = variant };
	return 0;
}

static int add_sides(struct comparison *c, const char *word, struct error *err)
{
	size_t input = 0, variant = 0, n = 0;
	int ret = resolve(c, word, &input, &variant, &n, err);

	for (size_t v = 0; !ret && v < n; v++)
		ret = add_side(c, input, variant + v, err);
	return ret;
}

/* With several results the first may stand for one variant only, so that nobody has to guess which is meant. */
static int add_base(struct comparison *c, const char *word, bool alone, struct error *err)
{
	const struct experiment_row *experiment;
	size_t input = 0, variant = 0, n = 0;
	int ret = resolve(c, word, &input, &variant, &n, err);

	if (ret)
		return ret;
	experiment = &c->inputs[input].experiment;
	if (n > 1 && !alone)
		return error_set(err, EINVAL, "%s has %zu variants: name the base, as in %s:%s",
				 word, n, word, experiment->variants[0].name);
	return add_side(c, input, variant, err);
}

/* "--base pinned" of the only result. */
static int add_named_base(struct comparison *c, const char *base, char *const *args, size_t nr_args,
			  struct error *err)
{
	size_t input = 0, variant = 0, n = 0;
	int ret;

	if (nr_args > 1 || variant_of(args[0]) || variant_of(base) || result_is_file(base))
		return add_base(c, base, false, err);
	ret = resolve(c, args[0], &input, &variant, &n, err);
	if (ret)
		return ret;
	ret = find_variant(&variant, &c->inputs[input].experiment, base, err);
	if (!ret)
		return add_side(c, input, variant, err);
	return add_base(c, base, false, NULL) ? ret
					      : 0; /* the words are those of a wrong variant */
}

static bool one_input(const struct comparison *c)
{
	for (size_t i = 1; i < c->nr_sides; i++) {
		if (c->sides[i].input != c->sides[0].input)
			return false;
	}
	return true;
}

/* The variant's name within one result; among several "result:variant", or the result's word if it has but one. */
static void name_sides(struct comparison *c)
{
	for (size_t i = 0; i < c->nr_sides; i++) {
		struct join_side *side = &c->sides[i];
		const struct experiment_row *experiment = &c->inputs[side->input].experiment;
		const char *variant = experiment->variants[side->variant].name;

		if (one_input(c))
			c->names[i] = xstrdup(variant);
		else if (experiment->nr_variants == 1)
			c->names[i] = xstrdup(c->words[side->input]);
		else
			c->names[i] = xasprintf("%s:%s", c->words[side->input], variant);
		side->name = c->names[i];
	}
}

static int build(struct report **report, struct comparison *c, const struct compare_cfg *cfg,
		 char *const *args, size_t nr_args, struct error *err)
{
	int ret;

	if (cfg->base)
		ret = add_named_base(c, cfg->base, args, nr_args, err);
	else
		ret = add_base(c, args[0], nr_args == 1, err);
	for (size_t i = 0; !ret && i < nr_args; i++)
		ret = add_sides(c, args[i], err);
	if (!ret && c->nr_sides < 2)
		ret = error_set(err, EINVAL, "%s is one variant: name something to compare it with",
				args[0]);
	if (ret)
		return ret;
	name_sides(c);
	return report_join(report, c->inputs, c->nr_inputs, c->sides, c->nr_sides, err);
}

static void release(struct comparison *c)
{
	for (size_t i = 0; i < c->nr_inputs; i++) {
		report_input_release(&c->inputs[i]);
		free(c->words[i]);
	}
	for (size_t i = 0; i < c->nr_sides; i++)
		free(c->names[i]);
	free(c);
}

/* What import would not read: another tool's output, a mail, a CSV file. */
static bool holds_figures(const char *word)
{
	struct strbuf text = { 0 };
	const char *s;
	bool figures;

	if (!result_is_file(word) || file_read(&text, AT_FDCWD, word, MAX_BYTES, NULL))
		return false;
	s = strbuf_str(&text);
	figures = s[strspn(s, " \t\r\n")] != '{';
	strbuf_release(&text);
	return figures;
}

/* Files of figures without the runs they came from are for schedproof verdict. */
static int compare_figures(const struct compare_cfg *cfg, char *const *args, size_t nr_args)
{
	void *verdict = xcalloc(1, command_verdict.cfg_size);
	struct error err = { 0 };
	int status, ret;

	opts_init(command_verdict.opts, verdict);
	ret = opts_set(command_verdict.opts, verdict, "format", cfg->format, &err);
	if (!ret)
		ret = opts_set(command_verdict.opts, verdict, "all", cfg->all ? "yes" : "no", &err);
	if (!ret && cfg->base)
		ret = opts_set(command_verdict.opts, verdict, "base", cfg->base, &err);
	if (!ret && cfg->fail_on)
		ret = opts_set(command_verdict.opts, verdict, "fail_on", cfg->fail_on, &err);
	status = ret ? complain(&err, EXIT_USAGE) : command_verdict.run(verdict, args, nr_args);
	opts_release(command_verdict.opts, verdict);
	free(verdict);
	return status;
}

/* Return: whether all are files of figures; -EINVAL if only some are. */
static int all_figures(char *const *args, size_t nr_args, struct error *err)
{
	size_t n = 0;

	for (size_t i = 0; i < nr_args; i++)
		n += holds_figures(args[i]);
	if (!n || n == nr_args)
		return n > 0;
	return error_set(err, EINVAL,
			 "results with their runs and files of bare figures can't be compared; "
			 "schedproof verdict reads the latter");
}

static int compare_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct compare_cfg *cfg = cfg_;
	struct comparison *c = xcalloc(1, sizeof(*c));
	struct output_style style = { .all = cfg->all, .tails = cfg->tails };
	struct fail_on fail_on = { 0 };
	struct report *report = NULL;
	struct error err = { 0 };
	int status, ret;

	ret = all_figures(args, nr_args, &err);
	if (ret) {
		release(c);
		return ret > 0 ? compare_figures(cfg, args, nr_args) : complain(&err, EXIT_USAGE);
	}
	c->store_path = cfg->store;
	ret = report_format_parse(&style.format, cfg->format, &err);
	if (!ret && cfg->fail_on)
		ret = fail_on_parse(&fail_on, cfg->fail_on, &err);
	if (!ret)
		ret = build(&report, c, cfg, args, nr_args, &err);
	if (!ret) {
		report_diagnose(report);
		ret = output_report(report, NULL, &style, &err);
	}
	status = ret ? complain(&err, EXIT_USAGE) : fail_on_status(&fail_on, report);
	report_free(report);
	release(c);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.args = "RESULT[:VARIANT] ...",
	.min_args = 1,
	.max_args = MAX_SIDES,
	.summary = "the verdict between variants of stored results or files",
	.help = "RESULT is the number or name of a stored experiment, or a file of JSON lines. The "
		"first variant named is the base, or what --base names; a RESULT alone stands for "
		"all its variants. Variants of one experiment keep its blocks. Runs of several "
		"experiments took turns or they did not: one after the other, whatever changed on "
		"the machine meanwhile is in the difference too, and the verdict is "
		"order-confounded; an experiment with both variants in it can say more. Facts in "
		"which the sides differ stand first. Files of bare figures, such as two outputs of "
		"hackbench, are judged as schedproof verdict does.",
	.example = "schedproof compare first --base one-cpu",
	.cfg_size = sizeof(struct compare_cfg),
	.opts = compare_opts,
	.ends = true,
	.run = compare_run,
};
