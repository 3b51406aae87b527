// SPDX-License-Identifier: GPL-2.0-only
/* workload/hotplug_cpus.c - a machine's CPUs in its sysfs: read, changed, put back. */
#include "workload/hotplug.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CPUS	"sys/devices/system/cpu"
#define CONTROL CPUS "/smt/control"

/* The kernel says EBUSY while something else holds its lock of CPUs. */
#define BUSY_TRIES    100
#define BUSY_PAUSE_NS 50000000

static int read_list(struct cpumask *mask, int root_fd, const char *path, struct error *err)
{
	char *line = file_read_line(root_fd, path);
	int ret = line ? cpumask_parse(mask, line, err)
		       : error_set(err, errno, "%s: %s", path, strerror(errno));

	if (line && ret)
		error_prefix(err, "%s", path);
	free(line);
	return ret;
}

static void cpu_path(char path[PLUG_PATH_BYTES], unsigned int cpu, const char *file)
{
	snprintf(path, PLUG_PATH_BYTES, CPUS "/cpu%u/%s", cpu, file);
}

/* How many of its core's threads have a smaller number. */
static unsigned char thread_of(int root_fd, unsigned int cpu)
{
	char path[PLUG_PATH_BYTES];
	struct cpumask core = { 0 };
	unsigned int other;
	unsigned char n = 0;

	cpu_path(path, cpu, "topology/thread_siblings_list");
	if (!read_list(&core, root_fd, path, NULL))
		cpumask_for_each (other, &core)
			n += other < cpu && n < UINT8_MAX;
	cpumask_release(&core);
	return n;
}

int plug_cpus_read(struct plug_cpus *cpus, int root_fd, struct error *err)
{
	struct cpumask present = { 0 };
	char path[PLUG_PATH_BYTES], *control;
	unsigned int cpu;
	int ret;

	ret = read_list(&cpus->online, root_fd, CPUS "/online", err);
	if (!ret)
		ret = read_list(&present, root_fd, CPUS "/present", err);
	if (!ret && !cpumask_weight(&cpus->online))
		ret = error_set(err, EINVAL, CPUS "/online names no CPU");
	cpus->siblings = xcalloc(CPUMASK_MAX, 1);
	cpumask_for_each (cpu, &present) {
		cpu_path(path, cpu, "online");
		if (!faccessat(root_fd, path, F_OK, 0))
			cpumask_set(&cpus->pluggable, cpu);
	}
	cpumask_for_each (cpu, &cpus->online)
		cpus->siblings[cpu] = thread_of(root_fd, cpu);
	control = file_read_line(root_fd, CONTROL);
	if (control && strlen(control) < sizeof(cpus->control))
		memcpy(cpus->control, control, strlen(control) + 1);
	free(control);
	cpumask_release(&present);
	return ret;
}

void plug_cpus_release(struct plug_cpus *cpus)
{
	cpumask_release(&cpus->online);
	cpumask_release(&cpus->pluggable);
	free(cpus->siblings);
	*cpus = (struct plug_cpus){ 0 };
}

static bool says(int root_fd, const char *path, const char *value)
{
	char *line = file_read_line(root_fd, path);
	bool same = line && !strcmp(line, value);

	free(line);
	return same;
}

int plug_do(const struct plug_step *step, int root_fd, uint64_t *ns, struct error *err)
{
	int fd = openat(root_fd, step->path, O_WRONLY | O_CLOEXEC | O_TRUNC), code = 0;
	uint64_t start_ns;

	if (fd < 0)
		return error_set(err, errno, "%s: %s", step->path, strerror(errno));
	start_ns = clock_ns(CLOCK_MONOTONIC);
	if (write(fd, step->value, strlen(step->value)) < 0)
		code = errno;
	*ns = clock_ns(CLOCK_MONOTONIC) - start_ns;
	close(fd);
	if (code)
		return error_set(err, code, "%s: writing '%s': %s", step->path, step->value,
				 strerror(code));
	if (!says(root_fd, step->path, step->value))
		return error_set(err, EIO, "%s: was set to '%s' and says something else",
				 step->path, step->value);
	return 0;
}

static int put_back(int root_fd, const char *path, const char *value, struct error *err)
{
	const struct timespec moment = { .tv_nsec = BUSY_PAUSE_NS };
	int ret = 0;

	for (int i = 0; i < BUSY_TRIES && !says(root_fd, path, value); i++) {
		ret = file_write(root_fd, path, value, err);
		if (ret && ret != -EBUSY && ret != -EAGAIN && ret != -EINTR)
			return ret;
		if (ret)
			nanosleep(&moment, NULL);
	}
	return ret;
}

int plug_cpus_restore(const struct plug_cpus *cpus, int root_fd, struct error *err)
{
	struct error first = { 0 };
	char path[PLUG_PATH_BYTES];
	unsigned int cpu;

	/* first the switch, which lets threads come back */
	if (*cpus->control && !says(root_fd, CONTROL, cpus->control))
		put_back(root_fd, CONTROL, cpus->control, &first);
	cpumask_for_each (cpu, &cpus->pluggable) {
		struct error other = { 0 };

		cpu_path(path, cpu, "online");
		if (put_back(root_fd, path, cpumask_test(&cpus->online, cpu) ? "1" : "0", &other) &&
		    !first.code)
			first = other;
	}
	return first.code ? error_set(err, first.code, "%s", first.text) : 0;
}
