// SPDX-License-Identifier: GPL-2.0-only
#include "differ/sims.h"

#include "base/file.h"
#include "base/mem.h"
#include "differ/apart.h"
#include "differ/tap.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_SIZE   16384
#define SCRIPT_SIZE (512u << 20)

/* What is compared of a decision; no padding, so that bytes can be. SIMS_END: the run ended, @task: well. */
#define SIMS_END UINT32_MAX
struct record {
	uint64_t time_ns;
	uint32_t kind;
	uint32_t cpu;
	uint32_t task;
	uint32_t other;
	uint32_t target;
	uint32_t reason;
};

/* struct outcome - shared: what a process found out. @other: of the other side, at the same place */
struct outcome {
	bool differs;
	uint64_t at;
	struct record mine, other;
	char text[TEXT_SIZE];
};

enum role {
	ROLE_WRITE,   /* write all records to the file */
	ROLE_COMPARE, /* with those of the file */
	ROLE_REPEAT,  /* as far as outcome[1].at, and write down the script */
};

/* struct watcher - of one run; @numbers: numbers[task of the trace]: the script's */
struct watcher {
	struct trace_sink sink;
	struct tap tap;
	const struct sim_job *job;
	enum role role;
	FILE *file;
	uint64_t at;
	struct outcome *outcome;
	const struct record *until; /* of ROLE_REPEAT: what the other side did */
	uint64_t until_at;
	struct script *script;
	int script_fd;
	uint32_t *numbers;
	uint32_t nr_numbers;
};

/* --- words --- */

static void add_task(struct strbuf *sb, const struct watcher *w, uint32_t task)
{
	const uint32_t nr = task < w->nr_numbers ? w->numbers[task] : 0;

	if (!nr)
		strbuf_addstr(sb, "idle");
	else
		strbuf_addf(sb, "%s (t%" PRIu32 ")", w->tap.task[nr - 1].comm, nr);
}

static void add_decision(struct strbuf *sb, const struct watcher *w, const struct record *r)
{
	if (r->kind == TRACE_SWITCH) {
		strbuf_addf(sb, "CPU %" PRIu32 " switches from ", r->cpu);
		add_task(sb, w, r->task);
		strbuf_addstr(sb, " to ");
		add_task(sb, w, r->other);
		return;
	}
	add_task(sb, w, r->task);
	if (r->kind == TRACE_MIGRATE)
		strbuf_addf(sb, " goes from CPU %" PRIu32 " to CPU %" PRIu32 " (%s)", r->cpu,
			    r->target, trace_reason_name((enum core_reason)r->reason));
	else
		strbuf_addf(sb, "%s on CPU %" PRIu32 " by CPU %" PRIu32,
			    r->kind == TRACE_NEW ? ", new, is started" : " is woken up", r->target,
			    r->cpu);
}

static void add_rq(struct strbuf *sb, const struct watcher *w, uint32_t cpu)
{
	struct core_rq_state rq;
	uint32_t curr;

	w->tap.inner->rq_state(w->tap.core, cpu, &rq);
	curr = tap_task(&w->tap, rq.curr);
	strbuf_addf(sb, "    CPU %" PRIu32 ": %s", cpu,
		    curr ? w->tap.task[curr - 1].comm : "nobody");
	if (curr)
		strbuf_addf(sb, " (t%" PRIu32 ")", curr);
	strbuf_addf(sb,
		    " runs, %" PRIu32 " ready, load %" PRIu64 ", util %" PRIu64
		    ", capacity %" PRIu64 "\n",
		    rq.nr_running, rq.load_avg, rq.util_avg, rq.capacity);
}

static void add_task_state(struct strbuf *sb, const struct watcher *w, uint32_t task)
{
	const uint32_t nr = task < w->nr_numbers ? w->numbers[task] : 0;
	struct core_task_state state;

	if (!nr || !w->tap.task[nr - 1].core)
		return;
	w->tap.inner->task_state(w->tap.core, w->tap.task[nr - 1].core, &state);
	strbuf_addf(sb,
		    "    %s (t%" PRIu32 "): on CPU %" PRIu32 "%s%s, ran %" PRIu64
		    " ns, vruntime %" PRId64 ", lag %" PRId64 ", util %" PRIu64 "\n",
		    w->tap.task[nr - 1].comm, nr, state.cpu, state.on_rq ? ", queued" : "",
		    state.delayed ? ", delayed" : "", state.runtime_ns, (int64_t)state.vruntime,
		    state.lag_ns, state.util_avg);
}

