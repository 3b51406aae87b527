/* SPDX-License-Identifier: GPL-2.0-only */
/* tests/machines/boot.h - a recorded boot of a real kernel: a folder of text files. */
#ifndef TESTS_MACHINES_BOOT_H
#define TESTS_MACHINES_BOOT_H

#include "topo/source.h"

#include <stdbool.h>

/** boot_file() - its text, the caller's to free; NULL if there is no such file */
char *boot_file(int dir, const char *path);

/** boot_words() - the guest's command line, from qemu-args.txt; the caller's to free */
char *boot_words(const char *args);

/** boot_machine() - from its fact files and command line; NULL after a complaint */
struct machine *boot_machine(int dir, const struct source_opts *opts, const char *words);

/**
 * boot_normal() - a sched_verbose text without capacities, which interrupts have eaten into; the caller's to free
 * @join: lines that the log broke are whole again
 */
char *boot_normal(const char *text, bool join);

/** boot_capacities_fit() - is every capacity of the kernel the nominal one less what interrupts took: never more, rarely half? */
bool boot_capacities_fit(const char *theirs, const char *ours);

#endif
