/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcore/kcore.h - kernel cores: a kernel tree's own scheduler, built as an object that is loaded behind core/core.h. Built by
 * the tree's own makefiles, with an architecture of ours (kcore/kit) beside the tree's; the tree itself is only read.
 *
 * Objects lie in the cache folder, $XDG_CACHE_HOME/schedproof/cores or ~/.cache/schedproof/cores: NAME/core.so, with the lists
 * of what it consists of beside it. What is needed to build again quickly is in .work below it and may be deleted.
 *
 * Memory: a struct that is filled here owns its texts; its release function frees them.
 */
#ifndef KCORE_KCORE_H
#define KCORE_KCORE_H

#include "base/error.h"
#include "core/core.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct kcore_facts - what is known of a built core; read from the object itself
 * @name:    by which it is found
 * @release: of the tree, "6.12.117"
 * @tree:    folder it was built from, absolute
 * @rev:     full hash of the commit, "" where the folder as it stood was built
 * @config:  the .config that scheduler options were taken from, "" where none was
 * @work:    folder below .work that it was built in
 * @abi:     CORE_ABI of the schedproof that built it
 * @kit:     hash of the kit it was built with
 * @inputs:  hash of names, sizes and times of all files of the tree that went into it
 * @cpus:    most CPUs it can have
 * @cost:    it counts its own work
 * @built_ns: when, CLOCK_REALTIME
 * @real, @shim, @stubs: objects of the tree's own code, objects of ours, and functions that only say that they are missing
 * @size_bytes: of the object
 */
struct kcore_facts {
	char *name;
	char *release;
	char *tree;
	char *rev;
	char *config;
	char *work;
	uint64_t abi;
	uint64_t kit;
	uint64_t inputs;
	uint64_t cpus;
	bool cost;
	uint64_t built_ns;
	uint64_t real, shim, stubs;
	uint64_t size_bytes;
};

void kcore_facts_release(struct kcore_facts *facts);

/** kcore_folder() - where the cores are, the caller's to free; NULL without a home */
char *kcore_folder(struct error *err);

/** kcore_find() - facts of the core of that name. Return: 0; -ENOENT with the nearest known name; -errno */
int kcore_find(struct kcore_facts *facts, const char *name, struct error *err);

/**
 * kcore_list() - facts of all that are built, by name
 * @facts: set to facts[*n]; each to be released, the array to be freed
 *
 * An object that can't be read is left out.
 */
int kcore_list(struct kcore_facts **facts, size_t *n, struct error *err);

/**
 * kcore_stale() - why it should be built again, NULL if it needn't
 *
 * Static: "interface changed", "kit changed", "tree changed", "tree is gone".
 */
const char *kcore_stale(const struct kcore_facts *facts);

struct kcore;

/**
 * kcore_open() - load one
 * @name: of a core, or the path of an object (with a '/' in it)
 *
 * Each opening is a copy with variables of its own, so that several, also of one core, can live in one process.
 *
 * Return: 0; -ENOENT; -ESTALE where it was built for another CORE_ABI; -ENOEXEC where it can't be loaded.
 */
int kcore_open(struct kcore **out, const char *name, struct error *err);

/** kcore_ops() - to be booted; the core's, until it is closed */
const struct core_ops *kcore_ops(const struct kcore *kcore);

/** kcore_close() - unload; no instance of it may be left. NULL is fine */
void kcore_close(struct kcore *kcore);

/**
 * struct kcore_build - what to build
 * @tree:   folder of a kernel tree
 * @name:   NULL: the tree's release, or with @rev the short hash
 * @rev:    a git revision of @tree, built from a checkout in the cache; NULL: the folder as it stands
 * @config: a .config that scheduler options are taken from; NULL: that of @tree if there is one
 * @cpus:   most CPUs it can have, 0: as the kit has it
 * @cost:   count the core's own work (some four times slower)
 * @jobs:   of make, 0: as many as there are CPUs
 * @force:  also where nothing seems to have changed
 * @stop:   becomes nonzero when the user wants to stop; may be NULL
 * @say:    a line on what is going on; may be NULL
 */
struct kcore_build {
	const char *tree;
	const char *name;
	const char *rev;
	const char *config;
	uint64_t cpus;
	uint64_t jobs;
	bool cost;
	bool force;
	const volatile sig_atomic_t *stop;
	void (*say)(void *ctx, const char *line);
	void *ctx;
};

/**
 * struct kcore_built - the outcome
 * @unchanged: it was there, and nothing had changed
 * @real:    the tree's own objects, in the order in which they are linked, blanks between
 * @shim:    ours
 * @changed: scheduler options that differ from the .config, "NAME=value there, value here", a line each; "" for none
 * @taken:   how many are as there
 * @list:    path of the file that lists all of it
 */
struct kcore_built {
	struct kcore_facts facts;
	bool unchanged;
	char *real;
	char *shim;
	char *changed;
	uint64_t taken;
	char *list;
};

void kcore_built_release(struct kcore_built *built);

/**
 * kcore_build() - make it, or see that it need not be made
 *
 * Seconds after an edit, half a minute of CPU time from nothing. An object of that name stays usable until the new one takes
 * its place, also when this is interrupted. Waits for another build of the same name or tree.
 *
 * Return: 0; -ENOENT (no such tree, revision or tool), -EINVAL (no kernel tree; a name that can't be one), -ENOSYS (the
 * tree needs what the kit doesn't have; named), -ENOEXEC (doesn't compile), -EINTR, or another -errno; the words are in @err.
 */
int kcore_build(struct kcore_built *built, const struct kcore_build *how, struct error *err);

#endif
