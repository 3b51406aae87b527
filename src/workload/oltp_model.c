// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/oltp_model.c - a model of a database and the application server before it: a queue, workers, rows with locks,
 * a log that many commits share, checkpoints, and pauses as a garbage collector makes them. Real tasks, locks and
 * sleeps; the work of a statement is so many calibrated units.
 */
#include "workload/oltp.h"

#include "base/clock.h"
#include "base/mem.h"
#include "workload/gate.h"
#include "workload/team.h"
#include "workload/work.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

/* Waits for a lock up to here are no page fault of the histogram. */
#define TOUCHED_NS   1000000000
#define WAITED_BYTES (96 << 10)

/* struct row - @value is read by anyone and written by who has @lock */
struct row {
	alignas(SHARED_ALIGN) atomic_uint_fast64_t value;
	pthread_mutex_t lock;
};

/**
 * struct order - what a client has in the queue; it waits for its answer
 */
struct order {
	alignas(SHARED_ALIGN) pthread_mutex_t mutex;
	pthread_cond_t answered;
	struct oltp_tx tx;
	bool done;
	struct order *next;
};

struct queue {
	alignas(SHARED_ALIGN) pthread_mutex_t mutex;
	pthread_cond_t filled;
	struct order *head, **tail;
	bool closed;
};

/**
 * struct journal - commits wait until all that was written before them is flushed
 * @asked:   commits so far
 * @flushed: of them, those that are safe
 */
struct journal {
	alignas(SHARED_ALIGN) pthread_mutex_t mutex;
	pthread_cond_t work;
	pthread_cond_t safe;
	uint64_t asked;
	uint64_t flushed;
	uint64_t flushes;
	bool closed;
};

/* struct world - @stopped: no statement begins */
struct world {
	alignas(SHARED_ALIGN) atomic_bool stopped;
	pthread_mutex_t mutex;
	pthread_cond_t goes_on;
};

struct server {
	alignas(SHARED_ALIGN) struct model *model;
	uint64_t committed;
	uint64_t waits;
	struct histogram *waited;
	volatile uint64_t read; /* what it read goes somewhere */
};

struct model {
	struct oltp *oltp;
	uint64_t units; /* of work in a statement */
	struct row *rows;
	struct order *orders;
	struct server *servers;
	struct histogram *waited;
	atomic_uint_fast64_t servers_left;
	struct queue queue;
	struct journal journal;
	struct world world;
};

uint64_t oltp_model_bytes(const struct oltp_cfg *cfg)
{
	return cfg->rows * sizeof(struct row) + cfg->workers * WAITED_BYTES +
	       cfg->clients * sizeof(struct order);
}

static uint64_t model_tasks(const struct oltp_cfg *cfg)
{
	return cfg->workers + 1 + (cfg->checkpoint_ns != 0) + (cfg->pause_ns != 0);
}

/* A statement waits for a pause to end before it begins, then costs its work. */
static void begin_statement(struct model *model)
{
	struct world *world = &model->world;

	if (atomic_load_explicit(&world->stopped, memory_order_relaxed)) {
		pthread_mutex_lock(&world->mutex);
		while (atomic_load(&world->stopped))
			pthread_cond_wait(&world->goes_on, &world->mutex);
		pthread_mutex_unlock(&world->mutex);
	}
	work_do(model->units);
}

static void read_rows(struct server *server, uint32_t first, uint32_t n)
{
	const struct row *rows = server->model->rows;
	uint64_t sum = 0;

	begin_statement(server->model);
	for (uint32_t i = 0; i < n; i++)
		sum += atomic_load_explicit(&rows[first + i].value, memory_order_relaxed);
	server->read += sum;
}

static void lock_row(struct server *server, struct row *row)
{
	uint64_t start_ns;

	if (!pthread_mutex_trylock(&row->lock))
		return;
	start_ns = clock_ns(CLOCK_MONOTONIC);
	pthread_mutex_lock(&row->lock);
	server->waits++;
	histogram_add(server->waited, clock_ns(CLOCK_MONOTONIC) - start_ns);
}

