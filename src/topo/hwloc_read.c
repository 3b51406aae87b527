// SPDX-License-Identifier: GPL-2.0-only
/* topo/hwloc_read.c - hwloc's XML and synthetic syntax, through libhwloc. */
#include "topo/source.h"

#include "base/file.h"
#include "base/mem.h"

#include <assert.h>
#include <hwloc.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct cset *set_of(struct machine *m, hwloc_const_bitmap_t bitmap)
{
	struct cbits *bits = cbits_new(m->pool);
	const struct cset *set;
	int cpu;

	for (cpu = hwloc_bitmap_first(bitmap); cpu >= 0; cpu = hwloc_bitmap_next(bitmap, cpu))
		if ((unsigned int)cpu < m->nr_cpus)
			cbits_set(bits, (unsigned int)cpu);
	set = cset_intern(m->pool, bits);
	cbits_free(bits);
	return set;
}

static void share(struct machine *m, const struct cset *set, enum machine_share kind)
{
	unsigned int cpu;

	cset_for_each (cpu, set)
		m->cpu[cpu].share[kind] = set;
}

static void number(struct machine *m, const struct cset *set, size_t member, int value)
{
	unsigned int cpu;

	cset_for_each (cpu, set)
		*(int *)((char *)&m->cpu[cpu] + member) = value;
}

static void read_cache(struct machine *m, hwloc_obj_t obj, const struct cset *set)
{
	unsigned int level = obj->attr->cache.depth, cpu;
	bool code = obj->attr->cache.type == HWLOC_OBJ_CACHE_INSTRUCTION;

	machine_add_cache(m, level,
			  code						  ? 'I'
			  : obj->attr->cache.type == HWLOC_OBJ_CACHE_DATA ? 'D'
									  : 'U',
			  obj->attr->cache.size / 1024, set);
	if (code)
		return;
	if (level == 2) {
		share(m, set, SHARE_L2);
		if (m->arch == ARCH_X86)
			share(m, set, SHARE_CLUSTER);
	}
	cset_for_each (cpu, set)
		if (level >= m->cpu[cpu].llc_level) {
			m->cpu[cpu].llc_level = level;
			m->cpu[cpu].share[SHARE_LLC] = set;
		}
}

static void read_object(struct machine *m, hwloc_obj_t obj)
{
	const struct cset *set = obj->cpuset ? set_of(m, obj->cpuset) : NULL;
	int id = (int)obj->os_index;

	if (!set || !set->weight)
		return;
	if (obj->type == HWLOC_OBJ_PACKAGE) {
		share(m, set, SHARE_PACKAGE);
		number(m, set, offsetof(struct machine_cpu, package), id);
	} else if (obj->type == HWLOC_OBJ_DIE) {
		share(m, set, SHARE_DIE);
		number(m, set, offsetof(struct machine_cpu, die), id);
	} else if (obj->type == HWLOC_OBJ_CORE) {
		share(m, set, SHARE_THREADS);
		number(m, set, offsetof(struct machine_cpu, core), id);
	} else if (obj->type == HWLOC_OBJ_GROUP && obj->subtype && m->arch != ARCH_X86 &&
		   !strcasecmp(obj->subtype, "Cluster")) {
		share(m, set, SHARE_CLUSTER);
	} else if (hwloc_obj_type_is_cache(obj->type)) {
		read_cache(m, obj, set);
	}
}

static void read_objects(struct machine *m, hwloc_topology_t topology)
{
	int depth = hwloc_topology_get_depth(topology);
	hwloc_obj_t obj;

	/* bottom up, so that of two caches of one level the outer one is last */
	for (int d = depth - 1; d >= 0; d--)
		for (obj = NULL; (obj = hwloc_get_next_obj_by_depth(topology, d, obj));)
			read_object(m, obj);
}

static void read_nodes(struct machine *m, hwloc_topology_t topology)
{
	int nr = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
	unsigned int cpu;

	if (nr < 1 || nr > MACHINE_MAX_NODES)
		return;
	machine_set_nodes(m, (unsigned int)nr);
	m->has_numa = true;
	for (unsigned int i = 0; i < (unsigned int)nr; i++) {
		hwloc_obj_t obj = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, i);
		const struct cset *set = set_of(m, obj->cpuset);

		m->node[i].id = obj->os_index;
		m->node[i].mem_kb = obj->attr->numanode.local_memory / 1024;
		m->node[i].has_memory = m->node[i].mem_kb > 0;
		/* memory beside the processors' own spans their CPUs too, and comes later */
		cset_for_each (cpu, set)
			if (!i || !m->cpu[cpu].node)
				m->cpu[cpu].node = i;
	}
}

