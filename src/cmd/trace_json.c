// SPDX-License-Identifier: GPL-2.0-only
/* cmd/trace_json.c - what a trace shows, as one JSON object. Times are ns. */
#include "cmd/trace_text.h"

#include "base/json_out.h"

#include <stdlib.h>

static void put_ns(struct json_out *out, const char *key, uint64_t value)
{
	json_out_int(out, key, value > INT64_MAX ? INT64_MAX : (int64_t)value);
}

static void put_task(struct json_out *out, const struct analysis *a, uint32_t task)
{
	json_out_int(out, "task", a->state.tasks[task].pid);
	json_out_str(out, "comm", *a->state.tasks[task].comm ? a->state.tasks[task].comm : NULL);
}

static void put_wait(struct json_out *out, const struct analysis *a,
		     const struct analysis_wait *wait)
{
	json_out_object(out, NULL);
	put_task(out, a, wait->task);
	json_out_int(out, "cpu", wait->cpu);
	put_ns(out, "ready_ns", wait->from_ns);
	put_ns(out, "waited_ns", wait->ns);
	json_out_str(out, "how", analysis_how_name(wait->how));
	json_out_bool(out, "ended", wait->ended);
	json_out_array(out, "for");
	for (uint32_t i = 0; i < wait->nr_whom; i++) {
		json_out_object(out, NULL);
		put_task(out, a, wait->whom[i].task);
		put_ns(out, "ns", wait->whom[i].ns);
		json_out_end_object(out);
	}
	json_out_end_array(out);
	put_ns(out, "for_others_ns", wait->others_ns);
	put_ns(out, "idle_ns", wait->idle_ns);
	put_ns(out, "unknown_ns", wait->early_ns);
	if (wait->free_ns) {
		json_out_int(out, "free_cpu", wait->free_cpu);
		put_ns(out, "free_ns", wait->free_ns);
	}
	json_out_end_object(out);
}

static void put_waits(struct json_out *out, const struct analysis *a)
{
	json_out_array(out, "waits");
	for (size_t i = 0; i < a->nr_waits; i++)
		put_wait(out, a, &a->waits[i]);
	json_out_end_array(out);
}

static void put_cpus(struct json_out *out, const struct analysis *a)
{
	json_out_array(out, "cpus");
	for (uint32_t i = 0; i < a->nr_cpus; i++) {
		const struct analysis_cpu *c = &a->cpus[i];

		if (!analysis_knows_cpu(a, i))
			continue;
		json_out_object(out, NULL);
		json_out_int(out, "cpu", i);
		put_ns(out, "busy_ns", c->busy_ns);
		put_ns(out, "idle_ns", c->idle_ns);
		put_ns(out, "idle_while_others_waited_ns", c->idle_waited_ns);
		put_ns(out, "lost_ns", c->lost_ns);
		put_ns(out, "switches", c->switches);
		json_out_end_object(out);
	}
	json_out_end_array(out);
}

static void put_tasks(struct json_out *out, const struct analysis *a)
{
	static const struct {
		const char *name;
		double q;
	} quantiles[] = {
		{ "wake_p50_ns", 0.5 },
		{ "wake_p90_ns", 0.9 },
		{ "wake_p99_ns", 0.99 },
		{ "wake_max_ns", 1 },
	};
	size_t n;
	uint32_t *index = analysis_tasks(a, &n);

	json_out_array(out, "tasks");
	for (size_t i = 0; i < n; i++) {
		const struct analysis_task *t = &a->tasks[index[i]];

		json_out_object(out, NULL);
		put_task(out, a, index[i]);
		put_ns(out, "ran_ns", t->run_ns);
		put_ns(out, "waited_ns", t->wait_ns);
		put_ns(out, "slept_ns", t->sleep_ns);
		put_ns(out, "switches", t->switches);
		put_ns(out, "preempted", t->preempted);
		put_ns(out, "migrations", t->migrations);
		put_ns(out, "wakes", t->wake.count);
		for (int q = 0; t->wake.count && q < 4; q++)
			put_ns(out, quantiles[q].name,
			       latencies_quantile(&t->wake, quantiles[q].q));
		put_ns(out, "longest_wait_ns", t->longest_ns);
		if (t->has_for)
			json_out_int(out, "longest_wait_for", a->state.tasks[t->longest_for].pid);
		json_out_end_object(out);
	}
	json_out_end_array(out);
	free(index);
}

static void put_migrations(struct json_out *out, const struct analysis *a, size_t rows)
{
	size_t n;
	struct analysis_pair *pairs = analysis_pairs(a, &n);

	json_out_object(out, "migrations");
	for (int r = 0; r < NR_CORE_REASONS; r++) {
		if (!a->by_reason[r])
			continue;
		if (!a->machine) {
			put_ns(out, trace_reason_name((enum core_reason)r), a->by_reason[r]);
			continue;
		}
		json_out_object(out, trace_reason_name((enum core_reason)r));
		for (int d = TRACE_SMT; d < NR_TRACE_DISTANCES; d++)
			put_ns(out, trace_distance_name((enum trace_distance)d),
			       a->by_distance[r][d]);
		json_out_end_object(out);
	}
	json_out_end_object(out);
	put_ns(out, "migrations_unseen", a->unseen);
	json_out_array(out, "pairs");
	for (size_t i = 0; i < n && i < rows; i++) {
		json_out_object(out, NULL);
		json_out_int(out, "from", pairs[i].from);
		json_out_int(out, "to", pairs[i].to);
		json_out_int(out, "n", pairs[i].count);
		json_out_end_object(out);
	}
	json_out_end_array(out);
	free(pairs);
}

void trace_json(const struct analysis *a, const struct trace_found *found, size_t rows,
		struct strbuf *sb)
{
	struct json_out out = { .sb = sb };
	struct strbuf wake = { 0 };

	json_out_object(&out, NULL);
	json_out_str(&out, "format", found->format);
	put_ns(&out, "from_ns", a->first_ns);
	put_ns(&out, "to_ns", a->last_ns);
	put_ns(&out, "events", a->events);
	put_ns(&out, "lost", found->lost);
	put_ns(&out, "gaps", a->state.gaps);
	put_ns(&out, "losses", found->losses);
	put_ns(&out, "broken", found->broken + found->backward);
	put_waits(&out, a);
	put_cpus(&out, a);
	put_tasks(&out, a);
	histogram_write(a->wake, &wake);
	json_out_str(&out, "wake_histogram", strbuf_str(&wake));
	put_migrations(&out, a, rows);
	json_out_end_object(&out);
	strbuf_addch(sb, '\n');
	strbuf_release(&wake);
}
