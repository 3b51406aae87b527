// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/rr.c - pairs of a client and a server on this machine: a request, an answer, one at a time. What netperf's
 * TCP_RR and UDP_RR and tbench do, in one time that all pairs share: doc/workloads/rr.md.
 */
#include "workload/rr.h"

#include "base/clock.h"
#include "base/mem.h"
#include "workload/arrivals.h"
#include "workload/gate.h"
#include "workload/places.h"
#include "workload/run.h"
#include "workload/team.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Latencies up to here are no page fault of the histogram. */
#define TOUCHED_NS    1000000000
#define TOUCHED_BYTES (96 << 10)
#define UDP_MAX	      65507

static const struct opt rr_opts[] = {
	OPT_CHOICE(
		struct rr_cfg, flavor, "netperf", "netperf|tbench",
		"the program it stands for: netperf's requests of one size, or tbench's mix of a "
		"file server"),
	OPT_CHOICE(struct rr_cfg, transport, "tcp", "tcp|udp|unix",
		   "tcp and udp on 127.0.0.1, or an AF_UNIX stream"),
	OPT_CHOICE(struct rr_cfg, mode, "process", "process|thread",
		   "what clients and servers are"),
	OPT(struct rr_cfg, pairs, "1", 1, 10000, "clients, each with a server of its own"),
	OPT_BYTES(struct rr_cfg, "request", request_bytes, "1", 1, 1 << 24, "bytes of a request"),
	OPT_BYTES(struct rr_cfg, "response", response_bytes, "1", 1, 1 << 24, "bytes of an answer"),
	OPT_NS(struct rr_cfg, "time", time_ns, "10s", 1e6, 3600e9,
	       "how long, the warm-up included"),
	OPT_NS(struct rr_cfg, "warmup", warmup_ns, "0", 0, 3600e9,
	       "part of the time whose requests are not counted"),
	OPT(struct rr_cfg, rate, "0", 0, 1e7,
	    "requests a second of all pairs together, whether or not answers come (open loop); 0: "
	    "the next one follows the answer (closed loop)"),
	OPT_CHOICE(struct rr_cfg, arrivals, "poisson", ARRIVALS_CHOICES,
		   "when the requests of an open loop are due"),
	OPT(struct rr_cfg, seed, "1", 0, 1e18, "of arrivals and of tbench's order"),
	OPT_NS(struct rr_cfg, "patience", patience_ns, "10s", 1e6, 3600e9,
	       "a request without an answer for so long ends the run as failed"),
	OPT(struct rr_cfg, cpus, "free", 0, 0,
	    "'free'; a list like 0 or 0-3 that all tasks are bound to; or all clients on one CPU "
	    "and all servers on another at the distance " DISTANCE_CHOICES),
	OPT_END,
};

static const struct metric rr_metrics[] = {
	{ "transactions", UNIT_PER_SECOND, BETTER_HIGHER, "requests answered, of all pairs" },
	{ "latency-p50", UNIT_NS, BETTER_LOWER, "half of the requests take at most this long",
	  "latency", 0.5 },
	{ "latency-p90", UNIT_NS, BETTER_LOWER, "90 % of the requests", "latency", 0.9 },
	{ "latency-p99", UNIT_NS, BETTER_LOWER, "99 % of the requests", "latency", 0.99 },
	{ "latency-p99.9", UNIT_NS, BETTER_LOWER, "99.9 % of the requests", "latency", 0.999 },
	{ "latency-max", UNIT_NS, BETTER_LOWER, "the longest of all", "latency", 1 },
	{ "fairness", UNIT_PERCENT, BETTER_HIGHER,
	  "what the least served pair got, of the mean of all pairs; where there are several" },
	{ "unserved", UNIT_COUNT, BETTER_LOWER,
	  "requests of an open loop that were due and not sent when time was up" },
	{ "payload", UNIT_PER_SECOND, BETTER_HIGHER,
	  "bytes of files in tbench's requests and answers" },
	{ "same-cpu", UNIT_PERCENT, BETTER_NONE,
	  "answers that came from the client's own CPU; every 16th is looked at" },
	{ "moves", UNIT_COUNT, BETTER_NONE,
	  "times that a client got an answer on another CPU than the one before" },
	{ "send-buffer", UNIT_BYTES, BETTER_NONE, "of a fresh socket" },
	{ "receive-buffer", UNIT_BYTES, BETTER_NONE, "of a fresh socket" },
	{ 0 },
};

