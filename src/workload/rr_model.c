// SPDX-License-Identifier: GPL-2.0-only
/* workload/rr_model.c - rr.c's clients and servers on a simulated machine. */
#include "workload/rr.h"

#include "base/mem.h"
#include "workload/arrivals.h"
#include "workload/model_team.h"

#include <errno.h>
#include <stdlib.h>

/* The defaults of Linux for a fresh socket. */
#define BUFFER_BYTES	  212992 /* net.core.wmem_default, rmem_default */
#define TCP_SEND_BYTES	  16384	 /* net.ipv4.tcp_wmem */
#define TCP_RECEIVE_BYTES 131072 /* net.ipv4.tcp_rmem */

/* What has just been done. */
enum state {
	STATE_NOTHING,
	STATE_PASSED,
	STATE_SLEPT,
	STATE_SENT,
	STATE_GOT_HEAD, /* of a frame */
	STATE_GOT_ALL,
	STATE_SAID_GOODBYE,
};

/**
 * struct pair_sim - a client and its server
 * @client, @server: their states
 * @step:  the request under way
 * @at:    the next one
 * @over:  what the server gets now isn't a request, but the end
 */
struct pair_sim {
	struct rr_sim *rr;
	struct rr_pair pair;
	struct sim_pipe *to, *fro;
	enum state client, server;
	const struct rr_step *step;
	size_t at;
	bool over;
	struct rr_look look;
	struct arrivals arrivals;
	uint64_t due_ns;
	uint64_t sent_ns;
};

/* struct rr_sim - @late: a pair that ran out of patience */
struct rr_sim {
	const struct rr_cfg *cfg;
	struct model_team team;
	const uint64_t *place[2];
	struct rr_script script;
	struct rr_window window;
	struct pair_sim *pairs;
	struct rr_tally *tallies;
	struct rr_trace *traces;
	struct histogram *latency;
	const struct pair_sim *late;
};

static enum sim_transport transport_of(const struct rr_cfg *cfg)
{
	switch (cfg->transport) {
	case RR_TCP:
		return SIM_TCP;
	case RR_UDP:
		return SIM_UDP;
	default:
		return SIM_UNIX_STREAM;
	}
}

static void ask(struct pair_sim *p, struct sim_task *task)
{
	p->step = &p->rr->script.steps[p->at];
	if (++p->at == p->rr->script.nr)
		p->at = 0;
	p->client = STATE_SENT;
	p->sent_ns = sim_now(sim_of(task));
	sim_write(task, p->to, p->step->request);
}

/* The end of a stream comes as bytes where a request would begin; that of datagrams is an empty one. */
static void say_goodbye(struct pair_sim *p, struct sim_task *task)
{
	const uint64_t bytes = p->rr->script.framed ? 4 : p->rr->script.steps[0].request;

	p->over = true;
	p->client = STATE_SAID_GOODBYE;
	sim_write(task, p->to, p->rr->cfg->transport == RR_UDP ? 0 : bytes);
}

/* The next one that is due in time: sleeps until then if need be. */
static void ask_when_due(struct pair_sim *p, struct sim_task *task)
{
	const struct rr_window *window = &p->rr->window;
	const uint64_t now_ns = sim_now(sim_of(task));

	for (;;) {
		p->due_ns = window->start_ns + arrivals_next(&p->arrivals);
		if (p->due_ns >= window->end_ns) {
			say_goodbye(p, task);
			return;
		}
		if (now_ns < window->end_ns)
			break;
		rr_count_unserved(&p->pair, p->due_ns);
	}
	if (now_ns >= p->due_ns) {
		ask(p, task);
		return;
	}
	p->client = STATE_SLEPT;
	sim_sleep_until(task, p->due_ns);
}

static void ask_next(struct pair_sim *p, struct sim_task *task)
{
	const uint64_t now_ns = sim_now(sim_of(task));

	if (p->rr->cfg->rate) {
		ask_when_due(p, task);
	} else if (now_ns < p->rr->window.end_ns) {
		p->due_ns = now_ns;
		ask(p, task);
	} else {
		say_goodbye(p, task);
	}
}

static void get_answer(struct pair_sim *p, struct sim_task *task)
{
	const bool head = p->rr->script.framed && p->client == STATE_SENT;
	const uint64_t rest = p->step->response - (p->client == STATE_GOT_HEAD ? 4 : 0);

	p->client = head ? STATE_GOT_HEAD : STATE_GOT_ALL;
	sim_read(task, p->fro, head ? 4 : rest);
}

static void take_answer(struct pair_sim *p, struct sim_task *task)
{
	const uint64_t now_ns = sim_now(sim_of(task));

	if (now_ns - p->sent_ns > p->rr->cfg->patience_ns) {
		p->rr->late = p;
		sim_stop(sim_of(task));
		return;
	}
	rr_tally_add(&p->pair, p->step, p->due_ns, now_ns);
	rr_look_around(&p->pair, &p->look, sim_task_cpu(task));
	ask_next(p, task);
}

static void client_step(struct sim_task *task, void *data)
{
	struct pair_sim *p = data;

	switch (p->client) {
	case STATE_NOTHING:
		sim_set_slack(task, 1);
		p->client = STATE_PASSED;
		model_gate_pass(&p->rr->team.gate, task);
		break;
	case STATE_PASSED:
		p->look.cpu = sim_task_cpu(task);
		ask_next(p, task);
		break;
	case STATE_SLEPT:
		ask(p, task);
		break;
	case STATE_SENT:
	case STATE_GOT_HEAD:
		get_answer(p, task);
		break;
	case STATE_GOT_ALL:
		take_answer(p, task);
		break;
	case STATE_SAID_GOODBYE:
		sim_exit(task);
		break;
	}
}

