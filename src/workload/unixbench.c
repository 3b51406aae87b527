// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/unixbench.c - those tests of UnixBench that scheduler patches are judged by: how often a second N copies of a
 * program get through fork, exec, exit and pipes. doc/workloads/unixbench.md.
 */
#include "workload/unixbench.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/opt.h"
#include "workload/gate.h"
#include "workload/guard.h"
#include "workload/place.h"
#include "workload/run.h"
#include "workload/shared.h"
#include "workload/team.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S     UINT64_C(1000000000)
#define MIN_NS	     (NS_PER_S / 1000)
#define MAX_NS	     (3600 * NS_PER_S)
#define FOLDER_BYTES 512
#define REMOVE_TRIES 100
#define REMOVE_NS    (NS_PER_S / 50)

const struct ub_test ub_tests[NR_UB] = {
	[UB_EXECL] = { "execl", "execl-time", "Execl Throughput", 1, 43.0, 30, 1 },
	[UB_PIPE] = { "pipe", "pipe-time", "Pipe Throughput", 1, 12440.0, 10, 1 },
	[UB_CONTEXT1] = { "context1", "context1-time", "Pipe-based Context Switching", 1, 4000.0,
			  10, 2 },
	[UB_SPAWN] = { "spawn", "spawn-time", "Process Creation", 1, 126.0, 30, 2 },
	/* the copy, multi.sh, and for each tst.sh itself and three programs */
	[UB_SHELL1] = { "shell1", "shell1-time", "Shell Scripts (1 concurrent)", 60, 42.4, 60, 6 },
	[UB_SHELL8] = { "shell8", "shell8-time", "Shell Scripts (8 concurrent)", 60, 6.0, 60, 34 },
};

static const struct opt unixbench_opts[] = {
	OPT_CHOICE(struct unixbench_cfg, test, "all", "execl|pipe|context1|spawn|shell1|shell8|all",
		   "which one; all: each after the other"),
	OPT(struct unixbench_cfg, copies, "1", 0, 100000,
	    "copies of it at the same time; 0: one for each CPU that may be used"),
	OPT(struct unixbench_cfg, time, "original", 0, 0,
	    "how long each test runs, as 10s; original: 10 s pipe and context1, 30 s execl and "
	    "spawn, 60 s the scripts"),
	OPT_CHOICE(struct unixbench_cfg, tools, "system", "system|own",
		   "what the scripts execute: sh, sort, od, ... of this system, or small ones "
		   "that are part of the worker"),
	OPT(struct unixbench_cfg, folder, "/tmp", 0, 0,
	    "where the scripts' files are, in a folder that is removed"),
	OPT_END,
};

#define TIME_HELP "how long it took, by the clock"

static const struct metric unixbench_metrics[] = {
	{ "index", UNIT_COUNT, BETTER_HIGHER,
	  "geometric mean of the scores by those of a SPARCstation 20-61, times 10" },
	{ "execl", UNIT_PER_SECOND, BETTER_HIGHER, "a program executes itself" },
	{ "pipe", UNIT_PER_SECOND, BETTER_HIGHER,
	  "one process writes 512 bytes to a pipe and reads them" },
	{ "context1", UNIT_PER_SECOND, BETTER_HIGHER,
	  "a number goes to another process by a pipe and comes back" },
	{ "spawn", UNIT_PER_SECOND, BETTER_HIGHER, "a process is forked, exits, and is reaped" },
	{ "shell1", UNIT_PER_SECOND, BETTER_HIGHER, "a script of 7 programs" },
	{ "shell8", UNIT_PER_SECOND, BETTER_HIGHER, "8 of these scripts at the same time" },
	{ "spread", UNIT_PERCENT, BETTER_LOWER,
	  "by how much the slowest copy is behind the fastest; of the test in which it is most" },
	{ "execl-time", UNIT_NS, BETTER_NONE, TIME_HELP },
	{ "pipe-time", UNIT_NS, BETTER_NONE, TIME_HELP },
	{ "context1-time", UNIT_NS, BETTER_NONE, TIME_HELP },
	{ "spawn-time", UNIT_NS, BETTER_NONE, TIME_HELP },
	{ "shell1-time", UNIT_NS, BETTER_NONE, TIME_HELP },
	{ "shell8-time", UNIT_NS, BETTER_NONE, TIME_HELP },
	{ 0 },
};

struct unixbench {
	const struct unixbench_cfg *cfg;
	size_t copies;
	char *self;
	char *folder; /* shared with the guard; empty while there is none */
	struct guard *guard;
	int file; /* the tallies */
	struct ub_tally *tallies;
	struct ub_scores scores;
};

/* struct starter - a copy, and what it waits for */
struct starter {
	struct ub_copy copy;
	struct gate *gate;
	uint64_t time_ns;
};

bool ub_is_chosen(const struct unixbench_cfg *cfg, int test)
{
	return cfg->test == UB_ALL || cfg->test == test;
}