static const struct metric rr_histograms[] = {
	{ "latency", UNIT_NS, BETTER_LOWER,
	  "from the request to the whole answer; in an open loop from when it was due" },
	{ 0 },
};

static int rr_check(const void *arg, struct error *err)
{
	const struct rr_cfg *cfg = arg;
	struct places places = { 0 };
	int ret = places_parse(&places, cfg->cpus, err);

	places_release(&places);
	if (ret)
		return ret;
	if (cfg->warmup_ns >= cfg->time_ns)
		return error_set(err, EINVAL, "warmup: must be shorter than time");
	if (cfg->flavor == RR_TBENCH && cfg->transport == RR_UDP)
		return error_set(err, EINVAL, "transport: tcp or unix with flavor=tbench");
	if (cfg->flavor == RR_TBENCH && (cfg->request_bytes != 1 || cfg->response_bytes != 1))
		return error_set(err, EINVAL,
				 "request, response: of many sizes with flavor=tbench");
	if (cfg->transport == RR_UDP &&
	    (cfg->request_bytes > UDP_MAX || cfg->response_bytes > UDP_MAX))
		return error_set(err, EINVAL, "request, response: at most %d bytes with udp",
				 UDP_MAX);
	return 0;
}

static void rr_needs(const void *arg, struct needs *needs)
{
	const struct rr_cfg *cfg = arg;
	struct places places = { 0 };
	uint64_t longest = cfg->flavor == RR_TBENCH ? 1 << 16 : cfg->request_bytes;

	places_parse(&places, cfg->cpus, NULL);
	if (longest < cfg->response_bytes)
		longest = cfg->response_bytes;
	needs->tasks = 2 * cfg->pairs + 1;
	/* threads share both ends of all pairs; else the worker has those of one, and its listener */
	needs->fds = cfg->mode == RR_THREAD ? 2 * cfg->pairs + 1 : 3;
	needs->memory_bytes = cfg->pairs * (2 * longest + TOUCHED_BYTES);
	needs->binds = places.bound || places.pair;
	needs->cpus = places.pair && places.distance != DISTANCE_SAME ? 2 : 1;
	places_release(&places);
}

static int rr_probe(const void *arg, struct error *err)
{
	const struct rr_cfg *cfg = arg;

	return places_probe(cfg->cpus, err);
}

/**
 * struct rr - one run
 * @tallies, @traces, @latencies: one a pair, in memory that all tasks share
 */
struct rr {
	const struct rr_cfg *cfg;
	struct rr_script script;
	struct rr_listener listener;
	struct places places;
	struct gate *gate;
	struct team *team;
	struct rr_pair *pairs;
	struct rr_window *window;
	struct rr_tally *tallies;
	struct rr_trace *traces;
	struct histogram *latencies;
};

static int add_pair(struct rr *rr, size_t i, struct error *err)
{
	struct rr_pair *pair = &rr->pairs[i];
	int ret;

	*pair = (struct rr_pair){ .cfg = rr->cfg,
				  .script = &rr->script,
				  .window = rr->window,
				  .places = &rr->places,
				  .gate = rr->gate,
				  .nr = i,
				  .tally = &rr->tallies[i],
				  .trace = &rr->traces[i],
				  .latency = &rr->latencies[i] };
	ret = rr_listener_connect(&rr->listener, pair->fds, err);
	if (!ret)
		ret = team_add(rr->team, "server", rr_server, pair, err);
	if (!ret)
		ret = team_add(rr->team, "client", rr_client, pair, err);
	if (!ret && rr->cfg->mode == RR_PROCESS) {
		close(pair->fds[0]);
		close(pair->fds[1]);
	}
	return ret;
}

