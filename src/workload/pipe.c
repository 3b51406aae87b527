// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/pipe.c - two tasks hand a token to and fro through two pipes: two wakeups and two switches a loop, or
 * with two tokens under way one. Both forms of perf bench sched pipe: doc/workloads/pipe.md.
 */
#include "workload/pipe.h"

#include "base/clock.h"
#include "base/mem.h"
#include "workload/places.h"
#include "workload/shared.h"
#include "workload/team.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define PIPE_FDS 4

/* Round trips up to here are no page fault of the histogram. */
#define TOUCHED_NS 1000000000

static const struct opt pipe_opts[] = {
	OPT(struct pipe_cfg, loops, "1000000", 1, 1e12, "round trips of the token"),
	OPT_CHOICE(struct pipe_cfg, mode, "process", "process|thread", "what the two tasks are"),
	OPT_CHOICE(struct pipe_cfg, protocol, "strict", "strict|inflight2",
		   "strict: one token, as perf before 6.15; inflight2: both tasks write first, as "
		   "perf since 6.15"),
	OPT(struct pipe_cfg, cpus, "free", 0, 0,
	    "'free'; a list like 0 or 0-3 that both tasks are bound to; or a CPU for each at the "
	    "distance " DISTANCE_CHOICES),
	OPT_END,
};

static const struct metric pipe_metrics[] = {
	{ "loop", UNIT_NS, BETTER_LOWER,
	  "a round trip: the time from creating the tasks to their end, by loops" },
	{ "loop-p50", UNIT_NS, BETTER_LOWER, "half of the round trips take at most this long",
	  "loop", 0.5 },
	{ "loop-p99", UNIT_NS, BETTER_LOWER, "99 % of the round trips", "loop", 0.99 },
	{ "loop-p99.9", UNIT_NS, BETTER_LOWER, "99.9 % of the round trips", "loop", 0.999 },
	{ "loop-max", UNIT_NS, BETTER_LOWER, "the longest round trip", "loop", 1 },
	{ "same-cpu", UNIT_PERCENT, BETTER_NONE, "tokens that were handed over on one CPU" },
	{ "moves", UNIT_COUNT, BETTER_NONE,
	  "times that a task got a token on another CPU than the one before" },
	{ 0 },
};

static const struct metric pipe_histograms[] = {
	{ "loop", UNIT_NS, BETTER_LOWER, "round trips as the second task sees them" },
	{ 0 },
};

static int pipe_check(const void *arg, struct error *err)
{
	const struct pipe_cfg *cfg = arg;
	struct places places = { 0 };
	int ret = places_parse(&places, cfg->cpus, err);

	places_release(&places);
	return ret;
}

static void pipe_needs(const void *arg, struct needs *needs)
{
	const struct pipe_cfg *cfg = arg;
	struct places places = { 0 };

	places_parse(&places, cfg->cpus, NULL);
	/* a process is the second task itself, as in the original; threads are two more */
	needs->tasks = cfg->mode == PIPE_THREAD ? 3 : 2;
	needs->fds = PIPE_FDS;
	needs->binds = places.bound || places.pair;
	needs->cpus = places.pair && places.distance != DISTANCE_SAME ? 2 : 1;
	places_release(&places);
}

static int pipe_probe(const void *arg, struct error *err)
{
	const struct pipe_cfg *cfg = arg;

	return places_probe(cfg->cpus, err);
}

/**
 * struct side - one of the two tasks
 * @starts: it writes before it reads
 * @bound:  to @cpu
 * @loops:  its round trips, NULL where it takes none
 * @others: the ends that are the other task's; a process closes them, so that the end of the other one is
 *          noticed. The original keeps them open, and waits for ever.
 */
