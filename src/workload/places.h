/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload/places.h - the option "cpus" of workloads whose tasks come in pairs: free, all bound to a list, or each side
 * of the pairs on a CPU of its own, so far apart.
 */
#ifndef WORKLOAD_PLACES_H
#define WORKLOAD_PLACES_H

#include "base/cpumask.h"
#include "base/error.h"
#include "workload/place.h"

#include <stdbool.h>

/**
 * struct places - where tasks are to run; initialise with { 0 }, free with places_release()
 * @bound: all of them to @mask
 * @pair:  each side to a CPU of its own, @distance apart; @cpus are known after places_enter()
 */
struct places {
	bool bound;
	bool pair;
	enum distance distance;
	unsigned int cpus[2];
	struct cpumask mask;
};

/** places_parse() - NULL, "" or "free"; a distance; or a list of CPUs. Return: 0, -EINVAL, -ERANGE */
int places_parse(struct places *places, const char *text, struct error *err);

/** places_probe() - can @text be had on this machine? Return: 0, or -EOPNOTSUPP with the distances that there are */
int places_probe(const char *text, struct error *err);

/**
 * places_enter() - parse @text, choose the CPUs of a pair, bind the calling task to a list, which its tasks inherit
 *
 * The sides of a pair bind themselves: place_bind_cpu().
 *
 * Return: 0, or -errno as places_parse(), places_probe(), place_bind().
 */
int places_enter(struct places *places, const char *text, struct error *err);

void places_release(struct places *places);

#endif
