/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/rr.h - what the files of rr share. */
#ifndef WORKLOAD_RR_H
#define WORKLOAD_RR_H

#include "base/error.h"
#include "base/histogram.h"
#include "base/strbuf.h"
#include "workload/result.h"
#include "workload/shared.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Which program it is to be compared with. */
enum {
	RR_NETPERF,
	RR_TBENCH,
};
enum {
	RR_TCP,
	RR_UDP,
	RR_UNIX,
};
enum {
	RR_PROCESS,
	RR_THREAD,
};

struct rr_cfg {
	int flavor;
	int transport;
	int mode;
	uint64_t pairs;
	uint64_t request_bytes;
	uint64_t response_bytes;
	uint64_t time_ns;
	uint64_t warmup_ns;
	uint64_t rate;
	int arrivals;
	uint64_t seed;
	uint64_t patience_ns;
	char *cpus;
};

/* Kinds of requests in a script. */
#define RR_OPS 14

/**
 * struct rr_step - one request and its answer
 * @payload: bytes of files in them
 * @op:      its kind, 0 .. RR_OPS - 1
 */
struct rr_step {
	uint32_t request;
	uint32_t response;
	uint32_t payload;
	uint32_t op;
};

/**
 * struct rr_script - what all clients ask, over and over, each from another place on
 * @longest: bytes of the longest request or response
 * @framed: each way begins with the bytes that follow, and a server learns from the request what to answer
 */
struct rr_script {
	struct rr_step *steps;
	size_t nr;
	uint32_t longest;
	bool framed;
};

/** rr_script_init() - as the flavor wants it; the order of tbench's is made from the seed */
void rr_script_init(struct rr_script *script, const struct rr_cfg *cfg);
void rr_script_release(struct rr_script *script);

/** rr_op_name() - as tbench calls kind @op */
const char *rr_op_name(size_t op);

/**
 * struct rr_listener - makes connected sockets; initialise with { .fd = -1 }
 * @send_bytes:    size of a fresh socket's buffer
 * @receive_bytes: likewise
 */
struct rr_listener {
	int transport;
	bool nodelay;
	int fd;
	uint16_t port;
	uint64_t patience_ns;
	uint64_t send_bytes;
	uint64_t receive_bytes;
};

int rr_listener_init(struct rr_listener *listener, const struct rr_cfg *cfg, struct error *err);

/** rr_listener_connect() - @fds[0] is the client's, @fds[1] the server's; no call on them waits longer than patience */
int rr_listener_connect(const struct rr_listener *listener, int fds[2], struct error *err);

/**
 * struct rr_window - the time that all pairs share; written before they start
 * @count_ns: behind the warm-up
 */
struct rr_window {
	uint64_t start_ns;
	uint64_t count_ns;
	uint64_t end_ns;
};

struct rr_op {
	uint64_t count;
	uint64_t sum_ns;
	uint64_t max_ns;
};

/**
 * struct rr_tally - of one client
 * @done:     answers that came in the counted time
 * @payload:  bytes of files in them
 * @unserved: requests of an open loop that were due, and not sent when time was up
 * @moves:    times that it was on another CPU than at the answer before
 * @looks:    times that it looked where the server had been
 * @same:     of those, on the same CPU
 */
struct rr_tally {
	alignas(SHARED_ALIGN) uint64_t done;
	uint64_t payload;
	uint64_t unserved;
	uint64_t moves;
	uint64_t looks;
	uint64_t same;
	struct rr_op ops[RR_OPS];
};

/* The CPU of a server at its last request. */
struct rr_trace {
	alignas(SHARED_ALIGN) unsigned int cpu;
};

struct gate;
struct places;
struct run;
struct sim;

/**
 * struct rr_pair - a client and its server
 * @fds: as of rr_listener_connect()
 */
struct rr_pair {
	const struct rr_cfg *cfg;
	const struct rr_script *script;
	const struct rr_window *window;
	const struct places *places;
	struct gate *gate;
	size_t nr;
	int fds[2];
	struct rr_tally *tally;
	struct rr_trace *trace;
	struct histogram *latency;
};

/** rr_client(), rr_server() - a team's tasks; @arg is a struct rr_pair */
int rr_client(void *arg, struct error *err);
int rr_server(void *arg, struct error *err);

/** rr_tally_add() - @step was due at @due_ns, its answer came at @now_ns */
void rr_tally_add(const struct rr_pair *pair, const struct rr_step *step, uint64_t due_ns,
		  uint64_t now_ns);

/** struct rr_look - where a client was at its last answer, and how many there were */
struct rr_look {
	unsigned int cpu;
	unsigned int answers;
};

/** rr_look_around() - at an answer, on @cpu */
void rr_look_around(const struct rr_pair *pair, struct rr_look *look, unsigned int cpu);

/** rr_count_unserved() - one that could not be sent in time has waited until the end at least: it is no better than that */
void rr_count_unserved(const struct rr_pair *pair, uint64_t due_ns);

/** struct rr_figures - what is known when all have ended; @latency: of all pairs */
struct rr_figures {
	const struct rr_cfg *cfg;
	const struct rr_script *script;
	const struct rr_window *window;
	const struct rr_tally *tallies;
	const struct histogram *latency;
	uint64_t send_bytes;
	uint64_t receive_bytes;
};

/** rr_report() - all metrics, histograms and notes; behind run_stop() */
void rr_report(struct run *run, const struct rr_figures *figures);

/** rr_model() - struct workload's */
int rr_model(struct run *run, struct sim *sim, const void *cfg, struct error *err);

/** rr_fairness() - share of the mean that the least served of @n got, in percent; 100 where none was served */
double rr_fairness(const struct rr_tally *tallies, size_t n);

/** rr_original() - struct workload's, in the lines of the program that the flavor names */
void rr_original(const struct result *result, const void *cfg, struct strbuf *sb);

#endif