static void add_to_row(struct server *server, uint32_t nr, uint64_t n)
{
	struct row *row = &server->model->rows[nr];
	uint64_t value = atomic_load_explicit(&row->value, memory_order_relaxed);

	begin_statement(server->model);
	atomic_store_explicit(&row->value, value + n, memory_order_relaxed);
}

/* Locks are kept until the commit is safe. The delete and the insert are of one row. */
static void write_rows(struct server *server, const struct oltp_tx *tx)
{
	struct row *rows = server->model->rows;

	for (int i = 0; i < OLTP_WRITES; i++) {
		lock_row(server, &rows[tx->writes[i]]);
		add_to_row(server, tx->writes[i], 1);
	}
	add_to_row(server, tx->writes[OLTP_WRITES - 1], 1);
}

static void commit(struct model *model)
{
	struct journal *journal = &model->journal;
	uint64_t ticket;

	begin_statement(model);
	pthread_mutex_lock(&journal->mutex);
	ticket = ++journal->asked;
	pthread_cond_signal(&journal->work);
	while (journal->flushed < ticket)
		pthread_cond_wait(&journal->safe, &journal->mutex);
	pthread_mutex_unlock(&journal->mutex);
}

static void do_transaction(struct server *server, const struct oltp_tx *tx)
{
	struct model *model = server->model;

	begin_statement(model);
	for (int i = 0; i < OLTP_POINTS; i++)
		read_rows(server, tx->points[i], 1);
	for (int i = 0; i < OLTP_RANGES; i++)
		read_rows(server, tx->ranges[i], OLTP_RANGE_ROWS);
	write_rows(server, tx);
	commit(model);
	for (int i = 0; i < OLTP_WRITES; i++)
		pthread_mutex_unlock(&model->rows[tx->writes[i]].lock);
	server->committed++;
}

/* NULL once the queue is closed. */
static struct order *take_order(struct queue *queue)
{
	struct order *order;

	pthread_mutex_lock(&queue->mutex);
	while (!queue->head && !queue->closed)
		pthread_cond_wait(&queue->filled, &queue->mutex);
	order = queue->head;
	if (order) {
		queue->head = order->next;
		if (!queue->head)
			queue->tail = &queue->head;
	}
	pthread_mutex_unlock(&queue->mutex);
	return order;
}

static void answer(struct order *order)
{
	pthread_mutex_lock(&order->mutex);
	order->done = true;
	pthread_cond_signal(&order->answered);
	pthread_mutex_unlock(&order->mutex);
}

static void close_journal(struct model *model)
{
	pthread_mutex_lock(&model->journal.mutex);
	model->journal.closed = true;
	pthread_cond_signal(&model->journal.work);
	pthread_mutex_unlock(&model->journal.mutex);
}

static int server_main(void *arg, struct error *err)
{
	struct server *server = arg;
	struct model *model = server->model;
	struct order *order;

	(void)err;
	gate_pass(model->oltp->gate);
	while ((order = take_order(&model->queue))) {
		do_transaction(server, &order->tx);
		answer(order);
	}
	if (atomic_fetch_sub(&model->servers_left, 1) == 1)
		close_journal(model);
	return 0;
}

/* What came while it slept goes with the next flush. */
static int journal_main(void *arg, struct error *err)
{
	struct model *model = arg;
	struct journal *journal = &model->journal;
	uint64_t target;

	(void)err;
	prctl(PR_SET_TIMERSLACK, 1);
	gate_pass(model->oltp->gate);
	pthread_mutex_lock(&journal->mutex);
	for (;;) {
		while (journal->asked == journal->flushed && !journal->closed)
			pthread_cond_wait(&journal->work, &journal->mutex);
		target = journal->asked;
		if (target == journal->flushed)
			break;
		pthread_mutex_unlock(&journal->mutex);
		if (model->oltp->cfg->flush_ns)
			clock_sleep_until(CLOCK_MONOTONIC,
					  clock_ns(CLOCK_MONOTONIC) + model->oltp->cfg->flush_ns);
		pthread_mutex_lock(&journal->mutex);
		journal->flushed = target;
		journal->flushes++;
		pthread_cond_broadcast(&journal->safe);
	}
	pthread_mutex_unlock(&journal->mutex);
	return 0;
}

