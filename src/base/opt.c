// SPDX-License-Identifier: GPL-2.0-only
#include "base/opt.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A suffix of a number and what it stands for. */
struct suffix {
	const char *name;
	double factor;
};

static const struct suffix count_suffixes[] = { { "", 1 },    { "k", 1e3 }, { "K", 1e3 },
						{ "M", 1e6 }, { "G", 1e9 }, { NULL, 0 } };
static const struct suffix ns_suffixes[] = { { "", 1e9 },     { "ns", 1 },  { "us", 1e3 },
					     { "ms", 1e6 },   { "s", 1e9 }, { "m", 60e9 },
					     { "h", 3600e9 }, { NULL, 0 } };
static const struct suffix byte_suffixes[] = {
	{ "", 1 },	 { "B", 1 },	    { "k", 0x1p10 }, { "K", 0x1p10 },	{ "KiB", 0x1p10 },
	{ "M", 0x1p20 }, { "MiB", 0x1p20 }, { "G", 0x1p30 }, { "GiB", 0x1p30 }, { NULL, 0 }
};

static const struct suffix *suffixes_of(enum opt_type type)
{
	return type == OPT_TYPE_NS	? ns_suffixes
	       : type == OPT_TYPE_BYTES ? byte_suffixes
					: count_suffixes;
}

static const struct suffix *suffix_find(const struct suffix *suffixes, const char *name)
{
	for (; suffixes->name; suffixes++)
		if (!strcmp(suffixes->name, name))
			return suffixes;
	return NULL;
}

/* Whole numbers are read as such, so that all 64 bits survive; 1.5k goes through a double. */
static int parse_scaled(uint64_t *value, const char *text, const struct suffix *suffixes)
{
	const struct suffix *suffix;
	uint64_t whole, factor;
	double real;
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return -EINVAL;
	errno = 0;
	whole = strtoull(text, &end, 10);
	if (errno == ERANGE)
		return -ERANGE;
	suffix = suffix_find(suffixes, end);
	if (end != text && suffix) {
		factor = (uint64_t)suffix->factor;
		return __builtin_mul_overflow(whole, factor, value) ? -ERANGE : 0;
	}
	if (strspn(text, "0123456789.") == 0)
		return -EINVAL;
	real = strtod(text, &end);
	suffix = suffix_find(suffixes, end);
	if (!suffix || memchr(text, 'x', (size_t)(end - text)) || !isfinite(real))
		return -EINVAL;
	real *= suffix->factor;
	if (real >= 0x1p63)
		return -ERANGE;
	*value = (uint64_t)llround(real);
	return 0;
}

static int parse_double(double *value, const char *text)
{
	char *end;

	if (!*text || isspace((unsigned char)*text))
		return -EINVAL;
	*value = strtod(text, &end);
	return *end || !isfinite(*value) ? -EINVAL : 0;
}

static int parse_bool(bool *value, const char *text)
{
	static const char *const words[][2] = {
		{ "no", "yes" }, { "off", "on" }, { "false", "true" }, { "0", "1" }
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		for (int truth = 0; truth < 2; truth++) {
			if (!strcmp(text, words[i][truth])) {
				*value = truth;
				return 0;
			}
		}
	}
	return -EINVAL;
}

/* Length of the first word of "a|b|c". */
static size_t word_len(const char *choices)
{
	return strcspn(choices, "|");
}

static const char *next_word(const char *choices)
{
	choices += word_len(choices);
	return *choices ? choices + 1 : NULL;
}

static int parse_choice(int *value, const char *text, const char *choices)
{
	int i = 0;

	for (const char *at = choices; at; at = next_word(at), i++) {
		if (strlen(text) == word_len(at) && !memcmp(text, at, word_len(at))) {
			*value = i;
			return 0;
		}
	}
	return -EINVAL;
}

static bool is_number(const struct opt *opt)
{
	return opt->type == OPT_TYPE_U64 || opt->type == OPT_TYPE_NS ||
	       opt->type == OPT_TYPE_BYTES || opt->type == OPT_TYPE_DOUBLE;
}

static const char *const sizes[] = { "GiB", "MiB", "KiB", NULL };

/* As it can be read again, with the first suffix of @order that leaves it whole. */
static void print_scaled(struct strbuf *sb, uint64_t value, const struct suffix *names,
			 const char *const *order)
{
	for (; *order; order++) {
		uint64_t factor = (uint64_t)suffix_find(names, *order)->factor;

		if (value && value % factor == 0) {
			strbuf_addf(sb, "%" PRIu64 "%s", value / factor, *order);
			return;
		}
	}
	strbuf_addf(sb, "%" PRIu64, value);
}

static void print_limit(const struct opt *opt, double limit, struct strbuf *sb)
{
	static const char *const times[] = { "h", "m", "s", "ms", "us", "ns", NULL };

	if (opt->type == OPT_TYPE_NS)
		print_scaled(sb, (uint64_t)limit, ns_suffixes, times);
	else if (opt->type == OPT_TYPE_BYTES)
		print_scaled(sb, (uint64_t)limit, byte_suffixes, sizes);
	else if (limit >= 0x1p64)
		strbuf_addstr(sb, "2^64 - 1");
	else
		strbuf_addf(sb, "%.15g", limit);
}

void opt_print_range(const struct opt *opt, struct strbuf *sb)
{
	if (is_number(opt)) {
		print_limit(opt, opt->min, sb);
		strbuf_addstr(sb, " .. ");
		print_limit(opt, opt->max, sb);
	} else if (opt->type == OPT_TYPE_BOOL) {
		strbuf_addstr(sb, "yes|no");
	} else if (opt->type == OPT_TYPE_CHOICE) {
		strbuf_addstr(sb, opt->choices);
	} else {
		strbuf_addstr(sb, "text");
	}
}

