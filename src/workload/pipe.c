// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/pipe.c - two tasks hand a token to and fro through two pipes: two wakeups and two switches a loop. The
 * strict form of perf bench sched pipe: doc/workloads/pipe.md.
 */
#include "workload/run.h"
#include "workload/team.h"

#include "base/cpumask.h"
#include "base/mem.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIPE_FDS 4

enum {
	MODE_PROCESS,
	MODE_THREAD
};

struct pipe_cfg {
	uint64_t loops;
	int mode;
	char *cpus;
};

static const struct opt pipe_opts[] = {
	OPT(struct pipe_cfg, loops, "1000000", 1, 1e12, "round trips of the token"),
	OPT_CHOICE(struct pipe_cfg, mode, "process", "process|thread", "what the two tasks are"),
	OPT(struct pipe_cfg, cpus, "free", 0, 0,
	    "CPUs both tasks are bound to: 'free', or a list like 0 or 0-3"),
	OPT_END,
};

static const struct metric pipe_metrics[] = {
	{ "loop", UNIT_NS, BETTER_LOWER,
	  "a round trip: the time from creating the tasks to their end, by loops" },
	{ 0 },
};

static bool is_free(const struct pipe_cfg *cfg)
{
	return !cfg->cpus || !*cfg->cpus || !strcmp(cfg->cpus, "free");
}

static int parse_cpus(struct cpumask *mask, const struct pipe_cfg *cfg, struct error *err)
{
	int ret = cpumask_parse(mask, cfg->cpus, err);

	if (!ret && !cpumask_weight(mask))
		ret = error_set(err, EINVAL, "'%.80s' is no CPU", cfg->cpus);
	if (ret)
		error_prefix(err, "cpus");
	return ret;
}

static int pipe_check(const void *arg, struct error *err)
{
	const struct pipe_cfg *cfg = arg;
	struct cpumask mask = { 0 };
	int ret = is_free(cfg) ? 0 : parse_cpus(&mask, cfg, err);

	cpumask_release(&mask);
	return ret;
}

static void pipe_needs(const void *arg, struct needs *needs)
{
	const struct pipe_cfg *cfg = arg;

	/* a process is the second task itself, as in the original; threads are two more */
	needs->tasks = cfg->mode == MODE_THREAD ? 3 : 2;
	needs->fds = PIPE_FDS;
	needs->binds = !is_free(cfg);
}

/**
 * struct side - one of the two tasks
 * @starts: it writes before it reads
 * @others: the ends that are the other task's; a process closes them, so that the end of the other one is
 *          noticed. The original keeps them open, and waits for ever.
 */
struct side {
	const struct pipe_cfg *cfg;
	const char *name;
	bool starts;
	int in;
	int out;
	int others[2];
};

/* Apart, so that the loop is short: nothing is interrupted here, for no signal has a handler. */
static int token_failed(const char *call, ssize_t n, struct error *err)
{
	if (n < 0)
		return error_set(err, errno, "%s: %s", call, strerror(errno));
	return error_set(err, ENODATA, "%s: the other task is gone", call);
}

static int take_token(int fd, struct error *err)
{
	int token;
	ssize_t n = read(fd, &token, sizeof(token));

	return n == (ssize_t)sizeof(token) ? 0 : token_failed("read", n, err);
}

static int hand_token(int fd, struct error *err)
{
	static const int token = 0;
	ssize_t n = write(fd, &token, sizeof(token));

	return n == (ssize_t)sizeof(token) ? 0 : token_failed("write", n, err);
}

static int side_main(void *arg, struct error *err)
{
	const struct side *side = arg;
	const uint64_t loops = side->cfg->loops;
	int ret = 0;

	if (side->cfg->mode == MODE_PROCESS) {
		close(side->others[0]);
		close(side->others[1]);
	}
	for (uint64_t i = 0; !ret && i < loops; i++) {
		if (side->starts)
			ret = hand_token(side->out, err);
		if (!ret)
			ret = take_token(side->in, err);
		if (!ret && !side->starts)
			ret = hand_token(side->out, err);
	}
	if (ret)
		error_prefix(err, "%s", side->name);
	return ret;
}

