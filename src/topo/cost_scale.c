// SPDX-License-Identifier: GPL-2.0-only
#include "topo/cost_scale.h"

#include "topo/grid.h"
#include "topo/text.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 17

/* Sum of a line's values at (0, 1 ... n] from @a at 0 to @b at n, less than one off. */
static uint64_t line_sum(uint64_t a, uint64_t b, uint64_t n)
{
	/* n * a + (b - a) * (n + 1) / 2 */
	if (b >= a)
		return n * a + (b - a) * (n + 1) / 2;
	return n * a - (a - b) * (n + 1) / 2;
}

static void add_line(struct mask_ops *to, const struct mask_ops *a, const struct mask_ops *b,
		     uint64_t n)
{
	for (unsigned int i = 0; i < NR_MASK_OPS; i++) {
		to->count[i] += line_sum(a->count[i], b->count[i], n);
		to->words[i] += line_sum(a->words[i], b->words[i], n);
	}
}

/* Adds the @n transitions after the one that cost @a, the last of which cost @b. */
static void add_span(struct cost_run *run, const struct cost_run *a, const struct cost_run *b,
		     unsigned int n)
{
	for (unsigned int how = 0; how < NR_SPAN_CHECKS; how++)
		add_line(&run->check[how], &a->check[how], &b->check[how], n);
	add_line(&run->build, &a->build, &b->build, n);
	run->transitions += n;
}

struct moves {
	unsigned int *cpu, nr, done;
	bool *online;
};

/* Brings @h to where it is before move @to without a rebuild, then makes that move. */
static int move(struct cost_run *cost, struct hotplug *h, struct moves *m, unsigned int to,
		struct error *err)
{
	struct cset_pool *pool = h->machine->pool;
	int ret;

	for (; m->done < to; m->done++) {
		const struct cset *one = cset_single(pool, m->cpu[m->done]);

		h->active = m->online[m->done] ? cset_or(pool, h->active, one)
					       : cset_andnot(pool, h->active, one);
	}
	ret = m->online[to] ? hotplug_online(h, m->cpu[to], err)
			    : hotplug_offline(h, m->cpu[to], err);
	m->done = to + 1;
	if (!ret)
		cost_once(cost, h);
	return ret;
}

static int sample_moves(struct cost_run *run, struct hotplug *h, struct moves *m,
			unsigned int samples, struct error *err)
{
	struct cost_run before, now;
	unsigned int last = 0;
	int ret = move(&before, h, m, 0, err);

	if (ret)
		return ret;
	*run = before;
	for (unsigned int i = 1; i < samples && !ret; i++) {
		unsigned int to = (unsigned int)((uint64_t)i * (m->nr - 1) / (samples - 1));

		if (to == last)
			continue;
		ret = move(&now, h, m, to, err);
		if (ret)
			return ret;
		add_span(run, &before, &now, to - last);
		before = now;
		last = to;
	}
	return ret;
}

int cost_hotplug_sampled(struct cost_run *run, struct hotplug *h, const char *word,
			 unsigned int samples, struct error *err)
{
	struct moves m = { 0 };
	int ret = hotplug_plan(&m.cpu, &m.online, &m.nr, h, word, err);

	if (ret)
		return ret;
	*run = (struct cost_run){ 0 };
	if (m.nr)
		ret = sample_moves(run, h, &m, samples < m.nr ? samples : m.nr, err);
	free(m.cpu);
	free(m.online);
	return ret;
}

static int scale_one(struct scale_row *row, const struct machine *like, const struct release *r,
		     unsigned int cpus, struct error *err)
{
	struct machine *m;
	struct hotplug *h;
	struct grid grid;
	int ret;

	grid_like(&grid, like, cpus);
	m = machine_grid(&grid);
	h = hotplug_boot(m, r);
	row->cpus = cpus;
	row->nodes = m->nr_nodes;
	cost_once(&row->once, h);
	ret = cost_hotplug_sampled(&row->half, h, "half-offline", SAMPLES, err);
	hotplug_free(h);
	machine_free(m);
	return ret;
}

int cost_scale(struct scale *scale, const struct machine *like, const struct release *r,
	       unsigned int from, unsigned int to, struct error *err)
{
	struct scale out = { 0 };
	int ret = 0;

	if (from < 2 || to < from || to > MACHINE_MAX_CPUS)
		return error_set(err, EINVAL, "no sizes from 2 to %d: %u..%u", MACHINE_MAX_CPUS,
				 from, to);
	for (unsigned int cpus = from; cpus <= to && !ret; cpus *= 2) {
		out.row = xreallocarray(out.row, out.nr + 1, sizeof(*out.row));
		ret = scale_one(&out.row[out.nr++], like, r, cpus, err);
	}
	if (ret)
		scale_release(&out);
	else
		*scale = out;
	return ret;
}

void scale_release(struct scale *scale)
{
	free(scale->row);
	*scale = (struct scale){ 0 };
}

int cost_scale_parse(unsigned int *from, unsigned int *to, const char *text, struct error *err)
{
	const char *dots = strstr(text, "..");
	char *low = dots ? xstrndup(text, (size_t)(dots - text)) : xstrdup(text);
	long a, b;
	int ret = text_long(low, 2, MACHINE_MAX_CPUS, &a);

	b = a;
	if (!ret && dots)
		ret = text_long(dots + 2, a, MACHINE_MAX_CPUS, &b);
	free(low);
	if (ret)
		return error_set(err, EINVAL, "'%.40s': not like 64..8192, from 2 to %d CPUs", text,
				 MACHINE_MAX_CPUS);
	*from = (unsigned int)a;
	*to = (unsigned int)b;
	return 0;
}
