/* SPDX-License-Identifier: GPL-2.0-only */
/* topo/partition.h - cpuset partitions: CPUs that balance among each other only. */
#ifndef TOPO_PARTITION_H
#define TOPO_PARTITION_H

#include "topo/hotplug.h"

#include <stdbool.h>

/**
 * partition_next() - the next list of CPUs of a word LIST[:isolated][/LIST...]
 * @rest: of the word, which is cut up
 *
 * Return: the list, not looked into, without ":isolated", which goes to @isolated; NULL behind the last one.
 */
char *partition_next(char **rest, bool *isolated);

/**
 * partition_apply() - make partitions one after the other, a rebuild each, as writing to cpuset.cpus.partition does
 * @word: LIST[:isolated][/LIST...]; CPUs in none stay together, those of an isolated one get no domains
 *
 * Return: 0; -EINVAL for what is no list, a CPU that the machine doesn't have, or one in two lists.
 */
int partition_apply(struct hotplug *h, const char *word, struct error *err);

#endif
