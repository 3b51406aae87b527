// SPDX-License-Identifier: GPL-2.0-only
#include "workload/workload.h"

#include "base/mem.h"
#include "base/nearest.h"
#include "workload/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "workload/list.h"
#undef WORKLOAD

#define WORKLOAD(name) &workload_##name,
static const struct workload *const workloads[] = {
#include "workload/list.h"
};
#undef WORKLOAD

const struct workload *workload_at(size_t i)
{
	return i < ARRAY_SIZE(workloads) ? workloads[i] : NULL;
}

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++)
		if (!strcmp(workloads[i]->name, name))
			return workloads[i];
	return NULL;
}

const char *workload_nearest(const char *name)
{
	struct nearest nearest;

	nearest_init(&nearest, name);
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++)
		nearest_offer(&nearest, workloads[i]->name);
	return nearest.best;
}

int workload_check(const struct workload *workload, const void *cfg, struct error *err)
{
	struct limits limits = { 0 };
	struct needs needs = { 0 };
	int root, ret;

	if (workload->check) {
		ret = workload->check(cfg, err);
		if (ret)
			return ret;
	}
	root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return error_set(err, errno, "/: %s", strerror(errno));
	workload->needs(cfg, &needs);
	limits_read(&limits, root);
	close(root);
	ret = limits_check(&limits, &needs, err);
	limits_release(&limits);
	if (!ret && workload->probe)
		ret = workload->probe(cfg, err);
	if (ret)
		error_prefix(err, "%s", workload->name);
	return ret;
}
