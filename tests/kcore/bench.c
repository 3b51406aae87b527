// SPDX-License-Identifier: GPL-2.0-only
#include "bench.h"

#include <stdlib.h>

static const char *path;

const struct loop_shape bench_one = { .packages = 1, .cores = 1, .threads = 1 };
const struct loop_shape bench_four = { .packages = 1, .cores = 4, .threads = 1 };
const struct loop_shape bench_two_nodes = { .packages = 2, .cores = 2, .threads = 2 };

bool bench_args(int argc, char **argv)
{
	if (argc < 2) {
		puts("SKIP: no built kernel core given");
		return true;
	}
	path = argv[1];
	if (argc > 2)
		cmocka_set_test_filter(argv[2]);
	return false;
}

void bench_image(struct image *image)
{
	assert_int_equal(image_load(image, path), 0);
	assert_int_equal(image->ops->abi, CORE_ABI);
}

struct bench *bench_new_with(const struct loop_shape *shape, FILE *log, const char *const *knobs,
			     uint32_t nr_knobs)
{
	struct bench *b = calloc(1, sizeof(*b));

	bench_image(&b->image);
	b->loop.log = log;
	assert_true(loop_boot(&b->loop, b->image.ops, shape, log, knobs, nr_knobs));
	return b;
}

struct bench *bench_new(const struct loop_shape *shape)
{
	return bench_new_with(shape, NULL, NULL, 0);
}

void bench_free(struct bench *b)
{
	int64_t left;

	assert_int_equal(b->loop.warnings, 0);
	b->loop.ops->release(b->loop.core);
	b->loop.core = NULL;
	left = b->loop.blocks;
	loop_free(&b->loop);
	image_unload(&b->image);
	free(b);
	assert_int_equal(left, 0);
}

struct loop_task *bench_hog(struct bench *b, const struct core_sched *sched,
			    struct core_group *group)
{
	return loop_task(&b->loop, "hog", 0, sched, group, -1, HOG, 0);
}

double bench_ms(const struct loop_task *task)
{
	return (double)task->ran_ns / MS;
}
