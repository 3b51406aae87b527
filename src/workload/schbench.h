/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/schbench.h - what the files of schbench share. Message threads wake their workers, workers work and ask to be
 * woken again: four programs in one, the generations of doc/workloads/schbench.md.
 */
#ifndef WORKLOAD_SCHBENCH_H
#define WORKLOAD_SCHBENCH_H

#include "base/cpumask.h"
#include "base/error.h"
#include "base/histogram.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "workload/arrivals.h"
#include "workload/gate.h"
#include "workload/result.h"
#include "workload/run.h"
#include "workload/shared.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Latencies up to here are no page fault of a histogram, and its pages up to there. Of more workers than that, what a
 * fault costs is nothing beside what they wait for each other.
 */
#define SCHBENCH_TOUCHED_NS	 1000000000
#define SCHBENCH_TOUCHED_BYTES	 (UINT64_C(26) * 4096)
#define SCHBENCH_TOUCHED_WORKERS 1000

/* Until requests come, for the workers to pass the gate and wait. */
#define SCHBENCH_SETTLE_NS 20000000

/* Of the search for a rate: how often it looks, when it gives up. */
#define SCHBENCH_LOOK_NS   500000000
#define SCHBENCH_LOOKS_MAX 40

enum {
	GEN_A, /* 2016-04 .. 2020-10 */
	GEN_B, /* 2020-10 .. 2021-12, the "old schbench" of the lists */
	GEN_C, /* 2021-12 .. 2023-04 */
	GEN_D, /* since 2023-04, the "new" one */
};

struct sim;

/* Names of choices; each list starts with "auto", which means what the generation does. */
enum {
	WORK_AUTO,
	WORK_SPIN, /* until the clock says so */
	WORK_UNITS, /* a fixed number of units of workload/work.h, as long if nothing is in the way */
	WORK_MATRIX, /* products of matrices */
	WORK_NONE,
};
enum {
	REQUESTS_AUTO,
	REQUESTS_BATCH,	  /* two thirds of the workers at once, then a pause */
	REQUESTS_BURST,	  /* all of a second at its start */
	REQUESTS_UNIFORM, /* one by one, equally far apart */
	REQUESTS_POISSON, /* one by one, exponentially far apart */
};

struct schbench_cfg {
	int gen;
	uint64_t messengers;
	uint64_t threads;
	uint64_t runtime_ns;
	char *warmup;
	uint64_t sleep_ns;
	uint64_t think_ns;
	uint64_t message_think_ns;
	uint64_t nap_ns;
	int work;
	uint64_t operations;
	uint64_t footprint_bytes;
	bool lock;
	bool calibrate;
	uint64_t pipe_bytes;
	uint64_t rps;
	double auto_rps;
	int arrivals;
	uint64_t queue;
	char *message_cpus;
	char *worker_cpus;
	uint64_t seed;
};

/**
 * struct schbench_plan - the configuration with what the generation makes of it
 * @threads:    workers of each message thread
 * @work_first: a worker works before it asks to be woken for the first time
 * @sleep_ns, @message_think_ns: of a message thread after each batch
 * @nap_ns:     a worker sleeps so long at the start of its work
 * @side:       rows and columns of a matrix, 0: none
 * @lock:       the lock of a CPU is held while working on it
 * @rps:        requests come by themselves, so many a second and message thread; 0: workers ask for them
 * @queue:      requests that may wait for a worker
 */
struct schbench_plan {
	uint64_t messengers;
	uint64_t threads;
	uint64_t runtime_ns;
	uint64_t warmup_ns;
	bool work_first;
	uint64_t sleep_ns;
	uint64_t message_think_ns;
	uint64_t nap_ns;
	bool nap_counts;
	int work;
	uint64_t think_ns;
	uint64_t operations;
	uint64_t side;
	bool lock;
	uint64_t pipe_bytes;
	uint64_t rps;
	double auto_rps;
	int arrivals;
	uint64_t queue;
	struct cpumask message_cpus;
	struct cpumask worker_cpus;
	bool apart;
	uint64_t seed;
};

