// SPDX-License-Identifier: GPL-2.0-only
/* Rows that are looked at while they run, and stopped as soon as the answer is known. */
#include "score.h"
#include "score_count.h"

#include "stats/redraws.h"
#include "stats/sequential.h"

#define UNITS_A_BLOCK 2 /* of each side */
#define DRAWS	      1999

void score_sequential(struct score *score, const struct score_row *row)
{
	const struct sequential_rule rule = {
		.alpha = score_rule.alpha,
		.max_blocks = row->n / UNITS_A_BLOCK,
		.first = 3,
		.every = 1,
	};
	struct score_trial store;
	size_t blocks = 0;
	struct rng rng;

	score_seed(&rng, row, "sequential");
	for (size_t i = 0; i < row->reps; i++) {
		struct trial trial = score_draw(&store, row, &rng);
		struct sequential sequential;
		struct redraws redraws;
		struct verdict verdict;

		redraws_init(&redraws, DRAWS, rule.max_blocks, i);
		sequential_look(&sequential, &trial, rule.max_blocks, &redraws, &rule);
		sequential_verdict(&verdict, &trial, BETTER_LOWER, &rule, &sequential);
		score_count(score, &verdict, row->delta);
		blocks += sequential.blocks;
		redraws_release(&redraws);
	}
	score->units = UNITS_A_BLOCK * (double)blocks / (double)row->reps;
}