/* The worker is the second task itself, as in the original. */
static int play_process(const struct run *run, struct team *team, struct side *sides,
			struct error *err)
{
	struct error other = { 0 };
	int ret;

	ret = team_add(team, "first", side_main, &sides[0], err);
	if (!ret)
		ret = run_task_begin(run, false, err);
	if (!ret)
		ret = side_main(&sides[1], err);
	if (!ret)
		return team_wait(team, err);
	/* its pipe is closed, so it has ended: it knows why */
	if ((ret == -ENODATA || ret == -EPIPE) && team_wait(team, &other) && err)
		*err = other;
	return ret;
}

static int play_threads(struct team *team, struct side *sides, struct error *err)
{
	int ret = team_add(team, "first", side_main, &sides[0], err);

	if (!ret)
		ret = team_add(team, "second", side_main, &sides[1], err);
	return ret ? ret : team_wait(team, err);
}

static int play(struct run *run, struct team *team, struct side *sides, struct error *err)
{
	const struct pipe_cfg *cfg = sides->cfg;
	int ret;

	run_start(run);
	ret = cfg->mode == MODE_PROCESS ? play_process(run, team, sides, err)
					: play_threads(team, sides, err);
	run_stop(run);
	if (!ret)
		run_sample(run, "loop",
			   (double)(run->stop_ns - run->start_ns) / (double)cfg->loops);
	return ret;
}

/* The tasks are created later and inherit it. */
static int bind_to_cpus(const struct pipe_cfg *cfg, struct error *err)
{
	struct cpumask mask = { 0 };
	cpu_set_t *set = CPU_ALLOC(CPUMASK_MAX);
	const size_t bytes = CPU_ALLOC_SIZE(CPUMASK_MAX);
	unsigned int cpu;
	int ret;

	if (!set)
		return error_set(err, ENOMEM, "cpus: %s", strerror(ENOMEM));
	CPU_ZERO_S(bytes, set);
	ret = parse_cpus(&mask, cfg, err);
	cpumask_for_each (cpu, &mask)
		CPU_SET_S(cpu, bytes, set);
	if (!ret && sched_setaffinity(0, bytes, set))
		ret = error_set(
			err, errno == EINVAL ? EOPNOTSUPP : errno, "cpus: %s: %s", cfg->cpus,
			errno == EINVAL ? "none of them is online and in the cpuset of this "
					  "process"
					: strerror(errno));
	cpumask_release(&mask);
	CPU_FREE(set);
	return ret;
}

static int open_pipes(int to[2], int fro[2], struct error *err)
{
	return pipe(to) || pipe(fro) ? error_set(err, errno, "pipe: %s", strerror(errno)) : 0;
}

/* Open files are closed by the process's end. */
static int pipe_run(struct run *run, const void *arg, struct error *err)
{
	const struct pipe_cfg *cfg = arg;
	struct side *sides = xcalloc(2, sizeof(*sides));
	struct team *team = NULL;
	int to[2], fro[2];
	int ret;

	ret = is_free(cfg) ? 0 : bind_to_cpus(cfg, err);
	if (!ret)
		ret = open_pipes(to, fro, err);
	if (!ret)
		ret = team_new(&team, run, cfg->mode == MODE_THREAD, 2, err);
	if (!ret) {
		sides[0] =
			(struct side){ cfg, "first task", false, to[0], fro[1], { to[1], fro[0] } };
		sides[1] =
			(struct side){ cfg, "second task", true, fro[0], to[1], { to[0], fro[1] } };
		ret = play(run, team, sides, err);
	}
	if (!team || team_free(team))
		free(sides);
	return ret;
}

const struct workload workload_pipe = {
	.name = "pipe",
	.summary = "two tasks hand a token to and fro through two pipes",
	.cfg_size = sizeof(struct pipe_cfg),
	.opts = pipe_opts,
	.metrics = pipe_metrics,
	.check = pipe_check,
	.needs = pipe_needs,
	.run = pipe_run,
};
