/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/job.h - one build: build.c has its steps, make.c those that kbuild does, summary.c writes down what came out. */
#ifndef KCORE_JOB_H
#define KCORE_JOB_H

#include "kcore/checkout.h"
#include "kcore/kcore.h"
#include "kcore/linking.h"

/**
 * struct job - all is owned but @how
 * @wanted:  facts as they are to be; inputs and what is counted come last
 * @dir:     folder of the finished core
 * @object:  core.so in it
 * @log:     of all tools
 * @work:    folder it is built in, with the four below
 * @src:     files of the tree: the tree itself, or a checkout in @work
 * @user_config: text of the user's .config, NULL if there is none
 * @start_ns: CLOCK_REALTIME: an input that is younger makes the outcome stale at once
 */
struct job {
	const struct kcore_build *how;
	struct kcore_facts wanted;
	struct checkout checkout;
	struct link link;
	char *dir, *object, *log;
	char *work, *src, *overlay, *build, *kit;
	char *user_config;
	uint64_t start_ns;
};

/** job_configure() - a .config for this tree, with the user's options */
int job_configure(struct job *job, struct error *err);

/** job_compile() - all objects; fills job->link.real and .shim */
int job_compile(struct job *job, struct error *err);

/** job_compare() - fills built->changed and built->taken */
int job_compare(const struct job *job, struct kcore_built *built, struct error *err);

/** job_summary() - text of the list of what is real, shim and stub */
void job_summary(const struct job *job, const struct kcore_built *built, struct strbuf *sb);

/** argv_text() - the words with blanks between them; the caller's to free */
char *argv_text(const struct argv *argv);

#endif
