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
 */
struct parsing {
	const char *path;
	const struct ini_section *section;
	const char *label;
	struct experiment *experiment;
	struct error *err;
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

/** parse_workload() - add the points of the [workload] section in p->section */
int parse_workload(struct parsing *p);

void point_release(struct point *point);

#endif
