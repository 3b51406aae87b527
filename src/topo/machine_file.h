/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * topo/machine_file.h - a machine file while it is read: machine_file.c goes through its lines, machine_lines.c
 * knows the words they start with, machine_cpus.c the lines of one CPU each.
 */
#ifndef TOPO_MACHINE_FILE_H
#define TOPO_MACHINE_FILE_H

#include "topo/source.h"

#define MACHINE_MAX_COLUMNS 32

/**
 * struct machine_reader - the machine in the making
 * @online:  CPUs whose own lines say so; @any_cpu_line: there were such lines, @online_given: "online" told
 * @smt_told: "smt" told, so nothing is to be guessed
 * @told:    by node and share lines
 * @row_told: row_told[nr_nodes] of the distances
 * @column:  what each word of a CPU line is: an index into machine_cpus.c's names
 * @line:    where it stands, for errors
 */
struct machine_reader {
	struct machine *m;
	struct cbits *online;
	bool any_cpu_line, online_given, smt_told;
	struct machine_told told;
	bool *row_told;
	unsigned int column[MACHINE_MAX_COLUMNS];
	unsigned int line;
	struct error *err;
};

/** machine_reader_bad() - -EINVAL, with the line, @what is wrong and the @word that is */
int machine_reader_bad(struct machine_reader *r, const char *what, const char *word);

/** machine_reader_at() - put the line in front of the words of what failed with @ret; 0 is passed through. Return: @ret */
int machine_reader_at(struct machine_reader *r, int ret);

/** machine_node_index() - of the node with this number; nr_nodes if there is none */
unsigned int machine_node_index(const struct machine *m, unsigned int id);

/** machine_node_range() - node numbers: "3", or "0-7" for eight of them. Return: 0 or -EINVAL */
int machine_node_range(const char *word, long *first, long *last);

/** machine_keyword_line() - a line that starts with a word. @word: word[nr], nr > 0 */
int machine_keyword_line(struct machine_reader *r, char *const *word, unsigned int nr);

/* machine_lists.c, machine_nodes.c: some of these lines */
int machine_share_line(struct machine_reader *r, char *const *word, unsigned int nr);
int machine_capacity_line(struct machine_reader *r, char *const *word, unsigned int nr);
int machine_node_line(struct machine_reader *r, char *const *word, unsigned int nr);
int machine_distance_line(struct machine_reader *r, char *const *word, unsigned int nr);

/** machine_repeat() - "[step S [times N]]" after a list: 0 if there is no step; *@times stays if not told */
int machine_repeat(struct machine_reader *r, char *const *word, unsigned int nr, long *step,
		   long *times);

/** machine_shifted() - the set, @by CPUs further; what falls off the end is lost */
const struct cset *machine_shifted(struct machine_reader *r, const struct cset *set, long by);

/** machine_repeated_list() - "LIST [step S times N]": calls @use for each of the N sets, while it returns 0 */
int machine_repeated_list(struct machine_reader *r, char *const *word, unsigned int nr,
			  int (*use)(struct machine_reader *, const struct cset *, unsigned int),
			  unsigned int arg);

/** machine_columns_default() - CPU lines have the columns of recorded facts, until a header says otherwise */
void machine_columns_default(struct machine_reader *r);

/** machine_header_line() - "cpu online package ...": names the columns of the CPU lines below */
int machine_header_line(struct machine_reader *r, char *const *word, unsigned int nr);

/** machine_cpu_line() - a line of numbers and lists: one CPU */
int machine_cpu_line(struct machine_reader *r, char *const *word, unsigned int nr);

/** machine_guess_smt() - x86: numbers of CPUs can show that there are threads though none are up */
void machine_guess_smt(struct machine *m);

#endif
