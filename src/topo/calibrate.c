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

#define REPEATS 50
#define TURNS	2000

/* ns of one operation */
static double time_op(enum mask_op op, const struct masks *m)
{
	double start = now_ns();
	unsigned int sum = 0;

	for (unsigned int i = 0; i < TURNS; i++) {
		used(m->a);
		used(m->b);
		sum += run_one(op, m, i);
		used(m->to);
	}
	used(&sum);
	return (now_ns() - start) / TURNS;
}

/* full in @a, nothing in @b, equal in @to: nothing is decided before the last word */
static void fill_masks(struct masks *m)
{
	for (unsigned int w = 0; w < WIDE; w++) {
		m->a[w] = m->to[w] = ~UINT64_C(0);
		m->b[w] = 0;
	}
}

static void keep_least(double *least, double took, bool first)
{
	if (first || took < *least)
		*least = took;
}

void cost_calibrate(struct cost_model *model)
{
	double narrow[NR_MASK_OPS] = { 0 }, wide[NR_MASK_OPS] = { 0 };
	struct masks m = {
		.a = xcalloc(WIDE, sizeof(*m.a)),
		.b = xcalloc(WIDE, sizeof(*m.b)),
		.to = xcalloc(WIDE, sizeof(*m.to)),
	};

	/* operations in turn, so that a disturbance of some ms can't hit all repeats of one */
	for (unsigned int k = 0; k < REPEATS; k++)
		for (unsigned int op = 0; op < NR_MASK_OPS; op++) {
			fill_masks(&m);
			m.width = NARROW;
			keep_least(&narrow[op], time_op((enum mask_op)op, &m), !k);
			m.width = WIDE;
			keep_least(&wide[op], time_op((enum mask_op)op, &m), !k);
		}
	free(m.a);
	free(m.b);
	free(m.to);
	for (unsigned int op = 0; op < NR_MASK_OPS; op++) {
		bool one_word = op == OP_TEST_BIT || op == OP_SET_BIT;
		double word = one_word ? 0 : (wide[op] - narrow[op]) / (WIDE - NARROW);

		word = word > 0 ? word : 0;
		model->word_ns[op] = word;
		model->base_ns[op] = narrow[op] > word * NARROW ? narrow[op] - word * NARROW : 0;
	}
}
