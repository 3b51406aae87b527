// SPDX-License-Identifier: GPL-2.0-only
#include "sched/cpufreq.h"

#include "sched/fair.h"
#include "topo/cset.h"

#include <assert.h>

#define FULL	  1024U
#define BOOST_MIN (FULL / 8)
#define REF_KHZ                                                                                    \
	(UINT64_C(1)                                                                               \
	 << 20) /* of the highest frequency, whatever it is: so that 1024 parts of it are whole */

uint64_t sugov_freq(uint64_t ref, uint64_t cap, uint64_t util, bool late)
{
	uint64_t perf = sugov_headroom(util);

	assert(cap);
	if (late && perf > cap)
		perf = cap;
	return ref * perf / cap;
}

uint64_t sugov_effective_util(uint64_t fair, uint64_t rt, uint64_t irq, uint64_t cap)
{
	uint64_t util = fair + rt;

	if (irq >= cap || util >= cap)
		return cap;
	util = util * (cap - irq) / cap + irq;
	return util < cap ? util : cap;
}

/* Nothing for more than a tick: the boost is over, or begins anew. */
static bool boost_reset(struct sugov_cpu *cpu, uint64_t now_ns, uint64_t tick_ns, bool iowait)
{
	if (now_ns - cpu->last_update_ns <= tick_ns)
		return false;
	cpu->iowait_boost = iowait ? BOOST_MIN : 0;
	cpu->iowait_pending = iowait;
	return true;
}

void sugov_iowait_boost(struct sugov_cpu *cpu, uint64_t now_ns, uint64_t tick_ns, bool iowait)
{
	if (cpu->iowait_boost && boost_reset(cpu, now_ns, tick_ns, iowait))
		return;
	if (!iowait || cpu->iowait_pending)
		return;
	cpu->iowait_pending = true;
	if (!cpu->iowait_boost)
		cpu->iowait_boost = BOOST_MIN;
	else if (cpu->iowait_boost < FULL)
		cpu->iowait_boost *= 2;
}

uint64_t sugov_iowait_apply(struct sugov_cpu *cpu, uint64_t now_ns, uint64_t tick_ns, uint64_t cap)
{
	if (!cpu->iowait_boost || boost_reset(cpu, now_ns, tick_ns, false))
		return 0;
	if (!cpu->iowait_pending) {
		cpu->iowait_boost /= 2;
		if (cpu->iowait_boost < BOOST_MIN) {
			cpu->iowait_boost = 0;
			return 0;
		}
	}
	cpu->iowait_pending = false;
	return cpu->iowait_boost * cap / FULL;
}

static uint64_t util_of(struct rq *rq, uint64_t now_ns)
{
	const struct model *m = rq->model;
	uint64_t fair = cpu_util_cfs(rq), util, boost;

	if (m->features.cpufreq_boost && rq->cfs.avg.runnable_avg > fair)
		fair = rq->cfs.avg.runnable_avg < rq->capacity ? rq->cfs.avg.runnable_avg
							       : rq->capacity;
	util = rq->rt.nr_queued ? rq->capacity
				: sugov_effective_util(fair, rq->avg_rt.util_avg, 0, rq->capacity);
	boost = sugov_iowait_apply(&rq->sugov, now_ns, m->tick_ns, rq->capacity);
	return boost > util ? boost : util;
}

/* The lowest there is that is no lower. */
static uint32_t supported(const struct model *m, uint64_t khz)
{
	uint64_t steps = m->tunables.cpufreq_steps, freq;

	if (khz > REF_KHZ)
		khz = REF_KHZ;
	if (steps)
		khz = (khz * steps + REF_KHZ - 1) / REF_KHZ * REF_KHZ / steps;
	freq = khz * FULL / REF_KHZ;
	if (freq < m->tunables.cpufreq_min_perf)
		freq = m->tunables.cpufreq_min_perf;
	return freq ? (uint32_t)freq : 1;
}

static void in_force(struct cpufreq *domain)
{
	struct model *m = domain->cpu[0]->model;

	domain->freq = domain->next;
	for (uint32_t i = 0; i < domain->nr_cpus; i++) {
		domain->cpu[i]->freq = domain->freq;
		m->host->frequency(m->host->ctx, domain->cpu[i]->cpu, domain->freq);
	}
}

void cpufreq_timer(struct model *m, struct cpufreq *domain, uint64_t generation)
{
	(void)m;
	if (!domain->pending || generation != domain->generation)
		return;
	domain->pending = false;
	in_force(domain);
}

