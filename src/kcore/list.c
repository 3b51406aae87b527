// SPDX-License-Identifier: GPL-2.0-only
/* kcore/list.c - the cores that are built. */
#include "base/mem.h"
#include "base/nearest.h"
#include "kcore/facts.h"
#include "kcore/kit.h"
#include "kcore/place.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All folders of cores, sorted; an empty list where there is none at all. */
static int list_names(struct dirent ***names, int *n, struct error *err)
{
	char *folder = kcore_folder(err);
	int ret = 0;

	*names = NULL;
	*n = 0;
	if (!folder)
		return -ENOENT;
	*n = scandir(folder, names, NULL, alphasort);
	if (*n < 0 && errno == ENOENT)
		*n = 0;
	if (*n < 0)
		ret = error_set(err, errno, "%s: %s", folder, strerror(errno));
	free(folder);
	return ret;
}

int kcore_list(struct kcore_facts **facts, size_t *n, struct error *err)
{
	struct dirent **names;
	int nr, ret = list_names(&names, &nr, err);

	if (ret)
		return ret;
	*facts = xcalloc((size_t)nr, sizeof(**facts));
	*n = 0;
	for (int i = 0; i < nr; i++) {
		char *path = *names[i]->d_name == '.' ? NULL
						      : place_of(names[i]->d_name, "core.so", NULL);

		if (path && !kcore_facts_read(&(*facts)[*n], path, NULL))
			(*n)++;
		free(path);
		free(names[i]);
	}
	free(names);
	return 0;
}

static int not_there(const char *name, struct error *err)
{
	struct kcore_facts *facts = NULL;
	struct nearest nearest;
	size_t n = 0;

	nearest_init(&nearest, name);
	if (!kcore_list(&facts, &n, NULL))
		for (size_t i = 0; i < n; i++)
			nearest_offer(&nearest, facts[i].name);
	if (nearest.best)
		error_set(err, ENOENT, "there is no kernel core '%.80s', did you mean '%s'?", name,
			  nearest.best);
	else
		error_set(
			err, ENOENT,
			"there is no kernel core '%.80s': schedproof kernel list names those that "
			"are built, schedproof kernel build TREE makes one",
			name);
	for (size_t i = 0; i < n; i++)
		kcore_facts_release(&facts[i]);
	free(facts);
	return -ENOENT;
}

int kcore_find(struct kcore_facts *facts, const char *name, struct error *err)
{
	char *path;
	int ret = place_check_name(name, err);

	if (ret)
		return ret;
	path = place_of(name, "core.so", err);
	if (!path)
		return -ENOENT;
	if (access(path, F_OK))
		ret = not_there(name, err);
	else
		ret = kcore_facts_read(facts, path, err);
	free(path);
	return ret;
}

const char *kcore_stale(const struct kcore_facts *facts)
{
	if (facts->abi != CORE_ABI)
		return "interface changed";
	if (facts->kit != kit_hash())
		return "kit changed";
	if (!*facts->rev && access(facts->tree, R_OK))
		return "tree is gone";
	if (place_inputs(facts) != facts->inputs)
		return "tree changed";
	return NULL;
}
