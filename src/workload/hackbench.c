// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload/hackbench.c - groups of senders and receivers in which every sender writes to every receiver: many wakeups
 * and contended channels. What it does in which order is that of rt-tests' program, so that the figures compare:
 * doc/workloads/hackbench.md.
 */
#include "workload/hackbench.h"

#include "base/clock.h"
#include "base/mem.h"
#include "workload/run.h"
#include "workload/shared.h"
#include "workload/team.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define GATE_FDS   4
#define CHECK_MS   100
#define FIXED_FDS  20 /* of LTP's and perf's programs */
#define FIXED_SIZE 100

static const struct opt hackbench_opts[] = {
	OPT_CHOICE(struct hackbench_cfg, flavor, "rt-tests", "rt-tests|ltp|perf",
		   "the program it stands for: which parameters there are and what --as original "
		   "prints"),
	OPT(struct hackbench_cfg, groups, "10", 1, 10000,
	    "groups, which have nothing to do with each other"),
	OPT(struct hackbench_cfg, fds, "20", 1, 1000, "senders of a group, and receivers as well"),
	OPT(struct hackbench_cfg, loops, "100", 1, 1e9,
	    "messages from each sender to each receiver"),
	OPT_BYTES(struct hackbench_cfg, "size", size_bytes, "100", 1, 1 << 24,
		  "bytes of a message"),
	OPT_CHOICE(struct hackbench_cfg, mode, "process", "process|thread", "what a task is"),
	OPT_CHOICE(struct hackbench_cfg, transport, "socket", "socket|pipe|fifo|tcp",
		   "what a message goes through"),
	OPT_CHOICE(struct hackbench_cfg, parent, "fair", "fair|fifo",
		   "class of the task that starts the others: fifo is SCHED_FIFO 1, set when they "
		   "are there"),
	OPT_END,
};

static const struct metric hackbench_metrics[] = {
	{ "time", UNIT_NS, BETTER_LOWER, "from the start signal until every task has ended" },
	{ "messages", UNIT_NS, BETTER_LOWER,
	  "from the start signal until the last message is read" },
	{ "teardown", UNIT_NS, BETTER_LOWER, "from the last message until every task has ended" },
	{ "setup", UNIT_NS, BETTER_LOWER, "from the first channel until every task is ready" },
	{ 0 },
};

static const struct metric hackbench_histograms[] = {
	{ "finish", UNIT_NS, BETTER_LOWER,
	  "of each task: from the start signal until its last message; wide where some are "
	  "starved" },
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
	struct channels channels;
	struct stamp *stamps; /* of each task */
	uint64_t setup_ns;
};

/* struct stamp - when a task had done its messages */
struct stamp {
	alignas(SHARED_ALIGN) uint64_t end_ns;
};

struct peer {
	struct hackbench *hb;
	size_t nr;
};

static size_t nr_tasks(const struct hackbench_cfg *cfg)
{
	return 2 * (size_t)cfg->groups * (size_t)cfg->fds;
}

static int hackbench_check(const void *arg, struct error *err)
{
	const struct hackbench_cfg *cfg = arg;
	const char *flavor = cfg->flavor == FLAVOR_LTP ? "ltp" : "perf";

	if (cfg->flavor == FLAVOR_RT_TESTS)
		return 0;
	if (cfg->fds != FIXED_FDS)
		return error_set(err, EINVAL, "fds: always %d with flavor=%s", FIXED_FDS, flavor);
	if (cfg->size_bytes != FIXED_SIZE)
		return error_set(err, EINVAL, "size: always %d with flavor=%s", FIXED_SIZE, flavor);
	if (cfg->transport != TRANSPORT_SOCKET && cfg->transport != TRANSPORT_PIPE)
		return error_set(err, EINVAL, "transport: socket or pipe with flavor=%s", flavor);
	if (cfg->parent != PARENT_FAIR)
		return error_set(err, EINVAL, "parent: always fair with flavor=%s", flavor);
	return 0;
}

