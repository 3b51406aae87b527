/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/rtapp_read.h - task programs written in rt-app's JSON, also as people write it for rt-app's workgen: one key
 * several times, commas behind the last one, comments. doc/workloads/rtapp.md tells what is taken.
 */
#ifndef WORKLOAD_RTAPP_READ_H
#define WORKLOAD_RTAPP_READ_H

#include "base/error.h"
#include "workload/task_program.h"

#include <stddef.h>

/* What a file may hold at most. */
#define RTAPP_MAX_BYTES	  (1u << 20)
#define RTAPP_MAX_TASKS	  10000 /* all instances together */
#define RTAPP_MAX_OBJECTS 1000

/**
 * rtapp_read() - a program from the text of a file
 * @out:  replaced on success, empty or released before; untouched on failure
 * @name: of the file, for errors
 * @text: @n bytes
 *
 * Each task of the program has a phase, each phase an operation. What rt-app has and we have not is refused, never left
 * out, except for where and how it logs.
 *
 * Return: 0, or -EINVAL with "NAME:LINE: " and what is wrong there.
 */
int rtapp_read(struct task_program *out, const char *name, const char *text, size_t n,
	       struct error *err);

#endif
