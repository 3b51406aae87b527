// SPDX-License-Identifier: GPL-2.0-only
/* workload/numa_plan.c - the tests' numbers, and who works where. */
#include "workload/numa.h"

#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define MIB		(UINT64_C(1) << 20)
#define GIB		(UINT64_C(1) << 30)
#define PAGE_BYTES_MIN	4096
#define TOTAL_BYTES_MAX (UINT64_C(1) << 62)
#define PERF_LIMIT_NS	UINT64_C(5000000000)

/* How many processes, or threads of each, the machine decides. */
enum scale {
	ONE,
	TWO,
	CPUS,
	HALF_CPUS,
	NODES,
	TWO_NODES,
	CPUS_OF_NODE,
	HALF_CPUS_OF_NODE,
};

static const struct shape {
	enum scale processes;
	enum scale threads;
	uint64_t size_bytes;
	uint64_t thread_bytes;
	uint64_t rounds;
	bool sliced;
	enum numa_touch touch;
	int access;
	int order;
} shapes[] = {
	[NUMA01] = { TWO, HALF_CPUS, 3 * GIB, 0, 50, false, TOUCH_THREADS, ACCESS_ZERO,
		     ORDER_FORWARD },
	[NUMA01_THREAD_LOCAL] = { TWO, HALF_CPUS, 3 * GIB, 0, 1000, true, TOUCH_THREADS,
				  ACCESS_ZERO, ORDER_FORWARD },
	[NUMA02] = { ONE, CPUS, 1 * GIB, 0, 800, true, TOUCH_MAIN, ACCESS_ZERO, ORDER_FORWARD },
	[NUMA02_SMT] = { ONE, HALF_CPUS, 1 * GIB, 0, 800, true, TOUCH_MAIN, ACCESS_ZERO,
			 ORDER_FORWARD },
	[PERF_NUMA01] = { TWO, HALF_CPUS, 3 * GIB, 0, 50, false, TOUCH_SET_UP, ACCESS_UPDATE,
			  ORDER_BOTH },
	[PERF_NUMA02] = { ONE, CPUS, 0, 32 * MIB, 800, false, TOUCH_SET_UP, ACCESS_UPDATE,
			  ORDER_BOTH },
	[PERF_NUMA03] = { ONE, CPUS, 3 * GIB, 0, 50, false, TOUCH_SET_UP, ACCESS_UPDATE,
			  ORDER_BOTH },
	[PERF_NUMA04] = { NODES, CPUS_OF_NODE, 3 * GIB, 0, 50, false, TOUCH_SET_UP, ACCESS_UPDATE,
			  ORDER_BOTH },
	[PERF_NUMA05] = { TWO_NODES, HALF_CPUS_OF_NODE, 3 * GIB, 0, 50, false, TOUCH_SET_UP,
			  ACCESS_UPDATE, ORDER_BOTH },
	[PERF_MEM] = { ONE, ONE, 0, 0, 0, false, TOUCH_SET_UP, ACCESS_UPDATE, ORDER_RANDOM },
};

static uint64_t scaled(enum scale scale, uint64_t cpus, uint64_t nodes)
{
	static const struct {
		uint64_t times, by;
		bool cpus, nodes, per_node;
	} rules[] = {
		[ONE] = { 1, 1, false, false, false },
		[TWO] = { 2, 1, false, false, false },
		[CPUS] = { 1, 1, true, false, false },
		[HALF_CPUS] = { 1, 2, true, false, false },
		[NODES] = { 1, 1, false, true, false },
		[TWO_NODES] = { 2, 1, false, true, false },
		[CPUS_OF_NODE] = { 1, 1, true, false, true },
		[HALF_CPUS_OF_NODE] = { 1, 2, true, false, true },
	};
	uint64_t n = rules[scale].times * (rules[scale].cpus ? cpus : 1) *
		     (rules[scale].nodes ? nodes : 1) /
		     (rules[scale].by * (rules[scale].per_node ? nodes : 1));

	return n ? n : 1;
}

static uint64_t or_else(uint64_t given, uint64_t own)
{
	return given ? given : own;
}

