// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/hotplug.c - CPUs go offline and come back, each transition timed; the machine ends as it began, whatever
 * happens to us. doc/workloads/hotplug.md.
 */
#include "workload/hotplug.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/opt.h"
#include "workload/guard.h"
#include "workload/place.h"
#include "workload/run.h"
#include "workload/shared.h"
#include "workload/team.h"
#include "workload/work.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_US UINT64_C(1000)

static const struct opt hotplug_opts[] = {
	OPT_CHOICE(struct hotplug_cfg, plan, "half", "half|all|each|smt|random",
		   "the upper half offline and online again; all but the first; each by itself; "
		   "threads of cores; any, at random"),
	OPT(struct hotplug_cfg, cpus, NULL, 0, 0,
	    "list of CPUs that may go; as a rule all that can, but the first one online"),
	OPT(struct hotplug_cfg, smt, "off", 0, 0,
	    "plan=smt: off, or how many threads of a core stay"),
	OPT_CHOICE(struct hotplug_cfg, way, "control", "control|cpus",
		   "plan=smt: the machine's switch for all at once, or CPU by CPU"),
	OPT(struct hotplug_cfg, steps, "20", 1, 1e6, "plan=random: transitions of a pass"),
	OPT(struct hotplug_cfg, seed, "1", 0, 1e15, "plan=random: seed of the order"),
	OPT(struct hotplug_cfg, passes, "5", 1, 1e6, "times that it is done and counted"),
	OPT(struct hotplug_cfg, discard, "1", 0, 1000,
	    "passes before them that are not counted: the first one is slower"),
	OPT_NS(struct hotplug_cfg, "pause", pause_ns, "0", 0, 3600e9,
	       "rest before CPUs go and before they come"),
	OPT(struct hotplug_cfg, load, "0", 0, 100000, "tasks that compute meanwhile"),
	OPT(struct hotplug_cfg, root, "/", 0, 0, "folder that holds sys, for dry runs"),
	OPT_END,
};

static const struct metric hotplug_metrics[] = {
	{ "time", UNIT_NS, BETTER_LOWER, "all transitions of a pass, mean over the passes" },
	{ "off-time", UNIT_NS, BETTER_LOWER, "those to offline" },
	{ "on-time", UNIT_NS, BETTER_LOWER, "those to online" },
	{ "off-pass-min", UNIT_NS, BETTER_LOWER, "of the quickest pass, to offline", "off-pass",
	  0 },
	{ "off-pass-max", UNIT_NS, BETTER_LOWER, "of the slowest pass, to offline", "off-pass", 1 },
	{ "on-pass-min", UNIT_NS, BETTER_LOWER, "of the quickest pass, to online", "on-pass", 0 },
	{ "on-pass-max", UNIT_NS, BETTER_LOWER, "of the slowest pass, to online", "on-pass", 1 },
	{ "offline-p50", UNIT_NS, BETTER_LOWER, "half of the transitions take at most this long",
	  "offline", 0.5 },
	{ "offline-p99", UNIT_NS, BETTER_LOWER, "99 % of them", "offline", 0.99 },
	{ "offline-max", UNIT_NS, BETTER_LOWER, "the longest", "offline", 1 },
	{ "online-p50", UNIT_NS, BETTER_LOWER, "half of the transitions take at most this long",
	  "online", 0.5 },
	{ "online-p99", UNIT_NS, BETTER_LOWER, "99 % of them", "online", 0.99 },
	{ "online-max", UNIT_NS, BETTER_LOWER, "the longest", "online", 1 },
	{ "transitions", UNIT_COUNT, BETTER_NONE, "of a pass" },
	{ "off-user", UNIT_NS, BETTER_NONE, "CPU time of off-time in our own code" },
	{ "off-sys", UNIT_NS, BETTER_NONE, "CPU time of off-time in the kernel" },
	{ "on-user", UNIT_NS, BETTER_NONE, "CPU time of on-time in our own code" },
	{ "on-sys", UNIT_NS, BETTER_NONE, "CPU time of on-time in the kernel" },
	{ 0 },
};

static const struct metric hotplug_histograms[] = {
	{ "offline", UNIT_NS, BETTER_LOWER, "each transition to offline" },
	{ "online", UNIT_NS, BETTER_LOWER, "each transition to online" },
	{ "off-pass", UNIT_NS, BETTER_LOWER, "sum of those to offline, of each pass" },
	{ "on-pass", UNIT_NS, BETTER_LOWER, "sum of those to online, of each pass" },
	{ 0 },
};

