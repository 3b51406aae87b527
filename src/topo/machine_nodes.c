// SPDX-License-Identifier: GPL-2.0-only
/* topo/machine_nodes.c - "node" and "distance" lines of a machine file. */
#include "topo/machine_file.h"

#include "topo/text.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

unsigned int machine_node_index(const struct machine *m, unsigned int id)
{
	for (unsigned int i = 0; i < m->nr_nodes; i++)
		if (m->node[i].id == id)
			return i;
	return m->nr_nodes;
}

/* Node numbers: "3", or "0-7" for eight of them. */
int machine_node_range(const char *word, long *first, long *last)
{
	const char *dash = strchr(word, '-');
	char number[16];

	if (!dash) {
		if (text_long(word, 0, INT32_MAX, first))
			return -EINVAL;
		*last = *first;
		return 0;
	}
	if (dash - word >= (long)sizeof(number))
		return -EINVAL;
	memcpy(number, word, (size_t)(dash - word));
	number[dash - word] = '\0';
	if (text_long(number, 0, INT32_MAX, first) || text_long(dash + 1, 0, INT32_MAX, last))
		return -EINVAL;
	return *last < *first || *last - *first >= MACHINE_MAX_NODES ? -EINVAL : 0;
}

static int use_node(struct machine_reader *r, const struct cset *set, unsigned int node)
{
	return machine_reader_at(r, machine_tell_node(r->m, &r->told, set, node, r->err));
}

/* Nodes @first to @last: each has the CPUs of the one before, S further. */
static int spread_list(struct machine_reader *r, char *const *word, unsigned int nr, long first,
		       long last)
{
	const struct cset *set;
	long step, times = 0;
	int ret = cset_parse(&set, r->m->pool, word[0], r->err);

	if (ret) {
		error_prefix(r->err, "line %u", r->line);
		return ret;
	}
	ret = machine_repeat(r, word + 1, nr - 1, &step, &times);
	if (!ret && (!step || times))
		return machine_reader_bad(r, "several nodes need 'step S' behind", word[0]);
	for (long id = first; id <= last && !ret; id++)
		ret = use_node(r, machine_shifted(r, set, (id - first) * step),
			       machine_node_index(r->m, (unsigned int)id));
	return ret;
}

/* "node ID MEMKB LIST [step S times N]", "node ID-ID MEMKB LIST step S" */
int machine_node_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	long first, last, mem = 0;
	bool told;

	if (nr < 3 || machine_node_range(word[1], &first, &last))
		return machine_reader_bad(r, "not 'node ID MEMKB CPUS':", word[0]);
	told = strcmp(word[2], "?") != 0;
	if (told && text_long(word[2], 0, INT64_MAX, &mem))
		return machine_reader_bad(r, "no memory in KB:", word[2]);
	for (long id = first; id <= last; id++) {
		struct machine_node *node = &r->m->node[machine_node_index(r->m, (unsigned int)id)];

		node->mem_kb = (uint64_t)mem;
		node->has_memory = mem > 0 || !told;
	}
	if (nr < 4 || !strcmp(word[3], "-") || !strcmp(word[3], "?"))
		return 0;
	if (first != last)
		return spread_list(r, word + 3, nr - 3, first, last);
	return machine_repeated_list(r, word + 3, nr - 3, use_node,
				     machine_node_index(r->m, (unsigned int)first));
}

/* "D" or "DxN", a distance N times over, into @row from *@n on; what is beyond the last node is only counted. */
static int add_distances(struct machine_reader *r, const char *word, unsigned int *row,
			 unsigned int *n)
{
	const char *x = strchr(word, 'x');
	char number[8] = "";
	long d, times = 1;

	if (x && x - word < (long)sizeof(number))
		memcpy(number, word, (size_t)(x - word));
	if (text_long(x ? number : word, 0, 255, &d) ||
	    (x && text_long(x + 1, 1, MACHINE_MAX_NODES, &times)))
		return machine_reader_bad(r, "no distance from 0 to 255:", word);
	for (long i = 0; i < times; i++, (*n)++)
		if (*n < r->m->nr_nodes)
			row[*n] = (unsigned int)d;
	return 0;
}

static int set_row(struct machine_reader *r, long id, const unsigned int *row, unsigned int n,
		   bool alone)
{
	struct machine *m = r->m;
	unsigned int from = machine_node_index(m, (unsigned int)id);

	if (from == m->nr_nodes)
		return error_set(r->err, EINVAL, "line %u: there is no node %ld", r->line, id);
	if (r->row_told[from])
		return error_set(r->err, EINVAL, "line %u: a second row of node %ld", r->line, id);
	r->row_told[from] = true;
	if (n != m->nr_nodes)
		machine_note(m, "distance row of node %ld has %u entries for %u nodes", id, n,
			     m->nr_nodes);
	for (unsigned int to = 0; to < m->nr_nodes && to < n; to++)
		m->distance[from * m->nr_nodes + to] = !alone && to == from ? 10 : row[to];
	return 0;
}

/*
 * "distance ID D D D ...", columns in the order of the node lines; "distance ID-ID D D ..." is the row of
 * several nodes, each 10 from itself.
 */
int machine_distance_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	unsigned int *row, n = 0;
	long first, last;
	int ret = 0;

	if (nr < 2 || machine_node_range(word[1], &first, &last))
		return machine_reader_bad(r, "not 'distance NODE D D ...':", word[0]);
	row = xcalloc(r->m->nr_nodes, sizeof(*row));
	for (unsigned int i = 2; i < nr && !ret; i++)
		ret = add_distances(r, word[i], row, &n);
	for (long id = first; id <= last && !ret; id++)
		ret = set_row(r, id, row, n, first == last);
	free(row);
	return ret;
}
