// SPDX-License-Identifier: GPL-2.0-only
#include "workload/model.h"

#include "workload/places.h"

#include <errno.h>
#include <inttypes.h>

#define PIPE_BYTES	   65536
#define SOCKET_BUFFER	   212992
#define SOCKET_SHARED_INFO 320
#define SOCKET_HEAD	   256
#define TCP_BUFFER	   131072

int model_go(const struct run *run, struct sim *sim, struct error *err)
{
	const uint64_t until_ns = run->limit_ns ? sim_now(sim) + run->limit_ns : UINT64_MAX;
	enum sim_end end;
	int ret = sim_go(sim, until_ns, &end, err);

	if (!ret && end == SIM_TIME)
		return error_set(err, ETIME, "not done after %" PRIu64 " ms of simulated time",
				 run->limit_ns / 1000000);
	return ret;
}

enum distance model_distance(const struct core_machine *machine, uint32_t a, uint32_t b)
{
	switch (sim_distance(machine, a, b)) {
	case SIM_SAME:
		return DISTANCE_SAME;
	case SIM_SMT:
		return DISTANCE_SMT;
	case SIM_CLUSTER:
	case SIM_LLC:
		return DISTANCE_LLC;
	case SIM_NODE:
		return DISTANCE_NODE;
	default:
		return DISTANCE_REMOTE;
	}
}

static uint64_t *new_words(struct sim *sim)
{
	return sim_alloc(sim, (sim_machine(sim)->nr_cpus + 63) / 64 * sizeof(uint64_t));
}

static void add_cpu(uint64_t *words, uint32_t cpu)
{
	words[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

static bool find_pair(const struct core_machine *machine, enum distance distance, uint32_t *a,
		      uint32_t *b)
{
	const uint32_t n = machine->nr_cpus;

	for (*a = 0; *a < n; ++*a)
		for (*b = *a; machine->online[*a] && *b < n; ++*b)
			if (machine->online[*b] && model_distance(machine, *a, *b) == distance)
				return true;
	return false;
}

static int place_pair_of(const uint64_t *side[2], enum distance distance, struct sim *sim,
			 struct error *err)
{
	uint64_t *words[2] = { new_words(sim), new_words(sim) };
	uint32_t a, b;

	if (!find_pair(sim_machine(sim), distance, &a, &b))
		return error_set(err, EOPNOTSUPP, "cpus: no two CPUs of the machine are '%s'",
				 distance_name(distance));
	add_cpu(words[0], a);
	add_cpu(words[1], b);
	side[0] = words[0];
	side[1] = words[1];
	return 0;
}

static int place_list(const uint64_t *side[2], const struct cpumask *mask, struct sim *sim,
		      struct error *err)
{
	const struct core_machine *machine = sim_machine(sim);
	uint64_t *words = new_words(sim);
	bool any = false;

	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++) {
		if (!machine->online[cpu] || !cpumask_test(mask, cpu))
			continue;
		add_cpu(words, cpu);
		any = true;
	}
	if (!any)
		return error_set(err, EOPNOTSUPP, "cpus: none of them is online");
	side[0] = side[1] = words;
	return 0;
}

int model_places(const uint64_t *side[2], const char *text, struct sim *sim, struct error *err)
{
	struct places places = { 0 };
	int ret = places_parse(&places, text, err);

	if (!ret) {
		side[0] = side[1] = NULL;
		if (places.pair)
			ret = place_pair_of(side, places.distance, sim, err);
		else if (places.bound)
			ret = place_list(side, &places.mask, sim, err);
	}
	places_release(&places);
	return ret;
}

/* What the kernel's allocator gives: the next power of two. */
static uint64_t slab(uint64_t bytes)
{
	uint64_t size = 64;

	while (size < bytes)
		size *= 2;
	return size;
}

uint64_t model_capacity(enum sim_transport transport, uint64_t bytes)
{
	uint64_t n;

	switch (transport) {
	case SIM_UNIX_STREAM:
	case SIM_UNIX_DGRAM:
	case SIM_UDP:
		n = SOCKET_BUFFER / (slab(bytes + SOCKET_SHARED_INFO) + SOCKET_HEAD) + 1;
		return n * bytes;
	case SIM_TCP:
		return 2 * TCP_BUFFER;
	default:
		return PIPE_BYTES;
	}
}
