// SPDX-License-Identifier: GPL-2.0-only
/* workload/rr_report.c - what a client of rr counts, and the figures of a run, real or simulated. */
#include "workload/rr.h"

#include "workload/run.h"

#include <inttypes.h>

/* A client looks where its server is at one of so many answers, so that the line between them is rarely moved. */
#define LOOK_EVERY 16

void rr_tally_add(const struct rr_pair *pair, const struct rr_step *step, uint64_t due_ns,
		  uint64_t now_ns)
{
	const uint64_t latency_ns = now_ns - due_ns;
	struct rr_tally *tally = pair->tally;
	struct rr_op *op = &tally->ops[step->op];

	if (now_ns >= pair->window->count_ns && now_ns <= pair->window->end_ns) {
		tally->done++;
		tally->payload += step->payload;
	}
	if (due_ns < pair->window->count_ns)
		return;
	histogram_add(pair->latency, latency_ns);
	op->count++;
	op->sum_ns += latency_ns;
	if (latency_ns > op->max_ns)
		op->max_ns = latency_ns;
}

double rr_fairness(const struct rr_tally *tallies, size_t n)
{
	uint64_t least = UINT64_MAX, sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += tallies[i].done;
		if (tallies[i].done < least)
			least = tallies[i].done;
	}
	return sum ? 100 * (double)least * (double)n / (double)sum : 100;
}

void rr_look_around(const struct rr_pair *pair, struct rr_look *look, unsigned int cpu)
{
	struct rr_tally *tally = pair->tally;

	tally->moves += cpu != look->cpu;
	look->cpu = cpu;
	if (++look->answers % LOOK_EVERY)
		return;
	tally->looks++;
	tally->same += cpu == *(volatile unsigned int *)&pair->trace->cpu;
}

void rr_count_unserved(const struct rr_pair *pair, uint64_t due_ns)
{
	pair->tally->unserved++;
	if (due_ns >= pair->window->count_ns)
		histogram_add(pair->latency, pair->window->end_ns - due_ns);
}

static void note_operations(struct run *run, const struct rr_figures *f)
{
	struct strbuf text = { 0 };

	for (size_t op = 0; op < RR_OPS; op++) {
		struct rr_op all = { 0 };

		for (size_t i = 0; i < f->cfg->pairs; i++) {
			const struct rr_op *one = &f->tallies[i].ops[op];

			all.count += one->count;
			all.sum_ns += one->sum_ns;
			if (one->max_ns > all.max_ns)
				all.max_ns = one->max_ns;
		}
		strbuf_addf(&text, "%s%s %" PRIu64 " %.3f %.3f", op ? ", " : "", rr_op_name(op),
			    all.count, all.count ? (double)all.sum_ns / (double)all.count / 1e6 : 0,
			    (double)all.max_ns / 1e6);
	}
	run_note(run, "operations", "%s", text.s);
	strbuf_release(&text);
}

void rr_report(struct run *run, const struct rr_figures *f)
{
	const size_t n = (size_t)f->cfg->pairs;
	const double seconds = (double)(f->window->end_ns - f->window->count_ns) / 1e9;
	struct rr_tally sum = { 0 };

	for (size_t i = 0; i < n; i++) {
		sum.done += f->tallies[i].done;
		sum.payload += f->tallies[i].payload;
		sum.unserved += f->tallies[i].unserved;
		sum.moves += f->tallies[i].moves;
		sum.looks += f->tallies[i].looks;
		sum.same += f->tallies[i].same;
	}
	run_sample(run, "transactions", (double)sum.done / seconds);
	run_histogram(run, "latency", f->latency);
	if (n > 1)
		run_sample(run, "fairness", rr_fairness(f->tallies, n));
	if (f->cfg->rate)
		run_sample(run, "unserved", (double)sum.unserved);
	if (f->script->framed) {
		run_sample(run, "payload", (double)sum.payload / seconds);
		note_operations(run, f);
	}
	if (sum.looks)
		run_sample(run, "same-cpu", 100 * (double)sum.same / (double)sum.looks);
	run_sample(run, "moves", (double)sum.moves);
	run_sample(run, "send-buffer", (double)f->send_bytes);
	run_sample(run, "receive-buffer", (double)f->receive_bytes);
}
