/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lab/sim_session.h - the runs of a session of a simulated experiment, made ahead of those that are asked for; of no use outside
 * lab/.
 */
#ifndef LAB_SIM_SESSION_H
#define LAB_SIM_SESSION_H

#include "lab/agenda.h"
#include "lab/execute.h"
#include "lab/progress.h"

struct sim_session;

/**
 * sim_session_open() - everything that can be known before the first run
 * @lab: borrowed
 *
 * Finds machine, core and costs of each variant, boots each once, and sets up all points there.
 *
 * Return: 0; -EINTR; -EINVAL, -ENOENT ... with file, line and variant.
 */
int sim_session_open(struct sim_session **out, const struct lab *lab, struct error *err);
void sim_session_free(struct sim_session *session);

/** sim_session_notes() - add a line for each variant that asks for what can't show */
void sim_session_notes(const struct sim_session *session, struct strbuf *notes);

/** sim_session_facts() - JSON, of a variant's runs; borrowed */
const char *sim_session_facts(const struct sim_session *session, size_t variant);

/**
 * sim_session_take() - run @i of the agenda, which is not before any that was asked for so far
 *
 * Where a CPU is free, runs behind it are started too: of the same block, and of all where nothing but the number of blocks
 * decides how many there are.
 *
 * Return: as sim_crew_start() and sim_crew_take().
 */
int sim_session_take(struct sim_session *session, const struct agenda *agenda, size_t i,
		     struct result *result, struct error *err);

#endif
