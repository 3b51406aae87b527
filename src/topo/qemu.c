// SPDX-License-Identifier: GPL-2.0-only
/* topo/qemu.c - a machine from QEMU's words: first the words, then what a kernel sees of them. */
#include "topo/qemu.h"

#include "topo/source.h"
#include "topo/text.h"

#include "base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One key=value of a comma list, or a bare word with value NULL. Returns the rest. */
static char *next_option(char *at, char **key, char **value)
{
	char *comma = strchr(at, ','), *eq;

	if (comma)
		*comma = '\0';
	eq = strchr(at, '=');
	if (eq)
		*eq++ = '\0';
	*key = at;
	*value = eq;
	return comma ? comma + 1 : NULL;
}

static int number(const char *where, const char *key, const char *value, long min, long max,
		  long *n, struct error *err)
{
	if (!value || text_long(value, min, max, n))
		return error_set(err, EINVAL, "%s: %.40s=%.40s: not a number from %ld to %ld",
				 where, key, value ? value : "", min, max);
	return 0;
}

static const char *const smp_keys[NR_QEMU_LEVELS] = {
	[QEMU_DRAWERS] = "drawers", [QEMU_BOOKS] = "books",	  [QEMU_SOCKETS] = "sockets",
	[QEMU_DIES] = "dies",	    [QEMU_CLUSTERS] = "clusters", [QEMU_MODULES] = "modules",
	[QEMU_CORES] = "cores",	    [QEMU_THREADS] = "threads",
};

static int read_smp_key(struct qemu *q, const char *key, const char *value, struct error *err)
{
	long n = 0;
	int ret;

	if (!value || !strcmp(key, "cpus")) {
		ret = number("-smp", "cpus", value ? value : key, 1, MACHINE_MAX_CPUS, &n, err);
		if (!ret)
			q->cpus = (unsigned int)n;
		return ret;
	}
	ret = number("-smp", key, value, 1, MACHINE_MAX_CPUS, &n, err);
	if (ret)
		return ret;
	if (!strcmp(key, "maxcpus")) {
		q->maxcpus = (unsigned int)n;
		return 0;
	}
	for (unsigned int i = 0; i < NR_QEMU_LEVELS; i++) {
		if (strcmp(key, smp_keys[i]))
			continue;
		q->count[i] = (unsigned int)n;
		return 0;
	}
	return error_set(err, EINVAL, "-smp: unknown key '%.40s'", key);
}

static int read_smp(struct qemu *q, char *arg, struct error *err)
{
	char *key, *value;
	int ret = 0;

	while (arg && !ret) {
		arg = next_option(arg, &key, &value);
		if (*key)
			ret = read_smp_key(q, key, value, err);
	}
	return ret;
}

static struct qemu_node *find_node(struct qemu *q, unsigned int id)
{
	for (unsigned int i = 0; i < q->nr_nodes; i++)
		if (q->node[i].id == id)
			return &q->node[i];
	return NULL;
}

static int add_node(struct qemu *q, struct qemu_node *node, struct error *err)
{
	if (q->nr_nodes == MACHINE_MAX_NODES)
		return error_set(err, EFBIG, "more than %d nodes", MACHINE_MAX_NODES);
	if (find_node(q, node->id))
		return error_set(err, EINVAL, "-numa node: a second node %u", node->id);
	q->node = xreallocarray(q->node, q->nr_nodes + 1, sizeof(*q->node));
	q->node[q->nr_nodes++] = *node;
	return 0;
}

static int add_cpus(struct cpumask *to, const char *list, struct error *err)
{
	struct cpumask mask = { 0 };
	unsigned int cpu;
	int ret = cpumask_parse(&mask, list, err);

	if (!ret)
		cpumask_for_each (cpu, &mask)
			cpumask_set(to, cpu);
	cpumask_release(&mask);
	return ret;
}

