/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/bench.h - a kernel core booted in the loop, for tests of what it does */
#ifndef KCORE_BENCH_H
#define KCORE_BENCH_H

#include "check.h"
#include "image.h"
#include "loop.h"

#define MS  1000000ULL
#define SEC 1000000000ULL
#define HOG SEC

struct bench {
	struct image image;
	struct loop loop;
};

/* one CPU; four of one package; two packages of two cores of two threads */
extern const struct loop_shape bench_one, bench_four, bench_two_nodes;

/** bench_args() - CORE.so [TEST]: which core the benches below are of. False: all is there; true: said what is not */
bool bench_args(int argc, char **argv);

/** bench_image() - the core alone, loaded anew; image_unload() */
void bench_image(struct image *image);

struct bench *bench_new_with(const struct loop_shape *shape, FILE *log, const char *const *knobs,
			     uint32_t nr_knobs);
struct bench *bench_new(const struct loop_shape *shape);

/** bench_free() - asserts that all memory goes back, and that nothing was found to be wrong */
void bench_free(struct bench *b);

/** bench_hog() - a task that computes all the time, forked on CPU 0 */
struct loop_task *bench_hog(struct bench *b, const struct core_sched *sched,
			    struct core_group *group);

/** bench_ms() - what it computed so far */
double bench_ms(const struct loop_task *task);

#endif
