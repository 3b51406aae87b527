/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * agree/run.h - runs of a pair: each from a fresh one, over a script of its own seed, to the first difference or to its end.
 *
 * The rate of a kind is agreed / compared over all runs, each up to and with its first difference: what comes after it is a
 * consequence. Many short runs therefore weigh every part of a script alike.
 */
#ifndef AGREE_RUN_H
#define AGREE_RUN_H

#include "agree/script.h"

#include <signal.h>

/**
 * struct agree_setup - what runs are of; config.ops[0] is filled for each run by @open
 * @open:  the leading core, fresh; @handle is given back to @close, which nothing of it outlives. 0 or -errno
 * @stop:  becomes nonzero when the user wants to stop; may be NULL
 */
struct agree_setup {
	struct agree_config config;
	int (*open)(void *ctx, const struct core_ops **ops, void **handle, struct error *err);
	void (*close)(void *ctx, void *handle);
	void *ctx;
	const char *name[2];
	const volatile sig_atomic_t *stop;
};

/**
 * struct agree_outcome - of one run
 * @text: the first difference with both states, or why it failed
 */
struct agree_outcome {
	struct agree_counts counts;
	uint64_t events;
	bool differs, failed;
	enum agree_kind kind;
	struct strbuf text;
};

void agree_outcome_release(struct agree_outcome *outcome);

/** agree_replay() - a run over @ops; with @why the second core tells its reasons, which are in the text */
int agree_replay(struct agree_outcome *out, const struct agree_setup *setup,
		 const struct agree_ops *ops, bool why, struct error *err);

/**
 * struct agree_total - of many runs; agree_total_release() frees
 * @clean:  runs without a difference; @ended: runs by the kind that ended them
 * @failed: runs in which a core warned or gave up; @failure: the first one's words
 * @seed:   of the first run that differs, @first_kind; 0: none does
 * @first:  its script, up to there
 */
struct agree_total {
	struct agree_counts counts;
	uint64_t runs, clean, failed, events;
	uint64_t ended[NR_AGREE_KINDS];
	uint64_t seed;
	enum agree_kind first_kind;
	struct agree_ops first;
	struct strbuf failure;
};

void agree_total_release(struct agree_total *total);

/** agree_many() - @runs runs over @script, of seeds @seed, @seed + 1, ... Return: 0; -EINTR; -errno */
int agree_many(struct agree_total *total, const struct agree_setup *setup,
	       const struct agree_script *script, uint64_t seed, uint64_t runs, uint64_t events,
	       struct error *err);

/**
 * agree_shrink() - leave out what isn't needed for the first difference to be of @kind
 * @ops:      cut in place
 * @limit_ns: of time; what is reached by then is kept
 *
 * Return: 0 or -errno.
 */
int agree_shrink(struct agree_ops *ops, const struct agree_setup *setup, enum agree_kind kind,
		 uint64_t limit_ns, struct error *err);

#endif