int numa_first_parse(int *node, const char *text, struct error *err)
{
	uint64_t id = 0;
	size_t n = text ? strspn(text, "0123456789") : 0;

	if (!text || !*text || !strcmp(text, "free")) {
		*node = -1;
		return 0;
	}
	if (!n || n > 4 || text[n])
		return error_set(err, EINVAL,
				 "first: '%.80s' is neither 'free' nor a node's number", text);
	for (size_t i = 0; i < n; i++)
		id = 10 * id + (uint64_t)(text[i] - '0');
	if (id >= NUMA_NODES_MAX)
		return error_set(err, EINVAL, "first: there is no node above %d",
				 NUMA_NODES_MAX - 1);
	*node = (int)id;
	return 0;
}

/* perf's own limits: 1 MiB that all share if nothing else is asked for, and 5 s if no rounds are. */
static void fill_perf(struct numa_plan *plan)
{
	if (plan->cfg->test != PERF_MEM)
		return;
	if (!plan->size_bytes && !plan->thread_bytes && !plan->global_bytes)
		plan->global_bytes = MIB;
	if (!plan->rounds) {
		plan->rounds = NUMA_ROUNDS_EVER;
		plan->limit_ns = or_else(plan->limit_ns, PERF_LIMIT_NS);
	}
}

static int check_sizes(const struct numa_plan *plan, struct error *err)
{
	double total =
		(double)plan->global_bytes +
		(double)plan->processes * ((double)plan->size_bytes +
					   (double)plan->threads * (double)plan->thread_bytes);

	if (total > (double)TOTAL_BYTES_MAX)
		return error_set(err, ERANGE, "%.3g bytes in all are more than any machine has",
				 total);
	if (plan->sliced && plan->size_bytes / PAGE_BYTES_MIN < plan->threads)
		return error_set(err, ERANGE,
				 "size: %" PRIu64
				 " bytes are less than a page of %d for each of %" PRIu64
				 " threads",
				 plan->size_bytes, PAGE_BYTES_MIN, plan->threads);
	return 0;
}

int numa_plan(struct numa_plan *plan, const struct numa_cfg *cfg, unsigned int cpus,
	      unsigned int nodes, struct error *err)
{
	const struct shape *shape = &shapes[cfg->test];
	int ret;

	*plan = (struct numa_plan){
		.cfg = cfg,
		.processes = or_else(cfg->processes, scaled(shape->processes, cpus, nodes)),
		.threads = or_else(cfg->threads, scaled(shape->threads, cpus, nodes)),
		.rounds = or_else(cfg->rounds, shape->rounds),
		.size_bytes = or_else(cfg->size_bytes, shape->size_bytes),
		.thread_bytes = or_else(cfg->thread_size_bytes, shape->thread_bytes),
		.global_bytes = cfg->global_size_bytes,
		.limit_ns = cfg->limit_ns,
		.sliced = shape->sliced,
		.touch = shape->touch,
		.access = cfg->access ? cfg->access : shape->access,
		.order = cfg->order ? cfg->order : shape->order,
	};
	fill_perf(plan);
	ret = numa_first_parse(&plan->first_node, cfg->first, err);
	return ret ? ret : check_sizes(plan, err);
}

struct numa_range numa_slice(struct numa_range whole, uint64_t i, uint64_t n, uint64_t page_bytes)
{
	const uint64_t pages = whole.bytes / page_bytes;
	const uint64_t begin = i * pages / n * page_bytes;
	const uint64_t end = i + 1 == n ? whole.bytes : (i + 1) * pages / n * page_bytes;

	return (struct numa_range){ whole.start + begin, end - begin };
}

void numa_walk_set(struct numa_walk *walk, uint64_t words, uint64_t nr, uint64_t of, uint64_t round,
		   uint64_t rounds)
{
	walk->start = words ? (nr * (words / of) + round % rounds * (words / rounds)) % words : 0;
	walk->back = walk->order == ORDER_BOTH && (nr + round) % 2 == 0;
	walk->stream = nr + round * of;
}
