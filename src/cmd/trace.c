// SPDX-License-Identifier: GPL-2.0-only
/* cmd/trace.c - schedproof trace: who waited for whom in a simulated or recorded run; traces in other formats. */
#include "cmd/cmd.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "cmd/trace_text.h"
#include "topo/source.h"
#include "trace/read.h"
#include "trace/write.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct trace_cfg {
	int to;
	char *out;
	char *task;
	char *from;
	char *to_time;
	uint64_t top;
	char *machine;
	bool json;
};

static const char *const format_names[] = { NULL, "perfetto", "ftrace", "json" };

static const struct opt trace_opts[] = {
	OPT_CHOICE(struct trace_cfg, to, "nothing", "nothing|perfetto|ftrace|json",
		   "write the trace in another format instead"),
	OPT(struct trace_cfg, out, NULL, 0, 0, "file that --to writes [standard output]"),
	OPT(struct trace_cfg, task, NULL, 0, 0,
	    "NAME or PID: only its waits and totals; with --to, only events that name it"),
	OPT(struct trace_cfg, from, NULL, 0, 0, "events before that time of the trace don't count"),
	OPT(struct trace_cfg, to_time, NULL, 0, 0, "nor do those behind this one"),
	OPT(struct trace_cfg, top, "10", 1, 10000, "rows of each table"),
	OPT(struct trace_cfg, machine, NULL, 0, 0,
	    "whose trace it is, as topo takes it: migrations by distance"),
	OPT(struct trace_cfg, json, "no", 0, 0, "one line of JSON"),
	OPT_END,
};

/**
 * struct filter - lets through what the options ask for
 * @to:   who is told of it
 * @name, @pid: the task, of which one is set; @name NULL: all tasks
 */
struct filter {
	struct trace_sink sink;
	struct trace_sink *to;
	uint64_t from_ns;
	uint64_t to_ns;
	bool by_task;
	const char *name;
	uint32_t pid;
	uint64_t passed;
};

static bool is_task(const struct filter *f, uint32_t pid, const char *comm)
{
	if (!f->name)
		return pid && pid == f->pid;
	return pid && comm && !strcmp(comm, f->name);
}

/* Has the time of a recording that is in its order passed by? Other CPUs' events may still come a little late. */
#define LATE_NS UINT64_C(1000000000)

static bool in_time(struct filter *f, const struct trace_event *event)
{
	if (event->time_ns > f->to_ns && event->time_ns - f->to_ns > LATE_NS)
		f->sink.enough = true;
	return event->time_ns >= f->from_ns && event->time_ns <= f->to_ns;
}

static void filter_event(struct trace_sink *sink, const struct trace_event *event)
{
	struct filter *f = (struct filter *)sink;

	if (stop_signal)
		f->sink.enough = true;
	if (!in_time(f, event))
		return;
	if (f->by_task && !is_task(f, event->task, event->comm) &&
	    !is_task(f, event->other, event->other_comm))
		return;
	f->passed++;
	f->to->event(f->to, event);
}

static bool is_chosen(void *ctx, const struct trace_task *task)
{
	return is_task(ctx, task->pid, task->comm);
}

static int set_time(uint64_t *ns, const char *name, const char *text, struct error *err)
{
	int ret = text ? parse_ns(ns, text, err) : 0;

	if (ret)
		error_prefix(err, "%s", name);
	return ret;
}

static int set_filter(struct filter *f, const struct trace_cfg *cfg, struct error *err)
{
	unsigned long pid;
	char *end;
	int ret;

	*f = (struct filter){ .sink = { .event = filter_event, .why = true }, .to_ns = UINT64_MAX };
	ret = set_time(&f->from_ns, "from", cfg->from, err);
	if (!ret)
		ret = set_time(&f->to_ns, "to-time", cfg->to_time, err);
	if (ret || !cfg->task)
		return ret;
	pid = strtoul(cfg->task, &end, 10);
	if (end == cfg->task || *end || pid > UINT32_MAX)
		f->name = cfg->task;
	else
		f->pid = (uint32_t)pid;
	return 0;
}

static int open_input(const char *path, struct error *err)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);

	return fd < 0 ? error_set(err, errno, "%s: %s", path, strerror(errno)) : fd;
}