/* Sleep until the next time of something periodic. Return: false once the run is over. */
static bool sleep_until_turn(const struct model *model, uint64_t every_ns, uint64_t turn)
{
	const struct oltp_window *window = &model->oltp->window;
	uint64_t at_ns = window->start_ns + turn * every_ns;

	clock_sleep_until(CLOCK_MONOTONIC, at_ns < window->end_ns ? at_ns : window->end_ns);
	return at_ns < window->end_ns;
}

static int checkpoint_main(void *arg, struct error *err)
{
	struct model *model = arg;
	const struct oltp_cfg *cfg = model->oltp->cfg;

	(void)err;
	gate_pass(model->oltp->gate);
	for (uint64_t turn = 1; sleep_until_turn(model, cfg->checkpoint_every_ns, turn); turn++)
		work_do(work_units(model->oltp->unit_ns, cfg->checkpoint_ns));
	return 0;
}

static void set_stopped(struct world *world, bool stopped)
{
	pthread_mutex_lock(&world->mutex);
	atomic_store(&world->stopped, stopped);
	if (!stopped)
		pthread_cond_broadcast(&world->goes_on);
	pthread_mutex_unlock(&world->mutex);
}

static int pause_main(void *arg, struct error *err)
{
	struct model *model = arg;
	const struct oltp_cfg *cfg = model->oltp->cfg;

	(void)err;
	gate_pass(model->oltp->gate);
	for (uint64_t turn = 1; sleep_until_turn(model, cfg->pause_every_ns, turn); turn++) {
		set_stopped(&model->world, true);
		work_do(work_units(model->oltp->unit_ns, cfg->pause_ns));
		set_stopped(&model->world, false);
	}
	return 0;
}

static void put_order(struct queue *queue, struct order *order)
{
	pthread_mutex_lock(&queue->mutex);
	order->next = NULL;
	*queue->tail = order;
	queue->tail = &order->next;
	pthread_cond_signal(&queue->filled);
	pthread_mutex_unlock(&queue->mutex);
}

static int model_transact(struct oltp_client *client, const struct oltp_tx *tx, struct error *err)
{
	const uint64_t until_ns = clock_ns(CLOCK_MONOTONIC) + client->oltp->cfg->patience_ns;
	const struct timespec until = { .tv_sec = (time_t)(until_ns / 1000000000),
					.tv_nsec = (long)(until_ns % 1000000000) };
	struct order *order = client->backend;
	struct model *model = client->oltp->private;
	int code = 0;

	order->tx = *tx;
	order->done = false;
	put_order(&model->queue, order);
	pthread_mutex_lock(&order->mutex);
	while (!order->done && !code)
		code = pthread_cond_timedwait(&order->answered, &order->mutex, &until);
	pthread_mutex_unlock(&order->mutex);
	if (!code)
		return 0;
	return error_set(err, code, "no transaction ended within %g s",
			 (double)client->oltp->cfg->patience_ns / 1e9);
}

static void model_close(struct oltp *oltp)
{
	struct queue *queue = &((struct model *)oltp->private)->queue;

	pthread_mutex_lock(&queue->mutex);
	queue->closed = true;
	pthread_cond_broadcast(&queue->filled);
	pthread_mutex_unlock(&queue->mutex);
}

static void init_order(struct order *order)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&order->answered, &monotonic);
	pthread_mutex_init(&order->mutex, NULL);
	pthread_condattr_destroy(&monotonic);
}

