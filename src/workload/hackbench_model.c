// SPDX-License-Identifier: GPL-2.0-only
/* workload/hackbench_model.c - hackbench.c's tasks on a simulated machine. */
#include "workload/hackbench.h"

#include "base/mem.h"
#include "workload/model.h"

#include <stdio.h>
#include <stdlib.h>

struct hackbench_sim;

/* What the parent does next. */
enum parent_state {
	PARENT_MAKES,
	PARENT_SETS_CLASS,
	PARENT_COLLECTS,
	PARENT_STARTS,
	PARENT_WAITS,
	PARENT_ENDS,
};

enum peer_state {
	PEER_IS_READY,
	PEER_POLLS,
	PEER_TALKS,
};

/**
 * struct peer - a receiver or a sender
 * @done: messages
 */
struct peer {
	struct hackbench_sim *hb;
	size_t nr;
	enum peer_state state;
	uint64_t done;
	uint64_t end_ns;
};

/* Tasks are numbered as in hackbench.c: of each group its receivers, then its senders; channels are those of the receivers. */
struct hackbench_sim {
	struct run *run;
	const struct hackbench_cfg *cfg;
	struct sim_pipe *ready;
	struct sim_pipe *wake;
	struct sim_pipe **channels;
	struct peer *peers;
	size_t nr_peers;
	enum parent_state state;
	size_t counted; /* of what its state counts */
	uint64_t made_ns;
	uint64_t setup_ns;
};

static enum sim_transport transport_of(const struct hackbench_cfg *cfg)
{
	switch (cfg->transport) {
	case TRANSPORT_PIPE:
		return SIM_PIPE;
	case TRANSPORT_FIFO:
		return SIM_FIFO;
	case TRANSPORT_TCP:
		return SIM_TCP;
	default:
		return SIM_UNIX_STREAM;
	}
}

/* One message from or to; false: all have been. */
static bool talk(struct peer *peer, struct sim_task *task)
{
	const struct hackbench_cfg *cfg = peer->hb->cfg;
	const size_t group = peer->nr / (2 * cfg->fds), place = peer->nr % (2 * cfg->fds);
	struct sim_pipe **channels = &peer->hb->channels[group * cfg->fds];

	if (peer->done == cfg->fds * cfg->loops)
		return false;
	if (place < cfg->fds)
		sim_read(task, channels[place], cfg->size_bytes);
	else
		sim_write(task, channels[peer->done % cfg->fds], cfg->size_bytes);
	peer->done++;
	return true;
}

static void peer_step(struct sim_task *task, void *data)
{
	struct peer *peer = data;

	switch (peer->state) {
	case PEER_IS_READY:
		peer->state = PEER_POLLS;
		sim_write(task, peer->hb->ready, 1);
		break;
	case PEER_POLLS:
		peer->state = PEER_TALKS;
		sim_poll(task, &peer->hb->wake, 1);
		break;
	case PEER_TALKS:
		if (talk(peer, task))
			break;
		peer->end_ns = sim_now(sim_of(task));
		sim_exit(task);
		break;
	}
}

static void make_peer(struct hackbench_sim *hb, struct sim_task *task)
{
	struct peer *peer = &hb->peers[hb->counted];
	char name[16];
	const struct sim_task_spec spec = {
		.name = name,
		.step = peer_step,
		.data = peer,
		.thread = hb->cfg->mode == MODE_THREAD,
	};

	snprintf(name, sizeof(name), "%s",
		 peer->nr % (2 * hb->cfg->fds) < hb->cfg->fds ? "receiver" : "sender");
	sim_fork(task, &spec);
}

/* On to what comes next when this has been done @n times. */
static bool counted(struct hackbench_sim *hb, size_t n)
{
	if (hb->counted++ < n)
		return false;
	hb->counted = 0;
	hb->state++;
	return true;
}

static void parent_step(struct sim_task *task, void *data)
{
	static const struct core_sched fifo = { .policy = CORE_FIFO, .priority = 1 };
	struct hackbench_sim *hb = data;
	const uint64_t now_ns = sim_now(sim_of(task));

	switch (hb->state) {
	case PARENT_MAKES:
		if (hb->counted < hb->nr_peers) {
			make_peer(hb, task);
			hb->counted++;
			return;
		}
		hb->counted = 0;
		hb->state = hb->cfg->parent == PARENT_FIFO ? PARENT_SETS_CLASS : PARENT_COLLECTS;
		parent_step(task, data);
		break;
	case PARENT_SETS_CLASS:
		hb->state = PARENT_COLLECTS;
		sim_set_sched(task, &fifo);
		break;
	case PARENT_COLLECTS:
		if (counted(hb, hb->nr_peers))
			parent_step(task, data);
		else
			sim_read(task, hb->ready, 1);
		break;
	case PARENT_STARTS:
		hb->state = PARENT_WAITS;
		hb->setup_ns = now_ns - hb->made_ns;
		run_start_at(hb->run, now_ns);
		sim_write(task, hb->wake, 1);
		break;
	case PARENT_WAITS:
		if (counted(hb, hb->nr_peers))
			parent_step(task, data);
		else
			sim_wait(task);
		break;
	case PARENT_ENDS:
		run_stop_at(hb->run, now_ns);
		sim_exit(task);
		break;
	}
}

static void set_up(struct hackbench_sim *hb, struct sim *sim)
{
	const struct hackbench_cfg *cfg = hb->cfg;
	const enum sim_transport transport = transport_of(cfg);
	const uint64_t capacity = model_capacity(transport, cfg->size_bytes);
	const size_t nr_channels = (size_t)(cfg->groups * cfg->fds);

	hb->nr_peers = 2 * nr_channels;
	hb->made_ns = sim_now(sim);
	hb->ready = sim_pipe_new(sim, transport, model_capacity(transport, 1), false);
	hb->wake = sim_pipe_new(sim, transport, model_capacity(transport, 1), false);
	hb->channels = sim_alloc(sim, nr_channels * sizeof(*hb->channels));
	hb->peers = sim_alloc(sim, hb->nr_peers * sizeof(*hb->peers));
	for (size_t i = 0; i < nr_channels; i++)
		hb->channels[i] = sim_pipe_new(sim, transport, capacity, false);
	for (size_t i = 0; i < hb->nr_peers; i++)
		hb->peers[i] = (struct peer){ .hb = hb, .nr = i };
}

static void sample(struct run *run, const struct hackbench_sim *hb)
{
	struct histogram *finish = xcalloc(1, sizeof(*finish));

	for (size_t i = 0; i < hb->nr_peers; i++)
		histogram_add(finish, hb->peers[i].end_ns - run->start_ns);
	hackbench_sample(run, finish, hb->setup_ns);
	free(finish);
}

int hackbench_model(struct run *run, struct sim *sim, const void *cfg, struct error *err)
{
	struct hackbench_sim *hb = sim_alloc(sim, sizeof(*hb));
	const struct sim_task_spec spec = { .name = "hackbench", .step = parent_step, .data = hb };
	int ret;

	hb->run = run;
	hb->cfg = cfg;
	set_up(hb, sim);
	sim_spawn(sim, &spec);
	ret = model_go(run, sim, err);
	if (!ret)
		sample(run, hb);
	return ret;
}