static void commit(struct cpufreq *domain, struct rq *rq, uint64_t now_ns, uint32_t next)
{
	struct model *m = rq->model;

	if (next == domain->next)
		return;
	domain->next = next;
	domain->last_freq_ns = now_ns;
	if (!m->tunables.cpufreq_latency_ns) {
		in_force(domain);
		return;
	}
	if (domain->pending)
		return;
	domain->pending = true;
	m->host->timer(m->host->ctx, rq->cpu, domain,
		       *m->host->now_ns + m->tunables.cpufreq_latency_ns, ++domain->generation);
}

/* A CPU that hasn't idled since keeps its frequency, though its utilisation sank: it may be short of time. */
static bool busy_since(struct rq *rq)
{
	bool busy = rq->stats.sched_goidle == rq->sugov.idle_entries;

	rq->sugov.idle_entries = rq->stats.sched_goidle;
	return busy;
}

static uint64_t wanted(struct cpufreq *domain, uint64_t now_ns)
{
	const struct model *m = domain->cpu[0]->model;
	uint64_t util = 0, cap = domain->cpu[0]->capacity;

	for (uint32_t i = 0; i < domain->nr_cpus; i++) {
		uint64_t one = util_of(domain->cpu[i], now_ns);

		util = one > util ? one : util;
	}
	return sugov_freq(REF_KHZ, cap, util, m->features.cpufreq_headroom == HEADROOM_LATE);
}

void cpufreq_request(struct rq *rq, unsigned int flags)
{
	struct cpufreq *domain = rq->cpufreq;
	uint64_t now_ns = rq->clock, raw = domain->raw;
	uint32_t next;

	sugov_iowait_boost(&rq->sugov, now_ns, rq->model->tick_ns, flags & CPUFREQ_IOWAIT);
	rq->sugov.last_update_ns = now_ns;
	if (now_ns - domain->last_freq_ns < domain->rate_ns)
		return;
	domain->raw = wanted(domain, now_ns);
	next = domain->raw == raw ? domain->next : supported(rq->model, domain->raw);
	if (domain->nr_cpus == 1 && busy_since(rq) && next < domain->next) {
		domain->raw = raw;
		return;
	}
	commit(domain, rq, now_ns, next);
}

static uint64_t rate_ns(const struct model *m)
{
	uint64_t latency = m->tunables.cpufreq_latency_ns;

	if (m->tunables.rate_limit_us)
		return m->tunables.rate_limit_us * 1000;
	if (!latency)
		return 1000000;
	if (m->features.cpufreq_rate)
		return latency + latency / 2;
	return latency < 10000 ? 1000 * latency : 10000000;
}

static const struct cset *domain_of(const struct model *m, uint32_t cpu)
{
	static const enum machine_share shares[] = {
		[FREQ_CORE] = SHARE_THREADS,
		[FREQ_CLUSTER] = SHARE_CLUSTER,
		[FREQ_LLC] = SHARE_LLC,
		[FREQ_PACKAGE] = SHARE_PACKAGE,
	};
	const struct cset *set = NULL;

	if (m->features.cpufreq_domain != FREQ_CPU)
		set = m->topo->cpu[cpu].share[shares[m->features.cpufreq_domain]];
	return set ? set : cset_single(m->topo->pool, cpu);
}

static struct cpufreq *domain_new(struct model *m, const struct cset *cpus)
{
	struct cpufreq *domain = arena_alloc(m->arena, sizeof(*domain));
	uint32_t cpu;

	domain->cpu = arena_alloc(m->arena, cpus->weight * sizeof(*domain->cpu));
	domain->freq = domain->next = FULL;
	domain->raw = REF_KHZ;
	domain->rate_ns = rate_ns(m);
	cset_for_each (cpu, cpus) {
		domain->cpu[domain->nr_cpus++] = cpu_rq(m, cpu);
		cpu_rq(m, cpu)->cpufreq = domain;
	}
	return domain;
}

void cpufreq_attach(struct model *m)
{
	if (m->features.cpufreq_governor != GOVERNOR_SCHEDUTIL)
		return;
	for (uint32_t cpu = 0; cpu < m->nr_cpus; cpu++) {
		if (!cpu_rq(m, cpu)->cpufreq)
			domain_new(m, domain_of(m, cpu));
	}
}