static void read_distances(struct machine *m, hwloc_topology_t topology)
{
	struct hwloc_distances_s *d = NULL;
	unsigned int nr = 1, n = m->nr_nodes;

	if (hwloc_distances_get_by_name(topology, "NUMALatency", &nr, &d, 0) < 0 || nr < 1) {
		if (n > 1)
			machine_note(m, "hwloc tells no distances: 10 and 20 assumed");
		return;
	}
	if (d->nbobjs == n)
		for (unsigned int i = 0; i < n * n; i++) {
			hwloc_obj_t a = d->objs[i / n], b = d->objs[i % n];

			if (a && b && a->type == HWLOC_OBJ_NUMANODE && d->values[i] <= 255)
				m->distance[a->logical_index * n + b->logical_index] =
					(unsigned int)d->values[i];
		}
	else
		machine_note(m, "hwloc has distances of %u nodes for %u: left out", d->nbobjs, n);
	hwloc_distances_release(topology, d);
}

static void read_info(struct machine *m, hwloc_topology_t topology, const struct source_opts *opts)
{
	hwloc_obj_t root = hwloc_get_root_obj(topology);
	hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
	const char *arch = hwloc_obj_get_info_by_name(root, "Architecture");
	const char *vendor = package ? hwloc_obj_get_info_by_name(package, "CPUVendor") : NULL;

	m->arch = opts->release->arch;
	if (arch && !opts->arch_known)
		machine_arch_parse(&m->arch, arch, NULL);
	if (vendor && !strcmp(vendor, "GenuineIntel"))
		m->vendor = VENDOR_INTEL;
	if (vendor && !strcmp(vendor, "AuthenticAMD"))
		m->vendor = VENDOR_AMD;
}

/* A loaded topology as a machine. */
static int hwloc_to_machine(struct machine **out, hwloc_topology_t topology,
			    const struct source_opts *opts, struct error *err)
{
	hwloc_const_bitmap_t complete = hwloc_topology_get_complete_cpuset(topology);
	int last = hwloc_bitmap_last(complete), ret;
	struct machine *m;

	if (last < 0 || last >= MACHINE_MAX_CPUS)
		return error_set(err, last < 0 ? EINVAL : EFBIG, "not from 1 to %d CPUs",
				 MACHINE_MAX_CPUS);
	m = machine_new((unsigned int)last + 1);
	read_info(m, topology, opts);
	m->possible = m->present = set_of(m, complete);
	m->online = set_of(m, hwloc_topology_get_topology_cpuset(topology));
	read_objects(m, topology);
	read_nodes(m, topology);
	read_distances(m, topology);
	ret = machine_finish(m, err);
	if (ret)
		machine_free(m);
	else
		*out = m;
	return ret;
}

/* Everything that was recorded is kept, but devices are of no interest. */
static int start(hwloc_topology_t *topology, struct error *err)
{
	if (hwloc_topology_init(topology))
		return error_set(err, ENOMEM, "hwloc does not start");
	hwloc_topology_set_all_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_ALL);
	hwloc_topology_set_io_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
	return 0;
}

static int cant_read(const char *what, struct error *err)
{
	return error_set(err, EINVAL, "hwloc %d.%d can't read this %s", HWLOC_API_VERSION >> 16,
			 HWLOC_API_VERSION >> 8 & 0xff, what);
}

static int load(struct machine **m, hwloc_topology_t topology, const char *what,
		const struct source_opts *opts, struct error *err)
{
	if (hwloc_topology_load(topology))
		return cant_read(what, err);
	return hwloc_to_machine(m, topology, opts, err);
}

/* "XML of version 3.0", where the file says so. */
static void xml_words(char *words, size_t size, const char *xml)
{
	const char *topology = strstr(xml, "<topology version=\"");

	snprintf(words, size, "XML");
	if (!topology)
		return;
	topology += strlen("<topology version=\"");
	snprintf(words, size, "XML of version %.*s", (int)strspn(topology, "0123456789."),
		 topology);
}

static int parse_here(struct machine **m, const char *xml, size_t len,
		      const struct source_opts *opts, struct error *err)
{
	hwloc_topology_t topology;
	char *copy, words[32];
	int ret = start(&topology, err);

	if (ret)
		return ret;
	/* hwloc wants the terminator within the length */
	copy = xstrndup(xml, len);
	xml_words(words, sizeof(words), copy);
	if (hwloc_topology_set_xmlbuffer(topology, copy, (int)strlen(copy) + 1))
		ret = cant_read(words, err);
	else
		ret = load(m, topology, words, opts, err);
	hwloc_topology_destroy(topology);
	free(copy);
	return ret;
}