/**
 * schbench_plan_init() - @plan of @cfg; schbench_plan_release() frees what is inside, also after a failure
 * @cpus: of the machine, for the defaults of generation D
 *
 * Return: 0, -EINVAL or -ERANGE
 */
int schbench_plan_init(struct schbench_plan *plan, const struct schbench_cfg *cfg, uint64_t cpus,
		       struct error *err);
void schbench_plan_release(struct schbench_plan *plan);

/** schbench_cpus() - CPUs that are online */
uint64_t schbench_cpus(void);

/** schbench_requests() - when the requests of message thread @nr come, @rps a second */
void schbench_requests(struct arrivals *arrivals, const struct schbench_plan *plan, size_t nr,
		       uint64_t rps);

/**
 * struct schbench_end - when everybody is to end
 * @stop:     now; those that sleep to a time wait on it
 * @until_ns: the first who sees that it has come sets @stop, since the worker's main thread may be the last of a
 *            thousand to get a CPU
 */
struct schbench_end {
	alignas(SHARED_ALIGN) atomic_uint stop;
	_Atomic uint64_t until_ns;
};

/** schbench_is_over() - has somebody said so? */
static inline bool schbench_is_over(const struct schbench_end *end)
{
	return atomic_load(&end->stop);
}

/** schbench_look() - is it over at @now_ns? */
bool schbench_look(struct schbench_end *end, uint64_t now_ns);

/**
 * struct schbench_work - what the workers do, the same for all; shared, read only once it is made
 * @units:   of WORK_UNITS
 * @unit_ns: what one takes, 0 with other work
 * @locks:   one for each CPU number that may be, a line apart
 */
struct schbench_work {
	int kind;
	uint64_t think_ns;
	uint64_t units;
	double unit_ns;
	uint64_t operations;
	uint64_t side;
	struct cpu_lock *locks;
};

int schbench_work_init(struct schbench_work *work, const struct schbench_plan *plan,
		       struct error *err);

/** schbench_work_release() - no task may work any more */
void schbench_work_release(struct schbench_work *work);

/** schbench_work_matrices() - bytes of one worker's three matrices */
uint64_t schbench_work_matrices(uint64_t side);

/** schbench_work_fill() - its matrices, with numbers; NULL where there are none */
void schbench_work_fill(uint64_t *matrices, uint64_t side);

/**
 * schbench_work_do() - the work of one request
 * @end: when it is to be given up: to get a lock that a thousand wait for may take minutes
 *
 * Return: whether it is done.
 */
bool schbench_work_do(const struct schbench_work *work, uint64_t *matrices,
		      struct schbench_end *end);

/** schbench_work_measure() - CPU time of one request's work here and now in ns, the least of some */
double schbench_work_measure(const struct schbench_work *work, uint64_t *matrices);

/** schbench_spin() - watch the clock for @ns, or to the end. Return: whether for the whole time */
bool schbench_spin(uint64_t ns, struct schbench_end *end);

/* What a thread sleeps on. */
enum {
	STATE_RUNNING,
	STATE_BLOCKED,
};

/**
 * struct schbench - all of a run
 * @exit:       where they wait when they have ended, so that their figures can still be read
 * @measure_ns: samples of what became due before are not kept (warm-up), nor of what becomes due at the end or later
 * @base_ns:    requests come from then on
 * @goal_rps:   requests a second and message thread
 */
struct schbench {
	struct schbench_plan plan;
	struct schbench_work work;
	struct gate *gate;
	struct gate *exit;
	struct messenger *messengers;
	struct worker *workers;
	struct histogram *wakeup;
	struct histogram *request;
	struct histogram *response;
	uint64_t *matrices;
	unsigned char *pipes;
	uint64_t *due;
	struct schbench_end end;
	_Atomic uint64_t measure_ns;
	_Atomic uint64_t base_ns;
	_Atomic uint64_t goal_rps;
};

/**
 * struct messenger - a message thread
 * @state:   what it sleeps on
 * @first:   workers that ask to be woken, the last one first
 * @dropped: requests that found no room in a worker's queue, in the measured time
 * @deepest: most requests that waited for one worker
 */