/* QEMU's -m and mem=: bytes with a suffix; a bare number is mebibytes. */
static uint64_t memory_kb(const char *value)
{
	char *end;
	double n = strtod(value, &end);

	switch (toupper((unsigned char)*end)) {
	case 'K':
		break;
	case 'G':
		n *= 1024 * 1024;
		break;
	case 'T':
		n *= 1024.0 * 1024 * 1024;
		break;
	default:
		n *= 1024;
	}
	return n > 0 && n < 1e15 ? (uint64_t)n : 0;
}

static uint64_t memdev_kb(const struct qemu *q, const char *id)
{
	for (unsigned int i = 0; i < q->nr_memdevs; i++)
		if (!strcmp(q->memdev[i].id, id))
			return q->memdev[i].kb;
	return 1; /* there is some, the size isn't told */
}

static int read_node(struct qemu *q, char *arg, struct error *err)
{
	struct qemu_node node = { .id = q->nr_nodes };
	char *key, *value;
	long n = 0;
	int ret = 0;

	while (arg && !ret) {
		arg = next_option(arg, &key, &value);
		if (!value)
			continue;
		if (!strcmp(key, "nodeid")) {
			ret = number("-numa node", key, value, 0, MACHINE_MAX_NODES - 1, &n, err);
			if (!ret)
				node.id = (unsigned int)n;
		} else if (!strcmp(key, "cpus")) {
			ret = add_cpus(&node.cpus, value, err);
			node.has_cpus = true;
		} else if (!strcmp(key, "mem")) {
			node.mem_kb = memory_kb(value);
		} else if (!strcmp(key, "memdev")) {
			node.mem_kb = memdev_kb(q, value);
		}
	}
	if (!ret)
		ret = add_node(q, &node, err);
	if (ret)
		cpumask_release(&node.cpus);
	return ret;
}

static int read_dist(struct qemu *q, char *arg, struct error *err)
{
	struct qemu_dist d = { 0 };
	char *key, *value;
	long n = 0;
	int ret = 0;

	while (arg && !ret) {
		arg = next_option(arg, &key, &value);
		ret = number("-numa dist", key, value, 0, MACHINE_MAX_NODES - 1, &n, err);
		if (ret)
			break;
		if (!strcmp(key, "src"))
			d.src = (unsigned int)n;
		else if (!strcmp(key, "dst"))
			d.dst = (unsigned int)n;
		else if (!strcmp(key, "val"))
			d.val = (unsigned int)n;
		else
			ret = error_set(err, EINVAL, "-numa dist: unknown key '%.40s'", key);
	}
	if (!ret && (d.val < 10 || d.val > 255))
		ret = error_set(err, EINVAL, "-numa dist: val=%u is not from 10 to 255", d.val);
	if (ret)
		return ret;
	if (q->nr_dists == (size_t)MACHINE_MAX_NODES * MACHINE_MAX_NODES)
		return error_set(err, EFBIG, "too many -numa dist");
	if (!(q->nr_dists & (q->nr_dists - 1)))
		q->dist =
			xreallocarray(q->dist, q->nr_dists ? 2 * q->nr_dists : 1, sizeof(*q->dist));
	q->dist[q->nr_dists++] = d;
	return 0;
}

static int read_numa_cpu(struct qemu *q, char *arg, struct error *err)
{
	static const char *const keys[NR_QEMU_LEVELS] = {
		[QEMU_DRAWERS] = "drawer-id",	[QEMU_BOOKS] = "book-id",
		[QEMU_SOCKETS] = "socket-id",	[QEMU_DIES] = "die-id",
		[QEMU_CLUSTERS] = "cluster-id", [QEMU_MODULES] = "module-id",
		[QEMU_CORES] = "core-id",	[QEMU_THREADS] = "thread-id",
	};
	struct qemu_place p;
	char *key, *value;
	long n = 0;
	int ret = 0;

	memset(p.id, -1, sizeof(p.id));
	p.node = 0;
	while (arg && !ret) {
		arg = next_option(arg, &key, &value);
		ret = number("-numa cpu", key, value, 0, MACHINE_MAX_CPUS - 1, &n, err);
		if (!ret && !strcmp(key, "node-id"))
			p.node = (unsigned int)n;
		for (unsigned int i = 0; i < NR_QEMU_LEVELS && !ret; i++)
			if (!strcmp(key, keys[i]))
				p.id[i] = (int)n;
	}
	if (ret)
		return ret;
	if (q->nr_places == MACHINE_MAX_CPUS)
		return error_set(err, EFBIG, "too many -numa cpu");
	q->place = xreallocarray(q->place, q->nr_places + 1, sizeof(*q->place));
	q->place[q->nr_places++] = p;
	return 0;
}

