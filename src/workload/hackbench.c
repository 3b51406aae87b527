// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/hackbench.c - groups of senders and receivers in which every sender writes to every receiver: many wakeups
 * and contended channels. What it does in which order is that of rt-tests' program, so that the figures compare:
 * doc/workloads/hackbench.md.
 */
#include "workload/run.h"
#include "workload/team.h"

#include "base/mem.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define GATE_FDS     4
#define CHECK_MS     100
#define BUFFER_ALIGN 128 /* no two threads' messages in one cache line, nor in a prefetched pair */

enum {
	MODE_PROCESS,
	MODE_THREAD
};
enum {
	TRANSPORT_SOCKET,
	TRANSPORT_PIPE
};

struct hackbench_cfg {
	uint64_t groups;
	uint64_t fds;
	uint64_t loops;
	uint64_t size_bytes;
	int mode;
	int transport;
};

static const struct opt hackbench_opts[] = {
	OPT(struct hackbench_cfg, groups, "10", 1, 10000,
	    "groups, which have nothing to do with each other"),
	OPT(struct hackbench_cfg, fds, "20", 1, 1000, "senders of a group, and receivers as well"),
	OPT(struct hackbench_cfg, loops, "100", 1, 1e9,
	    "messages from each sender to each receiver"),
	OPT_BYTES(struct hackbench_cfg, "size", size_bytes, "100", 1, 1 << 24,
		  "bytes of a message"),
	OPT_CHOICE(struct hackbench_cfg, mode, "process", "process|thread", "what a task is"),
	OPT_CHOICE(struct hackbench_cfg, transport, "socket", "socket|pipe",
		   "what a message goes through"),
	OPT_END,
};

static const struct metric hackbench_metrics[] = {
	{ "time", UNIT_NS, BETTER_LOWER, "from the start signal until every task has ended" },
	{ 0 },
};

/*
 * The tasks of a group are numbered in the order of their creation: its receivers, then its senders. Channels are
 * those of group 0, of group 1, ...
 */
struct hackbench {
	const struct hackbench_cfg *cfg;
	struct team *team;
	int ready[2]; /* a task that is set up writes a byte */
	int wake[2];  /* the byte that starts them all, which nobody reads */
	int *read_fds;
	int *write_fds;
	struct peer *peers;
	unsigned char *buffers;
	size_t buffer_stride; /* 0: every process has its own copy of the one buffer */
	size_t buffers_bytes;
};

struct peer {
	struct hackbench *hb;
	size_t nr;
};

static size_t nr_tasks(const struct hackbench_cfg *cfg)
{
	return 2 * (size_t)cfg->groups * (size_t)cfg->fds;
}

static void hackbench_needs(const void *arg, struct needs *needs)
{
	const struct hackbench_cfg *cfg = arg;

	needs->tasks = nr_tasks(cfg) + 1;
	/* threads share both ends of every channel; a process has its group's write ends and one read end */
	needs->fds = GATE_FDS + (cfg->mode == MODE_THREAD ? nr_tasks(cfg) : cfg->fds + 1);
}

static size_t peer_group(const struct peer *peer)
{
	return peer->nr / (2 * (size_t)peer->hb->cfg->fds);
}

/* Number of a receiver or a sender within its group. */
static size_t peer_index(const struct peer *peer)
{
	return peer->nr % (size_t)peer->hb->cfg->fds;
}

static size_t first_channel(const struct peer *peer)
{
	return peer_group(peer) * (size_t)peer->hb->cfg->fds;
}

static const char *transport_name(const struct hackbench_cfg *cfg)
{
	return cfg->transport == TRANSPORT_PIPE ? "pipe" : "socketpair";
}

static int channel_open(const struct hackbench_cfg *cfg, int fds[2], struct error *err)
{
	int ret = cfg->transport == TRANSPORT_PIPE ? pipe(fds)
						   : socketpair(AF_UNIX, SOCK_STREAM, 0, fds);

	return ret ? error_set(err, errno, "%s: %s", transport_name(cfg), strerror(errno)) : 0;
}

/* Tell the parent, then wait for its byte with everybody else. */
static int wait_for_start(const struct hackbench *hb, struct error *err)
{
	struct pollfd wake = { .fd = hb->wake[0], .events = POLLIN };
	static const char token = '*';

	if (write(hb->ready[1], &token, 1) != 1)
		return error_set(err, errno, "write to the parent: %s", strerror(errno));
	while (poll(&wake, 1, -1) != 1)
		if (errno != EINTR)
			return error_set(err, errno, "poll: %s", strerror(errno));
	return 0;
}