/* Numbers of the CPUs that the two records speak of, each once. Return: how many */
static size_t cpus_of(const struct record *mine, const struct record *other, uint32_t cpus[4])
{
	const uint32_t all[] = { mine->cpu, mine->target, other->cpu, other->target };
	const bool is[] = { mine->kind != SIMS_END,
			    mine->kind != SIMS_END && mine->kind != TRACE_SWITCH,
			    other->kind != SIMS_END,
			    other->kind != SIMS_END && other->kind != TRACE_SWITCH };
	size_t n = 0;

	for (size_t i = 0; i < 4; i++) {
		bool known = !is[i];

		for (size_t k = 0; k < n; k++)
			known |= cpus[k] == all[i];
		if (!known)
			cpus[n++] = all[i];
	}
	return n;
}

static void describe(struct watcher *w, const struct record *mine, const struct record *other)
{
	struct strbuf sb = { 0 };
	uint32_t cpus[4];
	size_t n = cpus_of(mine, other, cpus);

	/* of the end the words are there */
	if (mine->kind == SIMS_END)
		return;
	add_decision(&sb, w, mine);
	strbuf_addf(&sb, ", at %" PRIu64 " ns\n", mine->time_ns);
	add_task_state(&sb, w, mine->task ? mine->task : mine->other);
	for (size_t i = 0; i < n; i++)
		add_rq(&sb, w, cpus[i]);
	snprintf(w->outcome->text, TEXT_SIZE, "%s", strbuf_str(&sb));
	strbuf_release(&sb);
}

/* --- a run --- */

static void write_script(const struct watcher *w)
{
	struct strbuf text = { 0 };
	FILE *file = fdopen(dup(w->script_fd), "w");

	script_print(w->script, NULL, &text);
	if (!file || fwrite(text.s, 1, text.len, file) != text.len || fclose(file))
		_exit(2);
}

static _Noreturn void end_with(struct watcher *w, const struct record *mine,
			       const struct record *other)
{
	w->outcome->at = w->at;
	w->outcome->differs = true;
	w->outcome->mine = *mine;
	w->outcome->other = *other;
	describe(w, mine, other);
	if (w->role == ROLE_REPEAT)
		write_script(w);
	_exit(0);
}

static void compare(struct watcher *w, const struct record *mine)
{
	struct record other;

	if (fread(&other, sizeof(other), 1, w->file) != 1)
		_exit(2);
	if (memcmp(&other, mine, sizeof(other)) != 0)
		end_with(w, mine, &other);
}

static void take(struct watcher *w, const struct record *mine)
{
	if (w->role == ROLE_WRITE && fwrite(mine, sizeof(*mine), 1, w->file) != 1)
		_exit(2);
	if (w->role == ROLE_COMPARE)
		compare(w, mine);
	if (w->role == ROLE_REPEAT && w->at == w->until_at)
		end_with(w, mine, w->until);
	w->at++;
}

/* One that has no number yet is the newest: it is placed, then told of, in the call that starts it. */
static void number_task(struct watcher *w, uint32_t task)
{
	if (task >= w->nr_numbers) {
		uint32_t n = 2 * task + 64;

		w->numbers = xreallocarray(w->numbers, n, sizeof(*w->numbers));
		memset(w->numbers + w->nr_numbers, 0, (n - w->nr_numbers) * sizeof(*w->numbers));
		w->nr_numbers = n;
	}
	if (!w->numbers[task])
		w->numbers[task] = w->tap.nr_tasks;
}

static void watch_event(struct trace_sink *sink, const struct trace_event *event)
{
	struct watcher *w = (struct watcher *)sink;
	const struct record record = {
		.time_ns = event->time_ns,
		.kind = event->kind,
		.cpu = event->cpu,
		.task = event->task,
		.other = event->kind == TRACE_SWITCH ? event->other : 0,
		.target = event->kind == TRACE_SWITCH ? 0 : event->target,
		.reason = event->kind == TRACE_MIGRATE ? event->reason : 0,
	};

	switch (event->kind) {
	case TRACE_NEW:
		number_task(w, event->task);
		take(w, &record);
		break;
	case TRACE_SWITCH:
	case TRACE_WAKEUP:
		take(w, &record);
		break;
	case TRACE_MIGRATE:
		number_task(w, event->task);
		take(w, &record);
		break;
	default:
		break;
	}
}

