/* SPDX-License-Identifier: GPL-2.0-only */
/* differ/pair.h - a script played to two cores: the first decision in which they differ. */
#ifndef DIFFER_PAIR_H
#define DIFFER_PAIR_H

#include "base/error.h"
#include "base/strbuf.h"
#include "differ/play.h"
#include "differ/script.h"
#include "lab/sim_ground.h"

#include <signal.h>
#include <stdbool.h>

/**
 * struct pair - two cores and what they are played; borrowed
 * @ground: of each side; their machines are the same
 * @names:  "before", "after"
 * @room:   decisions of each that are kept; 0: a million
 */
struct pair {
	const struct sim_ground *ground[2];
	const char *names[2];
	const struct script *script;
	size_t room;
	const volatile sig_atomic_t *stop;
};

/**
 * struct pair_found - the first decision in which they differ
 * @event: index in the script
 * @text:  appended: that event, what each chose, and the states of both behind the last event; may be NULL
 */
struct pair_found {
	bool differs;
	size_t event;
	struct strbuf *text;
};

/**
 * pair_play() - play it to both
 * @keep: keep[script->nr]: only those events; NULL: all
 *
 * Return: 0; -EINTR; -ERANGE where the script doesn't fit the machine, or they decide alike as far as there is room; -EFAULT,
 * -ETIME with the side.
 */
int pair_play(struct pair_found *found, const struct pair *pair, const bool *keep,
	      struct error *err);

/* --- for who plays many --- */

struct pair_stage;

/** pair_stage_new() - room for what both decide */
struct pair_stage *pair_stage_new(const struct pair *pair);
void pair_stage_free(struct pair_stage *stage);

/**
 * pair_stage_play() - as pair_play(), for a script that fits
 * @decision: set to how many are the same
 *
 * Return: 1 if they differ, 0 or -errno.
 */
int pair_stage_play(struct pair_stage *stage, const struct pair *pair, const bool *keep,
		    size_t *decision, struct error *err);

/** pair_stage_event() - index of the event of @decision, which the two don't share */
size_t pair_stage_event(const struct pair_stage *stage, size_t decision);

/** pair_stage_out() - what side 0 or 1 did in the last play */
const struct play_out *pair_stage_out(const struct pair_stage *stage, size_t side);

#endif
