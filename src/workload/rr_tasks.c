// SPDX-License-Identifier: GPL-2.0-only
/* workload/rr_tasks.c - a client and a server of rr. */
#include "workload/rr.h"

#include "base/clock.h"
#include "base/mem.h"
#include "workload/arrivals.h"
#include "workload/gate.h"
#include "workload/places.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* What a framed request or response begins with. */
struct frame {
	uint32_t rest;	   /* bytes that follow these four */
	uint32_t response; /* bytes of the answer, in a request */
};

static int say_timeout(const struct rr_pair *pair, const char *what, struct error *err)
{
	return error_set(err, ETIMEDOUT, "%s for %g s", what, (double)pair->cfg->patience_ns / 1e9);
}

static int send_all(const struct rr_pair *pair, int fd, const char *bytes, size_t n,
		    struct error *err)
{
	ssize_t sent;

	for (size_t done = 0; done < n; done += (size_t)sent) {
		sent = send(fd, bytes + done, n - done, MSG_NOSIGNAL);
		if (sent > 0)
			continue;
		if (errno == EAGAIN)
			return say_timeout(pair, "nothing could be sent", err);
		return error_set(err, errno, "send: %s", strerror(errno));
	}
	return 0;
}

/* Bytes that came before the other side ended: @n, or fewer. -EAGAIN: not one within patience. */
static ssize_t receive(const struct rr_pair *pair, int fd, char *bytes, size_t n, int flags,
		       struct error *err)
{
	size_t done = 0;
	ssize_t got;

	do {
		got = recv(fd, bytes + done, n - done, flags);
		if (got < 0 && errno == EAGAIN) {
			say_timeout(pair, "nothing came", err);
			return done ? -ETIMEDOUT : -EAGAIN;
		}
		if (got < 0)
			return error_set(err, errno, "recv: %s", strerror(errno));
		done += (size_t)got;
	} while (got && done < n);
	return (ssize_t)done;
}

static int receive_all(const struct rr_pair *pair, int fd, char *bytes, size_t n, int flags,
		       struct error *err)
{
	ssize_t got = receive(pair, fd, bytes, n, flags, err);

	if (got < 0)
		return got == -EAGAIN ? -ETIMEDOUT : (int)got;
	return got == (ssize_t)n ? 0 : error_set(err, ENODATA, "the other task is gone");
}

static int ask(const struct rr_pair *pair, char *bytes, const struct rr_step *step,
	       struct error *err)
{
	const int fd = pair->fds[0];
	struct frame frame = { .rest = step->request - 4, .response = step->response };
	int ret;

	if (!pair->script->framed) {
		ret = send_all(pair, fd, bytes, step->request, err);
		return ret ? ret : receive_all(pair, fd, bytes, step->response, 0, err);
	}
	memcpy(bytes, &frame, sizeof(frame));
	ret = send_all(pair, fd, bytes, step->request, err);
	if (!ret)
		ret = receive_all(pair, fd, bytes, 4, 0, err);
	if (!ret)
		ret = receive_all(pair, fd, bytes + 4, step->response - 4, MSG_WAITALL, err);
	return ret;
}

/**
 * struct client - what a client's loop has at hand
 * @at: the next step of the script
 */
struct client {
	const struct rr_pair *pair;
	char *bytes;
	size_t at;
	struct rr_look look;
};

/* @now_ns is set to when the answer came. */
static int ask_next(struct client *client, uint64_t due_ns, uint64_t *now_ns, struct error *err)
{
	const struct rr_script *script = client->pair->script;
	const struct rr_step *step = &script->steps[client->at];
	int ret = ask(client->pair, client->bytes, step, err);

	if (++client->at == script->nr)
		client->at = 0;
	*now_ns = clock_ns(CLOCK_MONOTONIC);
	if (ret)
		return ret;
	rr_tally_add(client->pair, step, due_ns, *now_ns);
	rr_look_around(client->pair, &client->look, (unsigned int)sched_getcpu());
	return 0;
}

static int closed_loop(struct client *client, struct error *err)
{
	const uint64_t end_ns = client->pair->window->end_ns;
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	int ret = 0;

	while (!ret && now_ns < end_ns)
		ret = ask_next(client, now_ns, &now_ns, err);
	return ret;
}

