// SPDX-License-Identifier: GPL-2.0-only
#include "workload/numa_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* "processor" is field 39 of stat; the first that counts here is the 3rd, behind the name. */
#define FIELDS_BEFORE_CPU 36

int numa_pages_local(double *share, pid_t pid, struct numa_range range, unsigned int node)
{
	void *pages[NUMA_LOOK_PAGES];
	int status[NUMA_LOOK_PAGES], there = 0, local = 0;

	for (uint64_t i = 0; i < NUMA_LOOK_PAGES; i++)
		pages[i] = range.start + (2 * i + 1) * (range.bytes / (2 * NUMA_LOOK_PAGES));
	if (syscall(SYS_move_pages, pid, (unsigned long)NUMA_LOOK_PAGES, pages, NULL, status, 0))
		return -errno;
	for (int i = 0; i < NUMA_LOOK_PAGES; i++) {
		there += status[i] >= 0;
		local += status[i] == (int)node;
	}
	if (!there)
		return -ENOENT;
	*share = 100.0 * local / there;
	return 0;
}

/* kernelpagesize_kB is 4 for transparent huge pages, whose pages are counted one by one, and larger for hugetlb. */
static uint64_t line_scale(const char *line, unsigned int page_kb)
{
	static const char key[] = " kernelpagesize_kB=";
	const char *at = strstr(line, key);
	uint64_t kb = at ? strtoull(at + strlen(key), NULL, 10) : page_kb;

	return kb > page_kb ? kb / page_kb : 1;
}

void numa_maps_line(const struct numa_maps_reader *reader, const char *line)
{
	char *end;
	uint64_t start = strtoull(line, &end, 16), scale;
	uint64_t *row = end == line || *end != ' ' ? NULL : reader->row(start, reader->arg);

	if (!row)
		return;
	scale = line_scale(line, reader->page_kb);
	for (const char *at = strstr(end, " N"); at; at = strstr(at + 1, " N")) {
		unsigned long id = strtoul(at + 2, &end, 10);
		int node;

		if (end == at + 2 || *end != '=' || id >= NUMA_NODES_MAX)
			continue;
		node = numa_node_find(reader->nodes, (unsigned int)id);
		if (node >= 0)
			row[node] += scale * strtoull(end + 1, NULL, 10);
	}
}

/* All whole lines of @text[n]. Return: bytes of them */
static size_t take_lines(const struct numa_maps_reader *reader, char *text, size_t n)
{
	char *line = text, *newline;

	while ((newline = memchr(line, '\n', n - (size_t)(line - text)))) {
		*newline = '\0';
		numa_maps_line(reader, line);
		line = newline + 1;
	}
	return (size_t)(line - text);
}

int numa_maps_read(const struct numa_maps_reader *reader, pid_t pid, char *buffer, size_t n)
{
	char path[32];
	size_t have = 0, taken;
	ssize_t got;
	int fd, ret = 0;

	snprintf(path, sizeof(path), "/proc/%d/numa_maps", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	while ((got = read(fd, buffer + have, n - have)) > 0) {
		have += (size_t)got;
		taken = take_lines(reader, buffer, have);
		have -= taken;
		memmove(buffer, buffer + taken, have);
		if (have == n) /* a line that is longer than all of it: nothing of ours */
			have = 0;
	}
	if (got < 0)
		ret = -errno;
	close(fd);
	return ret;
}

int numa_stat_cpu(const char *text)
{
	const char *at = strrchr(text, ')');
	char *end;
	long cpu;

	if (!at || at[1] != ' ')
		return -1;
	at += 2;
	for (int i = 0; i < FIELDS_BEFORE_CPU; i++) {
		at = strchr(at, ' ');
		if (!at)
			return -1;
		at++;
	}
	cpu = strtol(at, &end, 10);
	return end == at || cpu < 0 || cpu >= CPUMASK_MAX ? -1 : (int)cpu;
}

int numa_task_node(const struct numa_nodes *nodes, pid_t tid)
{
	char path[32], text[1024];
	ssize_t n;
	int fd, cpu;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return -1;
	text[n] = '\0';
	cpu = numa_stat_cpu(text);
	return cpu < 0 ? -1 : numa_node_of_cpu(nodes, (unsigned int)cpu);
}