struct hotplug_run {
	const struct hotplug_cfg *cfg;
	int root;
	struct plug_cpus cpus;
	struct plug_plan plan;
	struct plug_phase phases[2]; /* [1]: they come */
	atomic_bool *over;	     /* the tasks that compute may end; shared */
	struct team *team;
	struct guard *guard;
};

static const char *root_of(const struct hotplug_cfg *cfg)
{
	return cfg->root && *cfg->root ? cfg->root : "/";
}

static int open_root(const struct hotplug_cfg *cfg, struct error *err)
{
	int root = open(root_of(cfg), O_PATH | O_DIRECTORY | O_CLOEXEC);

	return root < 0 ? error_set(err, errno, "root: %s: %s", root_of(cfg), strerror(errno))
			: root;
}

static int hotplug_check(const void *arg, struct error *err)
{
	const struct hotplug_cfg *cfg = arg;
	struct cpumask cpus = { 0 };
	unsigned int threads;
	int ret = plug_smt_threads(&threads, cfg, err);

	if (!ret && cfg->cpus) {
		ret = cpumask_parse(&cpus, cfg->cpus, err);
		if (ret)
			error_prefix(err, "cpus");
		cpumask_release(&cpus);
	}
	return ret;
}

static void hotplug_needs(const void *arg, struct needs *needs)
{
	const struct hotplug_cfg *cfg = arg;

	needs->tasks = cfg->load + 2; /* the worker and its guard */
	needs->fds = 6;
}

/* One by one, so that the first that can't be written to is told. */
static int may_write(const struct plug_plan *plan, int root, struct error *err)
{
	for (size_t i = 0; i < plan->n; i++)
		if (faccessat(root, plan->steps[i].path, W_OK, AT_EACCESS))
			return error_set(err, errno, "%s: %s%s", plan->steps[i].path,
					 strerror(errno), errno == EACCES ? ": ask root" : "");
	return 0;
}

static int hotplug_probe(const void *arg, struct error *err)
{
	const struct hotplug_cfg *cfg = arg;
	struct plug_cpus cpus = { 0 };
	struct plug_plan plan = { 0 };
	int root = open_root(cfg, err), ret;

	if (root < 0)
		return root;
	ret = plug_cpus_read(&cpus, root, err);
	if (!ret)
		ret = plug_plan(&plan, cfg, &cpus, err);
	if (!ret)
		ret = may_write(&plan, root, err);
	plug_plan_release(&plan);
	plug_cpus_release(&cpus);
	close(root);
	return ret;
}

/* The guard's, which has no file open. What it needs to know doesn't change after its fork. */
static int put_back(void *arg, struct error *err)
{
	const struct hotplug_run *hp = arg;
	int root = open_root(hp->cfg, err), ret;

	if (root < 0)
		return root;
	ret = plug_cpus_restore(&hp->cpus, root, err);
	close(root);
	return ret;
}

static int compute(void *arg, struct error *err)
{
	const struct hotplug_run *hp = arg;

	(void)err;
	while (!atomic_load_explicit(hp->over, memory_order_relaxed))
		work_do(PLUG_LOAD_UNITS);
	return 0;
}

static int start_load(struct hotplug_run *hp, const struct run *run, struct error *err)
{
	int ret;

	hp->over = shared_new(sizeof(*hp->over), "the end of the load", err);
	if (!hp->over)
		return -ENOMEM;
	ret = team_new(&hp->team, run, false, (size_t)hp->cfg->load, err);
	for (uint64_t i = 0; !ret && i < hp->cfg->load; i++)
		ret = team_add(hp->team, "compute", compute, hp, err);
	return ret;
}

static uint64_t timeval_ns(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * NS_PER_S + (uint64_t)tv->tv_usec * NS_PER_US;
}

static int do_step(struct hotplug_run *hp, const struct plug_step *step, bool counted,
		   struct error *err)
{
	struct plug_phase *phase = &hp->phases[step->comes];
	struct rusage before, after;
	uint64_t ns;
	int ret;

