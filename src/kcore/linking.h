/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/linking.h - the objects that make has built, the kit's and the tree's, made into one that can be loaded. */
#ifndef KCORE_LINKING_H
#define KCORE_LINKING_H

#include "base/error.h"
#include "base/strbuf.h"
#include "kcore/process.h"

#include <signal.h>
#include <stddef.h>

/**
 * struct link - what is linked
 * @build:   folder that make has filled; its "link" folder takes what is made here
 * @overlay: the sources that make was shown
 * @kit:     the unpacked kit
 * @log:     for the words of the tools
 * @real, @shim: objects below @build, the tree's and ours
 * @make:    words that make anything else in @build, "kernel/sched/core.i"
 * @aborting, @zero: filled: names of the functions that have a stub
 */
struct link {
	const char *build;
	const char *overlay;
	const char *kit;
	const char *log;
	const volatile sig_atomic_t *stop;
	struct argv real, shim;
	struct argv make;
	struct argv aborting, zero;
};

/**
 * link_core() - make @build/link/core.so, which exports schedproof_core alone
 *
 * What nothing defines gets a function that says its name and ends the run, if relocations, the kit's stubs.list or the tree's
 * headers show that it is a function.
 *
 * Return: 0; -ENOSYS naming what may be data and isn't there; -ENOEXEC; -EINTR; -errno.
 */
int link_core(struct link *link, struct error *err);

/** link_add_facts() - put @json into it */
int link_add_facts(const struct link *link, const char *json, struct error *err);

void link_release(struct link *link);

/**
 * log_reason() - the line of the log that tells what went wrong, from byte @from on
 *
 * A full file system is a reason too: it has no room for such a line.
 *
 * Return: the caller's to free; NULL if no line looks like it.
 */
char *log_reason(const char *log, size_t from);

#endif
