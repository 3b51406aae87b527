// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/oltp.c - clients want transactions of 20 statements, from a model of a database or from PostgreSQL: many tasks
 * with short bursts of work that wait for locks, for each other's commits, and for clients. doc/workloads/oltp.md.
 */
#include "workload/oltp.h"

#include "base/mem.h"
#include "workload/gate.h"
#include "workload/pg.h"
#include "workload/team.h"
#include "workload/work.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Latencies up to here are no page fault of the histogram. */
#define TOUCHED_NS    10000000000
#define TOUCHED_BYTES (112 << 10)

static const struct opt oltp_opts[] = {
	OPT(struct oltp_cfg, clients, "16", 1, 10000, "tasks that want transactions"),
	OPT(struct oltp_cfg, workers, "8", 1, 10000, "tasks of the model that do them"),
	OPT_NS(struct oltp_cfg, "think", think_ns, "0", 0, 3600e9,
	       "mean time from a client's transaction to its next one (closed loop)"),
	OPT(struct oltp_cfg, rate, "0", 0, 1e7,
	    "transactions a second that are wanted, whether or not others have ended (open loop); "
	    "0: closed loop"),
	OPT_CHOICE(struct oltp_cfg, arrivals, "poisson", ARRIVALS_CHOICES,
		   "when the transactions of an open loop are due"),
	OPT_NS(struct oltp_cfg, "time", time_ns, "10s", 1e6, 3600e9,
	       "how long, the warm-up included"),
	OPT_NS(struct oltp_cfg, "warmup", warmup_ns, "0", 0, 3600e9,
	       "part of the time that is not counted"),
	OPT_NS(struct oltp_cfg, "statement", statement_ns, "10us", 0, 1e9,
	       "CPU time of each of the 20 statements (model)"),
	OPT(struct oltp_cfg, rows, "10000", 100, 1e6, "rows of the table"),
	OPT(struct oltp_cfg, skew, "0.8", 0, 3,
	    "the k-th most wanted row is wanted 1 / k^skew as often as the first; 0: all the same"),
	OPT_NS(struct oltp_cfg, "flush", flush_ns, "100us", 0, 10e9,
	       "how long the log sleeps for the commits that have come by then (model)"),
	OPT_NS(struct oltp_cfg, "checkpoint", checkpoint_ns, "10ms", 0, 10e9,
	       "CPU time of a checkpoint, beside the workers; 0: none (model)"),
	OPT_NS(struct oltp_cfg, "checkpoint-every", checkpoint_every_ns, "1s", 1e6, 3600e9,
	       "from one checkpoint to the next"),
	OPT_NS(struct oltp_cfg, "pause", pause_ns, "0", 0, 10e9,
	       "CPU time of a pause of all workers, as for garbage collection; 0: none (model)"),
	OPT_NS(struct oltp_cfg, "pause-every", pause_every_ns, "500ms", 1e6, 3600e9,
	       "from one pause to the next"),
	OPT_NS(struct oltp_cfg, "patience", patience_ns, "10s", 1e6, 3600e9,
	       "a transaction without an answer for so long ends the run as failed"),
	OPT(struct oltp_cfg, seed, "1", 0, 1e18, "of arrivals, thinking and rows"),
	OPT(struct oltp_cfg, url, "", 0, 0,
	    "of a PostgreSQL database that does the transactions instead of the model: "
	    "postgresql://USER@[HOST[:PORT]]/DBNAME[?host=FOLDER&port=PORT]"),
	OPT_END,
};

