// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/topo_kernel.h"

#include "cmd/cmd.h"
#include "kcore/domains.h"
#include "sim/machine.h"

#include <stdio.h>
#include <string.h>

static void say(void *ctx, const char *line)
{
	(void)ctx;
	fprintf(stderr, "%s\n", line);
}

int topo_kernel_open(struct kcore **out, const char *what, struct error *err)
{
	const struct kcore_build how = { .tree = what, .stop = &stop_signal, .say = say };
	struct kcore_built built = { 0 };
	int ret;

	if (!strchr(what, '/') && strcmp(what, "."))
		return kcore_open(out, what, err);
	ret = kcore_build(&built, &how, err);
	if (!ret)
		ret = kcore_open(out, built.facts.name, err);
	kcore_built_release(&built);
	return ret;
}

int topo_kernel_show(const struct kcore *kcore, const struct machine *m, const struct release *r,
		     struct strbuf *sb, struct error *err)
{
	struct sim_machine machine = { 0 };
	int ret = sim_machine_make(&machine, m, r, err);

	if (!ret)
		ret = kcore_domains(kcore_ops(kcore), &machine.of, sb, err);
	sim_machine_release(&machine);
	return ret;
}
