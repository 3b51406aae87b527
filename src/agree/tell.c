// SPDX-License-Identifier: GPL-2.0-only
/* agree/tell.c - the first difference in words: what happened, what each core said, what of their states differs. */
#include "agree/parts.h"

#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>

static const char *task_name(char text[16], uint32_t nr)
{
	snprintf(text, 16, nr ? "t%u" : "idle", nr - 1);
	return text;
}

static void tell_said(const struct agree_said *said, struct strbuf *sb)
{
	static const char *const ipis[NR_CORE_IPIS] = { "resched", "call", "work" };
	char a[16], b[16];

	if (said->kind == SAID_IPI)
		strbuf_addf(sb, " ipi(%s to CPU %u)", ipis[said->a], said->cpu);
	else if (said->kind == SAID_SWITCH)
		strbuf_addf(sb, " switch(CPU %u from %s to %s)", said->cpu, task_name(a, said->a),
			    task_name(b, said->b));
	else
		strbuf_addf(sb, " move(%s from CPU %u to CPU %u: %s)", task_name(a, said->a),
			    said->b, said->cpu, trace_reason_name((enum core_reason)said->c));
}

static void tell_side(const struct agree_side *side, const char *name, struct strbuf *sb)
{
	strbuf_addf(sb, "%s said:", name);
	for (uint32_t i = 0; i < side->nr_said; i++)
		tell_said(&side->said[i], sb);
	strbuf_addstr(sb, side->nr_said ? "\n" : " nothing\n");
}

static void tell_task(const struct agree_pair *pair, uint32_t task, const char *const name[2],
		      struct strbuf *sb)
{
	struct core_task_state s[2];

	agree_task_look(pair, task, s);
	if (agree_task_entity(pair, s) && agree_task_pelt(s))
		return;
	strbuf_addf(sb, "t%u\n", task);
	for (int i = 0; i < 2; i++)
		strbuf_addf(sb,
			    "  %s: CPU %u, queued %d running %d delayed %d, runtime %" PRIu64
			    " vruntime %" PRIu64 " deadline %" PRIu64 " slice %" PRIu64
			    " lag %" PRId64 ", load %" PRIu64 "/%" PRIu64 " runnable %" PRIu64
			    "/%" PRIu64 " util %" PRIu64 "/%" PRIu64 " est %" PRIu64 "\n",
			    name[i], s[i].cpu, s[i].on_rq, s[i].running, s[i].delayed,
			    s[i].runtime_ns, s[i].vruntime, s[i].deadline, s[i].slice_ns,
			    s[i].lag_ns, s[i].load_sum, s[i].load_avg, s[i].runnable_sum,
			    s[i].runnable_avg, s[i].util_sum, s[i].util_avg, s[i].util_est);
}

static void tell_rq(const struct agree_pair *pair, uint32_t cpu, const char *const name[2],
		    struct strbuf *sb)
{
	struct core_rq_state s[2];
	char curr[16];

	agree_rq_look(pair, cpu, s);
	if (!pair->touched[cpu] && agree_rq_entity(s) && agree_rq_pelt(s))
		return;
	strbuf_addf(sb, "CPU %u\n", cpu);
	for (int i = 0; i < 2; i++)
		strbuf_addf(sb,
			    "  %s: %s runs of %u (%u fair), resched %d, vruntime %" PRIu64
			    ", load %" PRIu64 "/%" PRIu64 " runnable %" PRIu64 "/%" PRIu64
			    " util %" PRIu64 "/%" PRIu64 " est %" PRIu64 " capacity %" PRIu64 "\n",
			    name[i], task_name(curr, agree_task_of(s[i].curr)), s[i].nr_running,
			    s[i].nr_fair, s[i].need_resched, s[i].vruntime, s[i].load_sum,
			    s[i].load_avg, s[i].runnable_sum, s[i].runnable_avg, s[i].util_sum,
			    s[i].util_avg, s[i].util_est, s[i].capacity);
}

void agree_pair_tell(const struct agree_pair *pair, const char *const name[2], struct strbuf *sb)
{
	strbuf_addf(sb, "event %" PRIu64 ", %" PRIu64 " ns: %s\n", pair->events,
		    pair->now_ns - pair->start_ns, pair->event);
	strbuf_addf(sb, "%s: %s\n", pair->failed ? "failed" : agree_kind_name(pair->kind),
		    strbuf_str(&pair->words));
	for (int i = 0; i < 2; i++)
		tell_side(&pair->side[i], name[i], sb);
	if (pair->failed)
		return;
	for (uint32_t task = 0; task < pair->nr_tasks; task++)
		if (pair->task[task].of[0])
			tell_task(pair, task, name, sb);
	for (uint32_t cpu = 0; cpu < pair->config->machine->nr_cpus; cpu++)
		if (pair->config->machine->online[cpu])
			tell_rq(pair, cpu, name, sb);
	if (pair->why.len)
		strbuf_addf(sb, "what %s looked at:\n%s", name[1], strbuf_str(&pair->why));
}
