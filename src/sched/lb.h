/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sched/lb.h - what the balancer's files share: its side of an instance, and a pass. Who does what:
 *
 *   domain.c     domains, and groups' capacities       lb_sums.c    sums of groups, always current
 *   lb_stats.c   groups' statistics in a pass          lb_move.c    which tasks go
 *   lb_pass.c    a pass over one domain                lb_active.c  pushing what runs
 *   lb_tick.c    periodic balancing                    newidle.c    new-idle balancing
 *   nohz.c       balancing for tickless CPUs           lb_count.c   /proc/schedstat
 */
#ifndef SCHED_LB_H
#define SCHED_LB_H

#include "sched/balance.h"
#include "sched/domain.h"
#include "sched/lb_decide.h"
#include "sched/lb_interval.h"

/**
 * struct nohz - CPUs that idle without a tick
 * @mask:         of them, @nr; a CPU leaves at its first tick after that
 * @has_blocked:  some may have load that decays
 * @needs_update: one came whose next_balance isn't in @next_balance yet
 * @next_balance, @next_blocked: jiffies
 */
struct nohz {
	uint64_t *mask;
	uint32_t nr;
	bool has_blocked;
	bool needs_update;
	uint64_t next_balance;
	uint64_t next_blocked;
};

/**
 * struct lb_key - of a CPU, side by side with others', so that a search passes over most without a look at their runqueues
 * @util: as find_queue() compares it; @nr: fair tasks; both cut to what fits
 */
struct lb_key {
	uint16_t util;
	uint16_t nr;
};

/**
 * struct balance - of an instance
 * @active: CPUs the domains are built for
 * @no_rd:  of CPUs that have none
 * @words:  of a mask; @cpus, @scratch, @select: masks of work, of a pass, within one, and of placement
 * @cpus_of: what @cpus was made from last
 * @key:    key[nr_cpus]
 * @some, @more, @open, @odd: CPUs with a fair task or two, and those of struct lb_seen; as of the last lb_sums_update()
 * @token_ns: until when the token of domains that are balanced one at a time is taken
 * @max_interval: jiffies
 */
struct balance {
	struct domains *domains;
	const struct cset *active;
	struct root_domain no_rd;
	uint32_t words;
	uint64_t *cpus, *scratch, *select;
	const struct cset *cpus_of;
	uint64_t *some, *more, *open, *odd;
	struct lb_key *key;
	struct nohz nohz;
	uint64_t token_ns;
	bool smt_active;
	bool cluster_active;
	bool asym_active;
	uint64_t max_interval;
};

#define LB_BREAK 32 /* tasks looked at before others get the queue's lock */

/**
 * struct lb_pass - one pass over a domain
 * @dst:     runqueue that is to get tasks; may change to another one of its group where affinity wants it
 * @balance: balance mask of its group
 * @cpus:    CPUs looked at; @some_left_out: not all that are in groups
 * @imbalance, @migrate: what is left to move
 * @loop, @loop_break, @loop_max: tasks looked at
 * @moved:   tasks, detached and not attached yet; a ring
 * @reason:  for the host
 */
struct lb_pass {
	struct model *m;
	struct sd *sd;
	struct rq *dst;
	struct rq *src;
	struct rq *new_dst;
	const struct cset *balance;
	uint64_t *cpus;
	bool some_left_out;
	enum lb_idle idle;
	bool dst_core_idle;
	int64_t imbalance;
	enum lb_migrate migrate;
	uint32_t loop, loop_break, loop_max;
	bool all_pinned, some_pinned, need_break, active;
	struct link moved;
	enum core_reason reason;
};

/** lb_util() - of a queue, what waits there included where the features say so */
uint64_t lb_util(const struct rq *rq);

/** lb_pass() - balance @sd for @rq. *@go_on is cleared where levels above are not this CPU's job. Return: tasks moved */
uint32_t lb_pass(struct rq *rq, struct sd *sd, enum lb_idle idle, enum core_reason reason,
		 bool *go_on);

/** lb_find_group() - the busiest group and what is to be moved from it, into @pass; its index in the ring or -1 */
int64_t lb_find_group(struct lb_pass *pass);

/** lb_find_queue() - the busiest queue of the group; NULL if none will do */
struct rq *lb_find_queue(struct lb_pass *pass, const struct sgroup *group);

/** lb_detach() - tasks from pass->src into pass->moved; how many */
uint32_t lb_detach(struct lb_pass *pass);

/** lb_detach_one() - one, as active balancing does */
struct task *lb_detach_one(struct lb_pass *pass);

/** lb_attach() - what is in pass->moved goes to pass->dst */
void lb_attach(struct lb_pass *pass);

/** lb_needs_push() - is it time to push what runs on pass->src? */
bool lb_needs_push(const struct lb_pass *pass);

/** lb_push() - of the stopper on @rq: what runs there goes to rq.push_cpu, if it may */
void lb_push(struct rq *rq, void *data);

/** rebalance_domains() - a periodic pass over all domains of @rq that are due */
void rebalance_domains(struct rq *rq, enum lb_idle idle, enum core_reason reason);

/** lb_token_free() - does nobody balance a serialized domain? lb_token_keep(): somebody does, until the time now */
static inline bool lb_token_free(const struct model *m)
{
	return m->balance->token_ns <= *m->host->now_ns;
}

static inline void lb_token_keep(struct model *m)
{
	uint64_t now = model_now(m);

	if (now > m->balance->token_ns)
		m->balance->token_ns = now;
}

/** lb_sd_interval() - jiffies until @sd is due again */
uint64_t lb_sd_interval(const struct model *m, const struct sd *sd, bool busy);

/** lb_whole_core_idle() - do all other threads of the core idle? */
bool lb_whole_core_idle(const struct rq *rq);

/** lb_priority() - of SD_ASYM_PACKING; where the machine's are all the same, the kernel's own: the lower number first */
static inline int32_t lb_priority(const struct model *m, uint32_t cpu)
{
	return m->same_priorities ? -(int32_t)cpu : m->machine->cpu[cpu].priority;
}

/** lb_prefers() - SD_ASYM_PACKING: is @a filled before @b? */
static inline bool lb_prefers(const struct model *m, uint32_t a, uint32_t b)
{
	return lb_priority(m, a) > lb_priority(m, b);
}

/** lb_asym() - may @dst pull from @src by priority in @sd? */
bool lb_asym(const struct model *m, const struct sd *sd, const struct rq *dst, uint32_t src);

/** lb_follows_priority() - does the priority of @rq's CPU count in @sd? */
bool lb_follows_priority(const struct model *m, const struct sd *sd, const struct rq *rq);

/** nohz_newidle() - is this CPU to refresh what others' load has decayed to, before it idles? */
void nohz_newidle(struct rq *rq);

#endif
