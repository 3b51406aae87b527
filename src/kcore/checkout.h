/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcore/checkout.h - a revision of a git repository as files in the cache. The user's repository is only read: the checkout
 * belongs to a small repository of ours that borrows its objects. From one revision to the next only the files that differ
 * are written, so that make builds only those.
 */
#ifndef KCORE_CHECKOUT_H
#define KCORE_CHECKOUT_H

#include "base/error.h"

#include <signal.h>

/**
 * struct checkout - of one repository
 * @tree: folder in it, its top
 * @log:  where git's own words go
 * @hash: of the commit, set by checkout_find(), the caller's to free
 * @brief: the same shortened, the caller's to free
 * @objects: folder of the repository's objects, which tells repositories apart; the caller's to free
 */
struct checkout {
	const char *tree;
	const char *log;
	const volatile sig_atomic_t *stop;
	char *hash;
	char *brief;
	char *objects;
};

/** checkout_find() - the commit that @rev means. Return: 0; -ENOENT if @tree is in no repository or has no such commit; -EINTR */
int checkout_find(struct checkout *checkout, const char *rev, struct error *err);

/** checkout_files() - have what a scheduler is built from in @folder/src, as of the commit found. Return: 0 or -errno */
int checkout_files(const struct checkout *checkout, const char *folder, struct error *err);

void checkout_release(struct checkout *checkout);

#endif
