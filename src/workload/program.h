/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/program.h - programs that a workload executes: those of the system, and the worker's own file again. */
#ifndef WORKLOAD_PROGRAM_H
#define WORKLOAD_PROGRAM_H

/*
 * argv[0] of the worker's file where a workload executes it as a program of its own; the workload's name follows, and
 * its program() of struct workload gets argc and argv. A file of its own would not be there in a VM.
 */
#define PROGRAM_PREFIX "schedproof-worker:"

/**
 * program_find() - where execvp() would find a program
 * @name: with a slash it is a path already
 *
 * Return: its path, the caller's to free, or NULL where there is none that may be executed.
 */
char *program_find(const char *name);

#endif
