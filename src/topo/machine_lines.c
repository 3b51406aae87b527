// SPDX-License-Identifier: GPL-2.0-only
/* topo/machine_lines.c - lines of a machine file by the word that they start with; the short ones are read here. */
#include "topo/machine_file.h"

#include "topo/text.h"

#include "base/mem.h"
#include "base/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int machine_reader_bad(struct machine_reader *r, const char *what, const char *word)
{
	return error_set(r->err, EINVAL, "line %u: %s '%.60s'", r->line, what, word);
}

int machine_reader_at(struct machine_reader *r, int ret)
{
	if (ret)
		error_prefix(r->err, "line %u", r->line);
	return ret;
}

/* "L3 Unified 16384K LIST" */
static int cache_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	const struct cset *cpus;
	long level, size = 0;
	char *end;
	int ret;

	if (nr < 4 || text_long(word[0] + 1, 1, 9, &level))
		return machine_reader_bad(r, "not 'L<level> TYPE SIZE CPUS':", word[0]);
	if (strcmp(word[2], "?")) {
		errno = 0;
		size = strtol(word[2], &end, 10);
		if (end == word[2] || size < 0 || errno || strcspn(end, "kKmMgG") ||
		    strlen(end) > 1)
			return machine_reader_bad(r, "no cache size:", word[2]);
	}
	ret = cset_parse(&cpus, r->m->pool, word[3], r->err);
	if (!ret && cpus->weight)
		machine_add_cache(r->m, (unsigned int)level, word[1][0], (uint64_t)size, cpus);
	return ret;
}

static int mask_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	const struct cset **set = word[0][0] == 'o'   ? &r->m->online
				  : word[0][2] == 'e' ? &r->m->present
						      : &r->m->possible;

	if (nr < 2)
		return machine_reader_bad(r, "no list behind", word[0]);
	r->online_given = r->online_given || word[0][0] == 'o';
	return cset_parse(set, r->m->pool, word[1], r->err);
}

static int flag_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	struct machine *m = r->m;
	bool on = nr > 1 && !strcmp(word[1], "y");
	long n;

	if (!strcmp(word[0], "nodes_per_package") || !strcmp(word[0], "reclaim_distance")) {
		if (nr < 2 || text_long(word[1], 0, MACHINE_MAX_NODES, &n))
			return machine_reader_bad(r, "no number behind", word[0]);
		*(word[0][0] == 'n' ? &m->nodes_per_package : &m->reclaim_distance) =
			(unsigned int)n;
		return 0;
	}
	if (nr < 2 || (!on && strcmp(word[1], "n")))
		return machine_reader_bad(r, "neither y nor n behind", word[0]);
	if (!strcmp(word[0], "smt"))
		m->smt = on;
	else if (!strcmp(word[0], "itmt"))
		m->itmt = on;
	else
		m->average_remote = on;
	r->smt_told = r->smt_told || !strcmp(word[0], "smt");
	return 0;
}

static int vendor_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	if (nr > 1 && !strcmp(word[1], "intel"))
		r->m->vendor = VENDOR_INTEL;
	else if (nr > 1 && !strcmp(word[1], "amd"))
		r->m->vendor = VENDOR_AMD;
	else
		return machine_reader_bad(r, "neither intel nor amd behind", word[0]);
	return 0;
}

static int name_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	struct strbuf sb = { 0 };

	for (unsigned int i = 1; i < nr; i++)
		strbuf_addf(&sb, "%s%s", i > 1 ? " " : "", word[i]);
	free(r->m->name);
	r->m->name = xstrdup(strbuf_str(&sb));
	strbuf_release(&sb);
	return 0;
}

static int boot_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	int ret = 0;

	for (unsigned int i = 1; i < nr && !ret; i++)
		ret = machine_set_boot(r->m, word[i], r->err);
	return ret;
}

/* Read before everything else, or told by other lines. */
static int skip_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	(void)r;
	(void)word;
	(void)nr;
	return 0;
}

static const struct {
	const char *word;
	int (*read)(struct machine_reader *r, char *const *word, unsigned int nr);
} keywords[] = {
	{ "node", machine_node_line },
	{ "distance", machine_distance_line },
	{ "share", machine_share_line },
	{ "capacity", machine_capacity_line },
	{ "possible", mask_line },
	{ "present", mask_line },
	{ "online", mask_line },
	{ "smt", flag_line },
	{ "itmt", flag_line },
	{ "average_remote", flag_line },
	{ "nodes_per_package", flag_line },
	{ "reclaim_distance", flag_line },
	{ "vendor", vendor_line },
	{ "name", name_line },
	{ "boot", boot_line },
	{ "cpu", machine_header_line },
	{ "arch", skip_line },
	{ "cpus", skip_line },
	{ "nodes_possible", skip_line },
	{ "nodes_online", skip_line },
	{ "nodes_has_cpu", skip_line },
	{ "nodes_has_memory", skip_line },
	{ "nodes_has_normal_memory", skip_line },
};

int machine_keyword_line(struct machine_reader *r, char *const *word, unsigned int nr)
{
	struct nearest near;

	if (word[0][0] == 'L' && word[0][1] >= '1' && word[0][1] <= '9')
		return cache_line(r, word, nr);
	if (word[0][0] >= '0' && word[0][0] <= '9')
		return machine_cpu_line(r, word, nr);
	nearest_init(&near, word[0]);
	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++) {
		nearest_offer(&near, keywords[i].word);
		if (!strcmp(keywords[i].word, word[0]))
			return keywords[i].read(r, word, nr);
	}
	return error_set(r->err, EINVAL, "line %u: unknown word '%.40s'%s%s%s", r->line, word[0],
			 near.best ? ": did you mean '" : "", near.best ? near.best : "",
			 near.best ? "'?" : "");
}