static const struct metric oltp_metrics[] = {
	{ "transactions", UNIT_PER_SECOND, BETTER_HIGHER,
	  "transactions committed, of all clients" },
	{ "latency-p50", UNIT_NS, BETTER_LOWER, "half of the transactions take at most this long",
	  "latency", 0.5 },
	{ "latency-p95", UNIT_NS, BETTER_LOWER, "95 % of the transactions", "latency", 0.95 },
	{ "latency-p99", UNIT_NS, BETTER_LOWER, "99 % of the transactions", "latency", 0.99 },
	{ "latency-p99.9", UNIT_NS, BETTER_LOWER, "99.9 % of the transactions", "latency", 0.999 },
	{ "latency-max", UNIT_NS, BETTER_LOWER, "the longest of all", "latency", 1 },
	{ "fairness", UNIT_PERCENT, BETTER_HIGHER,
	  "what the least served client got, of the mean of all clients" },
	{ "unserved", UNIT_COUNT, BETTER_LOWER,
	  "transactions of an open loop that were due and not begun when time was up" },
	{ "lock-waits", UNIT_COUNT, BETTER_NONE, "waits for the lock of a row, by transactions" },
	{ "lock-wait-p50", UNIT_NS, BETTER_LOWER, "half of the waits for a row's lock", "lock-wait",
	  0.5 },
	{ "lock-wait-p99", UNIT_NS, BETTER_LOWER, "99 % of the waits for a row's lock", "lock-wait",
	  0.99 },
	{ "commits-per-flush", UNIT_COUNT, BETTER_NONE, "commits that shared a sleep of the log" },
	{ "total", UNIT_COUNT, BETTER_NONE, "transactions that ended, those of the warm-up too" },
	{ "client-events-stddev", UNIT_COUNT, BETTER_NONE,
	  "standard deviation of the clients' numbers of transactions" },
	{ "client-time-stddev", UNIT_NS, BETTER_NONE,
	  "standard deviation of the clients' sums of latencies" },
	{ "work-unit", UNIT_NS, BETTER_NONE, "CPU time of a unit of work, as calibrated" },
	{ 0 },
};

static const struct metric oltp_histograms[] = {
	{ "latency", UNIT_NS, BETTER_LOWER,
	  "from when the transaction was due to its commit, in the queue too" },
	{ "lock-wait", UNIT_NS, BETTER_LOWER,
	  "of those locks of rows that another transaction had" },
	{ 0 },
};

static bool has_url(const struct oltp_cfg *cfg)
{
	return cfg->url && *cfg->url;
}

static const struct oltp_backend *backend_of(const struct oltp_cfg *cfg)
{
	return has_url(cfg) ? &oltp_pg : &oltp_model;
}

static int oltp_check(const void *arg, struct error *err)
{
	const struct oltp_cfg *cfg = arg;
	struct pg_url url;

	if (cfg->warmup_ns >= cfg->time_ns)
		return error_set(err, EINVAL, "warmup: must be shorter than time");
	if (cfg->rate && cfg->think_ns)
		return error_set(err, EINVAL, "think: clients of an open loop (rate) don't think");
	return has_url(cfg) ? pg_url_parse(&url, cfg->url, err) : 0;
}

static void oltp_needs(const void *arg, struct needs *needs)
{
	const struct oltp_cfg *cfg = arg;

	needs->tasks = 1 + cfg->clients + backend_of(cfg)->tasks(cfg);
	/* a connection for each client, for the table, and what talks with the guard */
	needs->fds = has_url(cfg) ? cfg->clients + 2 : 0;
	needs->memory_bytes = cfg->rows * sizeof(double) + cfg->clients * TOUCHED_BYTES +
			      (has_url(cfg) ? 0 : oltp_model_bytes(cfg));
}

/* Is a server there that lets us in? */
static int oltp_probe(const void *arg, struct error *err)
{
	const struct oltp_cfg *cfg = arg;
	struct pg_url url;
	struct pg *pg;
	int ret;

	if (!has_url(cfg))
		return 0;
	ret = pg_url_parse(&url, cfg->url, err);
	if (!ret)
		ret = pg_connect(&pg, &url, cfg->patience_ns, err);
	if (!ret)
		pg_free(pg);
	return ret;
}

static int set_up(struct oltp *oltp, const struct run *run, struct error *err)
{
	const size_t n = (size_t)oltp->cfg->clients;
	const size_t tasks = (size_t)(n + oltp->backend->tasks(oltp->cfg));
	size_t nr;
	int ret;

	oltp_keys_init(&oltp->keys, oltp->cfg->rows, oltp->cfg->skew);
	oltp->unit_ns = work_calibrate();
	oltp->left = n;
	oltp->clients = shared_new(n * sizeof(*oltp->clients), "clients", err);
	oltp->latencies = shared_histograms(n, TOUCHED_NS, err);
	oltp->gate = gate_new(err);
	if (!oltp->clients || !oltp->latencies || !oltp->gate)
		return -ENOMEM;
	ret = team_new(&oltp->team, run, true, tasks, err);
	if (!ret)
		ret = oltp->backend->start(oltp, err);
	for (size_t i = 0; !ret && i < n; i++) {
		oltp->clients[i].oltp = oltp;
		oltp->clients[i].nr = i;
		oltp->clients[i].latency = &oltp->latencies[i];
		ret = team_add(oltp->team, "client", oltp_client_main, &oltp->clients[i], err);
	}
	nr = has_url(oltp->cfg) ? n : tasks;
	return ret ? ret : gate_wait_full(oltp->gate, oltp->team, (uint32_t)nr, err);
}