static int read_numa(struct qemu *q, char *arg, struct error *err)
{
	char *key, *value, *rest;

	if (!*arg)
		return error_set(err, EINVAL, "-numa without its argument");
	rest = next_option(arg, &key, &value);
	if (!strcmp(key, "node"))
		return read_node(q, rest, err);
	if (!strcmp(key, "dist"))
		return read_dist(q, rest, err);
	if (!strcmp(key, "cpu"))
		return read_numa_cpu(q, rest, err);
	if (!strncmp(key, "hmat", 4))
		return 0; /* latencies: no kernel makes domains of them */
	return error_set(err, EINVAL, "-numa: '%.40s' is none of node, cpu, dist", key);
}

static void read_object(struct qemu *q, char *arg)
{
	char *key, *value, *id = NULL;
	uint64_t kb = 0;

	if (strncmp(arg, "memory-backend", 14))
		return;
	while (arg) {
		arg = next_option(arg, &key, &value);
		if (value && !strcmp(key, "id"))
			id = value;
		if (value && !strcmp(key, "size"))
			kb = memory_kb(value);
	}
	if (!id || q->nr_memdevs == MACHINE_MAX_NODES)
		return;
	q->memdev = xreallocarray(q->memdev, q->nr_memdevs + 1, sizeof(*q->memdev));
	snprintf(q->memdev[q->nr_memdevs].id, sizeof(q->memdev->id), "%s", id);
	q->memdev[q->nr_memdevs++].kb = kb;
}

static int cache_level(const char *name)
{
	if (!strcmp(name, "l2"))
		return 2;
	return !strcmp(name, "l3") ? 3 : 0;
}

static enum qemu_level cache_topology(const char *name)
{
	static const struct {
		const char *name;
		enum qemu_level level;
	} names[] = {
		{ "thread", QEMU_THREADS },   { "core", QEMU_CORES }, { "module", QEMU_MODULES },
		{ "cluster", QEMU_CLUSTERS }, { "die", QEMU_DIES },   { "socket", QEMU_SOCKETS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i].name, name))
			return names[i].level;
	return NR_QEMU_LEVELS; /* "default" */
}

/* smp-cache.0.cache=l2,smp-cache.0.topology=module: the two words come one after the other. */
static void read_machine(struct qemu *q, char *arg)
{
	char *key, *value;
	int level = 0;

	while (arg) {
		size_t n;

		arg = next_option(arg, &key, &value);
		n = strlen(key);
		if (!value || strncmp(key, "smp-cache.", 10))
			continue;
		if (n > 6 && !strcmp(key + n - 6, ".cache"))
			level = cache_level(value);
		if (n > 9 && !strcmp(key + n - 9, ".topology") && level)
			q->cache[level] = cache_topology(value);
	}
}

static void read_cpu(struct qemu *q, char *arg)
{
	static const char *const amd[] = { "EPYC", "Opteron", "phenom", "athlon", "Dhyana",
					   "max",  "qemu64",  "qemu32", "base" };
	char *key, *value;

	q->amd = false;
	for (size_t i = 0; i < ARRAY_SIZE(amd); i++)
		q->amd = q->amd || !strncmp(arg, amd[i], strlen(amd[i]));
	q->zen = q->topoext = !strncmp(arg, "EPYC", 4);
	q->snc_model = !strncmp(arg, "GraniteRapids", 13) || !strncmp(arg, "ClearwaterForest", 16);
	q->naples = q->zen && (!arg[4] || arg[4] == ',' || !strncmp(arg + 4, "-v", 2) ||
			       !strncmp(arg + 4, "-IBPB", 5));
	while (arg) {
		arg = next_option(arg, &key, &value);
		if (!strcmp(key, "+topoext") || (!strcmp(key, "topoext") && value))
			q->topoext = !value || !strcmp(value, "on");
		if (!strcmp(key, "-topoext"))
			q->topoext = false;
		if (!strcmp(key, "l3-cache") && value)
			q->no_l3 = !strcmp(value, "off");
	}
}