/* The child's answer: '0' and the machine in our own format, or '1' and an error's words. */
static _Noreturn void answer(int fd, const char *xml, size_t len, const struct source_opts *opts)
{
	const struct rlimit seconds = { 10, 10 }, none = { 0, 0 };
	struct error err = { 0 };
	struct machine *m = NULL;
	struct strbuf sb = { 0 };

	setrlimit(RLIMIT_CPU, &seconds);
	setrlimit(RLIMIT_CORE, &none);
	signal(SIGSEGV, SIG_DFL);
	signal(SIGABRT, SIG_DFL);
	signal(SIGBUS, SIG_DFL);
	signal(SIGFPE, SIG_DFL);
	if (parse_here(&m, xml, len, opts, &err)) {
		strbuf_addf(&sb, "1%s", err.text);
	} else {
		assert(m);
		strbuf_addch(&sb, '0');
		machine_file_print(m, &sb);
		if (m->nr_notes)
			strbuf_addf(&sb, "#\n%s", strbuf_str(&m->notes));
	}
	(void)fd_write(fd, strbuf_str(&sb), sb.len);
	_exit(0);
}

/* Notes stand behind a line with nothing but '#'. */
static void take_notes(struct machine *m, const char *notes)
{
	for (const char *end; *notes && (end = strchr(notes, '\n')); notes = end + 1)
		machine_note(m, "%.*s", (int)(end - notes), notes);
}

static int take_answer(struct machine **m, char *text, const struct source_opts *opts,
		       struct error *err)
{
	char *notes;
	int ret;

	if (!text || !*text)
		return error_set(err, EINVAL, "hwloc falls over this XML");
	if (*text == '1')
		return error_set(err, EINVAL, "%s", text + 1);
	notes = strstr(text, "\n#\n");
	if (notes)
		*notes = '\0';
	ret = machine_file_parse(m, text + 1, opts, err);
	if (!ret && notes)
		take_notes(*m, notes + 3);
	return ret;
}

static char *read_all(int fd)
{
	struct strbuf sb = { 0 };
	char buffer[4096];
	ssize_t n;

	while ((n = read(fd, buffer, sizeof(buffer))) > 0)
		strbuf_add(&sb, buffer, (size_t)n);
	return sb.s ? strbuf_take(&sb) : NULL;
}

/* hwloc 2.9 does not stand every broken file, so it reads in a process of its own. */
int hwloc_parse(struct machine **m, const char *xml, size_t len, const struct source_opts *opts,
		struct error *err)
{
	int fds[2], ret;
	char *text;
	pid_t pid;

	if (len >= INT32_MAX)
		return error_set(err, EFBIG, "an XML file of %zu bytes", len);
	if (pipe2(fds, O_CLOEXEC))
		return error_set(err, errno, "pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0) {
		ret = error_set(err, errno, "fork: %s", strerror(errno));
		close(fds[0]);
		close(fds[1]);
		return ret;
	}
	if (!pid)
		answer(fds[1], xml, len, opts);
	close(fds[1]);
	text = read_all(fds[0]);
	close(fds[0]);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	ret = take_answer(m, text, opts, err);
	free(text);
	return ret;
}

/* The CPUs of a description before hwloc makes them: the product of its counts. */
static bool synthetic_fits(const char *text)
{
	double n = 1;

	for (const char *at = text; *at; at++)
		if (*at == ':' && at[1] >= '0' && at[1] <= '9')
			n *= strtod(at + 1, NULL);
	return n >= 1 && n <= MACHINE_MAX_CPUS;
}

/* hwloc itself gives no reason. */
static int not_synthetic(const char *text, struct error *err)
{
	if (!strstr(text, "pu:"))
		return error_set(
			err, EINVAL,
			"hwloc can't read '%.60s': the last word has to be pu:N, the threads "
			"of a core, as in 'pack:2 l3:1 core:4 pu:2'",
			text);
	return error_set(err, EINVAL,
			 "hwloc can't read '%.60s': words are numa:, pack:, die:, l3:, l2:, l1:, "
			 "core: or group: and at last pu:, as in 'pack:2 l3:1 core:4 pu:2'",
			 text);
}

int hwloc_synthetic(struct machine **m, const char *text, const struct source_opts *opts,
		    struct error *err)
{
	hwloc_topology_t topology;
	int ret;

	if (!synthetic_fits(text))
		return error_set(err, EFBIG, "'%.60s' has not from 1 to %d CPUs", text,
				 MACHINE_MAX_CPUS);
	ret = start(&topology, err);
	if (ret)
		return ret;
	if (hwloc_topology_set_synthetic(topology, text))
		ret = not_synthetic(text, err);
	else
		ret = load(m, topology, "synthetic description", opts, err);
	hwloc_topology_destroy(topology);
	return ret;
}
