/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/oltp.h - what the files of oltp share. */
#ifndef WORKLOAD_OLTP_H
#define WORKLOAD_OLTP_H

#include "base/error.h"
#include "base/histogram.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "workload/arrivals.h"
#include "workload/result.h"
#include "workload/run.h"
#include "workload/shared.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oltp_cfg {
	uint64_t clients;
	uint64_t workers;
	uint64_t think_ns;
	uint64_t rate;
	int arrivals;
	uint64_t time_ns;
	uint64_t warmup_ns;
	uint64_t statement_ns;
	uint64_t rows;
	double skew;
	uint64_t flush_ns;
	uint64_t checkpoint_ns;
	uint64_t checkpoint_every_ns;
	uint64_t pause_ns;
	uint64_t pause_every_ns;
	uint64_t patience_ns;
	uint64_t seed;
	char *url;
};

/* A transaction is BEGIN, reads of a row, reads of a range, writes (two updates, a delete, an insert), COMMIT: 20 statements. */
#define OLTP_POINTS	10
#define OLTP_RANGES	4
#define OLTP_RANGE_ROWS 100
#define OLTP_WRITES	3 /* rows: the insert puts back what was deleted */
#define OLTP_STATEMENTS 20

/**
 * struct oltp_tx - the rows of a transaction, 0 .. rows - 1
 * @writes: ascending and different, so that no two transactions wait for each other
 */
struct oltp_tx {
	uint32_t points[OLTP_POINTS];
	uint32_t ranges[OLTP_RANGES];
	uint32_t writes[OLTP_WRITES];
};

/**
 * struct oltp_keys - which rows are asked for how often: the k-th most wanted one 1 / k^skew as often as the first
 * @below: share of all that fall on the k most wanted rows, below[0] of the first
 */
struct oltp_keys {
	double *below;
	uint64_t rows;
};

void oltp_keys_init(struct oltp_keys *keys, uint64_t rows, double skew);
void oltp_keys_release(struct oltp_keys *keys);

/** oltp_keys_draw() - a row */
uint32_t oltp_keys_draw(const struct oltp_keys *keys, struct rng *rng);

/** oltp_tx_draw() - the rows of a transaction */
void oltp_tx_draw(struct oltp_tx *tx, const struct oltp_keys *keys, struct rng *rng);

/** struct oltp_window - the time that all tasks share; written before they start */
struct oltp_window {
	uint64_t start_ns;
	uint64_t count_ns; /* behind the warm-up */
	uint64_t end_ns;
};

struct oltp;

/**
 * struct oltp_client - one that wants transactions
 * @done:     that ended in the counted time
 * @all:      that ended at all
 * @busy_ns:  sum of their latencies
 * @unserved: due in an open loop, and not begun when time was up
 * @backend:  what transact() keeps for it
 */
struct oltp_client {
	alignas(SHARED_ALIGN) struct oltp *oltp;
	size_t nr;
	uint64_t done;
	uint64_t all;
	uint64_t busy_ns;
	uint64_t unserved;
	struct histogram *latency;
	struct rng rng;
	void *backend;
};

/**
 * struct oltp_backend - what does transactions; its tasks are of the run's team and pass its gate
 * @tasks:    beside the clients
 * @start:    set up; adds its tasks to the team
 * @transact: one for @client, in its task. 0 or -errno
 * @close:    no client will come any more: its tasks end
 * @report:   after the run; what it measured
 * @stop:     after a good run: put everything back. After a failure the guard does
 */
struct oltp_backend {
	uint64_t (*tasks)(const struct oltp_cfg *cfg);
	int (*start)(struct oltp *oltp, struct error *err);
	int (*transact)(struct oltp_client *client, const struct oltp_tx *tx, struct error *err);
	void (*close)(struct oltp *oltp);
	int (*report)(struct run *run, struct oltp *oltp, struct error *err);
	int (*stop)(struct oltp *oltp, struct error *err);
};

extern const struct oltp_backend oltp_model;
extern const struct oltp_backend oltp_pg;

/**
 * struct oltp - one run
 * @left:    clients that still work
 * @private: the backend's
 */
struct oltp {
	const struct oltp_cfg *cfg;
	const struct oltp_backend *backend;
	struct oltp_keys keys;
	struct oltp_window window;
	struct gate *gate;
	struct team *team;
	struct oltp_client *clients;
	struct histogram *latencies;
	double unit_ns;
	atomic_uint_fast64_t left;
	void *private;
};

/** oltp_client_main() - a team's task; @arg is a struct oltp_client */
int oltp_client_main(void *arg, struct error *err);

/** oltp_count() - a transaction that was due at @due_ns has ended at @now_ns */
void oltp_count(struct oltp_client *client, uint64_t due_ns, uint64_t now_ns);

/** oltp_count_unserved() - one that could not begin in time has waited until the end at least: it is no better than that */
void oltp_count_unserved(struct oltp_client *client, uint64_t due_ns);

/** oltp_think() - a time to think */
uint64_t oltp_think(struct oltp_client *client);

/** oltp_report_clients() - what the clients have counted, and @latency of all of them; behind run_stop() */
void oltp_report_clients(struct run *run, const struct oltp *oltp, const struct histogram *latency);

/** oltp_simulate() - struct workload's model(), of the backend oltp_model */
int oltp_simulate(struct run *run, struct sim *sim, const void *cfg, struct error *err);

/** oltp_model_bytes() - of the model's rows, orders and workers */
uint64_t oltp_model_bytes(const struct oltp_cfg *cfg);

/** oltp_original() - struct workload's, in sysbench's lines */
void oltp_original(const struct result *result, const void *cfg, struct strbuf *sb);

#endif
