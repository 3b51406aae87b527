// SPDX-License-Identifier: GPL-2.0-only
/* workload/oltp_simulate.c - oltp_client.c and oltp_model.c on a simulated machine: their tasks, queue, locks and log. */
#include "workload/oltp.h"

#include "base/mem.h"
#include "workload/model_team.h"
#include "workload/work.h"

#include <errno.h>
#include <stdlib.h>

/* Statements of a transaction: which of them is the first to write, and the last. */
#define FIRST_WRITE (1 + OLTP_POINTS + OLTP_RANGES)
#define COMMIT	    (OLTP_STATEMENTS - 1)

/* struct cond - a condition: tasks that wait for what others say */
struct cond {
	struct sim_futex *futex;
	uint64_t waiting;
};

/* What a task does next. */
enum client_state {
	C_COMES,
	C_STARTS,
	C_WANTS,
	C_ORDERS,
	C_AWAITS,
	C_CLOSES,
	C_LEAVES,
};

enum server_state {
	S_COMES,
	S_TAKES,
	S_BEGINS,
	S_LOCKED,
	S_COMPUTES,
	S_COMPUTED,
	S_AWAITS_LOG,
	S_UNLOCKS,
	S_LEAVES,
};

/* struct wanter - a client with its order; @waits: it sleeps until that is @done */
struct wanter {
	struct oltp_sim *os;
	struct oltp_client *client;
	enum client_state state;
	struct arrivals arrivals;
	uint64_t due_ns, ordered_ns;
	struct oltp_tx tx;
	struct cond answered;
	bool done, waiting;
	struct wanter *next;
};

/* struct server - @statement: of the transaction; @unlocked: rows; @waiting: it was at a condition */
struct server {
	struct oltp_sim *os;
	enum server_state state;
	struct wanter *order;
	unsigned int statement, unlocked;
	bool waiting, waits_for_row;
	uint64_t asked_ns, ticket;
};

/* struct helper - a task beside the workers: the log, checkpoints, pauses; @turn: of those that come each @every_ns */
struct helper {
	struct oltp_sim *os;
	int stage;
	uint64_t turn, every_ns, work_ns;
	bool stops, waiting;
};

struct row {
	struct sim_mutex *mutex;
	bool locked;
};

/* struct oltp_sim - @asked, @flushed: commits, as of the log; @stopped: no statement begins */
struct oltp_sim {
	struct oltp oltp;
	struct model_team team;
	uint64_t statement_ns;
	struct wanter *wanters;
	struct server *servers;
	struct helper journal, checkpoint, pause;
	struct row *rows;
	struct wanter *head, **tail;
	struct cond filled, work, safe, goes_on;
	bool queue_closed, log_closed, stopped;
	uint64_t left, servers_left;
	uint64_t asked, flushed, flushes;
	uint64_t committed, waits, target;
	struct histogram *latency, *waited;
	const struct wanter *late;
};

/* Waits until it is told; the caller looks again whether what it waits for has come. */
static void cond_wait(struct cond *cond, bool *waiting, struct sim_task *task)
{
	cond->waiting++;
	*waiting = true;
	sim_futex_wait(task, cond->futex, sim_futex_value(cond->futex));
}

/* Behind that. */
static void cond_waited(struct cond *cond, bool *waiting)
{
	if (*waiting)
		cond->waiting--;
	*waiting = false;
}

/* Return: whether that is an operation, since somebody waits */
static bool cond_tell(struct cond *cond, struct sim_task *task, uint32_t n)
{
	if (!cond->waiting)
		return false;
	sim_futex_set(cond->futex, sim_futex_value(cond->futex) + 1);
	sim_futex_wake(task, cond->futex, n);
	return true;
}

static bool sleep_to(struct wanter *w, struct sim_task *task)
{
	w->state = C_ORDERS;
	if (w->due_ns <= sim_now(sim_of(task)))
		return false;
	sim_sleep_until(task, w->due_ns);
	return true;
}

static bool want_open(struct wanter *w, struct sim_task *task)
{
	const struct oltp_window *window = &w->os->oltp.window;

	for (;;) {
		w->due_ns = window->start_ns + arrivals_next(&w->arrivals);
		w->state = C_CLOSES;
		if (w->due_ns >= window->end_ns)
			return false;
		if (sim_now(sim_of(task)) < window->end_ns)
			return sleep_to(w, task);
		oltp_count_unserved(w->client, w->due_ns);
	}
}

static bool want_closed(struct wanter *w, struct sim_task *task)
{
	w->due_ns = sim_now(sim_of(task));
	if (w->os->oltp.cfg->think_ns)
		w->due_ns += oltp_think(w->client);
	w->state = C_CLOSES;
	return w->due_ns < w->os->oltp.window.end_ns ? sleep_to(w, task) : false;
}