static void await_request(struct pair_sim *p, struct sim_task *task)
{
	const bool framed = p->rr->script.framed;

	p->server = framed ? STATE_GOT_HEAD : STATE_GOT_ALL;
	sim_read(task, p->to, framed ? 4 : p->rr->script.steps[0].request);
}

static void server_step(struct sim_task *task, void *data)
{
	struct pair_sim *p = data;

	switch (p->server) {
	case STATE_NOTHING:
		p->pair.trace->cpu = sim_task_cpu(task);
		p->server = STATE_PASSED;
		model_gate_pass(&p->rr->team.gate, task);
		break;
	case STATE_GOT_HEAD:
		p->server = STATE_GOT_ALL;
		if (p->over)
			sim_exit(task);
		else
			sim_read(task, p->to, p->step->request - 4);
		break;
	case STATE_GOT_ALL:
		p->pair.trace->cpu = sim_task_cpu(task);
		p->server = STATE_SENT;
		if (p->over)
			sim_exit(task);
		else
			sim_write(task, p->fro, p->step->response);
		break;
	default:
		await_request(p, task);
		break;
	}
}

static void make(struct model_team *team, struct sim_task *task, uint64_t i)
{
	struct rr_sim *rr = team->data;
	const bool client = i % 2;
	const struct sim_task_spec spec = {
		.name = client ? "client" : "server",
		.step = client ? client_step : server_step,
		.data = &rr->pairs[i / 2],
		.affinity = rr->place[!client],
		.thread = rr->cfg->mode == RR_THREAD,
	};

	sim_fork(task, &spec);
}

static void open_window(struct model_team *team, struct sim_task *task)
{
	struct rr_sim *rr = team->data;
	const uint64_t now_ns = sim_now(sim_of(task));

	rr->window = (struct rr_window){ .start_ns = now_ns,
					 .count_ns = now_ns + rr->cfg->warmup_ns,
					 .end_ns = now_ns + rr->cfg->time_ns };
}

static void make_pair(struct rr_sim *rr, struct sim *sim, size_t nr)
{
	const enum sim_transport transport = transport_of(rr->cfg);
	const uint64_t capacity = model_capacity(transport, rr->script.longest);
	struct pair_sim *p = &rr->pairs[nr];

	*p = (struct pair_sim){ .rr = rr,
				.at = nr * 7919 % rr->script.nr,
				.to = sim_pipe_new(sim, transport, capacity, transport == SIM_UDP),
				.fro = sim_pipe_new(sim, transport, capacity,
						    transport == SIM_UDP) };
	p->pair = (struct rr_pair){ .cfg = rr->cfg,
				    .script = &rr->script,
				    .window = &rr->window,
				    .nr = nr,
				    .tally = &rr->tallies[nr],
				    .trace = &rr->traces[nr],
				    .latency = rr->latency };
	if (rr->cfg->rate)
		arrivals_start(&p->arrivals, rr->cfg->arrivals, (double)rr->cfg->rate,
			       rr->cfg->seed, nr, rr->cfg->pairs);
}

static void set_up(struct rr_sim *rr, struct run *run, struct sim *sim)
{
	const size_t n = (size_t)rr->cfg->pairs;

	rr_script_init(&rr->script, rr->cfg);
	rr->tallies = xaligned(SHARED_ALIGN, n * sizeof(*rr->tallies));
	rr->traces = xaligned(SHARED_ALIGN, n * sizeof(*rr->traces));
	rr->latency = xcalloc(1, sizeof(*rr->latency));
	rr->pairs = sim_alloc(sim, n * sizeof(*rr->pairs));
	for (size_t i = 0; i < n; i++)
		make_pair(rr, sim, i);
	rr->team = (struct model_team){
		.run = run, .size = 2 * n, .make = make, .open = open_window, .data = rr
	};
}

static void report(struct run *run, const struct rr_sim *rr)
{
	const bool tcp = rr->cfg->transport == RR_TCP;
	const struct rr_figures figures = {
		.cfg = rr->cfg,
		.script = &rr->script,
		.window = &rr->window,
		.tallies = rr->tallies,
		.latency = rr->latency,
		.send_bytes = tcp ? TCP_SEND_BYTES : BUFFER_BYTES,
		.receive_bytes = tcp ? TCP_RECEIVE_BYTES : BUFFER_BYTES,
	};

	rr_report(run, &figures);
}

int rr_model(struct run *run, struct sim *sim, const void *cfg, struct error *err)
{
	struct rr_sim *rr = sim_alloc(sim, sizeof(*rr));
	int ret;

	rr->cfg = cfg;
	ret = model_places(rr->place, rr->cfg->cpus, sim, err);
	if (ret)
		return ret;
	set_up(rr, run, sim);
	ret = model_team_play(&rr->team, sim, err);
	if (!ret && rr->late)
		ret = error_set(err, ETIMEDOUT, "client %zu: nothing came for %g s",
				rr->late->pair.nr, (double)rr->cfg->patience_ns / 1e9);
	if (!ret)
		report(run, rr);
	rr_script_release(&rr->script);
	free(rr->latency);
	free(rr->traces);
	free(rr->tallies);
	return ret;
}