static void hackbench_needs(const void *arg, struct needs *needs)
{
	const struct hackbench_cfg *cfg = arg;

	needs->tasks = nr_tasks(cfg) + (cfg->transport == TRANSPORT_FIFO ? 2 : 1); /* a guard */
	needs->memory_bytes = nr_tasks(cfg) * cfg->size_bytes;
	/* threads share both ends of every channel; a process has its group's write ends and one read end */
	needs->fds = GATE_FDS + channels_fds(cfg->transport) +
		     (cfg->mode == MODE_THREAD ? nr_tasks(cfg) : cfg->fds + 1);
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

/* Written before the timed part, so that its pages are there and the process's own; so is the page of its stamp. */
static unsigned char *fill_buffer(const struct peer *peer)
{
	unsigned char *buffer = peer->hb->buffers + peer->nr * peer->hb->buffer_stride;

	*(volatile uint64_t *)&peer->hb->stamps[peer->nr].end_ns = 0;
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
	hb->stamps[peer->nr].end_ns = clock_ns(CLOCK_MONOTONIC);
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
	hb->stamps[peer->nr].end_ns = clock_ns(CLOCK_MONOTONIC);
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

	ret = channels_open(&hb->channels, fds, err);
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

static int make_tasks(struct hackbench *hb, struct error *err)
{
	static const struct sched_param fifo = { .sched_priority = 1 };
	int ret = 0;

	for (size_t group = 0; !ret && group < hb->cfg->groups; group++)
		ret = add_group(hb, group, err);
	if (!ret)
		ret = channels_finish(&hb->channels, err);
	if (!ret && hb->cfg->parent == PARENT_FIFO && sched_setscheduler(0, SCHED_FIFO, &fifo))
		ret = error_set(err, errno, "parent=fifo: SCHED_FIFO: %s", strerror(errno));
	return ret ? ret : wait_until_ready(hb, err);
}

void hackbench_sample(struct run *run, const struct histogram *finish, uint64_t setup_ns)
{
	uint64_t last_ns = run->start_ns + finish->max;

	run_sample(run, "time", (double)(run->stop_ns - run->start_ns));
	run_sample(run, "messages", (double)finish->max);
	run_sample(run, "teardown", (double)(run->stop_ns - last_ns));
	run_sample(run, "setup", (double)setup_ns);
	run_histogram(run, "finish", finish);
}

static void sample(struct run *run, const struct hackbench *hb)
{
	struct histogram *finish = xcalloc(1, sizeof(*finish));

	for (size_t i = 0; i < nr_tasks(hb->cfg); i++)
		histogram_add(finish, hb->stamps[i].end_ns - run->start_ns);
	hackbench_sample(run, finish, hb->setup_ns);
	free(finish);
}

static int run_tasks(struct run *run, struct hackbench *hb, struct error *err)
{
	static const char token = '*';
	uint64_t setup_start_ns = clock_ns(CLOCK_MONOTONIC);
	int ret = make_tasks(hb, err);

	if (ret)
		return ret;
	hb->setup_ns = clock_ns(CLOCK_MONOTONIC) - setup_start_ns;
	run_start(run);
	if (write(hb->wake[1], &token, 1) != 1)
		return error_set(err, errno, "start signal: %s", strerror(errno));
	ret = team_wait(hb->team, err);
	if (ret)
		return ret;
	run_stop(run);
	sample(run, hb);
	return 0;
}

static void hackbench_free(struct hackbench *hb)
{
	if (hb->buffers)
		munmap(hb->buffers, hb->buffers_bytes);
	shared_free(hb->stamps, nr_tasks(hb->cfg) * sizeof(*hb->stamps));
	free(hb->read_fds);
	free(hb->write_fds);
	free(hb->peers);
	free(hb);
}

static int map_buffers(struct hackbench *hb, struct error *err)
{
	const bool threads = hb->cfg->mode == MODE_THREAD;
	const size_t size = (size_t)hb->cfg->size_bytes;
	const size_t stride = (size + SHARED_ALIGN - 1) / SHARED_ALIGN * SHARED_ALIGN;
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
	hb->stamps = shared_new(nr_tasks(hb->cfg) * sizeof(*hb->stamps), "times of tasks", err);
	ret = hb->stamps ? map_buffers(hb, err) : -ENOMEM;
	if (!ret)
		ret = channels_init(&hb->channels, hb->cfg->transport, err);
	if (!ret)
		ret = channels_open(&hb->channels, hb->ready, err);
	if (!ret)
		ret = channels_open(&hb->channels, hb->wake, err);
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
	hb->channels.listener = -1;
	ret = set_up(hb, run, err);
	if (!ret)
		ret = run_tasks(run, hb, err);
	if (ret) /* a good run has finished them; words of the failure come first */
		channels_finish(&hb->channels, NULL);
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
	.histograms = hackbench_histograms,
	.check = hackbench_check,
	.needs = hackbench_needs,
	.run = hackbench_run,
	.model = hackbench_model,
	.original = hackbench_original,
};