static int set_up(struct rr *rr, const struct run *run, struct error *err)
{
	const size_t n = (size_t)rr->cfg->pairs;
	int ret;

	rr_script_init(&rr->script, rr->cfg);
	rr->pairs = xcalloc(n, sizeof(*rr->pairs));
	rr->window = shared_new(sizeof(*rr->window), "the time", err);
	rr->tallies = shared_new(n * sizeof(*rr->tallies), "tallies", err);
	rr->traces = shared_new(n * sizeof(*rr->traces), "CPUs", err);
	rr->latencies = shared_histograms(n, TOUCHED_NS, err);
	rr->gate = gate_new(err);
	if (!rr->window || !rr->tallies || !rr->traces || !rr->latencies || !rr->gate)
		return -ENOMEM;
	ret = places_enter(&rr->places, rr->cfg->cpus, err);
	if (!ret)
		ret = rr_listener_init(&rr->listener, rr->cfg, err);
	if (!ret)
		ret = team_new(&rr->team, run, rr->cfg->mode == RR_THREAD, 2 * n, err);
	for (size_t i = 0; !ret && i < n; i++)
		ret = add_pair(rr, i, err);
	return ret ? ret : gate_wait_full(rr->gate, rr->team, (uint32_t)(2 * n), err);
}

static void sample(struct run *run, const struct rr *rr)
{
	const struct rr_figures figures = {
		.cfg = rr->cfg,
		.script = &rr->script,
		.window = rr->window,
		.tallies = rr->tallies,
		.latency = shared_histograms_sum(rr->latencies, (size_t)rr->cfg->pairs),
		.send_bytes = rr->listener.send_bytes,
		.receive_bytes = rr->listener.receive_bytes,
	};

	rr_report(run, &figures);
}

static int play(struct run *run, struct rr *rr, struct error *err)
{
	int ret;

	run_start(run);
	rr->window->start_ns = run->start_ns;
	rr->window->count_ns = run->start_ns + rr->cfg->warmup_ns;
	rr->window->end_ns = run->start_ns + rr->cfg->time_ns;
	gate_open(rr->gate);
	ret = team_wait(rr->team, err);
	run_stop(run);
	if (!ret)
		sample(run, rr);
	return ret;
}

/* Open files are closed by the process's end. */
static void rr_free(struct rr *rr)
{
	const size_t n = (size_t)rr->cfg->pairs;

	rr_script_release(&rr->script);
	places_release(&rr->places);
	gate_free(rr->gate);
	shared_free(rr->window, sizeof(*rr->window));
	shared_free(rr->tallies, n * sizeof(*rr->tallies));
	shared_free(rr->traces, n * sizeof(*rr->traces));
	shared_free(rr->latencies, n * sizeof(*rr->latencies));
	free(rr->pairs);
	free(rr);
}

static int rr_run(struct run *run, const void *cfg, struct error *err)
{
	struct rr *rr = xcalloc(1, sizeof(*rr));
	int ret;

	rr->cfg = cfg;
	rr->listener.fd = -1;
	ret = set_up(rr, run, err);
	if (!ret)
		ret = play(run, rr, err);
	if (!rr->team || team_free(rr->team))
		rr_free(rr);
	return ret;
}

const struct workload workload_rr = {
	.name = "rr",
	.summary = "requests and answers between clients and servers over loopback",
	.cfg_size = sizeof(struct rr_cfg),
	.opts = rr_opts,
	.metrics = rr_metrics,
	.histograms = rr_histograms,
	.check = rr_check,
	.needs = rr_needs,
	.probe = rr_probe,
	.run = rr_run,
	.model = rr_model,
	.original = rr_original,
};
