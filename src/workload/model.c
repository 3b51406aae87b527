// SPDX-License-Identifier: GPL-2.0-only
#include "workload/model.h"

#include "workload/places.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>

#define PIPE_BYTES	   65536
#define SOCKET_BUFFER	   212992
#define SOCKET_SHARED_INFO 320
#define SOCKET_HEAD	   256
#define TCP_BUFFER	   UINT64_C(131072)

/* Between two looks whether all have arrived, as in gate.c. */
#define LOOK_NS 1000000

int model_go(const struct run *run, struct sim *sim, struct error *err)
{
	const uint64_t until_ns = run->limit_ns ? sim_now(sim) + run->limit_ns : UINT64_MAX;
	enum sim_end end;
	int ret;

	if (run->only_set_up)
		return error_set(err, ECANCELED, "only set up");
	ret = sim_go(sim, until_ns, &end, err);
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

int model_list(const uint64_t **words, const struct cpumask *mask, const char *name,
	       struct sim *sim, struct error *err)
{
	const struct core_machine *machine = sim_machine(sim);
	uint64_t *set = new_words(sim);
	bool any = false;

	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++) {
		if (!machine->online[cpu] || !cpumask_test(mask, cpu))
			continue;
		add_cpu(set, cpu);
		any = true;
	}
	if (!any)
		return error_set(err, EOPNOTSUPP, "%s: none of them is online", name);
	*words = set;
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
			ret = model_list(&side[0], &places.mask, "cpus", sim, err);
		if (!ret && places.bound)
			side[1] = side[0];
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

uint32_t model_cpus(const struct sim *sim)
{
	const struct core_machine *machine = sim_machine(sim);
	uint32_t n = 0;

	for (uint32_t cpu = 0; cpu < machine->nr_cpus; cpu++)
		n += sim_may_begin_on(sim, cpu);
	return n;
}

const uint64_t *model_cpu(struct sim *sim, uint64_t n)
{
	uint64_t *words = new_words(sim);
	const uint32_t online = model_cpus(sim);
	uint32_t cpu = 0;

	assert(online);
	n %= online;
	while (!sim_may_begin_on(sim, cpu) || n--)
		cpu++;
	add_cpu(words, cpu);
	return words;
}

uint64_t model_work(const struct sim *sim, uint64_t units)
{
	return (uint64_t)((double)units * model_unit(sim) + 0.5);
}

double model_unit(const struct sim *sim)
{
	return (double)sim_costs(sim)->work_unit_ps / 1000;
}

void model_gate_init(struct model_gate *gate, struct sim *sim)
{
	*gate = (struct model_gate){ .open = sim_futex_new(sim) };
	sim_futex_name(gate->open, "the start");
}

void model_gate_pass(struct model_gate *gate, struct sim_task *task)
{
	gate->arrived++;
	sim_futex_wait(task, gate->open, 0);
}

bool model_gate_is_full(const struct model_gate *gate, struct sim_task *task, uint64_t n)
{
	if (gate->arrived == n)
		return true;
	sim_sleep(task, LOOK_NS);
	return false;
}

void model_gate_open(struct model_gate *gate, struct sim_task *task)
{
	sim_mark(sim_of(task), "start");
	sim_futex_set(gate->open, 1);
	sim_futex_wake(task, gate->open, UINT32_MAX);
}
