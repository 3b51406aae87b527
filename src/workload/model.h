/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/model.h - what models of workloads share.
 *
 * A model does the system calls of the real program in the same order, and no others that matter; what they take is in the machine's
 * cost file. What a program computes between them takes no time unless its parameters say so: there are no factors of a
 * workload's own.
 */
#ifndef WORKLOAD_MODEL_H
#define WORKLOAD_MODEL_H

#include "base/cpumask.h"
#include "base/error.h"
#include "sim/task.h"
#include "workload/place.h"
#include "workload/run.h"

/**
 * model_go() - let the tasks run until all have exited
 *
 * What a model refuses of its parameters, of files and of the machine it refuses before: so who sets run->only_set_up knows it.
 *
 * Return: 0 or -errno: sim_go()'s, -ETIME beyond run->limit_ns, or -ECANCELED for run->only_set_up.
 */
int model_go(const struct run *run, struct sim *sim, struct error *err);

/** model_distance() - of two CPUs, as place.h tells distances */
enum distance model_distance(const struct core_machine *machine, uint32_t a, uint32_t b);

/**
 * model_places() - the option "cpus" of workload/places.h on a simulated machine
 * @side: affinity of each of the two sides, NULL: anywhere; lives as long as the sim
 *
 * Return: 0; as places_parse(); -EOPNOTSUPP where no two CPUs are that far apart, or none of the list is online.
 */
int model_places(const uint64_t *side[2], const char *text, struct sim *sim, struct error *err);

/**
 * model_capacity() - bytes of messages of @bytes each that wait in a channel before a writer does
 *
 * A pipe: 64 KiB. A local socket: as many as have the default send buffer of 208 KiB, where the kernel counts each with its
 * own room (a kmalloc() of the message and 320 bytes, and 256). A TCP connection on one machine: the default receive
 * buffer of 128 KiB and a send buffer of the same size, to which it grows.
 * Source: net.core.wmem_default, net.ipv4.tcp_rmem, tcp_wmem of Linux.
 */
uint64_t model_capacity(enum sim_transport transport, uint64_t bytes);

/** model_cpus() - those that are online, and of the group that tasks begin in */
uint32_t model_cpus(const struct sim *sim);

/** model_cpu() - affinity to the @n-th of them from 0 on, beginning again behind the last; lives as long as the sim */
const uint64_t *model_cpu(struct sim *sim, uint64_t n);

/**
 * model_list() - affinity to those of a list
 * @name: option, for the words
 *
 * Return: 0; -EOPNOTSUPP where none of them is online.
 */
int model_list(const uint64_t **words, const struct cpumask *mask, const char *name,
	       struct sim *sim, struct error *err);

/** model_work() - what @units of workload/work.h take, in ns */
uint64_t model_work(const struct sim *sim, uint64_t units);

/** model_unit() - one of them, as run_sample(run, "work-unit", ...) wants it */
double model_unit(const struct sim *sim);

/**
 * struct model_gate - the start signal, workload/gate.h's calls; in the caller's memory
 *
 * The tasks' model_gate_pass() is an operation. Who opens it calls model_gate_is_full() first, until that is true: if not, it has
 * started an operation, a look later. model_gate_open() is an operation, too.
 */
struct model_gate {
	struct sim_futex *open;
	uint64_t arrived;
};

void model_gate_init(struct model_gate *gate, struct sim *sim);
void model_gate_pass(struct model_gate *gate, struct sim_task *task);
bool model_gate_is_full(const struct model_gate *gate, struct sim_task *task, uint64_t n);
void model_gate_open(struct model_gate *gate, struct sim_task *task);

#endif
