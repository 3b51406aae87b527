// SPDX-License-Identifier: GPL-2.0-only
#include "host/counters.h"

#include "base/file.h"
#include "base/mem.h"
#include "host/counters_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct counter_set {
	struct counter_list list;
};

/* What read() gives for our read_format. */
struct reading {
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
};

/* pid 0 is the calling thread. Return: a descriptor or -errno */
static int open_event(const struct counter_spec *spec, pid_t pid)
{
	struct perf_event_attr attr = spec->attr;
	long fd = syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static int try_event(const struct counter_spec *spec)
{
	int fd = open_event(spec, 0);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static bool is_permission(int ret)
{
	return ret == -EACCES || ret == -EPERM;
}

/* "kernel.perf_event_paranoid = 3", or what else may forbid it */
static void print_forbidder(struct strbuf *sb)
{
	char *level = file_read_line(AT_FDCWD, "/proc/sys/kernel/perf_event_paranoid");

	if (level)
		strbuf_addf(sb, "kernel.perf_event_paranoid = %s", level);
	else
		strbuf_addstr(sb, "perf_event_open() is forbidden here");
	free(level);
}

static int error_asked(const struct counter_spec *spec, int ret, struct error *err)
{
	struct strbuf why = { 0 };

	if (is_permission(ret)) {
		print_forbidder(&why);
		ret = error_set(err, EACCES, "counter %s: not permitted (%s): try as root",
				spec->name, strbuf_str(&why));
	} else {
		ret = error_set(err, EOPNOTSUPP, "counter %s: can't be counted here: %s",
				spec->name, strerror(-ret));
	}
	strbuf_release(&why);
	return ret;
}

static void add_name(struct strbuf *names, const char *name)
{
	if (names->len)
		strbuf_addstr(names, ", ");
	strbuf_addstr(names, name);
}

static void note_left_out(struct strbuf *notes, const struct strbuf *missing,
			  const struct strbuf *forbidden)
{
	if (missing->len)
		strbuf_addf(notes,
			    "no hardware counters here: %s left out (not offered by this CPU, its "
			    "kernel driver or the hypervisor)\n",
			    strbuf_str(missing));
	if (!forbidden->len)
		return;
	strbuf_addstr(notes, "perf counters: not permitted (");
	print_forbidder(notes);
	strbuf_addf(notes, "): %s left out; root or CAP_PERFMON may count them\n",
		    strbuf_str(forbidden));
}

/* Moves the events that can be counted to the front and cuts the list behind them. */
static int keep_countable(struct counter_list *list, struct strbuf *missing,
			  struct strbuf *forbidden, struct error *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct counter_spec spec = list->specs[i];
		int ret = try_event(&spec);

		if (ret && spec.asked)
			return error_asked(&spec, ret, err);
		if (ret) {
			add_name(is_permission(ret) ? forbidden : missing, spec.name);
			continue;
		}
		list->specs[i] = list->specs[kept];
		list->specs[kept++] = spec;
	}
	for (size_t i = kept; i < list->n; i++)
		free(list->specs[i].name);
	list->n = kept;
	return 0;
}

int counters_new(struct counter_set **out, const char *list, struct strbuf *notes,
		 struct error *err)
{
	struct counter_set *set = xcalloc(1, sizeof(*set));
	struct strbuf missing = { 0 }, forbidden = { 0 };
	int ret;

	ret = counter_list_parse(&set->list, list, err);
	if (!ret)
		ret = keep_countable(&set->list, &missing, &forbidden, err);
	if (!ret) {
		note_left_out(notes, &missing, &forbidden);
		if (set->list.n)
			strbuf_addstr(
				notes,
				"perf counters were on: they lengthen each context switch, in all "
				"variants alike; counters = none measures without them\n");
		*out = set;
		set = NULL; /* now the caller's */
	}
	counters_free(set);
	strbuf_release(&missing);
	strbuf_release(&forbidden);
	return ret;
}

void counters_free(struct counter_set *set)
{
	if (!set)
		return;
	counter_list_release(&set->list);
	free(set);
}

int counters_attach(const struct counter_set *set, struct counter_fds *fds, pid_t pid,
		    struct error *err)
{
	struct counter_fds made = { 0 };

	if (!set) {
		*fds = made;
		return 0;
	}
	made.fds = xcalloc(set->list.n, sizeof(*made.fds));
	for (size_t i = 0; i < set->list.n; i++) {
		int fd = open_event(&set->list.specs[i], pid);

		if (fd < 0) {
			counters_close(&made);
			return error_set(err, -fd, "counter %s: %s", set->list.specs[i].name,
					 strerror(-fd));
		}
		made.fds[made.n++] = fd;
	}
	*fds = made;
	return 0;
}

bool counter_scale(double *scaled, double *counted, uint64_t value, uint64_t enabled_ns,
		   uint64_t running_ns)
{
	if (!running_ns || !enabled_ns)
		return false;
	if (running_ns >= enabled_ns) {
		*scaled = (double)value;
		*counted = 1;
		return true;
	}
	*counted = (double)running_ns / (double)enabled_ns;
	*scaled = (double)value * (double)enabled_ns / (double)running_ns;
	return true;
}

void counters_collect(const struct counter_set *set, struct counter_fds *fds, struct result *result)
{
	for (size_t i = 0; i < fds->n; i++) {
		const struct counter_spec *spec = &set->list.specs[i];
		struct reading r;
		double value, counted;

		/* nothing to read: the kernel gave the event up */
		if (read(fds->fds[i], &r, sizeof(r)) != (ssize_t)sizeof(r))
			continue;
		if (counter_scale(&value, &counted, r.value, r.enabled_ns, r.running_ns))
			result_add_counter(result, spec->name, spec->unit, value, counted);
	}
	counters_close(fds);
}

void counters_close(struct counter_fds *fds)
{
	for (size_t i = 0; i < fds->n; i++)
		close(fds->fds[i]);
	free(fds->fds);
	*fds = (struct counter_fds){ 0 };
}
