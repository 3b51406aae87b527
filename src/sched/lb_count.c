// SPDX-License-Identifier: GPL-2.0-only
/* sched/lb_count.c - the domain lines of /proc/schedstat, in the layouts of its versions. */
#include "sched/lb.h"

/* Groups of 32 CPUs, the last first, as wide as the machine. */
static void add_mask(const struct model *m, const struct cset *span, struct strbuf *text)
{
	uint32_t groups = (m->nr_cpus + 31) / 32, bits = m->nr_cpus % 32;
	uint32_t digits = bits ? (bits + 3) / 4 : 8;

	for (uint32_t i = groups; i--;) {
		uint32_t word = (uint32_t)(cset_word(span, i / 2) >> i % 2 * 32);

		strbuf_addf(text, "%0*x%s", (int)digits, word, i ? "," : "");
		digits = 8;
	}
}

static void add_count(const struct lb_count *c, bool by_type, struct strbuf *text)
{
	uint64_t all = 0;

	for (int i = 0; i < 4; i++)
		all += c->imbalance[i];
	strbuf_addf(text, " %u %u %u", c->count, c->balanced, c->failed);
	if (by_type)
		strbuf_addf(text, " %u %u %u %u", (uint32_t)c->imbalance[LB_MIGRATE_LOAD],
			    (uint32_t)c->imbalance[LB_MIGRATE_UTIL],
			    (uint32_t)c->imbalance[LB_MIGRATE_TASK],
			    (uint32_t)c->imbalance[LB_MIGRATE_MISFIT]);
	else
		strbuf_addf(text, " %u", (uint32_t)all);
	strbuf_addf(text, " %u %u %u %u", c->gained, c->hot_gained, c->nobusyq, c->nobusyg);
}

/* What the model doesn't count, since no kernel of today does, is 0: sched_balance_exec and _fork. */
static void add_tail(const struct domain_counts *c, struct strbuf *text)
{
	strbuf_addf(text, " %u %u %u 0 0 0 0 0 0 %u %u %u\n", c->active_count, c->active_failed,
		    c->active_pushed, c->wake_remote, c->wake_affine, c->wake_balance);
}

void balance_count_wake(struct rq *rq, uint32_t cpu)
{
	struct sd *sd;

	if (cpu == rq->cpu)
		return;
	for (sd = rq->sd; sd && !cset_test(sd->span, cpu); sd = sd->parent)
		;
	if (sd)
		sd->counts.wake_remote++;
}

void balance_schedstat(const struct rq *rq, struct strbuf *text)
{
	static const enum lb_idle idle_first[] = { LB_IDLE, LB_NOT_IDLE, LB_NEWLY_IDLE };
	static const enum lb_idle busy_first[] = { LB_NOT_IDLE, LB_IDLE, LB_NEWLY_IDLE };
	const struct model *m = rq->model;
	uint8_t version = m->features.schedstat_version;
	const enum lb_idle *order = version == SCHEDSTAT_15 ? idle_first : busy_first;
	uint32_t n = 0;

	for (const struct sd *sd = rq->sd; sd; sd = sd->parent) {
		strbuf_addf(text, "domain%u ", n++);
		if (version == SCHEDSTAT_17)
			strbuf_addf(text, "%s ", sd->name);
		add_mask(m, sd->span, text);
		for (uint32_t i = 0; i < NR_LB_IDLE; i++)
			add_count(&sd->counts.lb[order[i]], version == SCHEDSTAT_17, text);
		add_tail(&sd->counts, text);
	}
}
