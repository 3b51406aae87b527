/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/balance.h - what the frame asks of domains and balancing. The domains themselves are sched/domain.h.
 *
 * The balancer moves tasks with deactivate_task(), set_task_cpu(), activate_task() and wakeup_preempt(), in that order, after
 * rq_clock_update() of the runqueue; pushes what runs with stop_one_cpu(), and kicks with rq.nohz_flags and call_cpu().
 */
#ifndef SCHED_BALANCE_H
#define SCHED_BALANCE_H

#include "base/strbuf.h"
#include "sched/model.h"

/**
 * balance_new() - the balancer's side of @m, no domains yet; balance_free() gives back what isn't of m->arena
 *
 * Every rq exists, none has a domain; rq.rd is to be set to the default root domain, to which CPUs without a domain belong.
 */
void balance_new(struct model *m);
void balance_free(struct model *m);

/**
 * balance_rebuild() - build domains for m->active and attach them: at boot, and when that set has changed
 *
 * Sets rq.sd and the pointers behind it, rq.rd and rq.cpu_capacity; prints the domains where m->verbose.
 */
void balance_rebuild(struct model *m);

/** newidle_balance() - @rq has nothing to run. Return: fair tasks pulled; -1: another class has got a task meanwhile */
int newidle_balance(struct rq *rq);

/** trigger_load_balance() - the end of a tick on @rq; rq.idle_balance is set. Sets rq.softirq where a pass is due, and kicks */
void trigger_load_balance(struct rq *rq);

/** run_rebalance_domains() - the softirq on @rq, which is this CPU: a periodic pass, or one for all tickless CPUs */
void run_rebalance_domains(struct rq *rq);

/** nohz_csd() - a kick arrived at @rq: rq.nohz_flags */
void nohz_csd(struct rq *rq);

/** nohz_balance_enter_idle() - the tick of @rq, which idles, stops */
void nohz_balance_enter_idle(struct rq *rq);

/** nohz_run_idle_balance() - @rq begins to idle: statistics of others it promised to newidle_balance() */
void nohz_run_idle_balance(struct rq *rq);

/** nohz_balance_exit() - @rq goes offline: it is no longer one of the tickless */
void nohz_balance_exit(struct rq *rq);

/** balance_count_wake() - a task was woken up by @rq for @cpu: ttwu_wake_remote of the lowest domain that spans both */
void balance_count_wake(struct rq *rq, uint32_t cpu);

/** balance_schedstat() - the domain lines of a CPU in /proc/schedstat */
void balance_schedstat(const struct rq *rq, struct strbuf *text);

#endif