	if (step->begins && hp->cfg->pause_ns)
		clock_sleep_until(CLOCK_MONOTONIC, clock_ns(CLOCK_MONOTONIC) + hp->cfg->pause_ns);
	getrusage(RUSAGE_SELF, &before);
	ret = plug_do(step, hp->root, &ns, err);
	getrusage(RUSAGE_SELF, &after);
	if (ret || !counted)
		return ret;
	phase->sum_ns += ns;
	phase->user_ns += timeval_ns(&after.ru_utime) - timeval_ns(&before.ru_utime);
	phase->sys_ns += timeval_ns(&after.ru_stime) - timeval_ns(&before.ru_stime);
	histogram_add(phase->each, ns);
	return 0;
}

static int do_pass(struct hotplug_run *hp, bool counted, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < hp->plan.n; i++)
		ret = do_step(hp, &hp->plan.steps[i], counted, err);
	if (!ret && hp->cfg->load)
		ret = team_check(hp->team, err);
	if (!ret && counted)
		plug_phases_end_pass(hp->phases);
	return ret;
}

static int do_passes(struct run *run, struct hotplug_run *hp, struct error *err)
{
	const struct hotplug_cfg *cfg = hp->cfg;
	int ret = 0;

	for (uint64_t i = 0; !ret && i < cfg->discard; i++)
		ret = do_pass(hp, false, err);
	run_start(run);
	for (uint64_t i = 0; !ret && i < cfg->passes; i++)
		ret = do_pass(hp, true, err);
	run_stop(run);
	return ret;
}

/* All that the passes need, and then the guard: from now on the machine may be changed. */
static int set_up(struct hotplug_run *hp, const struct run *run, struct error *err)
{
	int ret;

	hp->root = open_root(hp->cfg, err);
	if (hp->root < 0)
		return hp->root;
	ret = plug_cpus_read(&hp->cpus, hp->root, err);
	if (!ret)
		ret = plug_plan(&hp->plan, hp->cfg, &hp->cpus, err);
	plug_phases_init(hp->phases);
	if (!ret)
		ret = guard_new(&hp->guard, put_back, hp, err);
	return ret ? ret : start_load(hp, run, err);
}

/* The kernel takes a CPU that goes out of cpusets of cgroups version 1, and doesn't give it back. */
static void note_narrowed(struct run *run, const struct cpumask *before)
{
	struct cpumask now = { 0 };
	struct strbuf was = { 0 }, is = { 0 };

	if (!place_allowed(&now, NULL) && !cpumask_subset(before, &now)) {
		cpumask_print(before, &was);
		cpumask_print(&now, &is);
		run_note(run, "narrowed",
			 "this process could use CPUs %s and now only %s: "
			 "the kernel has taken them from its cpuset",
			 strbuf_str(&was), strbuf_str(&is));
	}
	cpumask_release(&now);
	strbuf_release(&was);
	strbuf_release(&is);
}

static void hotplug_release(struct hotplug_run *hp)
{
	if (hp->team)
		team_free(hp->team);
	plug_phases_release(hp->phases);
	shared_free(hp->over, sizeof(*hp->over));
	plug_plan_release(&hp->plan);
	plug_cpus_release(&hp->cpus);
	if (hp->root >= 0)
		close(hp->root);
}

static int hotplug_run(struct run *run, const void *cfg, struct error *err)
{
	struct hotplug_run hp = { .cfg = cfg, .root = -1 };
	struct cpumask before = { 0 };
	int ret = place_allowed(&before, err), restored;

	if (!ret)
		ret = set_up(&hp, run, err);
	if (!ret)
		ret = do_passes(run, &hp, err);
	if (hp.over)
		atomic_store(hp.over, true);
	if (!ret)
		ret = team_wait(hp.team, err);
	/* words of the failure come first */
	restored = guard_free(hp.guard, ret ? NULL : err);
	if (hp.plan.n)
		plug_note_moved(run, &hp.cpus.online, &hp.plan);
	note_narrowed(run, &before);
	if (!ret && !restored)
		plug_report(run, hp.phases, hp.cfg->passes, hp.plan.n);
	hotplug_release(&hp);
	cpumask_release(&before);
	return ret ? ret : restored;
}

const struct workload workload_hotplug = {
	.name = "hotplug",
	.summary = "CPUs go offline and come back, each transition timed",
	.cfg_size = sizeof(struct hotplug_cfg),
	.opts = hotplug_opts,
	.metrics = hotplug_metrics,
	.histograms = hotplug_histograms,
	.check = hotplug_check,
	.needs = hotplug_needs,
	.probe = hotplug_probe,
	.run = hotplug_run,
	.model = hotplug_model,
	.original = hotplug_original,
};
