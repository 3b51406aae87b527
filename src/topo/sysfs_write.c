// SPDX-License-Identifier: GPL-2.0-only
/* topo/sysfs_write.c - a machine as a tree of /sys and /proc, for lscpu, hwloc and ourselves to read. */
#include "topo/convert.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CPU_DIR	 "sys/devices/system/cpu"
#define NODE_DIR "sys/devices/system/node"

struct writer {
	int dir;
	struct error *err;
	int ret; /* of the first that failed; nothing more is written then */
};

static void put(struct writer *w, const char *text, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void put(struct writer *w, const char *text, const char *fmt, ...)
{
	char path[200], *slash;
	va_list args;
	int fd;

	va_start(args, fmt);
	vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	if (w->ret)
		return;
	slash = strrchr(path, '/');
	*slash = '\0';
	w->ret = make_folders(w->dir, path, 0777, w->err);
	*slash = '/';
	if (w->ret)
		return;
	fd = openat(w->dir, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || dprintf(fd, "%s\n", text) < 0)
		w->ret = error_set(w->err, errno, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

static void put_set(struct writer *w, const struct cset *set, const char *dir, unsigned int id,
		    const char *name)
{
	struct strbuf sb = { 0 };

	cset_print(set, &sb);
	put(w, strbuf_str(&sb), "%s%u/%s", dir, id, name);
	strbuf_release(&sb);
}

static void put_number(struct writer *w, int n, unsigned int cpu, const char *name)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", n);
	put(w, text, CPU_DIR "/cpu%u/%s", cpu, name);
}

static int first_of(const struct cset *set)
{
	return set ? (int)set->first : -1;
}

static void write_topology(struct writer *w, const struct machine *m, unsigned int cpu)
{
	static const struct {
		enum machine_share share;
		const char *names[2];
	} lists[] = {
		{ SHARE_THREADS, { "topology/core_cpus_list", "topology/thread_siblings_list" } },
		{ SHARE_CLUSTER, { "topology/cluster_cpus_list", NULL } },
		{ SHARE_DIE, { "topology/die_cpus_list", NULL } },
		{ SHARE_PACKAGE, { "topology/package_cpus_list", "topology/core_siblings_list" } },
		{ SHARE_BOOK, { "topology/book_siblings_list", NULL } },
		{ SHARE_DRAWER, { "topology/drawer_siblings_list", NULL } },
	};
	const struct machine_cpu *c = &m->cpu[cpu];
	int package = c->package >= 0 ? c->package : first_of(c->share[SHARE_PACKAGE]);
	int core = c->core >= 0 ? c->core : first_of(c->share[SHARE_THREADS]);

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (size_t k = 0; k < 2 && lists[i].names[k] && c->share[lists[i].share]; k++)
			put_set(w, c->share[lists[i].share], CPU_DIR "/cpu", cpu,
				lists[i].names[k]);
	put_number(w, package >= 0 ? package : 0, cpu, "topology/physical_package_id");
	put_number(w, core, cpu, "topology/core_id");
	put_number(w, c->die, cpu, "topology/die_id");
	if (c->capacity != CAPACITY_FULL || m->arch == ARCH_ARM64)
		put_number(w, (int)c->capacity, cpu, "cpu_capacity");
}

static void write_cache(struct writer *w, unsigned int cpu, unsigned int index,
			const struct machine_cache *cache)
{
	struct strbuf sb = { 0 };

	strbuf_addf(&sb, CPU_DIR "/cpu%u/cache/index", cpu);
	put_set(w, cache->cpus, sb.s, index, "shared_cpu_list");
	put(w, (char[]){ (char)('0' + cache->level), 0 }, "%s%u/level", sb.s, index);
	put(w, machine_cache_type(cache), "%s%u/type", sb.s, index);
	if (cache->size_kb) {
		char size[32];

		snprintf(size, sizeof(size), "%lluK", (unsigned long long)cache->size_kb);
		put(w, size, "%s%u/size", sb.s, index);
	}
	strbuf_release(&sb);
}

/* The caches told; the L2 and the last level from the shares, where no cache told is that. */
static void write_caches(struct writer *w, const struct machine *m, unsigned int cpu)
{
	const struct machine_cpu *c = &m->cpu[cpu];
	const struct cset *l2 = c->share[m->arch == ARCH_X86 ? SHARE_CLUSTER : SHARE_L2];
	const struct cset *llc = c->share[SHARE_LLC];
	unsigned int index = 0, level = c->llc_level > 2 ? c->llc_level : 3;

	for (unsigned int i = 0; i < m->nr_caches; i++) {
		const struct machine_cache *cache = &m->cache[i];

		if (!cset_test(cache->cpus, cpu))
			continue;
		if (cache->cpus == llc && cache->type != 'I')
			llc = NULL;
		if (cache->cpus == l2 && cache->level == 2 && cache->type != 'I')
			l2 = NULL;
		if (cache->level >= level)
			level = cache->level;
		write_cache(w, cpu, index++, cache);
	}
	/* where no last level is known it would be read as that; cluster_cpus_list says who shares it */
	if (l2 && c->share[SHARE_LLC])
		write_cache(w, cpu, index++, &(struct machine_cache){ 2, 'U', 0, l2 });
	if (llc)
		write_cache(w, cpu, index, &(struct machine_cache){ level, 'U', 0, llc });
}

static void write_node(struct writer *w, const struct machine *m, unsigned int i)
{
	struct strbuf sb = { 0 };

	put_set(w, m->node[i].cpus, NODE_DIR "/node", m->node[i].id, "cpulist");
	for (unsigned int j = 0; j < m->nr_nodes; j++)
		strbuf_addf(&sb, "%s%u", j ? " " : "", machine_distance(m, i, j));
	put(w, sb.s, NODE_DIR "/node%u/distance", m->node[i].id);
	strbuf_reset(&sb);
	strbuf_addf(&sb, "Node %u MemTotal: %llu kB", m->node[i].id,
		    (unsigned long long)m->node[i].mem_kb);
	put(w, sb.s, NODE_DIR "/node%u/meminfo", m->node[i].id);
	strbuf_release(&sb);
}

static void write_lists(struct writer *w, const struct machine *m)
{
	const struct {
		const char *name;
		const struct cset *set;
	} lists[] = { { "possible", m->possible },
		      { "present", m->present },
		      { "online", m->online } };
	const char *comma = "";
	struct strbuf sb = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		cset_print(lists[i].set, &sb);
		put(w, strbuf_str(&sb), CPU_DIR "/%s", lists[i].name);
		strbuf_reset(&sb);
	}
	for (unsigned int i = 0; i < m->nr_nodes; i++, comma = ",")
		strbuf_addf(&sb, "%s%u", comma, m->node[i].id);
	put(w, strbuf_str(&sb), NODE_DIR "/online");
	strbuf_release(&sb);
}

/* What a reader tells the architecture and the vendor by. */
static const char *cpuinfo(const struct machine *m)
{
	switch (m->arch) {
	case ARCH_X86:
		return m->vendor == VENDOR_AMD ? "processor\t: 0\nvendor_id\t: AuthenticAMD"
					       : "processor\t: 0\nvendor_id\t: GenuineIntel";
	case ARCH_ARM64:
		return "processor\t: 0\nCPU implementer\t: 0x41";
	case ARCH_POWER:
		return "processor\t: 0\ncpu\t\t: POWER";
	case ARCH_S390:
		return "vendor_id       : IBM/S390";
	default:
		return "processor\t: 0";
	}
}

static void write_all(struct writer *w, const struct machine *m)
{
	unsigned int cpu;

	write_lists(w, m);
	put(w, cpuinfo(m), "proc/cpuinfo");
	cset_for_each (cpu, m->present) {
		write_topology(w, m, cpu);
		write_caches(w, m, cpu);
	}
	for (unsigned int i = 0; i < m->nr_nodes; i++)
		write_node(w, m, i);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

/* An empty folder is replaced; what is in another one would be mixed with the machine. */
int sysfs_write(const struct machine *m, const char *path, struct error *err)
{
	char *beside = file_beside(path, getpid());
	struct writer w = { .err = err };

	w.ret = make_folders(AT_FDCWD, beside, 0777, err);
	w.dir = w.ret ? -1 : open(beside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!w.ret && w.dir < 0)
		w.ret = error_set(err, errno, "%s", strerror(errno));
	if (!w.ret)
		write_all(&w, m);
	if (!w.ret && rename(beside, path))
		w.ret = error_set(err, errno, "%s",
				  errno == ENOTEMPTY || errno == EEXIST
					  ? "is not empty: name another folder"
					  : strerror(errno));
	if (w.ret) {
		error_prefix(err, "%s", path);
		nftw(beside, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	}
	if (w.dir >= 0)
		close(w.dir);
	free(beside);
	return w.ret;
}
