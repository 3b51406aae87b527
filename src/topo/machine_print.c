// SPDX-License-Identifier: GPL-2.0-only
/* topo/machine_print.c - a machine in our own format. */
#include "topo/machine_file.h"

#include "topo/machine_short.h"

static void print_mask(const char *name, const struct cset *set, struct strbuf *sb)
{
	strbuf_addf(sb, "%s ", name);
	cset_print(set, sb);
	strbuf_addch(sb, '\n');
}

static void print_isolated(const struct cset *set, struct strbuf *sb)
{
	strbuf_addstr(sb, "boot isolcpus=");
	cset_print(set, sb);
	strbuf_addch(sb, '\n');
}

static void print_boot(const struct machine *m, struct strbuf *sb)
{
	const struct machine_boot *b = &m->boot;

	if (b->isolated->weight)
		print_isolated(b->isolated, sb);
	if (b->maxcpus)
		strbuf_addf(sb, "boot maxcpus=%u\n", b->maxcpus);
	if (b->nosmt)
		strbuf_addstr(sb, "boot nosmt\n");
	if (b->relax_level >= 0)
		strbuf_addf(sb, "boot relax_domain_level=%d\n", b->relax_level);
	for (unsigned int i = 0; i < b->nr_offlined; i++)
		strbuf_addf(sb, "%s%u%s", i ? "," : "boot offline=", b->offlined[i],
			    i + 1 == b->nr_offlined ? "\n" : "");
}

static void print_cpu_numbers(const struct machine *m, struct strbuf *sb)
{
	unsigned int cpu;

	strbuf_addstr(sb, "# cpu online package die cluster core\n");
	cset_for_each (cpu, m->possible) {
		const struct machine_cpu *c = &m->cpu[cpu];

		if (c->package < 0 && c->die < 0 && c->cluster < 0 && c->core < 0)
			continue;
		strbuf_addf(sb, "%u %d %d %d %d %d\n", cpu, cset_test(m->online, cpu), c->package,
			    c->die, c->cluster, c->core);
	}
}

static void print_capacities(const struct machine *m, struct strbuf *sb)
{
	unsigned int cpu, first = CSET_END, last = CSET_END;

	/* runs of equal capacity */
	for (cpu = m->possible->first;; cpu = cset_next(m->possible, cpu + 1)) {
		if (first != CSET_END &&
		    (cpu == CSET_END || m->cpu[cpu].capacity != m->cpu[first].capacity ||
		     cpu != last + 1)) {
			if (m->cpu[first].capacity != CAPACITY_FULL)
				strbuf_addf(sb, "capacity %u %u-%u\n", m->cpu[first].capacity,
					    first, last);
			first = CSET_END;
		}
		if (cpu == CSET_END)
			break;
		if (first == CSET_END)
			first = cpu;
		last = cpu;
	}
}

/* One line, and no comment, whatever a file is called. */
static void print_name(const char *name, struct strbuf *sb)
{
	strbuf_addstr(sb, "name ");
	for (; *name; name++)
		strbuf_addch(sb, *name == '#' || (unsigned char)*name < ' ' ? '_' : *name);
	strbuf_addch(sb, '\n');
}

void machine_file_print(const struct machine *m, struct strbuf *sb)
{
	if (m->name)
		print_name(m->name, sb);
	strbuf_addf(sb, "arch %s\ncpus %u\n", machine_arch_name(m->arch), m->nr_cpus);
	if (m->vendor != VENDOR_UNKNOWN)
		strbuf_addf(sb, "vendor %s\n", m->vendor == VENDOR_AMD ? "amd" : "intel");
	print_mask("possible", m->possible, sb);
	print_mask("present", m->present, sb);
	print_mask("online", m->online, sb);
	/* x86: without it, numbers of CPUs may look like threads */
	if (m->smt || m->arch == ARCH_X86)
		strbuf_addf(sb, "smt %c\n", m->smt ? 'y' : 'n');
	if (m->itmt)
		strbuf_addstr(sb, "itmt y\n");
	if (m->average_remote)
		strbuf_addstr(sb, "average_remote y\n");
	if (m->nodes_per_package)
		strbuf_addf(sb, "nodes_per_package %u\n", m->nodes_per_package);
	if (m->reclaim_distance)
		strbuf_addf(sb, "reclaim_distance %u\n", m->reclaim_distance);
	print_cpu_numbers(m, sb);
	for (unsigned int share = 0; share < NR_SHARES; share++)
		machine_print_share(m, (enum machine_share)share, sb);
	print_capacities(m, sb);
	machine_print_nodes(m, sb);
	for (unsigned int i = 0; i < m->nr_caches; i++) {
		const struct machine_cache *c = &m->cache[i];

		strbuf_addf(sb, "L%u %s %lluK ", c->level, machine_cache_type(c),
			    (unsigned long long)c->size_kb);
		cset_print(c->cpus, sb);
		strbuf_addch(sb, '\n');
	}
	print_boot(m, sb);
}
