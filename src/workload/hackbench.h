/* SPDX-License-Identifier: GPL-2.0-only */
/* workload/hackbench.h - what the files of hackbench share. */
#ifndef WORKLOAD_HACKBENCH_H
#define WORKLOAD_HACKBENCH_H

#include "base/error.h"
#include "base/strbuf.h"
#include "workload/result.h"
#include "workload/run.h"

#include <stdint.h>

/* Which program it is to be compared with. */
enum {
	FLAVOR_RT_TESTS,
	FLAVOR_LTP,
	FLAVOR_PERF,
};
enum {
	MODE_PROCESS,
	MODE_THREAD,
};
enum {
	TRANSPORT_SOCKET,
	TRANSPORT_PIPE,
	TRANSPORT_FIFO,
	TRANSPORT_TCP,
};
enum {
	PARENT_FAIR,
	PARENT_FIFO,
};

struct hackbench_cfg {
	int flavor;
	uint64_t groups;
	uint64_t fds;
	uint64_t loops;
	uint64_t size_bytes;
	int mode;
	int transport;
	int parent;
};

/**
 * struct channels - makes the channels of one run; initialise with { .listener = -1 }
 * @listener: TCP: the socket that all connections come in by
 * @port:     its port, network order
 * @folder:   FIFO: where each is until it is open; in shared memory, for the guard
 * @guard:    removes the folder and what is in it
 */
struct channels {
	int transport;
	int listener;
	uint16_t port;
	char *folder;
	struct guard *guard;
};

/** channels_fds() - files that are open while channels are made, beside the channels */
uint64_t channels_fds(int transport);

/** channels_init() - get ready to open some. Return: 0 or -errno */
int channels_init(struct channels *channels, int transport, struct error *err);

/** channels_open() - one more: @fds[0] is to read, @fds[1] to write. Return: 0 or -errno */
int channels_open(struct channels *channels, int fds[2], struct error *err);

/** channels_finish() - no more will be opened; also after a failure. Return: 0 or -errno: something is left in /tmp */
int channels_finish(struct channels *channels, struct error *err);

/** hackbench_sample() - all figures of a run that has ended; @finish: when each task was done, ns after the start */
void hackbench_sample(struct run *run, const struct histogram *finish, uint64_t setup_ns);

/** hackbench_model() - struct workload's */
int hackbench_model(struct run *run, struct sim *sim, const void *cfg, struct error *err);

/** hackbench_original() - struct workload's, in the lines of the program that the flavor names */
void hackbench_original(const struct result *result, const void *cfg, struct strbuf *sb);

#endif