static int parse_failed(const struct opt *opt, const char *text, int ret, struct error *err)
{
	struct strbuf range = { 0 };

	opt_print_range(opt, &range);
	if (ret == -ERANGE)
		error_set(err, ERANGE, "%s: '%.80s' is out of range, allowed is %s", opt->name,
			  text, range.s);
	else
		error_set(err, EINVAL, "%s: '%.80s' is not valid, expected %s", opt->name, text,
			  range.s);
	strbuf_release(&range);
	return ret;
}

static int in_range(const struct opt *opt, double value)
{
	return value >= opt->min && value <= opt->max ? 0 : -ERANGE;
}

static void add_line(char **lines, const char *text)
{
	char *before = *lines;

	*lines = before ? xasprintf("%s\n%s", before, text) : xstrdup(text);
	free(before);
}

int opt_parse(const struct opt *opt, void *cfg, const char *text, struct error *err)
{
	char *member = (char *)cfg + opt->offset;
	uint64_t number = 0;
	double real = 0;
	int ret = -EINVAL;

	switch (opt->type) {
	case OPT_TYPE_U64:
	case OPT_TYPE_NS:
	case OPT_TYPE_BYTES:
		ret = parse_scaled(&number, text, suffixes_of(opt->type));
		if (!ret)
			ret = in_range(opt, (double)number);
		if (!ret)
			memcpy(member, &number, sizeof(number));
		break;
	case OPT_TYPE_DOUBLE:
		ret = parse_double(&real, text);
		if (!ret)
			ret = in_range(opt, real);
		if (!ret)
			memcpy(member, &real, sizeof(real));
		break;
	case OPT_TYPE_BOOL:
		ret = parse_bool((bool *)member, text);
		break;
	case OPT_TYPE_CHOICE:
		ret = parse_choice((int *)member, text, opt->choices);
		break;
	case OPT_TYPE_STR:
		free(*(char **)member);
		*(char **)member = xstrdup(text);
		ret = 0;
		break;
	case OPT_TYPE_LINES:
		add_line((char **)member, text);
		ret = 0;
		break;
	}
	return ret ? parse_failed(opt, text, ret, err) : 0;
}

const struct opt *opts_find(const struct opt *opts, const char *name)
{
	for (; opts->name; opts++)
		if (!strcmp(opts->name, name))
			return opts;
	return NULL;
}

/* The known name that @name may have meant, or NULL. */
static const char *opts_nearest(const struct opt *opts, const char *name)
{
	struct nearest nearest;

	nearest_init(&nearest, name);
	for (; opts->name; opts++)
		nearest_offer(&nearest, opts->name);
	return nearest.best;
}

int opts_set(const struct opt *opts, void *cfg, const char *name, const char *text,
	     struct error *err)
{
	const struct opt *opt = opts_find(opts, name);
	const char *near;

	if (opt)
		return opt_parse(opt, cfg, text, err);
	near = opts_nearest(opts, name);
	if (near)
		return error_set(err, ENOENT, "unknown key '%.80s', did you mean '%s'?", name,
				 near);
	return error_set(err, ENOENT, "unknown key '%.80s'", name);
}

void opts_init(const struct opt *opts, void *cfg)
{
	struct error err = { 0 };
	int ret;

	for (; opts->name; opts++) {
		if (!opts->def)
			continue;
		ret = opt_parse(opts, cfg, opts->def, &err);
		assert(!ret);
		(void)ret;
	}
}

void opts_release(const struct opt *opts, void *cfg)
{
	for (; opts->name; opts++) {
		char **member = (char **)((char *)cfg + opts->offset);

		if (opts->type != OPT_TYPE_STR && opts->type != OPT_TYPE_LINES)
			continue;
		free(*member);
		*member = NULL;
	}
}

void opt_print(const struct opt *opt, const void *cfg, struct strbuf *sb)
{
	static const char *const times[] = { "s", "ms", "us", "ns", NULL };
	const char *member = (const char *)cfg + opt->offset;
	uint64_t number = 0;
	double real;

	switch (opt->type) {
	case OPT_TYPE_U64:
		memcpy(&number, member, sizeof(number));
		strbuf_addf(sb, "%" PRIu64, number);
		break;
	case OPT_TYPE_NS:
		memcpy(&number, member, sizeof(number));
		print_scaled(sb, number, ns_suffixes, times);
		break;
	case OPT_TYPE_BYTES:
		memcpy(&number, member, sizeof(number));
		print_scaled(sb, number, byte_suffixes, sizes);
		break;
	case OPT_TYPE_DOUBLE:
		memcpy(&real, member, sizeof(real));
		strbuf_addf(sb, "%.17g", real);
		break;
	case OPT_TYPE_BOOL:
		strbuf_addstr(sb, *(const bool *)member ? "yes" : "no");
		break;
	case OPT_TYPE_CHOICE: {
		const char *at = opt->choices;

		for (int i = *(const int *)member; i > 0; i--)
			at = next_word(at);
		strbuf_add(sb, at, word_len(at));
		break;
	}
	case OPT_TYPE_STR:
	case OPT_TYPE_LINES:
		if (*(char *const *)member)
			strbuf_addstr(sb, *(char *const *)member);
		break;
	}
}

int parse_ns(uint64_t *ns, const char *text, struct error *err)
{
	uint64_t value;
	int ret = parse_scaled(&value, text, ns_suffixes);

	if (!ret && value > INT64_MAX)
		ret = -ERANGE;
	if (ret)
		return error_set(err, -ret, "'%.80s' is no time like 10m or 3ms", text);
	*ns = value;
	return 0;
}
