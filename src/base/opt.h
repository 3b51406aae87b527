/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base/opt.h - one table row describes an option: its text form, default, range and help. The command
 * line, the experiment file, --help, the manual and the stored configuration are all made from it.
 */
#ifndef BASE_OPT_H
#define BASE_OPT_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum opt_type {
	OPT_TYPE_U64,	 /* uint64_t: 100, 4k, 2M (powers of 1000) */
	OPT_TYPE_DOUBLE, /* double */
	OPT_TYPE_BOOL,	 /* bool: yes/no, on/off, true/false, 1/0 */
	OPT_TYPE_STR,	 /* char *: heap copy, NULL where the default is NULL */
	OPT_TYPE_LINES, /* char *: as OPT_TYPE_STR, but each further value is added as a line of its own */
	OPT_TYPE_CHOICE, /* int: index into the words of @choices */
	OPT_TYPE_NS,	 /* uint64_t: 3ms, 1.5s, 2m, 1h, 500us, 10ns; a bare number is seconds */
	OPT_TYPE_BYTES,	 /* uint64_t: 100, 4KiB, 2MiB; a bare number is bytes */
};

/**
 * struct opt - one option
 * @name:    as written in a file or behind "--"; NULL ends a table
 * @def:     default as text, parsed like a user's; NULL: unset (0, false, NULL)
 * @min:     least value, for numbers in the member's unit
 * @max:     greatest value
 * @choices: the words of OPT_TYPE_CHOICE, joined by '|'
 * @help:    what it does, half a line, no full stop
 * @letter:  short form on a command line, 0 for none
 */
struct opt {
	const char *name;
	enum opt_type type;
	size_t offset;
	const char *def;
	double min, max;
	const char *choices;
	const char *help;
	char letter;
};

/* The member's own type decides how the text is parsed. */
#define OPT_TYPE_OF(member)                                                                        \
	_Generic((member), uint64_t: OPT_TYPE_U64, double: OPT_TYPE_DOUBLE, bool: OPT_TYPE_BOOL, \
		 char *: OPT_TYPE_STR)

#define OPT(st, member, def_, min_, max_, help_)                                                   \
	{                                                                                          \
		.name = #member, .type = OPT_TYPE_OF(((st *)0)->member),                           \
		.offset = offsetof(st, member), .def = (def_), .min = (min_), .max = (max_),       \
		.help = (help_),                                                                   \
	}
/* A member @member_ns that is written as a time; @min_ and @max_ in ns. */
#define OPT_NS(st, name_, member, def_, min_, max_, help_)                                         \
	{                                                                                          \
		.name = (name_), .type = OPT_TYPE_NS, .offset = offsetof(st, member),              \
		.def = (def_), .min = (min_), .max = (max_), .help = (help_),                      \
	}
#define OPT_BYTES(st, name_, member, def_, min_, max_, help_)                                      \
	{                                                                                          \
		.name = (name_), .type = OPT_TYPE_BYTES, .offset = offsetof(st, member),           \
		.def = (def_), .min = (min_), .max = (max_), .help = (help_),                      \
	}
#define OPT_LINES(st, member, help_)                                                               \
	{                                                                                          \
		.name = #member, .type = OPT_TYPE_LINES, .offset = offsetof(st, member),           \
		.help = (help_),                                                                   \
	}
#define OPT_CHOICE(st, member, def_, choices_, help_)                                              \
	{                                                                                          \
		.name = #member, .type = OPT_TYPE_CHOICE, .offset = offsetof(st, member),          \
		.def = (def_), .choices = (choices_), .help = (help_),                             \
	}
#define OPT_END                                                                                    \
	{                                                                                          \
		.name = NULL,                                                                      \
	}

/** opts_find() - row named @name, or NULL */
const struct opt *opts_find(const struct opt *opts, const char *name);

/** opts_init() - set every member of @cfg to its default; the defaults of a table are valid */
void opts_init(const struct opt *opts, void *cfg);

/** opts_release() - free what the members own */
void opts_release(const struct opt *opts, void *cfg);

/**
 * opt_parse() - set one member from text
 *
 * Return: 0; -EINVAL (not of the option's form, or no such choice) or -ERANGE with the words
 * "name: ..." in @err and the member untouched.
 */
int opt_parse(const struct opt *opt, void *cfg, const char *text, struct error *err);

/**
 * opts_set() - opt_parse() by name
 *
 * Return: as opt_parse(), or -ENOENT for an unknown name, with the nearest known one in @err.
 */
int opts_set(const struct opt *opts, void *cfg, const char *name, const char *text,
	     struct error *err);

/** opt_print() - append the member's value in the one text form that parses to the same value */
void opt_print(const struct opt *opt, const void *cfg, struct strbuf *sb);

/** opt_print_range() - append what may be written: "1 .. 1000", "1s .. 24h", "process|thread", "yes|no" */
void opt_print_range(const struct opt *opt, struct strbuf *sb);

/** parse_ns() - OPT_TYPE_NS by itself. Return: 0, -EINVAL, or -ERANGE above 2^63 ns */
int parse_ns(uint64_t *ns, const char *text, struct error *err);

#endif
