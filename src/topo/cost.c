// SPDX-License-Identifier: GPL-2.0-only
#include "topo/cost.h"

#include "topo/spancheck.h"
#include "topo/text.h"

#include "base/mem.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double cost_seconds(const struct cost_model *model, const struct mask_ops *ops)
{
	double ns = 0;

	for (unsigned int i = 0; i < NR_MASK_OPS; i++)
		ns += (double)ops->count[i] * model->base_ns[i] +
		      (double)ops->words[i] * model->word_ns[i];
	return ns / 1e9;
}

static bool is_time(double ns)
{
	return isfinite(ns) && ns >= 0;
}

int cost_model_parse(struct cost_model *model, const char *text, struct error *err)
{
	char *copy = xstrdup(text), *at = copy, *next;
	struct cost_model read = { 0 };
	bool told[NR_MASK_OPS] = { false };
	unsigned int line = 1;
	int ret = 0;

	for (; at && !ret; at = next, line++) {
		char *word[4], *end[2];
		unsigned int nr, i;

		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		nr = text_words(at, word, ARRAY_SIZE(word));
		if (!nr)
			continue;
		for (i = 0; i < NR_MASK_OPS && strcmp(word[0], mask_op_names[i]); i++)
			;
		if (nr != 3 || i == NR_MASK_OPS) {
			ret = error_set(err, EINVAL, "line %u: not 'operation base_ns word_ns'",
					line);
			break;
		}
		read.base_ns[i] = strtod(word[1], &end[0]);
		read.word_ns[i] = strtod(word[2], &end[1]);
		if (*end[0] || *end[1] || !is_time(read.base_ns[i]) || !is_time(read.word_ns[i]))
			ret = error_set(err, EINVAL, "line %u: no times in ns", line);
		told[i] = true;
	}
	free(copy);
	/* one that is left out would cost nothing */
	for (unsigned int i = 0; i < NR_MASK_OPS && !ret; i++)
		if (!told[i])
			ret = error_set(
				err, EINVAL,
				"no times of '%s': schedproof topo --calibrate prints such a file",
				mask_op_names[i]);
	if (!ret)
		*model = read;
	return ret;
}

void cost_model_print(const struct cost_model *model, struct strbuf *sb)
{
	strbuf_addstr(sb, "# operation base_ns word_ns\n");
	for (unsigned int i = 0; i < NR_MASK_OPS; i++)
		strbuf_addf(sb, "%s %.3f %.4f\n", mask_op_names[i], model->base_ns[i],
			    model->word_ns[i]);
}

/* What asking the @how way costs for this tree's map, whatever way it was built with. */
static void cost_check(struct mask_ops *ops, const struct domain_tree *tree, enum span_check how)
{
	unsigned int nr = tree->levels.nr, n = tree->machine->nr_cpus, cpu;
	unsigned int *built = xcalloc(n, sizeof(*built));
	const struct cset **span = xcalloc((size_t)n * nr, sizeof(*span));
	struct span_check_in in = {
		.level = tree->levels.level,
		.nr = nr,
		.map = tree->map,
		.pool = tree->machine->pool,
		.built = built,
		.span = span,
	};
	struct span_check_out out;

	cset_for_each (cpu, tree->map)
		for (unsigned int i = 0; i < nr; i++) {
			span[(size_t)cpu * nr + i] = domain_at(tree, cpu, i)->span;
			if (span[(size_t)cpu * nr + i])
				built[cpu] = i + 1;
		}
	span_check_run(&out, how, &in);
	*ops = out.ops;
	free(built);
	free(span);
}

static void count_trees(struct cost_run *run, const struct hotplug *h)
{
	for (unsigned int i = 0; i < h->nr_trees; i++) {
		mask_ops_sum(&run->build, &h->tree[i]->build);
		for (unsigned int how = 0; how < NR_SPAN_CHECKS; how++) {
			struct mask_ops ops;

			cost_check(&ops, h->tree[i], (enum span_check)how);
			mask_ops_sum(&run->check[how], &ops);
		}
	}
}

void cost_once(struct cost_run *run, const struct hotplug *h)
{
	*run = (struct cost_run){ .transitions = 1 };
	count_trees(run, h);
}

int cost_hotplug(struct cost_run *run, struct hotplug *h, const char *word, struct error *err)
{
	unsigned int *cpu, nr;
	bool *online;
	int ret = hotplug_plan(&cpu, &online, &nr, h, word, err);

	if (ret)
		return ret;
	*run = (struct cost_run){ 0 };
	for (unsigned int i = 0; i < nr && !ret; i++) {
		ret = online[i] ? hotplug_online(h, cpu[i], err) : hotplug_offline(h, cpu[i], err);
		if (ret)
			break;
		count_trees(run, h);
		run->transitions++;
	}
	free(cpu);
	free(online);
	return ret;
}

static void print_row(const char *name, const struct mask_ops *ops, const struct cost_model *model,
		      struct strbuf *sb)
{
	strbuf_addf(sb, "%-14s", name);
	for (unsigned int i = 0; i < NR_MASK_OPS; i++)
		if (ops->count[i])
			strbuf_addf(sb, " %s %llu", mask_op_names[i],
				    (unsigned long long)ops->count[i]);
	strbuf_addf(sb, ", words %llu", (unsigned long long)mask_ops_words(ops));
	if (model)
		strbuf_addf(sb, ", %.6f s", cost_seconds(model, ops));
	strbuf_addch(sb, '\n');
}

void cost_print(const struct cost_run *run, const struct cost_model *model, struct strbuf *sb)
{
	strbuf_addf(sb, "%u rebuilds\n", run->transitions);
	for (unsigned int how = 0; how < NR_SPAN_CHECKS; how++)
		print_row(span_check_names[how], &run->check[how], model, sb);
	print_row("all the rest", &run->build, model, sb);
}
