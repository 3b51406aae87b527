// SPDX-License-Identifier: GPL-2.0-only
#include "score.h"
#include "score_count.h"

#include "base/mem.h"
#include "stats/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const struct verdict_rule score_rule = { .alpha = 0.05 };

void score_seed(struct rng *rng, const struct score_row *row, const char *what)
{
	uint64_t index = (uint64_t)lrint(row->delta * 1e6) * 64 + row->order;
	const char *noise = row->noise ? row->noise->name : "";
	char stream[64];

	snprintf(stream, sizeof(stream), "%s %s", noise, what);
	rng_seed(rng, row->n, stream, index);
}

bool score_is_call(const struct verdict *verdict)
{
	return verdict->word == VERDICT_REGRESSED || verdict->word == VERDICT_IMPROVED;
}

void score_count(struct score *score, const struct verdict *verdict, double delta)
{
	score->words[verdict->word]++;
	score->right += verdict->word == VERDICT_REGRESSED;
	score->wrong += verdict->word == VERDICT_IMPROVED;
	score->covered += verdict->ci.lo <= delta && delta <= verdict->ci.hi;
}

struct trial score_trial(struct score_trial *store, size_t n, enum order order)
{
	return (struct trial){
		.value = store->value,
		.side = store->side,
		.block = store->block,
		.n = 2 * n,
		.order = order == ORDER_SEQ ? TRIAL_SEQUENCE : TRIAL_RANDOM,
		.runs_a = n,
		.runs_b = n,
	};
}

struct trial score_draw(struct score_trial *store, const struct score_row *row, struct rng *rng)
{
	noise_draw(store->y, 2 * row->n, row->noise, rng);
	order_draw(store->side, store->block, row->n, row->order, rng);
	for (size_t t = 0; t < 2 * row->n; t++) {
		store->y[t] += store->side[t] ? log1p(row->delta) : 0;
		store->value[t] = exp(store->y[t]);
	}
	return score_trial(store, row->n, row->order);
}

void score_peers(struct score *score, unsigned int by, const double *y, const unsigned char *side,
		 size_t n, struct rng *rng)
{
	struct peer_data data;

	peer_data_split(&data, y, side, n);
	for (enum peer peer = 0; peer < PEERS; peer++) {
		int call = by & 1U << peer ? peer_call(peer, &data, rng) : 0;

		score->peer_right[peer] += call > 0;
		score->peer_wrong[peer] += call < 0;
	}
}

void score_runs(struct score *score, const struct score_row *row)
{
	double *times = xcalloc(row->reps, sizeof(*times));
	struct score_trial store;
	struct rng rng, peers_rng;
	size_t calls = 0;

	score_seed(&rng, row, "runs");
	score_seed(&peers_rng, row, "peers");
	for (size_t i = 0; i < row->reps; i++) {
		struct trial trial = score_draw(&store, row, &rng);
		struct verdict verdict;

		if (row->by & SCORE_PEERS)
			score_peers(score, row->by, store.y, store.side, row->n, &peers_rng);
		if (!(row->by & SCORE_OURS))
			continue;
		verdict_judge(&verdict, &trial, BETTER_LOWER, &score_rule);
		score_count(score, &verdict, row->delta);
		if (row->delta != 0 && score_is_call(&verdict))
			times[calls++] = fabs(verdict.effect / row->delta);
	}
	score->exaggeration = calls ? median(times, calls) : 0;
	score->units = (double)row->n;
	free(times);
}

void score_mde(struct score *score, const struct score_row *row)
{
	double *mdes = xcalloc(row->reps, sizeof(*mdes));
	struct score_row at_mde = *row;
	struct score_trial store;
	struct rng rng;

	score_seed(&rng, row, "mde");
	for (size_t i = 0; i < row->reps; i++) {
		struct trial trial = score_draw(&store, row, &rng);
		struct verdict verdict;

		verdict_judge(&verdict, &trial, BETTER_LOWER, &score_rule);
		mdes[i] = verdict.mde;
	}
	at_mde.delta = median(mdes, row->reps);
	at_mde.by = SCORE_OURS;
	free(mdes);
	score_runs(score, &at_mde);
	score->mde = at_mde.delta;
}