static bool put_order(struct wanter *w, struct sim_task *task)
{
	struct oltp_sim *os = w->os;

	oltp_tx_draw(&w->tx, &os->oltp.keys, &w->client->rng);
	w->ordered_ns = sim_now(sim_of(task));
	w->done = false;
	w->next = NULL;
	*os->tail = w;
	os->tail = &w->next;
	w->state = C_AWAITS;
	return cond_tell(&os->filled, task, 1);
}

static bool await_answer(struct wanter *w, struct sim_task *task)
{
	const uint64_t now_ns = sim_now(sim_of(task));

	cond_waited(&w->answered, &w->waiting);
	if (!w->done) {
		cond_wait(&w->answered, &w->waiting, task);
		return true;
	}
	if (now_ns - w->ordered_ns > w->os->oltp.cfg->patience_ns) {
		w->os->late = w;
		sim_stop(sim_of(task));
		return true;
	}
	oltp_count(w->client, w->due_ns, now_ns);
	w->state = C_WANTS;
	return false;
}

static bool wanter_goes_on(struct wanter *w, struct sim_task *task)
{
	struct oltp_sim *os = w->os;

	switch (w->state) {
	case C_COMES:
		sim_set_slack(task, 1);
		w->state = C_STARTS;
		model_gate_pass(&os->team.gate, task);
		return true;
	case C_STARTS:
		w->state = C_WANTS;
		return false;
	case C_WANTS:
		return os->oltp.cfg->rate ? want_open(w, task) : want_closed(w, task);
	case C_ORDERS:
		return put_order(w, task);
	case C_AWAITS:
		return await_answer(w, task);
	case C_CLOSES:
		w->state = C_LEAVES;
		if (--os->left)
			return false;
		os->queue_closed = true;
		return cond_tell(&os->filled, task, UINT32_MAX);
	case C_LEAVES:
		sim_exit(task);
		return true;
	}
	return true;
}

static void wanter_step(struct sim_task *task, void *data)
{
	while (!wanter_goes_on(data, task))
		;
}

/* The last one ends the log. */
static bool leave(struct server *s, struct sim_task *task)
{
	struct oltp_sim *os = s->os;

	s->state = S_LEAVES;
	if (--os->servers_left)
		return false;
	os->log_closed = true;
	return cond_tell(&os->work, task, 1);
}

static bool take_order(struct server *s, struct sim_task *task)
{
	struct oltp_sim *os = s->os;

	cond_waited(&os->filled, &s->waiting);
	s->order = os->head;
	if (!s->order && os->queue_closed)
		return leave(s, task);
	if (!s->order) {
		cond_wait(&os->filled, &s->waiting, task);
		return true;
	}
	os->head = s->order->next;
	if (!os->head)
		os->tail = &os->head;
	s->statement = 0;
	s->state = S_BEGINS;
	return false;
}

static struct row *row_of(const struct server *s, unsigned int write)
{
	return &s->os->rows[s->order->tx.writes[write]];
}

static bool is_locking(const struct server *s)
{
	return s->statement >= FIRST_WRITE && s->statement < FIRST_WRITE + OLTP_WRITES;
}

static bool begin_statement(struct server *s, struct sim_task *task)
{
	struct row *row;

	s->state = S_COMPUTES;
	if (!is_locking(s))
		return false;
	row = row_of(s, s->statement - FIRST_WRITE);
	s->waits_for_row = row->locked;
	s->asked_ns = sim_now(sim_of(task));
	s->state = S_LOCKED;
	sim_lock(task, row->mutex);
	return true;
}

static bool have_lock(struct server *s, const struct sim_task *task)
{
	row_of(s, s->statement - FIRST_WRITE)->locked = true;
	if (s->waits_for_row) {
		s->os->waits++;
		histogram_add(s->os->waited, sim_now(sim_of(task)) - s->asked_ns);
	}
	s->state = S_COMPUTES;
	return false;
}

/* Not while a pause lasts. */
static bool compute(struct server *s, struct sim_task *task)
{
	cond_waited(&s->os->goes_on, &s->waiting);
	if (s->os->stopped) {
		cond_wait(&s->os->goes_on, &s->waiting, task);
		return true;
	}
	s->state = S_COMPUTED;
	sim_run(task, s->os->statement_ns);
	return true;
}

static bool end_statement(struct server *s, struct sim_task *task)
{
	struct oltp_sim *os = s->os;

	s->state = S_BEGINS;
	if (s->statement++ < COMMIT)
		return false;
	s->ticket = ++os->asked;
	s->unlocked = 0;
	s->state = S_AWAITS_LOG;
	return cond_tell(&os->work, task, 1);
}

static bool await_log(struct server *s, struct sim_task *task)
{
	cond_waited(&s->os->safe, &s->waiting);
	if (s->os->flushed < s->ticket) {
		cond_wait(&s->os->safe, &s->waiting, task);
		return true;
	}
	s->state = S_UNLOCKS;
	return false;
}

