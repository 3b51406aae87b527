// SPDX-License-Identifier: GPL-2.0-only
#include "host/attr.h"

#include "base/cpumask.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "host/sched_attr.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static int own_cpus(struct cpumask *cpus)
{
	cpu_set_t *set = CPU_ALLOC(CPUMASK_MAX);
	size_t size = CPU_ALLOC_SIZE(CPUMASK_MAX);
	int ret = -ENOMEM;

	if (!set)
		return ret;
	ret = sched_getaffinity(0, size, set) ? -errno : 0;
	for (unsigned int cpu = 0; !ret && cpu < CPUMASK_MAX; cpu++)
		if (CPU_ISSET_S(cpu, size, set))
			cpumask_set(cpus, cpu);
	CPU_FREE(set);
	return ret;
}

static int check_cpus(const char *asked, struct error *err)
{
	struct cpumask want = { 0 }, have = { 0 };
	struct strbuf text = { 0 };
	int ret = own_cpus(&have);

	cpumask_parse(&want, asked, NULL);
	cpumask_print(&have, &text);
	if (ret)
		error_set(err, -ret, "cpus: %s", strerror(-ret));
	else if (!cpumask_equal(&want, &have))
		ret = error_set(err, EINVAL, "cpus: of %s only %s may be used here (its cpuset)",
				asked, strbuf_str(&text));
	strbuf_release(&text);
	cpumask_release(&want);
	cpumask_release(&have);
	return ret;
}

static int slice_differs(uint64_t have_ns, struct error *err)
{
	struct utsname name;

	if (have_ns)
		return error_set(err, EOPNOTSUPP, "slice: this kernel makes %llu ns of it",
				 (unsigned long long)have_ns);
	uname(&name);
	return error_set(err, EOPNOTSUPP, "slice: this kernel (%s) takes none; it needs Linux 6.12",
			 name.release);
}

static int check_attr(const struct settings *settings, const struct task_attr *want,
		      struct error *err)
{
	struct task_attr have = { 0 };

	if (task_attr_get(&have))
		return error_set(err, errno, "sched_getattr: %s", strerror(errno));
	if (have.policy != want->policy || have.priority != want->priority)
		return error_set(err, EOPNOTSUPP,
				 "policy: the kernel made policy %u, priority %u of it",
				 have.policy, have.priority);
	if (settings_get(settings, "nice") && have.nice != want->nice)
		return error_set(err, EOPNOTSUPP, "nice: the kernel made %d of it", have.nice);
	if (settings_get(settings, "slice") && have.runtime_ns != want->runtime_ns)
		return slice_differs(have.runtime_ns, err);
	return 0;
}

/* What the worker does by itself. */
static int enter_deadline(const struct settings *settings, const struct task_attr *want,
			  struct error *err)
{
	struct task_attr attr = *want;

	if (want->policy != SCHED_DEADLINE)
		return 0;
	return task_attr_set(&attr) ? task_attr_refused(settings, errno, err) : 0;
}

static int try_here(const struct settings *settings, int root_fd, const char *cgroup,
		    struct error *err)
{
	const char *cpus = settings_get(settings, "cpus");
	struct task_attr want = { 0 };
	bool asked;
	int ret = 0;

	if (cgroup)
		ret = file_write(root_fd, cgroup, "0\n", err);
	if (!ret && task_attr_get(&want))
		ret = error_set(err, errno, "sched_getattr: %s", strerror(errno));
	asked = !ret && task_attr_ask(&want, settings);
	if (!ret)
		ret = settings_enter(settings, err);
	if (!ret && cpus)
		ret = check_cpus(cpus, err);
	if (!ret && asked)
		ret = enter_deadline(settings, &want, err);
	if (!ret && asked)
		ret = check_attr(settings, &want, err);
	return ret;
}

/* The child's word: its struct error, whose code is 0 if all went well. */
static int hear(int fd, struct error *said)
{
	char *at = (char *)said;
	size_t left = sizeof(*said);
	ssize_t got;

	while (left) {
		got = read(fd, at, left);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -EIO;
		at += got;
		left -= (size_t)got;
	}
	said->text[sizeof(said->text) - 1] = '\0';
	return 0;
}

int settings_try(const struct settings *settings, int root_fd, const char *cgroup,
		 struct error *err)
{
	struct error said = { 0 };
	int fds[2], heard;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return error_set(err, errno, "pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0) {
		int ret = error_set(err, errno, "fork: %s", strerror(errno));

		close(fds[0]);
		close(fds[1]);
		return ret;
	}
	if (!pid) {
		try_here(settings, root_fd, cgroup, &said);
		_exit(write(fds[1], &said, sizeof(said)) != sizeof(said));
	}
	close(fds[1]);
	heard = hear(fds[0], &said);
	close(fds[0]);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (heard)
		return error_set(err, EIO, "policy: the process that tried it died");
	return said.code ? error_set(err, said.code, "%s", said.text) : 0;
}