static void read_program(struct qemu *q, const char *word)
{
	const char *arch = strstr(word, "qemu-system-");
	enum machine_arch found;

	if (arch && !machine_arch_parse(&found, arch + strlen("qemu-system-"), NULL)) {
		q->arch = found;
		q->arch_told = true;
	}
}

/* "# qemu 7.2.22 qemu-system-x86_64", "# guest cmdline extra: isolcpus=2-3" */
static void read_comment(struct qemu *q, const char *text)
{
	static const char extra[] = "guest cmdline extra:";
	unsigned int major, minor;

	while (*text == '#' || *text == ' ')
		text++;
	if (!strncmp(text, extra, strlen(extra)))
		strbuf_addf(&q->append, " %s", text + strlen(extra));
	/* NOLINTNEXTLINE(cert-err34-c): four digits can't overflow */
	if (sscanf(text, "qemu %4u.%4u", &major, &minor) == 2) {
		q->version = major * 100 + minor;
		read_program(q, text);
	}
}

static int read_word(struct qemu *q, const char *option, char *arg, struct error *err)
{
	if (!strcmp(option, "smp"))
		return read_smp(q, arg, err);
	if (!strcmp(option, "numa"))
		return read_numa(q, arg, err);
	if (!strcmp(option, "object"))
		read_object(q, arg);
	else if (!strcmp(option, "M") || !strcmp(option, "machine"))
		read_machine(q, arg);
	else if (!strcmp(option, "cpu"))
		read_cpu(q, arg);
	else if (!strcmp(option, "accel"))
		q->tcg = !strncmp(arg, "tcg", 3);
	else if (!strcmp(option, "append"))
		strbuf_addf(&q->append, " %s", arg);
	else if (!strcmp(option, "m"))
		q->mem_kb = memory_kb(!strncmp(arg, "size=", 5) ? arg + 5 : arg);
	return 0;
}

/* One shell-like word: quotes group, a backslash before a line's end joins. Returns the rest. */
static const char *next_word(const char *at, struct strbuf *word)
{
	char quote = 0;

	strbuf_reset(word);
	for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
		if (quote ? *at == quote : *at == '"' || *at == '\'')
			quote = quote ? 0 : *at;
		else if (*at == '\\' && (at[1] == '\n' || !strncmp(at + 1, "\r\n", 2)))
			break;
		else
			strbuf_addch(word, *at);
	}
	return *at ? at + 1 : at;
}

int qemu_read(struct qemu *q, const char *text, struct error *err)
{
	struct strbuf word = { 0 }, arg = { 0 };
	int ret = 0;

	while (*text && !ret) {
		while (isspace((unsigned char)*text) || *text == '\\')
			text++;
		if (*text == '#') {
			size_t n = strcspn(text, "\n");
			char *line = xstrndup(text, n);

			read_comment(q, line);
			free(line);
			text += n;
			continue;
		}
		text = next_word(text, &word);
		read_program(q, strbuf_str(&word));
		if (strbuf_str(&word)[0] != '-')
			continue;
		while (isspace((unsigned char)*text) || *text == '\\')
			text++;
		if (*text == '-' || *text == '#' || !*text)
			continue; /* an option without argument */
		text = next_word(text, &arg);
		ret = read_word(q, strbuf_str(&word) + strspn(strbuf_str(&word), "-"),
				arg.s ? arg.s : (char[]){ "" }, err);
	}
	strbuf_release(&word);
	strbuf_release(&arg);
	return ret;
}

void qemu_release(struct qemu *q)
{
	for (unsigned int i = 0; i < q->nr_nodes; i++)
		cpumask_release(&q->node[i].cpus);
	free(q->node);
	free(q->dist);
	free(q->place);
	free(q->memdev);
	strbuf_release(&q->append);
}