static bool unlock_rows(struct server *s, struct sim_task *task)
{
	struct row *row;

	if (s->unlocked == OLTP_WRITES) {
		s->os->committed++;
		s->order->done = true;
		s->state = S_TAKES;
		return cond_tell(&s->order->answered, task, 1);
	}
	row = row_of(s, s->unlocked++);
	row->locked = false;
	sim_unlock(task, row->mutex);
	return true;
}

static bool server_goes_on(struct server *s, struct sim_task *task)
{
	switch (s->state) {
	case S_COMES:
		s->state = S_TAKES;
		model_gate_pass(&s->os->team.gate, task);
		return true;
	case S_TAKES:
		return take_order(s, task);
	case S_BEGINS:
		return begin_statement(s, task);
	case S_LOCKED:
		return have_lock(s, task);
	case S_COMPUTES:
		return compute(s, task);
	case S_COMPUTED:
		return end_statement(s, task);
	case S_AWAITS_LOG:
		return await_log(s, task);
	case S_UNLOCKS:
		return unlock_rows(s, task);
	case S_LEAVES:
		sim_exit(task);
		return true;
	}
	return true;
}

static void server_step(struct sim_task *task, void *data)
{
	while (!server_goes_on(data, task))
		;
}

/* What came while it slept goes with the next flush. */
static bool journal_goes_on(struct helper *h, struct sim_task *task)
{
	struct oltp_sim *os = h->os;

	switch (h->stage) {
	case 0:
		sim_set_slack(task, 1);
		h->stage = 1;
		model_gate_pass(&os->team.gate, task);
		return true;
	case 1:
		cond_waited(&os->work, &h->waiting);
		if (os->asked == os->flushed && !os->log_closed) {
			cond_wait(&os->work, &h->waiting, task);
			return true;
		}
		os->target = os->asked;
		if (os->target == os->flushed) {
			sim_exit(task);
			return true;
		}
		h->stage = 2;
		if (!os->oltp.cfg->flush_ns)
			return false;
		sim_sleep_until(task, sim_now(sim_of(task)) + os->oltp.cfg->flush_ns);
		return true;
	default:
		os->flushed = os->target;
		os->flushes++;
		h->stage = 1;
		return cond_tell(&os->safe, task, UINT32_MAX);
	}
}

static void journal_step(struct sim_task *task, void *data)
{
	while (!journal_goes_on(data, task))
		;
}

/* At the end there is no further turn. */
static bool periodic_goes_on(struct helper *h, struct sim_task *task)
{
	const struct oltp_window *window = &h->os->oltp.window;
	const uint64_t at_ns = window->start_ns + h->turn * h->every_ns;

	switch (h->stage++) {
	case 0:
		model_gate_pass(&h->os->team.gate, task);
		h->turn = 1;
		return true;
	case 1:
		sim_sleep_until(task, at_ns < window->end_ns ? at_ns : window->end_ns);
		return true;
	case 2:
		if (at_ns >= window->end_ns) {
			sim_exit(task);
			return true;
		}
		h->os->stopped |= h->stops;
		sim_run(task, h->work_ns);
		return true;
	default:
		h->turn++;
		h->stage = 1;
		if (!h->stops)
			return false;
		h->os->stopped = false;
		return cond_tell(&h->os->goes_on, task, UINT32_MAX);
	}
}

static void periodic_step(struct sim_task *task, void *data)
{
	while (!periodic_goes_on(data, task))
		;
}

static uint64_t nr_helpers(const struct oltp_cfg *cfg)
{
	return 1 + (cfg->checkpoint_ns != 0) + (cfg->pause_ns != 0);
}

static void make(struct model_team *team, struct sim_task *task, uint64_t i)
{
	struct oltp_sim *os = team->data;
	const struct oltp_cfg *cfg = os->oltp.cfg;
	const uint64_t clients_from = cfg->workers + nr_helpers(cfg);
	struct sim_task_spec spec = { .thread = true };

	if (i < cfg->workers)
		spec = (struct sim_task_spec){ "worker", server_step, &os->servers[i] };
	else if (i >= clients_from)
		spec = (struct sim_task_spec){ "client", wanter_step,
					       &os->wanters[i - clients_from] };
	else if (i == cfg->workers)
		spec = (struct sim_task_spec){ "log", journal_step, &os->journal };
	else if (i == cfg->workers + 1 && cfg->checkpoint_ns)
		spec = (struct sim_task_spec){ "checkpoint", periodic_step, &os->checkpoint };
	else
		spec = (struct sim_task_spec){ "pause", periodic_step, &os->pause };
	spec.thread = true;
	sim_fork(task, &spec);
}

