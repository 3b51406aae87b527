// SPDX-License-Identifier: GPL-2.0-only
#include "sim/end.h"

#include "sim/pipe.h"
#include "sim/sync.h"
#include "sim/task.h"

#include <errno.h>
#include <inttypes.h>

/* Tasks of a deadlock that are told one by one. */
#define TASKS_TOLD 6

#define NS_PER_S UINT64_C(1000000000)

static void add_time(struct strbuf *sb, uint64_t ns)
{
	strbuf_addf(sb, "%" PRIu64 ".%09" PRIu64 " s", ns / NS_PER_S, ns % NS_PER_S);
}

static bool begin(struct sim *sim, enum sim_end end)
{
	if (sim->ended)
		return false;
	sim->ended = true;
	sim->end = end;
	strbuf_reset(&sim->words);
	/* what a boot fails of is the machine or a knob, not the time */
	if (sim->core) {
		strbuf_addstr(&sim->words, "at ");
		add_time(&sim->words, sim->now);
		strbuf_addstr(&sim->words, ": ");
	}
	return true;
}

void sim_end_with(struct sim *sim, enum sim_end end, const char *fmt, ...)
{
	va_list ap;

	if (!begin(sim, end))
		return;
	va_start(ap, fmt);
	strbuf_vaddf(&sim->words, fmt, ap);
	va_end(ap);
	if (end > SIM_TIME)
		sim_mark(sim, sim->words.s);
}

const char *sim_task_comm(const struct sim_task *task)
{
	return task ? task->comm : "idle";
}

const char *sim_task_state_name(const struct sim_task *task)
{
	static const char *const names[] = {
		[TASK_NEW] = "has not started on", [TASK_READY] = "is ready on",
		[TASK_RUNNING] = "is running on",  [TASK_BLOCKED] = "waits, and was last on",
		[TASK_ZOMBIE] = "has exited on",   [TASK_GONE] = "was gone from",
	};

	return names[task->state];
}

/* Append "reads pipe 3", "waits for time". */
static void tell_wait(const struct sim_task *task, struct strbuf *sb)
{
	switch (task->wait) {
	case WAIT_TIME:
		strbuf_addstr(sb, "sleeps");
		break;
	case WAIT_IO:
		strbuf_addstr(sb, "waits for a device");
		break;
	case WAIT_READ:
		strbuf_addf(sb, "reads pipe %" PRIu32 ", which is empty",
			    sim_pipe_nr(task->object));
		break;
	case WAIT_WRITE:
		strbuf_addf(sb, "writes to pipe %" PRIu32 ", which is full",
			    sim_pipe_nr(task->object));
		break;
	case WAIT_POLL:
		strbuf_addf(sb, "polls %zu pipes", task->nr_pollers);
		break;
	case WAIT_FUTEX:
		sim_futex_tell(task->object, sb);
		break;
	case WAIT_MUTEX:
		sim_mutex_tell(task->object, sb);
		break;
	case WAIT_BARRIER:
		sim_barrier_tell(task->object, sb);
		break;
	case WAIT_CHILD:
		strbuf_addstr(sb, "waits for a child");
		break;
	}
}

void sim_end_deadlock(struct sim *sim)
{
	const struct sim_task *task = sim->all;
	uint32_t told = 0;

	if (!begin(sim, SIM_DEADLOCK))
		return;
	strbuf_addf(&sim->words, "all %" PRIu32 " tasks wait, and nobody is left to wake one",
		    sim->nr_live);
	for (; task && told < TASKS_TOLD; task = task->next_all) {
		if (task->state != TASK_BLOCKED)
			continue;
		strbuf_addf(&sim->words, "%s '%s' (%" PRIu32 ") since ", told++ ? ";" : ":",
			    task->comm, task->nr);
		add_time(&sim->words, task->since_ns);
		strbuf_addch(&sim->words, ' ');
		tell_wait(task, &sim->words);
	}
	if (told < sim->nr_live)
		strbuf_addf(&sim->words, "; and %" PRIu32 " more", sim->nr_live - told);
	sim_mark(sim, sim->words.s);
}

int sim_end_code(enum sim_end end)
{
	static const int codes[] = {
		[SIM_ALL_EXITED] = 0,	  [SIM_STOPPED] = 0,	    [SIM_TIME] = 0,
		[SIM_DEADLOCK] = EDEADLK, [SIM_LIVELOCK] = ELOOP,   [SIM_STARVED] = ETIME,
		[SIM_CORE] = EFAULT,	  [SIM_INVARIANT] = EPROTO,
	};

	return -codes[end];
}
