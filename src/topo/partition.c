// SPDX-License-Identifier: GPL-2.0-only
#include "topo/partition.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct partitions {
	const struct cset **set; /* the first is of the CPUs in no other */
	unsigned int nr;
	const struct cset *taken;
};

char *partition_next(char **rest, bool *isolated)
{
	char *list, *colon;

	/* "0-31:2/8" is a list too, but here a '/' is what stands between lists */
	do
		list = strsep(rest, "/");
	while (list && !*list);
	colon = list ? strchr(list, ':') : NULL;
	*isolated = colon && !strcmp(colon, ":isolated");
	if (*isolated)
		*colon = '\0';
	return list;
}

static int add_one(struct partitions *p, struct hotplug *h, const char *list, bool isolated,
		   struct error *err)
{
	const struct machine *m = h->machine;
	const struct cset *set;
	int ret = machine_cpus(&set, m, list, err);

	if (ret)
		return ret;
	if (cset_intersects(set, p->taken))
		return error_set(err, EINVAL, "'%.60s' has a CPU of another partition", list);
	p->taken = cset_or(m->pool, p->taken, set);
	p->set[0] = cset_andnot(m->pool, m->possible, p->taken);
	if (!isolated)
		p->set[p->nr++] = set;
	hotplug_set_partitions(h, p->set, p->nr);
	return 0;
}

int partition_apply(struct hotplug *h, const char *word, struct error *err)
{
	char *copy = xstrdup(word), *rest = copy, *list;
	bool isolated;
	struct partitions p = {
		.set = xcalloc(strlen(word) / 2 + 2, sizeof(*p.set)),
		.nr = 1,
		.taken = cset_empty(h->machine->pool),
	};
	int ret = 0;

	while (!ret && (list = partition_next(&rest, &isolated)))
		ret = add_one(&p, h, list, isolated, err);
	if (!ret && p.nr == 1 && !p.taken->weight)
		ret = error_set(err, EINVAL, "no list of CPUs");
	if (ret)
		error_prefix(err, "partition");
	free(p.set);
	free(copy);
	return ret;
}
