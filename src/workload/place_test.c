// SPDX-License-Identifier: GPL-2.0-only
#include "workload/place.h"

#include <errno.h>

#include "fake_root.h"

/*
 * CPUs 0 and 4 are a core, 0, 1, 4, 5 have one L3, 2, 3, 6, 7 another, both on node 0; 8 is on node 1. The L3 of
 * 2 comes before its L2 in the list of caches.
 */
static void put_cpu(const char *root, unsigned int cpu, const char *core, const char *llc)
{
	char *base = xasprintf("sys/devices/system/cpu/cpu%u", cpu);
	const bool turned = cpu == 2;
	char *path;

	path = xasprintf("%s/topology/thread_siblings_list", base);
	fake_file(root, path, core);
	free(path);
	path = xasprintf("%s/cache/index%d/level", base, turned ? 1 : 0);
	fake_file(root, path, "2\n");
	free(path);
	path = xasprintf("%s/cache/index%d/shared_cpu_list", base, turned ? 1 : 0);
	fake_file(root, path, core);
	free(path);
	path = xasprintf("%s/cache/index%d/level", base, turned ? 0 : 1);
	fake_file(root, path, "3\n");
	free(path);
	path = xasprintf("%s/cache/index%d/shared_cpu_list", base, turned ? 0 : 1);
	fake_file(root, path, llc);
	free(path);
	free(base);
}

static int make_root(void **state)
{
	char *root = fake_root_new();

	for (unsigned int cpu = 0; cpu < 8; cpu++) {
		char *core = xasprintf("%u,%u\n", cpu % 4, cpu % 4 + 4);

		put_cpu(root, cpu, core, cpu % 4 < 2 ? "0-1,4-5\n" : "2-3,6-7\n");
		free(core);
	}
	put_cpu(root, 8, "8\n", "8\n");
	fake_file(root, "sys/devices/system/node/online", "0,2\n");
	fake_file(root, "sys/devices/system/node/node0/cpulist", "0-7\n");
	fake_file(root, "sys/devices/system/node/node2/cpulist", "8\n");
	*state = root;
	return 0;
}

static int remove_root(void **state)
{
	fake_root_free(*state);
	return 0;
}

static void test_place_distance_is_the_nearest_thing_shared(void **state)
{
	int fd = open(*state, O_RDONLY | O_DIRECTORY);

	assert_int_equal(place_distance(fd, 3, 3), DISTANCE_SAME);
	assert_int_equal(place_distance(fd, 0, 4), DISTANCE_SMT);
	assert_int_equal(place_distance(fd, 4, 1), DISTANCE_LLC);
	assert_int_equal(place_distance(fd, 2, 3), DISTANCE_LLC);
	assert_int_equal(place_distance(fd, 1, 2), DISTANCE_NODE);
	assert_int_equal(place_distance(fd, 8, 2), DISTANCE_REMOTE);
	close(fd);
}

static int find_pair(int fd, unsigned int pair[2], const char *allowed, enum distance distance,
		     struct error *err)
{
	struct cpumask mask = { 0 };
	int ret;

	assert_int_equal(cpumask_parse(&mask, allowed, NULL), 0);
	ret = place_pair(pair, distance, fd, &mask, err);
	cpumask_release(&mask);
	return ret;
}

static void test_place_pair_takes_the_first_of_those_allowed(void **state)
{
	static const struct {
		const char *allowed;
		enum distance distance;
		unsigned int a, b;
	} cases[] = {
		{ "0-8", DISTANCE_SAME, 0, 0 },	  { "3,5", DISTANCE_SAME, 3, 3 },
		{ "0-8", DISTANCE_SMT, 0, 4 },	  { "0-3,7", DISTANCE_SMT, 3, 7 },
		{ "0-8", DISTANCE_LLC, 0, 1 },	  { "0-8", DISTANCE_NODE, 0, 2 },
		{ "0-8", DISTANCE_REMOTE, 0, 8 },
	};
	int fd = open(*state, O_RDONLY | O_DIRECTORY);
	unsigned int pair[2];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(find_pair(fd, pair, cases[i].allowed, cases[i].distance, NULL), 0);
		assert_int_equal(pair[0], cases[i].a);
		assert_int_equal(pair[1], cases[i].b);
	}
	close(fd);
}

static void test_place_pair_says_what_there_is(void **state)
{
	int fd = open(*state, O_RDONLY | O_DIRECTORY);
	struct error err = { 0 };
	unsigned int pair[2];

	assert_int_equal(find_pair(fd, pair, "0,1,2", DISTANCE_SMT, &err), -EOPNOTSUPP);
	assert_string_equal(err.text, "no two CPUs that this process may use are at distance "
				      "'smt', there is: same, llc, node");
	close(fd);
}

/* Without folders of caches the two packages take their place; without nodes all are one. */
static void test_place_distance_without_caches_is_by_package(void **state)
{
	char *root = fake_root_new();
	int fd = open(root, O_RDONLY | O_DIRECTORY);

	(void)state;
	fake_file(root, "sys/devices/system/cpu/cpu0/topology/physical_package_id", "0\n");
	fake_file(root, "sys/devices/system/cpu/cpu1/topology/physical_package_id", "0\n");
	fake_file(root, "sys/devices/system/cpu/cpu2/topology/physical_package_id", "1\n");
	assert_int_equal(place_distance(fd, 0, 1), DISTANCE_LLC);
	assert_int_equal(place_distance(fd, 0, 2), DISTANCE_NODE);
	close(fd);
	fake_root_free(root);
}

int main(void)
{
#define IN_ROOT(f) cmocka_unit_test_setup_teardown(f, make_root, remove_root)
	const struct CMUnitTest tests[] = {
		IN_ROOT(test_place_distance_is_the_nearest_thing_shared),
		IN_ROOT(test_place_pair_takes_the_first_of_those_allowed),
		IN_ROOT(test_place_pair_says_what_there_is),
		cmocka_unit_test(test_place_distance_without_caches_is_by_package),
	};

	return cmocka_run_group_tests_name("workload/place", tests, NULL, NULL);
}