static int open_loop(struct client *client, struct error *err)
{
	const struct rr_pair *pair = client->pair;
	const struct rr_window *window = pair->window;
	struct arrivals arrivals;
	uint64_t due_ns, now_ns;
	int ret = 0;

	arrivals_start(&arrivals, pair->cfg->arrivals, (double)pair->cfg->rate, pair->cfg->seed,
		       pair->nr, (uint64_t)pair->cfg->pairs);
	for (;;) {
		due_ns = window->start_ns + arrivals_next(&arrivals);
		if (ret || due_ns >= window->end_ns)
			return ret;
		now_ns = clock_ns(CLOCK_MONOTONIC);
		if (now_ns < due_ns)
			clock_sleep_until(CLOCK_MONOTONIC, due_ns);
		if (now_ns < window->end_ns)
			ret = ask_next(client, due_ns, &now_ns, err);
		else
			rr_count_unserved(pair, due_ns);
	}
}

/* The end of a stream is its end of file; of datagrams, one that is empty. */
static void say_goodbye(const struct rr_pair *pair)
{
	if (pair->cfg->transport == RR_UDP)
		send(pair->fds[0], "", 0, MSG_NOSIGNAL);
	shutdown(pair->fds[0], SHUT_RDWR);
}

static int start(const struct rr_pair *pair, int side, struct error *err)
{
	if (pair->cfg->mode == RR_PROCESS)
		close(pair->fds[!side]);
	return pair->places->pair ? place_bind_cpu(pair->places->cpus[side], err) : 0;
}

int rr_client(void *arg, struct error *err)
{
	const struct rr_pair *pair = arg;
	struct client client = { .pair = pair,
				 .bytes = xcalloc(1, pair->script->longest),
				 .at = pair->nr * 7919 % pair->script->nr };
	int ret = start(pair, 0, err);

	if (ret)
		return ret;
	memset(client.bytes, 'q', pair->script->longest);
	memset(pair->tally, 0, sizeof(*pair->tally));
	prctl(PR_SET_TIMERSLACK, 1);
	gate_pass(pair->gate);
	client.look.cpu = (unsigned int)sched_getcpu();
	ret = pair->cfg->rate ? open_loop(&client, err) : closed_loop(&client, err);
	say_goodbye(pair);
	free(client.bytes);
	if (ret)
		error_prefix(err, "client %zu", pair->nr);
	return ret;
}

/* Bytes of the request that came, 0 at the end of all. */
static ssize_t take_request(const struct rr_pair *pair, char *bytes, struct error *err)
{
	const int fd = pair->fds[1];
	const size_t whole = pair->script->framed ? 4 : pair->script->steps[0].request;
	ssize_t got = receive(pair, fd, bytes, whole, 0, err);
	struct frame frame;

	if (got <= 0)
		return got;
	if (got < (ssize_t)whole)
		return error_set(err, ENODATA, "the client is gone");
	if (pair->script->framed) {
		memcpy(&frame, bytes, 4);
		if (frame.rest < 4 || frame.rest > pair->script->longest - 4)
			return error_set(err, EPROTO, "a request of %u bytes", frame.rest);
		got = receive_all(pair, fd, bytes + 4, frame.rest, 0, err);
	}
	return got < 0 ? got : 1;
}

static int answer(const struct rr_pair *pair, char *bytes, struct error *err)
{
	size_t response = pair->script->steps[0].response;
	struct frame frame;

	if (pair->script->framed) {
		memcpy(&frame, bytes, sizeof(frame));
		response = frame.response;
		frame.rest = frame.response - 4;
		memcpy(bytes, &frame, sizeof(frame));
	}
	return send_all(pair, pair->fds[1], bytes, response, err);
}

/* Between two requests of a slow open loop more time may pass than a client waits for an answer. */
static bool may_be_idle(const struct rr_pair *pair, ssize_t ret)
{
	return ret == -EAGAIN && pair->cfg->rate &&
	       clock_ns(CLOCK_MONOTONIC) < pair->window->end_ns + pair->cfg->patience_ns;
}

static int serve(const struct rr_pair *pair, char *bytes, struct error *err)
{
	ssize_t got;
	int ret;

	for (;;) {
		do
			got = take_request(pair, bytes, err);
		while (may_be_idle(pair, got));
		if (got <= 0)
			return (int)got;
		*(volatile unsigned int *)&pair->trace->cpu = (unsigned int)sched_getcpu();
		ret = answer(pair, bytes, err);
		if (ret)
			return ret;
	}
}

int rr_server(void *arg, struct error *err)
{
	const struct rr_pair *pair = arg;
	char *bytes = xcalloc(1, pair->script->longest);
	int ret = start(pair, 1, err);

	if (ret)
		return ret;
	memset(bytes, 'r', pair->script->longest);
	pair->trace->cpu = (unsigned int)sched_getcpu();
	gate_pass(pair->gate);
	ret = serve(pair, bytes, err);
	free(bytes);
	if (ret)
		error_prefix(err, "server %zu", pair->nr);
	return ret;
}