uint64_t ub_copies(const struct unixbench_cfg *cfg)
{
	struct cpumask allowed = { 0 };
	uint64_t n = cfg->copies;

	if (!n)
		n = place_allowed(&allowed, NULL) ? 1 : cpumask_weight(&allowed);
	cpumask_release(&allowed);
	return n;
}

int ub_time(uint64_t *ns, const struct unixbench_cfg *cfg, int test, struct error *err)
{
	uint64_t time_ns;
	int ret;

	if (!cfg->time || !strcmp(cfg->time, "original")) {
		*ns = ub_tests[test].time_s * NS_PER_S;
		return 0;
	}
	ret = parse_ns(&time_ns, cfg->time, err);
	if (ret)
		return error_prefix(err, "time"), ret;
	if (time_ns < MIN_NS || time_ns > MAX_NS)
		return error_set(err, ERANGE, "time: '%.40s' is out of range, allowed is 1ms .. 1h",
				 cfg->time);
	*ns = time_ns;
	return 0;
}

static bool has_scripts(const struct unixbench_cfg *cfg)
{
	return ub_is_chosen(cfg, UB_SHELL1) || ub_is_chosen(cfg, UB_SHELL8);
}

static int unixbench_check(const void *arg, struct error *err)
{
	const struct unixbench_cfg *cfg = arg;
	uint64_t ns;

	if (cfg->folder && strlen(cfg->folder) > FOLDER_BYTES / 2)
		return error_set(err, EINVAL, "folder: more than %d bytes", FOLDER_BYTES / 2);
	return ub_time(&ns, cfg, UB_EXECL, err);
}

static void unixbench_needs(const void *arg, struct needs *needs)
{
	const struct unixbench_cfg *cfg = arg;
	uint64_t most = 1;

	for (int test = 0; test < NR_UB; test++)
		if (ub_is_chosen(cfg, test) && ub_tests[test].tasks > most)
			most = ub_tests[test].tasks;
	needs->tasks = most * ub_copies(cfg) + 2; /* the worker and a guard */
	needs->fds = 8;
}

static const char *folder_of(const struct unixbench_cfg *cfg)
{
	return cfg->folder && *cfg->folder ? cfg->folder : "/tmp";
}

static int unixbench_probe(const void *arg, struct error *err)
{
	const struct unixbench_cfg *cfg = arg;

	if (!has_scripts(cfg))
		return 0;
	if (access(folder_of(cfg), W_OK | X_OK))
		return error_set(err, errno, "folder: %s: %s", folder_of(cfg), strerror(errno));
	return cfg->tools == TOOLS_SYSTEM ? ub_tools_probe(err) : 0;
}

/* All files of it, which scripts may still be writing to. */
static void empty_folder(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
}

static int remove_folder(void *path, struct error *err)
{
	const struct timespec moment = { .tv_nsec = REMOVE_NS };

	for (int i = 0; *(char *)path && i < REMOVE_TRIES; i++) {
		empty_folder(path);
		if (!rmdir(path) || errno == ENOENT)
			return 0;
		if (errno != ENOTEMPTY && errno != EEXIST)
			break;
		nanosleep(&moment, NULL);
	}
	if (*(char *)path)
		return error_set(err, errno, "%s: %s", (char *)path, strerror(errno));
	return 0;
}

/* The worker works in it, and so do the scripts. The guard knows its name before there is one. */
static int make_folder(struct unixbench *ub, struct error *err)
{
	char *path = xasprintf("%s/schedproof-unixbench-%d", folder_of(ub->cfg), (int)getpid());
	int ret;

	ub->folder = shared_new(FOLDER_BYTES, "the folder's name", err);
	if (!ub->folder) {
		free(path);
		return -ENOMEM;
	}
	memcpy(ub->folder, path, strlen(path) + 1);
	free(path);
	ret = guard_new(&ub->guard, remove_folder, ub->folder, err);
	if (!ret && mkdir(ub->folder, 0700)) {
		ret = error_set(err, errno, "%s: %s", ub->folder, strerror(errno));
		*ub->folder = '\0'; /* it is another's */
	}
	if (!ret)
		ret = ub_scripts(ub->folder, err);
	if (!ret && chdir(ub->folder))
		ret = error_set(err, errno, "%s: %s", ub->folder, strerror(errno));
	return ret;
}

static int map_tallies(struct unixbench *ub, struct error *err)
{
	const size_t bytes = ub->copies * sizeof(*ub->tallies);
	void *p;

	ub->file = memfd_create("unixbench", 0);
	if (ub->file < 0 || ftruncate(ub->file, (off_t)bytes))
		return error_set(err, errno, "memory for counts: %s", strerror(errno));
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ub->file, 0);
	if (p == MAP_FAILED)
		return error_set(err, errno, "memory for counts: %s", strerror(errno));
	ub->tallies = p;
	return 0;
}