static const char *name_of(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

/* What of the trace isn't in the result. */
static void say_missing(const struct trace_found *found)
{
	uint64_t n = found->broken + found->backward;

	if (n)
		fprintf(stderr, "%" PRIu64 " event%s passed over, the first: %s\n", n,
			n == 1 ? "" : "s", found->first_broken.text);
}

static int read_trace(struct filter *f, struct trace_sink *to, struct trace_found *found,
		      const char *path, struct error *err)
{
	int fd = open_input(path, err), ret;

	if (fd < 0)
		return fd;
	f->to = to;
	ret = trace_read(&f->sink, found, fd, name_of(path), err);
	close(fd);
	if (!ret && stop_signal)
		return error_set(err, EINTR, "%s: stopped", name_of(path));
	if (!ret)
		say_missing(found);
	if (!ret && !f->passed)
		ret = error_set(err, ENODATA,
				"%s: no event is left of %" PRIu64
				": see --task, --from, --to-time",
				name_of(path), found->events);
	return ret;
}

/* Copied as a whole, once all of it was written. */
static int copy_out(FILE *from, FILE *to, struct error *err)
{
	char bytes[1 << 16];
	size_t n;

	rewind(from);
	while ((n = fread(bytes, 1, sizeof(bytes), from)) > 0)
		if (fwrite(bytes, 1, n, to) < n && to != stdout)
			return error_set(err, errno, "%s", strerror(errno));
	return ferror(from) ? error_set(err, EIO, "the temporary file can't be read") : 0;
}

/* A file beside @path, in whose place it is put in the end. */
static FILE *open_beside(char **temp, const char *path, struct error *err)
{
	int fd = file_create_beside(temp, AT_FDCWD, path, 0666, err);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !out)
		error_set(err, errno, "%s: %s", path, strerror(errno));
	return out;
}

static int put_in_place(FILE *out, const char *temp, const char *path, struct error *err)
{
	if (fflush(out) || fsync(fileno(out)) || rename(temp, path))
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	return 0;
}

/* @name: of @out */
static int write_to(FILE *out, const char *name, struct filter *f, const struct trace_cfg *cfg,
		    const char *path, struct error *err)
{
	struct trace_writer *writer =
		trace_writer_new(trace_format_find(format_names[cfg->to]), out);
	struct trace_found found = { 0 };
	int ret = read_trace(f, &writer->sink, &found, path, err);

	if (ret) {
		trace_writer_free(writer);
		return ret;
	}
	ret = trace_writer_finish(writer, err);
	if (ret)
		error_prefix(err, "%s", name);
	return ret;
}

static int convert_to_stream(struct filter *f, FILE *to, const struct trace_cfg *cfg,
			     const char *path, struct error *err)
{
	FILE *out;
	int ret;

	if (!strcmp(format_names[cfg->to], "perfetto") && isatty(fileno(to)))
		return error_set(err, EINVAL,
				 "Perfetto's format is nothing for a terminal: --out FILE");
	out = tmpfile();
	if (!out)
		return error_set(err, errno, "no temporary file: %s", strerror(errno));
	ret = write_to(out, "a temporary file", f, cfg, path, err);
	if (!ret)
		ret = copy_out(out, to, err);
	(void)fclose(out);
	return ret;
}

/* A device or a pipe: what it was isn't put away. */
static int convert_to_device(struct filter *f, const struct trace_cfg *cfg, const char *path,
			     struct error *err)
{
	FILE *to = fopen(cfg->out, "ae");
	int ret;

	if (!to)
		return error_set(err, errno, "%s: %s", cfg->out, strerror(errno));
	ret = convert_to_stream(f, to, cfg, path, err);
	if (!ret && fflush(to))
		ret = error_set(err, errno, "%s", strerror(errno));
	if (ret)
		error_prefix(err, "%s", cfg->out);
	(void)fclose(to);
	return ret;
}

static int convert_to_file(struct filter *f, const struct trace_cfg *cfg, const char *path,
			   const char *place, struct error *err)
{
	char *temp;
	FILE *out = open_beside(&temp, place, err);
	int ret = out ? write_to(out, cfg->out, f, cfg, path, err) : -err->code;

	if (!ret)
		ret = put_in_place(out, temp, place, err);
	if (out)
		(void)fclose(out);
	if (ret && out)
		unlink(temp);
	free(temp);
	return ret;
}

static int convert_to_place(struct filter *f, const struct trace_cfg *cfg, const char *path,
			    struct error *err)
{
	char *place = file_put_place(cfg->out);
	int ret = file_put_check(cfg->out, err);

	if (!ret)
		ret = place ? convert_to_file(f, cfg, path, place, err)
			    : convert_to_device(f, cfg, path, err);
	free(place);
	return ret;
}