static int map_memory(struct model *model, struct error *err)
{
	const struct oltp_cfg *cfg = model->oltp->cfg;

	model->rows = shared_new(cfg->rows * sizeof(struct row), "rows", err);
	model->orders = shared_new(cfg->clients * sizeof(struct order), "orders", err);
	model->servers = shared_new(cfg->workers * sizeof(struct server), "workers", err);
	model->waited = shared_histograms(cfg->workers, TOUCHED_NS, err);
	if (!model->rows || !model->orders || !model->servers || !model->waited)
		return -ENOMEM;
	for (uint64_t i = 0; i < cfg->rows; i++)
		pthread_mutex_init(&model->rows[i].lock, NULL);
	for (uint64_t i = 0; i < cfg->clients; i++) {
		init_order(&model->orders[i]);
		model->oltp->clients[i].backend = &model->orders[i];
	}
	return 0;
}

static int add_tasks(struct model *model, struct error *err)
{
	const struct oltp_cfg *cfg = model->oltp->cfg;
	struct team *team = model->oltp->team;
	int ret = 0;

	for (uint64_t i = 0; !ret && i < cfg->workers; i++) {
		model->servers[i].model = model;
		model->servers[i].waited = &model->waited[i];
		ret = team_add(team, "worker", server_main, &model->servers[i], err);
	}
	if (!ret)
		ret = team_add(team, "log", journal_main, model, err);
	if (!ret && cfg->checkpoint_ns)
		ret = team_add(team, "checkpoint", checkpoint_main, model, err);
	if (!ret && cfg->pause_ns)
		ret = team_add(team, "pause", pause_main, model, err);
	return ret;
}

static int model_start(struct oltp *oltp, struct error *err)
{
	struct model *model = shared_new(sizeof(*model), "the model", err);
	int ret;

	if (!model)
		return -ENOMEM;
	oltp->private = model;
	model->oltp = oltp;
	model->units = work_units(oltp->unit_ns, oltp->cfg->statement_ns);
	model->servers_left = oltp->cfg->workers;
	model->queue.tail = &model->queue.head;
	pthread_mutex_init(&model->queue.mutex, NULL);
	pthread_cond_init(&model->queue.filled, NULL);
	pthread_mutex_init(&model->journal.mutex, NULL);
	pthread_cond_init(&model->journal.work, NULL);
	pthread_cond_init(&model->journal.safe, NULL);
	pthread_mutex_init(&model->world.mutex, NULL);
	pthread_cond_init(&model->world.goes_on, NULL);
	ret = map_memory(model, err);
	return ret ? ret : add_tasks(model, err);
}

/* Each transaction has added 1 to two rows and 2 to a third: else a lock has let two in. */
static int check_rows(const struct model *model, uint64_t committed, struct error *err)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < model->oltp->cfg->rows; i++)
		sum += model->rows[i].value;
	if (sum == committed * (OLTP_WRITES + 1))
		return 0;
	return error_set(err, EIO,
			 "rows hold %" PRIu64 " changes, %" PRIu64 " transactions make %" PRIu64,
			 sum, committed, committed * (OLTP_WRITES + 1));
}

static int model_report(struct run *run, struct oltp *oltp, struct error *err)
{
	struct model *model = oltp->private;
	uint64_t committed = 0, waits = 0;

	for (uint64_t i = 0; i < oltp->cfg->workers; i++) {
		committed += model->servers[i].committed;
		waits += model->servers[i].waits;
	}
	if (committed) {
		run_sample(run, "lock-waits", (double)waits / (double)committed);
		run_sample(run, "commits-per-flush",
			   (double)committed / (double)model->journal.flushes);
	}
	run_histogram(run, "lock-wait",
		      shared_histograms_sum(model->waited, (size_t)oltp->cfg->workers));
	run_sample(run, "work-unit", oltp->unit_ns);
	return check_rows(model, committed, err);
}

/* All of it is memory of the process, and goes with it. */
static int model_stop(struct oltp *oltp, struct error *err)
{
	(void)oltp;
	(void)err;
	return 0;
}

const struct oltp_backend oltp_model = {
	.tasks = model_tasks,
	.start = model_start,
	.transact = model_transact,
	.close = model_close,
	.report = model_report,
	.stop = model_stop,
};