static int find_self(struct unixbench *ub, struct error *err)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path));

	if (n < 0 || n == (ssize_t)sizeof(path))
		return error_set(err, n < 0 ? errno : ENAMETOOLONG, "/proc/self/exe: %s",
				 strerror(n < 0 ? errno : ENAMETOOLONG));
	ub->self = xstrndup(path, (size_t)n);
	return 0;
}

static int copy_main(void *arg, struct error *err)
{
	struct starter *starter = arg;
	struct ub_copy *copy = &starter->copy;
	int ret = ub_prepare(copy, err);

	if (!ret) {
		gate_pass(starter->gate);
		copy->start_ns = clock_ns(CLOCK_MONOTONIC);
		copy->until_ns = copy->start_ns + starter->time_ns;
		ret = ub_loop(copy, err);
	}
	if (ret)
		error_prefix(err, "%s: copy %zu", ub_tests[copy->test].name, copy->nr);
	return ret;
}

static int start_copies(struct unixbench *ub, struct team *team, int test, struct gate *gate,
			struct error *err)
{
	struct starter starter = { .copy = { .test = test,
					     .tools = ub->cfg->tools,
					     .self = ub->self,
					     .file = ub->file },
				   .gate = gate };
	int ret = ub_time(&starter.time_ns, ub->cfg, test, err);

	/* each process has its own of it, from the time of its fork */
	for (; !ret && starter.copy.nr < ub->copies; starter.copy.nr++)
		ret = team_add(team, ub_tests[test].name, copy_main, &starter, err);
	return ret;
}

static int run_test(struct run *run, struct unixbench *ub, int test, struct error *err)
{
	struct gate *gate = gate_new(err);
	struct team *team = NULL;
	int ret = gate ? 0 : -ENOMEM;

	assert(ub->tallies);
	memset(ub->tallies, 0, ub->copies * sizeof(*ub->tallies));
	if (!ret)
		ret = team_new(&team, run, false, ub->copies, err);
	if (!ret)
		ret = start_copies(ub, team, test, gate, err);
	if (!ret)
		ret = gate_wait_full(gate, team, (uint32_t)ub->copies, err);
	if (!ret) {
		run_start(run);
		gate_open(gate);
		ret = team_wait(team, err);
		run_stop(run);
	}
	if (!ret)
		ret = ub_take_score(&ub->scores, test, ub->tallies, ub->copies,
				    run->stop_ns - run->start_ns, err);
	if (team)
		team_free(team);
	if (gate)
		gate_free(gate);
	return ret;
}

/* "Tue Dec 01 2026 12:00:00 - 12:00:10", as the original heads its report */
static void note_times(struct run *run, time_t begin)
{
	time_t end = time(NULL);
	char from[64], to[64];
	struct tm tm;

	strftime(from, sizeof(from), "%a %b %d %Y %H:%M:%S", localtime_r(&begin, &tm));
	strftime(to, sizeof(to), "%H:%M:%S", localtime_r(&end, &tm));
	run_note(run, "benchmark-run", "%s - %s", from, to);
	run_note(run, "cpus", "%ld", sysconf(_SC_NPROCESSORS_ONLN));
}

static int run_tests(struct run *run, struct unixbench *ub, struct error *err)
{
	time_t begin = time(NULL);
	int ret = find_self(ub, err);

	if (!ret)
		ret = map_tallies(ub, err);
	if (!ret && has_scripts(ub->cfg))
		ret = make_folder(ub, err);
	for (int test = 0; !ret && test < NR_UB; test++)
		if (ub_is_chosen(ub->cfg, test))
			ret = run_test(run, ub, test, err);
	if (!ret) {
		ub_report(run, ub->cfg, &ub->scores);
		note_times(run, begin);
	}
	return ret;
}

static int unixbench_run(struct run *run, const void *cfg, struct error *err)
{
	struct unixbench ub = { .cfg = cfg, .copies = (size_t)ub_copies(cfg), .file = -1 };
	int ret = run_tests(run, &ub, err), restored;

	/* words of the failure come first */
	restored = guard_free(ub.guard, ret ? NULL : err);
	shared_free(ub.folder, FOLDER_BYTES);
	if (ub.tallies)
		munmap(ub.tallies, ub.copies * sizeof(*ub.tallies));
	if (ub.file >= 0)
		close(ub.file);
	free(ub.self);
	return ret ? ret : restored;
}

const struct workload workload_unixbench = {
	.name = "unixbench",
	.summary = "UnixBench's execl, pipes, process creation and shell scripts, in N copies",
	.cfg_size = sizeof(struct unixbench_cfg),
	.opts = unixbench_opts,
	.metrics = unixbench_metrics,
	.check = unixbench_check,
	.needs = unixbench_needs,
	.probe = unixbench_probe,
	.run = unixbench_run,
	.model = unixbench_model,
	.program = unixbench_program,
	.original = unixbench_original,
};