static void open_window(struct model_team *team, struct sim_task *task)
{
	struct oltp *oltp = &((struct oltp_sim *)team->data)->oltp;
	const uint64_t now_ns = sim_now(sim_of(task));

	oltp->window = (struct oltp_window){ .start_ns = now_ns,
					     .count_ns = now_ns + oltp->cfg->warmup_ns,
					     .end_ns = now_ns + oltp->cfg->time_ns };
}

static uint64_t work_ns(const struct sim *sim, uint64_t ns)
{
	return model_work(sim, work_units(model_unit(sim), ns));
}

static void init_clients(struct oltp_sim *os, struct sim *sim)
{
	const struct oltp_cfg *cfg = os->oltp.cfg;

	os->oltp.clients = xaligned(SHARED_ALIGN, cfg->clients * sizeof(*os->oltp.clients));
	os->wanters = sim_alloc(sim, cfg->clients * sizeof(*os->wanters));
	for (uint64_t i = 0; i < cfg->clients; i++) {
		struct oltp_client *client = &os->oltp.clients[i];
		struct wanter *w = &os->wanters[i];

		*client =
			(struct oltp_client){ .oltp = &os->oltp, .nr = i, .latency = os->latency };
		rng_seed(&client->rng, cfg->seed, "client", i);
		w->os = os;
		w->client = client;
		w->answered.futex = sim_futex_new(sim);
		if (cfg->rate)
			arrivals_start(&w->arrivals, cfg->arrivals, (double)cfg->rate, cfg->seed, i,
				       cfg->clients);
	}
}

static void init_servers(struct oltp_sim *os, struct sim *sim)
{
	const struct oltp_cfg *cfg = os->oltp.cfg;

	os->servers = sim_alloc(sim, cfg->workers * sizeof(*os->servers));
	for (uint64_t i = 0; i < cfg->workers; i++)
		os->servers[i].os = os;
	os->rows = sim_alloc(sim, cfg->rows * sizeof(*os->rows));
	for (uint64_t i = 0; i < cfg->rows; i++)
		os->rows[i].mutex = sim_mutex_new(sim);
	os->journal.os = os;
	os->checkpoint = (struct helper){ .os = os,
					  .every_ns = cfg->checkpoint_every_ns,
					  .work_ns = work_ns(sim, cfg->checkpoint_ns) };
	os->pause = (struct helper){ .os = os,
				     .every_ns = cfg->pause_every_ns,
				     .work_ns = work_ns(sim, cfg->pause_ns),
				     .stops = true };
}

static void set_up(struct oltp_sim *os, struct run *run, struct sim *sim)
{
	const struct oltp_cfg *cfg = os->oltp.cfg;
	struct cond *const conds[] = { &os->filled, &os->work, &os->safe, &os->goes_on };

	for (size_t i = 0; i < ARRAY_SIZE(conds); i++)
		conds[i]->futex = sim_futex_new(sim);
	os->tail = &os->head;
	os->left = cfg->clients;
	os->servers_left = cfg->workers;
	os->statement_ns = work_ns(sim, cfg->statement_ns);
	oltp_keys_init(&os->oltp.keys, cfg->rows, cfg->skew);
	init_clients(os, sim);
	init_servers(os, sim);
	os->team = (struct model_team){ .run = run,
					.size = cfg->workers + nr_helpers(cfg) + cfg->clients,
					.make = make,
					.open = open_window,
					.data = os };
}

static void report(struct run *run, const struct oltp_sim *os, const struct sim *sim)
{
	oltp_report_clients(run, &os->oltp, os->latency);
	if (os->committed) {
		run_sample(run, "lock-waits", (double)os->waits / (double)os->committed);
		run_sample(run, "commits-per-flush", (double)os->committed / (double)os->flushes);
	}
	run_histogram(run, "lock-wait", os->waited);
	run_sample(run, "work-unit", model_unit(sim));
}

int oltp_simulate(struct run *run, struct sim *sim, const void *arg, struct error *err)
{
	struct oltp_sim *os = sim_alloc(sim, sizeof(*os));
	const struct oltp_cfg *cfg = arg;
	int ret;

	if (cfg->url && *cfg->url)
		return error_set(err, EOPNOTSUPP, "url: PostgreSQL can't be simulated");
	os->oltp.cfg = cfg;
	os->latency = xcalloc(1, sizeof(*os->latency));
	os->waited = xcalloc(1, sizeof(*os->waited));
	set_up(os, run, sim);
	ret = model_team_play(&os->team, sim, err);
	if (!ret && os->late)
		ret = error_set(err, ETIMEDOUT, "client %zu: no transaction ended within %g s",
				os->late->client->nr, (double)cfg->patience_ns / 1e9);
	if (!ret)
		report(run, os, sim);
	oltp_keys_release(&os->oltp.keys);
	free(os->oltp.clients);
	free(os->waited);
	free(os->latency);
	return ret;
}
