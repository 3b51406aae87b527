/* SPDX-License-Identifier: GPL-2.0-only */
/* lab/parsing.h - what the files that read an experiment share; of no use outside lab/. */
#ifndef LAB_PARSING_H
#define LAB_PARSING_H

#include "base/error.h"
#include "lab/experiment.h"
#include "base/ini_text.h"

/**
 * struct parsing - where the reading stands
 * @path:    what the text is called in errors
 * @section: being read
 * @label:   what follows "variant" or "workload" in its heading
 * @backend, @machine, @core: of [experiment], where it has them, for variants that don't
 */
struct parsing {
	const char *path;
	const struct ini_section *section;
	const char *label;
	struct experiment *experiment;
	struct error *err;
	const struct ini_key *backend, *machine, *core;
};

/**
 * at_line() - finish an error with its place: "path:line: text"
 * @ret: of what failed, its words are in p->err; 0 is passed through
 *
 * Return: 0, -ERANGE or -EINVAL, which is what every other error becomes.
 */
int at_line(const struct parsing *p, unsigned int line, int ret);

/** check_name() - letters, digits, - _ . and at most EXPERIMENT_MAX_NAME of them, none of them a leading '-' */
int check_name(const char *name, struct error *err);

/** need_value() - Return: 0, or -EINVAL "key: has no value" */
int need_value(const struct ini_key *key, struct error *err);

/** parse_head() - the [experiment] section in p->section, NULL if there is none */
int parse_head(struct parsing *p);

/** resolve_backends() - where all runs are made, behind the last section; @head: the [experiment] section or NULL */
int resolve_backends(struct parsing *p, const struct ini_text *ini, const struct ini_section *head);

/** variant_line() - line of the section of variant @v */
unsigned int variant_line(const struct parsing *p, const struct ini_text *ini, size_t v);

/** parse_workload() - add the points of the [workload] section in p->section */
int parse_workload(struct parsing *p);

void point_release(struct point *point);

#endif