/*
 * libc's read() and write() and not bare system calls: in threads they cost more, for cancellation, but it is what
 * the originals pay.
 */
static int receive_message(int fd, unsigned char *buffer, size_t size, struct error *err)
{
	size_t done = 0;

	do {
		ssize_t n = read(fd, buffer + done, size - done);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0)
			return error_set(err, ENODATA,
					 "read: the channel ended after %zu of %zu bytes", done,
					 size);
		else if (errno != EINTR)
			return error_set(err, errno, "read: %s", strerror(errno));
	} while (done < size);
	return 0;
}

static int send_message(int fd, const unsigned char *buffer, size_t size, struct error *err)
{
	size_t done = 0;

	do {
		ssize_t n = write(fd, buffer + done, size - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			return error_set(err, errno, "write: %s", strerror(errno));
	} while (done < size);
	return 0;
}

/* Written before the timed part, so that its pages are there and the process's own. */
static unsigned char *fill_buffer(const struct peer *peer)
{
	unsigned char *buffer = peer->hb->buffers + peer->nr * peer->hb->buffer_stride;

	return memset(buffer, '-', (size_t)peer->hb->cfg->size_bytes);
}

static int receive_all(const struct peer *peer, struct error *err)
{
	const struct hackbench *hb = peer->hb;
	const size_t size = (size_t)hb->cfg->size_bytes;
	const uint64_t messages = hb->cfg->fds * hb->cfg->loops;
	const int fd = hb->read_fds[first_channel(peer) + peer_index(peer)];
	unsigned char *buffer = fill_buffer(peer);
	int ret;

	ret = wait_for_start(hb, err);
	for (uint64_t i = 0; !ret && i < messages; i++)
		ret = receive_message(fd, buffer, size, err);
	return ret;
}

static int send_all(const struct peer *peer, struct error *err)
{
	const struct hackbench *hb = peer->hb;
	const size_t size = (size_t)hb->cfg->size_bytes;
	const size_t channels = (size_t)hb->cfg->fds;
	const int *fds = &hb->write_fds[first_channel(peer)];
	const unsigned char *buffer = fill_buffer(peer);
	int ret;

	ret = wait_for_start(hb, err);
	for (uint64_t loop = 0; !ret && loop < hb->cfg->loops; loop++)
		for (size_t i = 0; !ret && i < channels; i++)
			ret = send_message(fds[i], buffer, size, err);
	return ret;
}

static int receiver_main(void *arg, struct error *err)
{
	const struct peer *peer = arg;
	const struct hackbench *hb = peer->hb;
	int ret;

	if (hb->cfg->mode == MODE_PROCESS)
		close(hb->write_fds[first_channel(peer) + peer_index(peer)]);
	ret = receive_all(peer, err);
	if (ret)
		error_prefix(err, "receiver %zu of group %zu", peer_index(peer), peer_group(peer));
	return ret;
}

static int sender_main(void *arg, struct error *err)
{
	const struct peer *peer = arg;
	int ret = send_all(peer, err);

	if (ret)
		error_prefix(err, "sender %zu of group %zu", peer_index(peer), peer_group(peer));
	return ret;
}

/* The parent keeps what the next tasks need: write ends until the senders have them, no read end. */
static int add_receiver(struct hackbench *hb, struct peer *peer, struct error *err)
{
	const size_t channel = first_channel(peer) + peer_index(peer);
	int fds[2];
	int ret;

	ret = channel_open(hb->cfg, fds, err);
	if (ret)
		return ret;
	hb->read_fds[channel] = fds[0];
	hb->write_fds[channel] = fds[1];
	ret = team_add(hb->team, "receiver", receiver_main, peer, err);
	if (hb->cfg->mode == MODE_PROCESS)
		close(fds[0]);
	return ret;
}

static int add_group(struct hackbench *hb, size_t group, struct error *err)
{
	const size_t fds = (size_t)hb->cfg->fds;
	struct peer *peers = &hb->peers[group * 2 * fds];
	int ret = 0;

	for (size_t i = 0; !ret && i < 2 * fds; i++) {
		peers[i] = (struct peer){ .hb = hb, .nr = group * 2 * fds + i };
		ret = i < fds ? add_receiver(hb, &peers[i], err)
			      : team_add(hb->team, "sender", sender_main, &peers[i], err);
	}
	for (size_t i = 0; !ret && hb->cfg->mode == MODE_PROCESS && i < fds; i++)
		close(hb->write_fds[group * fds + i]);
	return ret;
}

/* A task that dies before its byte is noticed as well. */
static int wait_until_ready(const struct hackbench *hb, struct error *err)
{
	struct pollfd ready = { .fd = hb->ready[0], .events = POLLIN };
	size_t left = nr_tasks(hb->cfg);
	int n, ret = 0;
	char token;

	while (left && !ret) {
		n = poll(&ready, 1, CHECK_MS);

		if (n > 0 && read(ready.fd, &token, 1) == 1)
			left--;
		else if (n < 0 && errno != EINTR)
			ret = error_set(err, errno, "poll: %s", strerror(errno));
		else
			ret = team_check(hb->team, err);
	}
	return ret;
}

static int run_tasks(struct run *run, struct hackbench *hb, struct error *err)
{
	static const char token = '*';
	int ret = 0;

	for (size_t group = 0; !ret && group < hb->cfg->groups; group++)
		ret = add_group(hb, group, err);
	if (!ret)
		ret = wait_until_ready(hb, err);
	if (ret)
		return ret;
	run_start(run);
	if (write(hb->wake[1], &token, 1) != 1)
		return error_set(err, errno, "start signal: %s", strerror(errno));
	ret = team_wait(hb->team, err);
	if (ret)
		return ret;
	run_stop(run);
	run_sample(run, "time", (double)(run->stop_ns - run->start_ns));
	return 0;
}

static void hackbench_free(struct hackbench *hb)
{
	if (hb->buffers)
		munmap(hb->buffers, hb->buffers_bytes);
	free(hb->read_fds);
	free(hb->write_fds);
	free(hb->peers);
	free(hb);
}

static int map_buffers(struct hackbench *hb, struct error *err)
{
	const bool threads = hb->cfg->mode == MODE_THREAD;
	const size_t size = (size_t)hb->cfg->size_bytes;
	const size_t stride = (size + BUFFER_ALIGN - 1) / BUFFER_ALIGN * BUFFER_ALIGN;
	void *p;

	hb->buffer_stride = threads ? stride : 0;
	hb->buffers_bytes = threads ? stride * nr_tasks(hb->cfg) : stride;
	p = mmap(NULL, hb->buffers_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		 0);
	if (p == MAP_FAILED)
		return error_set(err, errno, "%zu bytes for messages: %s", hb->buffers_bytes,
				 strerror(errno));
	hb->buffers = p;
	return 0;
}

static int set_up(struct hackbench *hb, const struct run *run, struct error *err)
{
	const size_t channels = nr_tasks(hb->cfg) / 2;
	int ret;

	hb->read_fds = xcalloc(channels, sizeof(*hb->read_fds));
	hb->write_fds = xcalloc(channels, sizeof(*hb->write_fds));
	hb->peers = xcalloc(nr_tasks(hb->cfg), sizeof(*hb->peers));
	ret = map_buffers(hb, err);
	if (!ret)
		ret = channel_open(hb->cfg, hb->ready, err);
	if (!ret)
		ret = channel_open(hb->cfg, hb->wake, err);
	if (!ret)
		ret = team_new(&hb->team, run, hb->cfg->mode == MODE_THREAD, nr_tasks(hb->cfg),
			       err);
	return ret;
}

/* Open files are closed by the process's end, as the originals'. */
static int hackbench_run(struct run *run, const void *cfg, struct error *err)
{
	struct hackbench *hb = xcalloc(1, sizeof(*hb));
	int ret;

	hb->cfg = cfg;
	ret = set_up(hb, run, err);
	if (!ret)
		ret = run_tasks(run, hb, err);
	if (!hb->team || team_free(hb->team))
		hackbench_free(hb);
	return ret;
}

const struct workload workload_hackbench = {
	.name = "hackbench",
	.summary = "groups of senders and receivers, each sender writing to each receiver",
	.cfg_size = sizeof(struct hackbench_cfg),
	.opts = hackbench_opts,
	.metrics = hackbench_metrics,
	.needs = hackbench_needs,
	.run = hackbench_run,
};
