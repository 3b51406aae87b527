// SPDX-License-Identifier: GPL-2.0-only
/* workload/oltp_client.c - who wants transactions, of which rows, and when. */
#include "workload/oltp.h"

#include "base/clock.h"
#include "base/mem.h"
#include "workload/gate.h"

#include <math.h>
#include <stdlib.h>
#include <sys/prctl.h>

/* A prime above any number of rows: neighbours in the order of how wanted they are lie apart in the table. */
#define SCATTER UINT64_C(2654435761)

void oltp_keys_init(struct oltp_keys *keys, uint64_t rows, double skew)
{
	double sum = 0;

	keys->rows = rows;
	keys->below = xcalloc((size_t)rows, sizeof(*keys->below));
	for (uint64_t i = 0; i < rows; i++) {
		sum += pow((double)(i + 1), -skew);
		keys->below[i] = sum;
	}
	for (uint64_t i = 0; i < rows; i++)
		keys->below[i] /= sum;
}

void oltp_keys_release(struct oltp_keys *keys)
{
	free(keys->below);
	keys->below = NULL;
}

/* The first whose share is above a uniform number. */
uint32_t oltp_keys_draw(const struct oltp_keys *keys, struct rng *rng)
{
	const double u = rng_unit(rng);
	uint64_t low = 0, high = keys->rows - 1;

	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (keys->below[middle] > u)
			high = middle;
		else
			low = middle + 1;
	}
	return (uint32_t)(low * SCATTER % keys->rows);
}

static bool is_among(const uint32_t *rows, size_t n, uint32_t row)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i] == row)
			return true;
	return false;
}

/* A row that is there already gives way to its neighbour: with the greatest skew most draws are the same. */
static void draw_writes(struct oltp_tx *tx, const struct oltp_keys *keys, struct rng *rng)
{
	for (size_t n = 0; n < OLTP_WRITES; n++) {
		uint32_t row = oltp_keys_draw(keys, rng);
		size_t at = n;

		while (is_among(tx->writes, n, row))
			row = (uint32_t)((row + 1) % keys->rows);
		for (; at && tx->writes[at - 1] > row; at--)
			tx->writes[at] = tx->writes[at - 1];
		tx->writes[at] = row;
	}
}

void oltp_tx_draw(struct oltp_tx *tx, const struct oltp_keys *keys, struct rng *rng)
{
	for (size_t i = 0; i < OLTP_POINTS; i++)
		tx->points[i] = oltp_keys_draw(keys, rng);
	for (size_t i = 0; i < OLTP_RANGES; i++) {
		uint32_t row = oltp_keys_draw(keys, rng);
		uint32_t last = (uint32_t)keys->rows - OLTP_RANGE_ROWS;

		tx->ranges[i] = row < last ? row : last;
	}
	draw_writes(tx, keys, rng);
}

void oltp_count(struct oltp_client *client, uint64_t due_ns, uint64_t now_ns)
{
	const struct oltp_window *window = &client->oltp->window;

	client->all++;
	if (now_ns >= window->count_ns && now_ns <= window->end_ns)
		client->done++;
	if (due_ns < window->count_ns)
		return;
	histogram_add(client->latency, now_ns - due_ns);
	client->busy_ns += now_ns - due_ns;
}

static int transact(struct oltp_client *client, uint64_t due_ns, struct error *err)
{
	struct oltp_tx tx;
	int ret;

	oltp_tx_draw(&tx, &client->oltp->keys, &client->rng);
	ret = client->oltp->backend->transact(client, &tx, err);
	if (!ret)
		oltp_count(client, due_ns, clock_ns(CLOCK_MONOTONIC));
	return ret;
}

uint64_t oltp_think(struct oltp_client *client)
{
	return (uint64_t)((double)client->oltp->cfg->think_ns * -log1p(-rng_unit(&client->rng)));
}

/* Thinking takes an exponential time; the next transaction is due when it ends, however late the client wakes up. */
static int closed_loop(struct oltp_client *client, struct error *err)
{
	const struct oltp *oltp = client->oltp;
	uint64_t due_ns = clock_ns(CLOCK_MONOTONIC);
	int ret = 0;

	while (!ret) {
		if (oltp->cfg->think_ns) {
			due_ns += oltp_think(client);
			if (due_ns < oltp->window.end_ns)
				clock_sleep_until(CLOCK_MONOTONIC, due_ns);
		}
		if (due_ns >= oltp->window.end_ns)
			break;
		ret = transact(client, due_ns, err);
		due_ns = clock_ns(CLOCK_MONOTONIC);
	}
	return ret;
}

void oltp_count_unserved(struct oltp_client *client, uint64_t due_ns)
{
	client->unserved++;
	if (due_ns >= client->oltp->window.count_ns)
		histogram_add(client->latency, client->oltp->window.end_ns - due_ns);
}

static int open_loop(struct oltp_client *client, struct error *err)
{
	const struct oltp *oltp = client->oltp;
	struct arrivals arrivals;
	uint64_t due_ns, now_ns;
	int ret = 0;

	arrivals_start(&arrivals, oltp->cfg->arrivals, (double)oltp->cfg->rate, oltp->cfg->seed,
		       client->nr, oltp->cfg->clients);
	for (;;) {
		due_ns = oltp->window.start_ns + arrivals_next(&arrivals);
		if (ret || due_ns >= oltp->window.end_ns)
			return ret;
		now_ns = clock_ns(CLOCK_MONOTONIC);
		if (now_ns < due_ns)
			clock_sleep_until(CLOCK_MONOTONIC, due_ns);
		if (now_ns < oltp->window.end_ns)
			ret = transact(client, due_ns, err);
		else
			oltp_count_unserved(client, due_ns);
	}
}

int oltp_client_main(void *arg, struct error *err)
{
	struct oltp_client *client = arg;
	struct oltp *oltp = client->oltp;
	int ret;

	rng_seed(&client->rng, oltp->cfg->seed, "client", client->nr);
	prctl(PR_SET_TIMERSLACK, 1);
	gate_pass(oltp->gate);
	ret = oltp->cfg->rate ? open_loop(client, err) : closed_loop(client, err);
	if (atomic_fetch_sub(&oltp->left, 1) == 1)
		oltp->backend->close(oltp);
	if (ret)
		error_prefix(err, "client %zu", client->nr);
	return ret;
}