static int convert(const struct trace_cfg *cfg, const char *path, struct error *err)
{
	struct filter f;
	int ret = set_filter(&f, cfg, err);

	if (ret)
		return ret;
	f.by_task = cfg->task != NULL;
	return cfg->out ? convert_to_place(&f, cfg, path, err)
			: convert_to_stream(&f, stdout, cfg, path, err);
}

static int open_machine(struct machine **m, const char *what, struct error *err)
{
	struct release release;
	struct source_opts opts = { .release = &release };
	int ret = release_parse(&release, RELEASE_LAST, ARCH_X86, err);

	if (!ret)
		ret = source_open(m, what, &opts, err);
	return ret;
}

/* Migrations to CPUs that the machine hasn't would be at no distance, and be missed in the table. */
static int check_cpus(const struct machine *m, const struct trace_found *found, const char *what,
		      const char *path, struct error *err)
{
	if (found->nr_cpus <= m->nr_cpus)
		return 0;
	return error_set(err, EINVAL,
			 "%s names CPU %" PRIu32 ", machine '%.80s' has %u CPU%s: it is another's",
			 name_of(path), found->nr_cpus - 1, what, m->nr_cpus,
			 m->nr_cpus == 1 ? "" : "s");
}

static int find_chosen(const struct analysis *a, const char *name, struct error *err)
{
	struct nearest nearest;
	size_t n;

	free(analysis_tasks(a, &n));
	if (n)
		return 0;
	nearest_init(&nearest, name);
	for (uint32_t i = 0; i < a->state.nr_tasks; i++)
		nearest_offer(&nearest, a->state.tasks[i].comm);
	if (nearest.best)
		return error_set(err, ENOENT, "task: no '%.40s' in this trace; '%s' is there", name,
				 nearest.best);
	return error_set(err, ENOENT, "task: no '%.40s' in this trace", name);
}

static void print_analysis(const struct trace_cfg *cfg, const struct analysis *a,
			   const struct trace_found *found, const char *path)
{
	struct strbuf sb = { 0 };

	if (cfg->json)
		trace_json(a, found, cfg->top, &sb);
	else
		trace_text(a, found, name_of(path), cfg->top, &sb);
	fwrite(strbuf_str(&sb), 1, sb.len, stdout);
	strbuf_release(&sb);
}

static int analyse(const struct trace_cfg *cfg, const char *path, struct error *err)
{
	struct trace_found found = { 0 };
	struct machine *m = NULL;
	struct analysis a;
	struct filter f;
	int ret = set_filter(&f, cfg, err);

	if (!ret && cfg->machine)
		ret = open_machine(&m, cfg->machine, err);
	if (ret)
		return ret;
	analysis_init(&a, cfg->top);
	a.machine = m;
	a.chosen = cfg->task ? is_chosen : NULL;
	a.ctx = &f;
	ret = read_trace(&f, &a.sink, &found, path, err);
	if (!ret && m)
		ret = check_cpus(m, &found, cfg->machine, path, err);
	if (!ret) {
		analysis_end(&a);
		ret = cfg->task ? find_chosen(&a, cfg->task, err) : 0;
	}
	if (!ret)
		print_analysis(cfg, &a, &found, path);
	analysis_release(&a);
	machine_free(m);
	return ret;
}

static int trace_run(const void *cfg_, char *const *args, size_t nr_args)
{
	const struct trace_cfg *cfg = cfg_;
	const char *path = nr_args ? args[0] : "-";
	struct error err = { 0 };
	int ret;

	if (cfg->out && !cfg->to)
		ret = error_set(&err, EINVAL, "--out FILE needs --to");
	else if (cfg->to)
		ret = convert(cfg, path, &err);
	else
		ret = analyse(cfg, path, &err);
	return ret ? complain_of(&err) : finish_stdout(EXIT_DONE);
}

const struct command command_trace = {
	.name = "trace",
	.args = "[FILE]",
	.max_args = 1,
	.summary = "who waited for whom in a simulated or recorded run, and for how long",
	.help = "Reads ftrace's text (trace, trace_pipe, trace-cmd report), perf script and perf "
		"sched script, JSON lines and Perfetto files of schedproof; standard input without "
		"FILE, or for -.\n\n"
		"Shows the longest waits and who ran meanwhile, CPUs that idled while others "
		"waited, totals of tasks, wake-up latencies and migrations. Times behind --from "
		"and --to-time are those of the trace, in seconds. With --to the trace is "
		"written in another format, whole or not at all.",
	.example = "perf sched script | schedproof trace --top 5",
	.cfg_size = sizeof(struct trace_cfg),
	.opts = trace_opts,
	.run = trace_run,
};