struct side {
	const struct pipe_cfg *cfg;
	const char *name;
	bool starts;
	bool bound;
	unsigned int cpu;
	struct pipe_trail *trail;
	struct histogram *loops;
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

/* The token is the number of the CPU that its last owner was on. */
static int take_token(const struct side *side, struct error *err)
{
	unsigned int token;
	ssize_t n = read(side->in, &token, sizeof(token));

	if (n != (ssize_t)sizeof(token))
		return token_failed("read", n, err);
	pipe_trail_add(side->trail, (unsigned int)sched_getcpu(), token);
	return 0;
}

static int hand_token(const struct side *side, struct error *err)
{
	const unsigned int token = side->trail->last;
	ssize_t n = write(side->out, &token, sizeof(token));

	return n == (ssize_t)sizeof(token) ? 0 : token_failed("write", n, err);
}

static int pass_tokens(const struct side *side, struct error *err)
{
	const uint64_t loops = side->cfg->loops;
	uint64_t before_ns = clock_ns(CLOCK_MONOTONIC), now_ns;
	int ret = 0;

	for (uint64_t i = 0; !ret && i < loops; i++) {
		if (side->starts)
			ret = hand_token(side, err);
		if (!ret)
			ret = take_token(side, err);
		if (!ret && !side->starts)
			ret = hand_token(side, err);
		if (side->loops) {
			now_ns = clock_ns(CLOCK_MONOTONIC);
			histogram_add(side->loops, now_ns - before_ns);
			before_ns = now_ns;
		}
	}
	return ret;
}

static int side_main(void *arg, struct error *err)
{
	const struct side *side = arg;
	int ret = side->bound ? place_bind_cpu(side->cpu, err) : 0;

	if (side->cfg->mode == PIPE_PROCESS) {
		close(side->others[0]);
		close(side->others[1]);
	}
	side->trail->last = (unsigned int)sched_getcpu();
	if (!ret)
		ret = pass_tokens(side, err);
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
	prctl(PR_SET_NAME, "second");
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
	ret = cfg->mode == PIPE_PROCESS ? play_process(run, team, sides, err)
					: play_threads(team, sides, err);
	run_stop(run);
	return ret;
}

static int open_pipes(struct side sides[2], struct error *err)
{
	int to[2], fro[2];

	if (pipe(to) || pipe(fro))
		return error_set(err, errno, "pipe: %s", strerror(errno));
	sides[0].in = to[0];
	sides[0].out = fro[1];
	sides[1].in = fro[0];
	sides[1].out = to[1];
	for (int i = 0; i < 2; i++) {
		sides[i].others[0] = sides[!i].in;
		sides[i].others[1] = sides[!i].out;
	}
	return 0;
}

/* All that the timed part needs. */
static int set_up(struct side sides[2], const struct pipe_cfg *cfg, struct error *err)
{
	struct pipe_trail *trails = shared_new(2 * sizeof(*trails), "the tasks' CPUs", err);
	struct histogram *loops = shared_histograms(1, TOUCHED_NS, err);
	struct places places = { 0 };
	int ret;

	if (!trails || !loops)
		return -ENOMEM;
	memset(trails, 0, 2 * sizeof(*trails));
	ret = places_enter(&places, cfg->cpus, err);
	for (int i = 0; i < 2; i++)
		sides[i] = (struct side){ .cfg = cfg,
					  .name = i ? "second task" : "first task",
					  .starts = i || cfg->protocol == PROTOCOL_INFLIGHT2,
					  .bound = places.pair,
					  .cpu = places.cpus[i],
					  .trail = &trails[i],
					  .loops = i ? loops : NULL };
	places_release(&places);
	return ret ? ret : open_pipes(sides, err);
}

static void sample(struct run *run, const struct side sides[2])
{
	const uint64_t loops = sides->cfg->loops;

	run_sample(run, "loop", (double)(run->stop_ns - run->start_ns) / (double)loops);
	run_histogram(run, "loop", sides[1].loops);
	pipe_report(run, sides[0].trail, loops);
}

/* Open files are closed by the process's end, and shared memory goes with it. */
static int pipe_run(struct run *run, const void *arg, struct error *err)
{
	const struct pipe_cfg *cfg = arg;
	struct side *sides = xcalloc(2, sizeof(*sides));
	struct team *team = NULL;
	int ret;

	ret = set_up(sides, cfg, err);
	if (!ret)
		ret = team_new(&team, run, cfg->mode == PIPE_THREAD, 2, err);
	if (!ret)
		ret = play(run, team, sides, err);
	if (!ret)
		sample(run, sides);
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
	.histograms = pipe_histograms,
	.check = pipe_check,
	.needs = pipe_needs,
	.probe = pipe_probe,
	.run = pipe_run,
	.model = pipe_model,
	.original = pipe_original,
};
