// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench/topo - how fast are domains built, and how does it grow? `topo [REPEATS]`
 *
 * Machines of 64 ... 8192 CPUs: two threads a core, last caches of 16 CPUs, up to 64 nodes, three
 * distances. Prints the CPU time of machine + levels + domains + check + removal, beside hwloc loading
 * a machine of that shape from its synthetic description in the same run; the growth exponents;
 * mask words that the kernel's span check touches beside the closed forms; memory. Exits 1 if a
 * count misses its closed form, or 8192 CPUs take a second.
 */
#include "topo/cost_fit.h"
#include "topo/domains.h"
#include "topo/grid.h"
#include "topo/spancheck.h"

#include "base/clock.h"
#include "base/mem.h"

#include <hwloc.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LLC_CPUS   16
#define SLOWEST_NS 1e9

static const unsigned int sizes[] = { 64, 128, 256, 512, 1024, 2048, 4096, 8192 };
#define NR_SIZES ARRAY_SIZE(sizes)

/* struct row - what one size came to; times are medians */
struct row {
	unsigned int cpus, nodes;
	double machine_ns, build_ns, hwloc_ns;
	uint32_t sets;
	size_t set_bytes;
	uint64_t words[2]; /* of the span check: pairwise_half, linear_idset */
	uint64_t closed[2];
};

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), compare_double);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

static unsigned int nodes_of(unsigned int cpus)
{
	unsigned int nodes = cpus / 128;

	return nodes < 4 ? 4 : nodes;
}

static struct machine *make(unsigned int cpus)
{
	struct grid grid = {
		.cpus = cpus,
		.threads = 2,
		.llc = LLC_CPUS,
		.nodes = nodes_of(cpus),
		.near_nodes = 2,
		.near = 20,
		.far = 32,
	};

	return machine_grid(&grid);
}

static double hwloc_once(unsigned int cpus)
{
	unsigned int nodes = nodes_of(cpus);
	char *text = xasprintf("pack:%u [numa] l3:%u l2:%u pu:2", nodes, cpus / nodes / LLC_CPUS,
			       LLC_CPUS / 2);
	uint64_t begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID), end;
	hwloc_topology_t topology;

	if (hwloc_topology_init(&topology) || hwloc_topology_set_synthetic(topology, text) ||
	    hwloc_topology_load(topology)) {
		fprintf(stderr, "hwloc refuses '%s'\n", text);
		exit(1);
	}
	end = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	hwloc_topology_destroy(topology);
	free(text);
	return (double)(end - begin);
}

static void topo_once(struct row *row, double *machine_ns, double *build_ns)
{
	struct release release;
	uint64_t t0, t1, t2;
	struct machine *m;
	struct domain_tree *tree;

	release_preset(&release, 6, 12, ARCH_X86);
	t0 = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	m = make(row->cpus);
	t1 = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	tree = domains_build(m, &release, m->online, m->online);
	t2 = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	*machine_ns = (double)(t1 - t0);
	*build_ns = (double)(t2 - t1);
	row->sets = cset_pool_count(m->pool);
	row->set_bytes = cset_pool_bytes(m->pool);
	domain_tree_free(tree);
	machine_free(m);
}

/*
 * Words of pairwise_half on blocks of neighbours, derived apart from the counting: N CPUs in blocks of
 * k, masks of W words. Equal reads W words of a pair in one block; of two blocks it stops at the lower
 * one's first word, so block i costs i * k / 64 + 1 in each of its k * (N - (i + 1) k) pairs. No pair
 * of blocks meets, so intersects reads W words of each.
 */
static uint64_t half_words(uint64_t n, uint64_t k)
{
	uint64_t width = (n + 63) / 64, blocks = n / k;
	uint64_t words = n * (k - 1) / 2 * width + n * (n - k) / 2 * width;

	for (uint64_t i = 0; i < blocks; i++)
		words += k * (n - (i + 1) * k) * (i * k / 64 + 1);
	return words;
}

/*
 * Words of linear_idset: first reads up to the block's first word; test and set touch one; a block's first
 * CPU pays intersects and or of W words, every other one equal of W; two masks are cleared.
 */
static uint64_t idset_words(uint64_t n, uint64_t k)
{
	uint64_t width = (n + 63) / 64, blocks = n / k, words = n + blocks;

	for (uint64_t i = 0; i < blocks; i++)
		words += k * (i * k / 64 + 1);
	return words + blocks * 2 * width + (n - blocks) * width + 2 * width;
}