/* Of the population, as sysbench's. */
static double stddev(const struct oltp *oltp, bool of_time)
{
	const double n = (double)oltp->cfg->clients;
	double sum = 0, squares = 0;

	for (size_t i = 0; i < oltp->cfg->clients; i++) {
		const struct oltp_client *client = &oltp->clients[i];

		sum += (double)(of_time ? client->busy_ns : client->all);
	}
	for (size_t i = 0; i < oltp->cfg->clients; i++) {
		const struct oltp_client *client = &oltp->clients[i];
		double x = (double)(of_time ? client->busy_ns : client->all) - sum / n;

		squares += x * x;
	}
	return sqrt(squares / n);
}

void oltp_report_clients(struct run *run, const struct oltp *oltp, const struct histogram *latency)
{
	const double seconds = (double)(oltp->window.end_ns - oltp->window.count_ns) / 1e9;
	const size_t n = (size_t)oltp->cfg->clients;
	uint64_t done = 0, all = 0, unserved = 0, least = UINT64_MAX;

	for (size_t i = 0; i < n; i++) {
		const struct oltp_client *client = &oltp->clients[i];

		done += client->done;
		all += client->all;
		unserved += client->unserved;
		if (client->done < least)
			least = client->done;
	}
	run_sample(run, "transactions", (double)done / seconds);
	run_histogram(run, "latency", latency);
	if (done && n > 1)
		run_sample(run, "fairness", 100 * (double)least * (double)n / (double)done);
	if (oltp->cfg->rate)
		run_sample(run, "unserved", (double)unserved);
	run_sample(run, "total", (double)all);
	run_sample(run, "client-events-stddev", stddev(oltp, false));
	run_sample(run, "client-time-stddev", stddev(oltp, true));
}

static int play(struct run *run, struct oltp *oltp, struct error *err)
{
	int ret;

	run_start(run);
	oltp->window.start_ns = run->start_ns;
	oltp->window.count_ns = run->start_ns + oltp->cfg->warmup_ns;
	oltp->window.end_ns = run->start_ns + oltp->cfg->time_ns;
	gate_open(oltp->gate);
	ret = team_wait(oltp->team, err);
	run_stop(run);
	if (ret)
		return ret;
	oltp_report_clients(run, oltp,
			    shared_histograms_sum(oltp->latencies, (size_t)oltp->cfg->clients));
	return oltp->backend->report(run, oltp, err);
}

static void oltp_free(struct oltp *oltp)
{
	const size_t n = (size_t)oltp->cfg->clients;

	oltp_keys_release(&oltp->keys);
	gate_free(oltp->gate);
	shared_free(oltp->clients, n * sizeof(*oltp->clients));
	shared_free(oltp->latencies, n * sizeof(*oltp->latencies));
	free(oltp);
}

/* After a failure tasks may be left, and what they use; the guard puts the database back when the process has ended. */
static int oltp_run(struct run *run, const void *cfg, struct error *err)
{
	struct oltp *oltp = xcalloc(1, sizeof(*oltp));
	int ret;

	oltp->cfg = cfg;
	oltp->backend = backend_of(cfg);
	ret = set_up(oltp, run, err);
	if (!ret)
		ret = play(run, oltp, err);
	if (oltp->team && !team_free(oltp->team))
		return ret;
	if (!ret)
		ret = oltp->backend->stop(oltp, err);
	if (!ret)
		oltp_free(oltp);
	return ret;
}

const struct workload workload_oltp = {
	.name = "oltp",
	.summary = "transactions of many clients on a model of a database, or on PostgreSQL",
	.cfg_size = sizeof(struct oltp_cfg),
	.opts = oltp_opts,
	.metrics = oltp_metrics,
	.histograms = oltp_histograms,
	.check = oltp_check,
	.needs = oltp_needs,
	.probe = oltp_probe,
	.run = oltp_run,
	.model = oltp_simulate,
	.original = oltp_original,
};
