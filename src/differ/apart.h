/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * differ/apart.h - a function called in a process of its own: a kernel's object boots once only, and may crash. What it finds
 * out it leaves in shared memory or in a file that was open before.
 */
#ifndef DIFFER_APART_H
#define DIFFER_APART_H

#include "base/error.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/** apart_shared() - zeroed memory that both see; ends the program where there is none */
void *apart_shared(size_t size);
void apart_unshare(void *p, size_t size);

/** apart_file() - an open file without a name for texts or records that both see. Return: -errno */
int apart_file(struct error *err);

/**
 * apart_call() - call @fn(@ctx) there; it may end by returning or by _exit(0)
 * @limit_ns: of this computer's time, then it is killed
 * @stop:     becomes nonzero when the user wants to stop; may be NULL
 *
 * Return: 0; -ETIME; -EINTR; -EFAULT where it crashed or ended otherwise; -errno of fork().
 */
int apart_call(void (*fn)(void *ctx), void *ctx, uint64_t limit_ns,
	       const volatile sig_atomic_t *stop, struct error *err);

#endif
