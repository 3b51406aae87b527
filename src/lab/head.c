// SPDX-License-Identifier: GPL-2.0-only
/* lab/head.c - the [experiment] section. */
#include "lab/parsing.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct head {
	char *name;
	uint64_t blocks;
	uint64_t runs_per_block;
	uint64_t budget_ns;
	uint64_t seed;
	uint64_t warmup;
	char *counters;
	char *fail_on;
	char *margin;
	char *until;
	uint64_t runs_per_boot;
	int backend;
	char *machine;
	char *core;
};

const struct opt experiment_opts[] = {
	OPT(struct head, name, NULL, 0, 0, "what to store it as (default: the file's name)"),
	OPT(struct head, blocks, NULL, 1, EXPERIMENT_MAX_BLOCKS,
	    "blocks of runs (default: 12 runs of each variant; 8 boots where they differ by "
	    "kernel; at most 25 blocks with until)"),
	OPT(struct head, runs_per_block, NULL, 1, EXPERIMENT_MAX_BLOCK_RUNS,
	    "runs of each variant in a block, in random order: 2 makes blocks of four of two "
	    "variants, 1 pairs; boots where variants differ by kernel (default: 2; without "
	    "blocks, 1 for boots and where a block of four would take more than an hour)"),
	OPT_NS(struct head, "time", budget_ns, NULL, 1e9, 30 * 86400e9,
	       "time budget; with blocks, whichever ends first"),
	OPT(struct head, seed, "1", 0, 0x1p64, "decides the order of the runs"),
	OPT(struct head, warmup, "1", 0, 100,
	    "runs of each variant at each point to discard when a session starts"),
	OPT(struct head, counters, "default", 0, 0,
	    "events to count, by libpfm4 names: default, none, or a list"),
	{ .name = "fail-on",
	  .type = OPT_TYPE_STR,
	  .offset = offsetof(struct head, fail_on),
	  .help = "regressed or regressed:2%: when to exit with status 1" },
	OPT(struct head, margin, NULL, 0, 0,
	    "1%: a smaller change does not matter, and lying within it is a result"),
	OPT(struct head, until, NULL, 0, 0,
	    "2%: look after each block and stop as soon as a change is known, or known to be "
	    "smaller than this, or not to be known in time"),
	OPT(struct head, runs_per_boot, "5", 1, EXPERIMENT_MAX_BOOT_RUNS,
	    "where variants differ by kernel: runs at each point that one boot makes"),
	OPT_CHOICE(struct head, backend, "host", "host|sim",
		   "of all variants: runs are made on this machine or on a simulated one"),
	OPT(struct head, machine, NULL, 0, 0, "of sim, of all variants that name none"),
	OPT(struct head, core, NULL, 0, 0, "of sim, of all variants that name none"),
	OPT_END,
};

int percent_parse(double *fraction, const char *name, const char *text, struct error *err)
{
	double percent;
	char *end;

	if (*text && strspn(text, "0123456789.") == strlen(text) - 1) {
		percent = strtod(text, &end);
		if (end != text && !strcmp(end, "%") && percent > 0 && percent <= 100) {
			*fraction = percent / 100;
			return 0;
		}
	}
	return error_set(err, EINVAL,
			 "%s: '%.80s' is not valid, expected a percentage such as 2%%, at most "
			 "100%%",
			 name, text);
}

int fail_on_parse(struct fail_on *fail_on, const char *text, struct error *err)
{
	static const char word[] = "regressed";
	const size_t len = sizeof(word) - 1;
	double percent;
	char *end;

	if (!strcmp(text, word)) {
		*fail_on = (struct fail_on){ .set = true };
		return 0;
	}
	if (strncmp(text, word, len) != 0 || text[len] != ':')
		goto bad;
	text += len + 1;
	if (!*text || strspn(text, "0123456789.") != strlen(text) - 1)
		goto bad;
	percent = strtod(text, &end);
	if (end == text || strcmp(end, "%") != 0 || percent > 1000)
		goto bad;
	*fail_on = (struct fail_on){ .set = true, .fraction = percent / 100 };
	return 0;
bad:
	return error_set(err, EINVAL,
			 "fail-on: '%.80s' is not valid, expected regressed or regressed:2%%, at "
			 "most 1000%%",
			 text);
}

/* "runs/first.ini" is called "first" */
static char *default_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t n = strlen(name);

	if (n > 4 && !strcmp(name + n - 4, ".ini"))
		n -= 4;
	return xstrndup(name, n);
}

static int set_keys(struct parsing *p, struct head *head)
{
	for (size_t i = 0; i < p->section->nr_keys; i++) {
		const struct ini_key *key = &p->section->keys[i];
		int ret = need_value(key, p->err);

		if (!ret)
			ret = opts_set(experiment_opts, head, key->name, key->value, p->err);
		if (!ret && !strcmp(key->name, "backend"))
			p->backend = key;
		if (!ret && !strcmp(key->name, "machine"))
			p->machine = key;
		if (!ret && !strcmp(key->name, "core"))
			p->core = key;
		if (!ret && !strcmp(key->name, "name"))
			ret = check_name(key->value, p->err);
		if (!ret && !strcmp(key->name, "fail-on"))
			ret = fail_on_parse(&p->experiment->fail_on, key->value, p->err);
		if (!ret && !strcmp(key->name, "margin"))
			ret = percent_parse(&p->experiment->margin, key->name, key->value, p->err);
		if (!ret && !strcmp(key->name, "until"))
			ret = percent_parse(&p->experiment->until, key->name, key->value, p->err);
		if (ret)
			return at_line(p, key->line, ret);
	}
	return 0;
}

static int set_default_name(struct parsing *p, struct head *head)
{
	int ret;

	head->name = default_name(p->path);
	ret = check_name(head->name, p->err);
	if (ret)
		error_prefix(
			p->err,
			"%s: the file's name can't name the experiment, give it a name =", p->path);
	return ret;
}

int parse_head(struct parsing *p)
{
	struct experiment *experiment = p->experiment;
	struct head head = { 0 };
	int ret = 0;

	opts_init(experiment_opts, &head);
	if (p->section)
		ret = set_keys(p, &head);
	if (!ret && !head.name)
		ret = set_default_name(p, &head);
	if (ret)
		goto out;
	experiment->name = head.name;
	experiment->counters = head.counters;
	head.name = head.counters = NULL;
	experiment->blocks = head.blocks;
	experiment->own_blocks = head.blocks > 0;
	experiment->runs_per_block = head.runs_per_block;
	experiment->own_runs_per_block = head.runs_per_block > 0;
	experiment->budget_ns = head.budget_ns;
	experiment->seed = head.seed;
	experiment->warmup = head.warmup;
	experiment->runs_per_boot = head.runs_per_boot;
out:
	opts_release(experiment_opts, &head);
	return ret;
}
