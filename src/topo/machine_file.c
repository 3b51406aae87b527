// SPDX-License-Identifier: GPL-2.0-only
/* topo/machine_file.c - our own machine format; the fact files of recorded boots are a part of it. */
#include "topo/machine_file.h"

#include "topo/text.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What must be known before a machine can be made. */
struct sizes {
	unsigned int nr_cpus;
	unsigned int *node_id;
	unsigned int nr_nodes;
	enum machine_arch arch;
	unsigned int line;
	struct error *err;
};

static int see_cpus(struct sizes *s, const char *list)
{
	struct cpumask mask = { 0 };
	unsigned int cpu;
	int ret = cpumask_parse(&mask, list, s->err);

	if (ret)
		error_prefix(s->err, "line %u", s->line);
	else
		cpumask_for_each (cpu, &mask)
			if (cpu >= s->nr_cpus)
				s->nr_cpus = cpu + 1;
	cpumask_release(&mask);
	return ret;
}

static int see_node(struct sizes *s, long id)
{
	for (unsigned int i = 0; i < s->nr_nodes; i++)
		if (s->node_id[i] == (unsigned int)id)
			return error_set(s->err, EINVAL, "line %u: a second node %ld", s->line, id);
	if (s->nr_nodes == MACHINE_MAX_NODES)
		return error_set(s->err, EFBIG, "more than %d nodes", MACHINE_MAX_NODES);
	s->node_id = xreallocarray(s->node_id, s->nr_nodes + 1, sizeof(*s->node_id));
	s->node_id[s->nr_nodes++] = (unsigned int)id;
	return 0;
}

static int see_nodes(struct sizes *s, const char *word)
{
	long id, last;
	int ret = 0;

	if (machine_node_range(word, &id, &last))
		return error_set(s->err, EINVAL, "line %u: no node number '%.40s'", s->line, word);
	for (; id <= last && !ret; id++)
		ret = see_node(s, id);
	return ret;
}

static int see_line(struct sizes *s, char *const *word, unsigned int nr)
{
	long n;

	if (!strcmp(word[0], "possible") && nr > 1)
		return see_cpus(s, word[1]);
	if (!strcmp(word[0], "node") && nr > 1)
		return see_nodes(s, word[1]);
	if (!strcmp(word[0], "arch") && nr > 1) {
		int ret = machine_arch_parse(&s->arch, word[1], s->err);

		if (ret)
			error_prefix(s->err, "line %u", s->line);
		return ret;
	}
	if (!strcmp(word[0], "cpus") && nr > 1) {
		if (text_long(word[1], 1, MACHINE_MAX_CPUS, &n))
			return error_set(s->err, EINVAL, "line %u: no number of CPUs from 1 to %d",
					 s->line, MACHINE_MAX_CPUS);
		if ((unsigned int)n > s->nr_cpus)
			s->nr_cpus = (unsigned int)n;
		return 0;
	}
	if (word[0][0] >= '0' && word[0][0] <= '9')
		return see_cpus(s, word[0]);
	return 0;
}

static int each_line(const char *text, int (*use)(void *, char *const *, unsigned int),
		     unsigned int *line, void *arg)
{
	char *copy = xstrdup(text), *at = copy, *next;
	int ret = 0;

	for (*line = 1; at && !ret; at = next, (*line)++) {
		char *word[MACHINE_MAX_NODES + 8];
		unsigned int nr;

		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		/* this comment is more than that */
		if (!strncmp(at, "# cpu ", 6))
			at += 2;
		nr = text_words(at, word, ARRAY_SIZE(word));
		if (nr)
			ret = use(arg, word, nr);
	}
	free(copy);
	return ret;
}

static int use_see(void *arg, char *const *word, unsigned int nr)
{
	return see_line(arg, word, nr);
}

static int use_keyword(void *arg, char *const *word, unsigned int nr)
{
	return machine_keyword_line(arg, word, nr);
}

static struct machine *make_machine(const struct sizes *s)
{
	struct machine *m = machine_new(s->nr_cpus);

	m->arch = s->arch;
	m->has_numa = s->nr_nodes > 0;
	if (!s->nr_nodes)
		return m;
	machine_set_nodes(m, s->nr_nodes);
	for (unsigned int i = 0; i < s->nr_nodes; i++)
		m->node[i].id = s->node_id[i];
	return m;
}

int machine_file_parse(struct machine **m, const char *text, const struct source_opts *opts,
		       struct error *err)
{
	struct sizes s = { .arch = opts->release->arch, .err = err };
	struct machine_reader r = { .err = err };
	int ret = each_line(text, use_see, &s.line, &s);

	if (!ret && !s.nr_cpus)
		ret = error_set(err, EINVAL, "no CPU in this machine");
	if (ret)
		goto out;
	if (opts->arch_known)
		s.arch = opts->release->arch;
	r.m = make_machine(&s);
	r.row_told = xcalloc(r.m->nr_nodes, sizeof(*r.row_told));
	machine_columns_default(&r);
	r.online = cbits_new(r.m->pool);
	machine_told_init(&r.told, r.m);
	ret = each_line(text, use_keyword, &r.line, &r);
	if (!ret && r.any_cpu_line && !r.online_given)
		r.m->online = cset_intern(r.m->pool, r.online);
	if (!ret) {
		if (!r.smt_told)
			machine_guess_smt(r.m);
		r.m->present = cset_and(r.m->pool, r.m->present, r.m->possible);
		machine_guess_offline(r.m);
		ret = machine_finish(r.m, err);
	}
	cbits_free(r.online);
	machine_told_release(&r.told);
	free(r.row_told);
	if (ret)
		machine_free(r.m);
	else
		*m = r.m;
out:
	free(s.node_id);
	return ret;
}
