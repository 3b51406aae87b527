// SPDX-License-Identifier: GPL-2.0-only
/* topo/calibrate.c - the time of one mask operation on this computer. */
#include "topo/cost.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WIDE   128
#define NARROW 2

/* Masks as the kernel has them: plain words, all of them gone through. */
struct masks {
	uint64_t *a, *b, *to;
	unsigned int width;
};

/* Keeps the compiler from leaving out what nobody reads. */
static inline void used(const void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

static unsigned int run_one(enum mask_op op, const struct masks *m, unsigned int i)
{
	unsigned int n = m->width, w, sum = 0;

	switch (op) {
	case OP_FIRST:
		for (w = 0; w < n && !m->b[w]; w++)
			;
		return w;
	case OP_TEST_BIT:
		return (unsigned int)(m->a[i % n] >> i % 64) & 1;
	case OP_SET_BIT:
		m->to[i % n] |= UINT64_C(1) << i % 64;
		return 0;
	case OP_EQUAL:
		return (unsigned int)!memcmp(m->a, m->to, n * sizeof(uint64_t));
	case OP_INTERSECTS:
		for (w = 0; w < n && !(m->a[w] & m->b[w]); w++)
			;
		return w;
	case OP_SUBSET:
		for (w = 0; w < n && !(m->b[w] & ~m->a[w]); w++)
			;
		return w;
	case OP_AND:
		for (w = 0; w < n; w++)
			m->to[w] = m->a[w] & m->b[w];
		return 0;
	case OP_OR:
		for (w = 0; w < n; w++)
			m->to[w] = m->a[w] | m->b[w];
		return 0;
	case OP_ANDNOT:
		for (w = 0; w < n; w++)
			m->to[w] = m->a[w] & ~m->b[w];
		return 0;
	case OP_COPY:
		memcpy(m->to, m->a, n * sizeof(uint64_t));
		return 0;
	case OP_CLEAR:
	case OP_ARRAY_WIPE:
		memset(m->to, 0, n * sizeof(uint64_t));
		return 0;
	default:
		for (w = 0; w < n; w++)
			sum += (unsigned int)__builtin_popcountll(m->a[w]);
		return sum;
	}
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define REPEATS 5

/* ns of one operation: the least of some repeats of 20 000 */
static double time_op(enum mask_op op, unsigned int width)
{
	struct masks m = {
		.a = xcalloc(WIDE, sizeof(*m.a)),
		.b = xcalloc(WIDE, sizeof(*m.b)),
		.to = xcalloc(WIDE, sizeof(*m.to)),
		.width = width,
	};
	double least = 0;
	unsigned int sum = 0;

	/* full in @a, nothing in @b, equal in @to: nothing is decided before the last word */
	for (unsigned int w = 0; w < width; w++)
		m.a[w] = m.to[w] = ~UINT64_C(0);
	for (unsigned int k = 0; k < REPEATS; k++) {
		double start = now_ns(), took;

		for (unsigned int i = 0; i < 20000; i++) {
			used(m.a);
			used(m.b);
			sum += run_one(op, &m, i);
			used(m.to);
		}
		took = (now_ns() - start) / 20000;
		least = !k || took < least ? took : least;
	}
	used(&sum);
	free(m.a);
	free(m.b);
	free(m.to);
	return least;
}

void cost_calibrate(struct cost_model *model)
{
	for (unsigned int op = 0; op < NR_MASK_OPS; op++) {
		double narrow = time_op((enum mask_op)op, NARROW);
		double wide = time_op((enum mask_op)op, WIDE);
		bool one_word = op == OP_TEST_BIT || op == OP_SET_BIT;
		double word = one_word ? 0 : (wide - narrow) / (WIDE - NARROW);

		word = word > 0 ? word : 0;
		model->word_ns[op] = word;
		model->base_ns[op] = narrow > word * NARROW ? narrow - word * NARROW : 0;
	}
}