struct messenger {
	alignas(SHARED_ALIGN) atomic_uint state;
	_Atomic(struct worker *) first;
	alignas(SHARED_ALIGN) struct schbench *sb;
	size_t nr;
	pid_t tid;
	uint64_t dropped;
	uint64_t deepest;
	struct rng rng;
	struct arrivals arrivals;
};

/**
 * struct worker - a worker thread
 * @state:    what it sleeps on
 * @next:     the one that asked before it
 * @wake_ns:  when its message thread decided to wake it, 0 before
 * @tail:     requests that were put into its queue; the message thread writes
 * @head:     that it took out
 * @done:     that it has done in the measured time
 * @due:      ring of the queue
 */
struct worker {
	alignas(SHARED_ALIGN) atomic_uint state;
	struct worker *next;
	_Atomic uint64_t wake_ns;
	_Atomic uint64_t tail;
	alignas(SHARED_ALIGN) _Atomic uint64_t head;
	_Atomic uint64_t done;
	struct schbench *sb;
	struct messenger *messenger;
	pid_t tid;
	uint64_t *due;
	uint64_t *matrices;
	unsigned char *pipe;
	struct histogram *wakeup;
	struct histogram *request;
	struct histogram *response;
};

/** schbench_messenger(), schbench_worker() - the threads, as team_add() takes them */
int schbench_messenger(void *arg, struct error *err);
int schbench_worker(void *arg, struct error *err);

/** schbench_stop() - tell all threads to end, those that sleep as well */
void schbench_stop(struct schbench *sb);

/** schbench_done() - requests that are done in the measured time, of all workers */
uint64_t schbench_done(const struct schbench *sb);

/**
 * schbench_tune() - find the rate at which the machine's CPUs are busy for auto-rps percent, and leave it in goal_rps
 *
 * Looks every half second at /proc/stat. Return: 0 or -errno; the last percentage is in *@busy.
 */
int schbench_tune(struct schbench *sb, double *busy, struct error *err);

/** schbench_next_rps() - the rate to try next, if @rps made @busy percent where @goal is wanted: at most twice or half */
uint64_t schbench_next_rps(uint64_t rps, double busy, double goal);

/** schbench_found_rps() - is @busy near enough to @goal? If not, @rps is changed to the next one to try */
bool schbench_found_rps(uint64_t *rps, double busy, double goal);

/** schbench_begin() - of the measured time, not before @earliest_ns: requests that come in bursts do so at its seconds' starts */
uint64_t schbench_begin(const struct schbench_plan *plan, uint64_t base_ns, uint64_t earliest_ns);

/** schbench_parse_stat() - the first line of /proc/stat. Return: 0 or -EINVAL */
int schbench_parse_stat(const char *line, uint64_t *busy, uint64_t *all);

/** struct schbench_delay - what threads waited for a CPU, and how often they got one; 0: unknown */
struct schbench_delay {
	uint64_t wait_ns;
	uint64_t times;
};

/**
 * struct schbench_figures - what is known when all have ended
 * @done:     requests in the measured time
 * @goal_rps: of one message thread
 * @work_ns:  of a request's work, @unit_ns: of a unit of that; 0: there are none
 */
struct schbench_figures {
	const struct schbench_plan *plan;
	const struct histogram *wakeup, *request, *response;
	const struct histogram *rps;
	uint64_t done;
	struct schbench_delay messages, workers;
	uint64_t dropped, deepest;
	uint64_t goal_rps;
	double busy;
	double work_ns, unit_ns;
};

/** schbench_report() - all metrics and histograms; behind run_stop(). Return: 0 or -ETIME */
int schbench_report(struct run *run, const struct schbench_figures *figures, struct error *err);

/** schbench_rate() - @n in @ns as so many a second */
uint64_t schbench_rate(uint64_t n, uint64_t ns);

/** schbench_run(), schbench_model() - struct workload's */
int schbench_run(struct run *run, const void *cfg, struct error *err);
int schbench_model(struct run *run, struct sim *sim, const void *cfg, struct error *err);

/** schbench_original() - struct workload's, in the lines of the generation's program */
void schbench_original(const struct result *result, const void *cfg, struct strbuf *sb);

#endif
