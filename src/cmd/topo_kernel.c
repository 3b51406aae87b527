// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/topo_kernel.h"

#include "cmd/cmd.h"
#include "host/settings.h"
#include "kcore/domains.h"
#include "lab/sim_groups.h"
#include "sim/costs.h"
#include "sim/machine.h"
#include "sim/sim.h"

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

static void add_line(void *ctx, const char *line)
{
	strbuf_addf(ctx, "%s\n", line);
}

static int show_groups(const struct kcore *kcore, const struct core_machine *machine,
		       const struct sim_groups *groups, struct strbuf *sb, struct error *err)
{
	struct costs costs;
	const struct sim_setup setup = { .core = kcore_ops(kcore),
					 .machine = machine,
					 .costs = &costs,
					 .verbose = true,
					 .print = add_line,
					 .ctx = sb };
	struct sim *sim;
	int ret;

	costs_default(&costs);
	ret = sim_new(&sim, &setup, err);
	if (ret)
		return ret;
	/* of the boot's, as of topo's own, nothing is shown */
	strbuf_reset(sb);
	ret = sim_groups_make(groups, sim, err);
	sim_free(sim);
	return ret;
}

static int show_partitions(const struct kcore *kcore, const struct core_machine *machine,
			   const char *partition, struct strbuf *sb, struct error *err)
{
	struct settings *settings = settings_new();
	struct sim_groups groups = { 0 };
	int ret = settings_set(settings, "partition", partition, err);

	if (!ret)
		ret = sim_groups_read(&groups, settings, machine, err);
	if (!ret)
		ret = show_groups(kcore, machine, &groups, sb, err);
	sim_groups_release(&groups);
	settings_free(settings);
	return ret;
}

int topo_kernel_show(const struct kcore *kcore, const struct machine *m, const struct release *r,
		     const char *partition, struct strbuf *sb, struct error *err)
{
	struct sim_machine machine = { 0 };
	int ret = sim_machine_make(&machine, m, r, err);

	if (!ret && partition)
		ret = show_partitions(kcore, &machine.of, partition, sb, err);
	else if (!ret)
		ret = kcore_domains(kcore_ops(kcore), &machine.of, sb, err);
	sim_machine_release(&machine);
	return ret;
}
