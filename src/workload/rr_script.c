// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/rr_script.c - what clients ask. tbench replays what a file server was once asked; here requests have the
 * same kinds, sizes and shares in a random order: doc/workloads/rr.md tells how the table was made.
 */
#include "workload/rr.h"

#include "base/mem.h"
#include "base/rng.h"

#include <stdlib.h>

#define TBENCH_STEPS 16384

/**
 * struct kind - requests of one kind and size
 * @weight:  their number in tbench's file, of some 458,000
 * @payload: bytes of a file that are read (in the response) or written (in the request)
 */
struct kind {
	uint32_t op;
	uint32_t weight;
	uint32_t request;
	uint32_t response;
	uint32_t payload;
};

enum {
	OP_CREATE,
	OP_CLOSE,
	OP_RENAME,
	OP_UNLINK,
	OP_QUERY_PATH,
	OP_QUERY_FILE,
	OP_QUERY_FS,
	OP_SET_FILE,
	OP_FIND,
	OP_WRITE,
	OP_READ,
	OP_LOCK,
	OP_UNLOCK,
	OP_FLUSH,
};

/* In the order of tbench's table. */
static const char *const op_names[RR_OPS] = {
	[OP_CREATE] = "NTCreateX", [OP_CLOSE] = "Close",	  [OP_RENAME] = "Rename",
	[OP_UNLINK] = "Unlink",	   [OP_QUERY_PATH] = "Qpathinfo", [OP_QUERY_FILE] = "Qfileinfo",
	[OP_QUERY_FS] = "Qfsinfo", [OP_SET_FILE] = "Sfileinfo",	  [OP_FIND] = "Find",
	[OP_WRITE] = "WriteX",	   [OP_READ] = "ReadX",		  [OP_LOCK] = "LockX",
	[OP_UNLOCK] = "UnlockX",   [OP_FLUSH] = "Flush",
};

/* clang-format off */
#define READ(weight, bytes)  { OP_READ, weight, 59, 59 + (bytes), bytes }
#define WRITE(weight, bytes) { OP_WRITE, weight, 59 + (bytes), 55, bytes }
static const struct kind kinds[] = {
	{ OP_CREATE, 79230, 160, 87, 0 },
	{ OP_CLOSE, 58200, 47, 39, 0 },
	{ OP_RENAME, 3355, 213, 39, 0 },
	{ OP_UNLINK, 16000, 119, 39, 0 },
	{ OP_QUERY_PATH, 71814, 141, 71, 0 },
	{ OP_QUERY_FILE, 12585, 59, 71, 0 },
	{ OP_QUERY_FS, 13168, 59, 71, 0 },
	{ OP_SET_FILE, 6454, 71, 47, 0 },
	{ OP_FIND, 27765, 111, 1029, 0 },
	WRITE(12658, 65536), WRITE(9942, 4096), WRITE(7424, 1), WRITE(1677, 2048), WRITE(1164, 8192),
	WRITE(6637, 20003), /* all others, at their mean */
	READ(83172, 4096), READ(16641, 61440), READ(4644, 8192), READ(4644, 2048), READ(1937, 16384),
	READ(13161, 2264), /* likewise */
	{ OP_LOCK, 258, 51, 39, 0 },
	{ OP_UNLOCK, 258, 51, 39, 0 },
	{ OP_FLUSH, 5553, 41, 39, 0 },
};
/* clang-format on */

const char *rr_op_name(size_t op)
{
	return op < RR_OPS ? op_names[op] : NULL;
}

static uint64_t sum_of_weights(void)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		sum += kinds[i].weight;
	return sum;
}

static struct rr_step step_of(const struct kind *kind)
{
	return (struct rr_step){ .request = kind->request,
				 .response = kind->response,
				 .payload = kind->payload,
				 .op = kind->op };
}

/* Each kind as often as its weight says, to within one; then shuffled. */
static void deal_steps(struct rr_step *steps, size_t nr, uint64_t seed)
{
	const uint64_t sum = sum_of_weights();
	uint64_t below = 0;
	struct rng rng;
	size_t at = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		below += kinds[i].weight;
		while (at < (below * nr + sum / 2) / sum)
			steps[at++] = step_of(&kinds[i]);
	}
	rng_seed(&rng, seed, "script", 0);
	for (size_t i = nr - 1; i; i--) {
		size_t j = (size_t)rng_below(&rng, i + 1);
		struct rr_step step = steps[i];

		steps[i] = steps[j];
		steps[j] = step;
	}
}

static uint32_t longest(const struct rr_script *script)
{
	uint32_t bytes = 0;

	for (size_t i = 0; i < script->nr; i++) {
		if (script->steps[i].request > bytes)
			bytes = script->steps[i].request;
		if (script->steps[i].response > bytes)
			bytes = script->steps[i].response;
	}
	return bytes;
}

void rr_script_init(struct rr_script *script, const struct rr_cfg *cfg)
{
	script->framed = cfg->flavor == RR_TBENCH;
	script->nr = script->framed ? TBENCH_STEPS : 1;
	script->steps = xcalloc(script->nr, sizeof(*script->steps));
	if (script->framed)
		deal_steps(script->steps, script->nr, cfg->seed);
	else
		script->steps[0] = (struct rr_step){ .request = (uint32_t)cfg->request_bytes,
						     .response = (uint32_t)cfg->response_bytes };
	script->longest = longest(script);
}

void rr_script_release(struct rr_script *script)
{
	free(script->steps);
	script->steps = NULL;
}