static void count_words(struct row *row)
{
	static const enum span_check how[2] = { SPAN_PAIRWISE_HALF, SPAN_LINEAR_IDSET };
	/* SMT and CLS are the core, PKG and NODE the node */
	const unsigned int block[] = { 2, 2, LLC_CPUS, row->cpus / row->nodes,
				       row->cpus / row->nodes };
	struct machine *m = make(row->cpus);
	struct release release;

	for (unsigned int i = 0; i < 2; i++) {
		struct domain_tree *tree;

		release_preset(&release, 6, 12, ARCH_X86);
		release.topo_span_check = how[i];
		tree = domains_build(m, &release, m->online, m->online);
		row->words[i] = mask_ops_words(&tree->check);
		for (size_t b = 0; b < ARRAY_SIZE(block); b++)
			row->closed[i] += i ? idset_words(row->cpus, block[b])
					    : half_words(row->cpus, block[b]);
		domain_tree_free(tree);
	}
	machine_free(m);
}

static void measure(struct row *row, size_t repeats)
{
	double *t[3];

	for (size_t i = 0; i < 3; i++)
		t[i] = xcalloc(repeats, sizeof(**t));
	/* interleaved, so that a disturbance hits both alike */
	for (size_t i = 0; i < repeats; i++) {
		topo_once(row, &t[0][i], &t[1][i]);
		t[2][i] = hwloc_once(row->cpus);
	}
	row->machine_ns = median(t[0], repeats);
	row->build_ns = median(t[1], repeats);
	row->hwloc_ns = median(t[2], repeats);
	for (size_t i = 0; i < 3; i++)
		free(t[i]);
}

static double ours(const struct row *row)
{
	return row->machine_ns + row->build_ns;
}

static double theirs(const struct row *row)
{
	return row->hwloc_ns;
}

/* Over the larger half of the sizes, where constants are small. */
static double exponent(const struct row *row, double (*time_of)(const struct row *row))
{
	double x[NR_SIZES / 2], y[NR_SIZES / 2];

	for (size_t i = 0; i < NR_SIZES / 2; i++) {
		const struct row *r = &row[NR_SIZES / 2 + i];

		x[i] = r->cpus;
		y[i] = time_of(r);
	}
	return growth_exponent(x, y, NR_SIZES / 2);
}

static void print_row(const struct row *row)
{
	printf("%6u %5u %10.3f %10.3f %10.3f %8.2f %8u %10zu %14" PRIu64 "%c %12" PRIu64 "%c\n",
	       row->cpus, row->nodes, row->machine_ns / 1e6, row->build_ns / 1e6,
	       row->hwloc_ns / 1e6, ours(row) / row->hwloc_ns, row->sets, row->set_bytes / 1024,
	       row->words[0], row->words[0] == row->closed[0] ? ' ' : '!', row->words[1],
	       row->words[1] == row->closed[1] ? ' ' : '!');
}

int main(int argc, char **argv)
{
	size_t repeats = argc > 1 ? strtoul(argv[1], NULL, 10) : 7;
	struct row row[NR_SIZES] = { 0 };
	bool good = true;

	if (!repeats || repeats > 1000) {
		fprintf(stderr, "usage: topo [REPEATS, 1 to 1000]\n");
		return 2;
	}
	printf("%zu interleaved repeats, medians; 6.12 on x86; ratio is ours to hwloc's\n",
	       repeats);
	printf("%6s %5s %10s %10s %10s %8s %8s %10s %15s %13s\n", "CPUs", "nodes", "machine ms",
	       "domains ms", "hwloc ms", "ratio", "sets", "sets KiB", "half words", "idset words");
	for (size_t i = 0; i < NR_SIZES; i++) {
		row[i].cpus = sizes[i];
		row[i].nodes = nodes_of(sizes[i]);
		measure(&row[i], repeats);
		count_words(&row[i]);
		print_row(&row[i]);
		fflush(stdout);
		for (int k = 0; k < 2; k++)
			good = good && row[i].words[k] == row[i].closed[k];
	}
	printf("time grows as CPUs to the power %.2f, hwloc's %.2f (1024 CPUs on)\n",
	       exponent(row, ours), exponent(row, theirs));
	printf("words: %s\n", good ? "every count is its closed form" : "! is not its closed form");
	good = good && ours(&row[NR_SIZES - 1]) < SLOWEST_NS;
	return good ? 0 : 1;
}