static void run_watched(void *ctx)
{
	struct watcher *w = ctx;
	const struct sim_ground *ground = w->job->ground;
	const struct sim_watch watch = { .core = &w->tap.ops,
					 .machine = &w->tap.machine,
					 .sink = &w->sink };
	struct record end = { .kind = SIMS_END };
	struct error err = { 0 };

	w->sink.event = watch_event;
	tap_init(&w->tap, ground->core.ops, &ground->shape.of, w->script);
	end.task = !sim_run_watched(w->job, &watch, &err);
	snprintf(w->outcome->text, TEXT_SIZE, "the run %s%s\n",
		 end.task ? "ends" : "fails: ", end.task ? "" : err.text);
	take(w, &end);
	if (w->role == ROLE_WRITE && fflush(w->file))
		_exit(2);
}

/* --- the three of them --- */

static int run_side(const struct sims *sims, struct watcher *w, size_t side, struct error *err)
{
	int ret;

	w->job = &sims->job[side];
	ret = apart_call(run_watched, w, sims->limit_ns, sims->stop, err);
	if (ret)
		error_prefix(err, "%s", sims->names[side]);
	return ret;
}

static int read_script(struct script *script, int fd, struct error *err)
{
	struct strbuf text = { 0 };
	char *path = xasprintf("/proc/self/fd/%d", fd);
	int ret = file_read(&text, AT_FDCWD, path, SCRIPT_SIZE, err);

	if (!ret)
		ret = script_parse(script, "recorded events", strbuf_str(&text), err);
	free(path);
	strbuf_release(&text);
	return ret;
}

static void put_text(struct sims_found *found, const struct sims *sims,
		     const struct outcome outcome[2])
{
	for (size_t i = 0; i < 2; i++)
		strbuf_addf(found->text, "  %s: %s", sims->names[i], outcome[i].text);
}

/* The first side again, as far as the second one went with it. */
static int repeat(struct sims_found *found, const struct sims *sims, struct outcome outcome[2],
		  struct error *err)
{
	struct script recorded;
	struct watcher w = { .role = ROLE_REPEAT,
			     .outcome = &outcome[0],
			     .until = &outcome[1].mine,
			     .until_at = outcome[1].at,
			     .script = &recorded };
	int fd = apart_file(err), ret = fd < 0 ? fd : 0;

	if (ret)
		return ret;
	script_init(&recorded);
	recorded.machine = found->script->machine;
	recorded.before = found->script->before;
	recorded.after = found->script->after;
	recorded.seed = sims->job[0].seed;
	w.script_fd = fd;
	ret = run_side(sims, &w, 0, err);
	if (!ret)
		ret = read_script(found->script, fd, err);
	found->time_ns = outcome[0].mine.time_ns;
	found->decisions = outcome[1].at;
	put_text(found, sims, outcome);
	script_release(&recorded);
	close(fd);
	return ret;
}

static int compare_runs(const struct sims *sims, struct outcome outcome[2], FILE *file,
			struct error *err)
{
	struct watcher w = { .role = ROLE_WRITE, .outcome = &outcome[0], .file = file };
	int ret = run_side(sims, &w, 0, err);

	if (ret)
		return ret;
	rewind(file);
	w = (struct watcher){ .role = ROLE_COMPARE, .outcome = &outcome[1], .file = file };
	ret = run_side(sims, &w, 1, err);
	return ret;
}

int sims_compare(struct sims_found *found, const struct sims *sims, struct error *err)
{
	struct outcome *outcome = apart_shared(2 * sizeof(*outcome));
	int fd = apart_file(err), ret = fd < 0 ? fd : 0;
	FILE *file = ret ? NULL : fdopen(fd, "w+");

	if (!ret && !file)
		ret = error_set(err, errno, "records of a run: %s", strerror(errno));
	if (!ret)
		ret = compare_runs(sims, outcome, file, err);
	found->differs = !ret && outcome[1].differs;
	if (found->differs)
		ret = repeat(found, sims, outcome, err);
	if (file)
		fclose(file);
	else if (fd >= 0)
		close(fd);
	apart_unshare(outcome, 2 * sizeof(*outcome));
	return ret;
}
