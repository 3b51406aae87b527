// SPDX-License-Identifier: GPL-2.0-only
/* workload/hackbench_channels.c - what messages go through. */
#include "workload/hackbench.h"

#include "workload/guard.h"
#include "workload/shared.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER_BYTES 64
#define FIFO_NAME    "fifo"

static const char *const names[] = {
	[TRANSPORT_SOCKET] = "socketpair",
	[TRANSPORT_PIPE] = "pipe",
	[TRANSPORT_FIFO] = "FIFO",
	[TRANSPORT_TCP] = "TCP on 127.0.0.1",
};

static int failed(const struct channels *channels, const char *call, struct error *err)
{
	return error_set(err, errno, "%s: %s: %s", names[channels->transport], call,
			 strerror(errno));
}

static struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_port = port,
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static int start_listening(struct channels *channels, struct error *err)
{
	struct sockaddr_in address = loopback(0);
	socklen_t len = sizeof(address);

	channels->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (channels->listener < 0)
		return failed(channels, "socket", err);
	if (bind(channels->listener, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(channels->listener, 10) ||
	    getsockname(channels->listener, (struct sockaddr *)&address, &len))
		return failed(channels, "listen", err);
	channels->port = address.sin_port;
	return 0;
}

/* The writer is the one that connects, as in the original; neither sets TCP_NODELAY. */
static int open_tcp(struct channels *channels, int fds[2], struct error *err)
{
	struct sockaddr_in address = loopback(channels->port);
	int out = socket(AF_INET, SOCK_STREAM, 0), in = -1, ret = 0;

	if (out < 0)
		return failed(channels, "socket", err);
	if (connect(out, (struct sockaddr *)&address, sizeof(address)))
		ret = failed(channels, "connect", err);
	else if ((in = accept(channels->listener, NULL, NULL)) < 0)
		ret = failed(channels, "accept", err);
	if (ret) {
		close(out);
		return ret;
	}
	fds[0] = in;
	fds[1] = out;
	return 0;
}

static int remove_folder(void *folder, struct error *err)
{
	char path[FOLDER_BYTES + sizeof(FIFO_NAME) + 1];

	if (!*(char *)folder)
		return 0;
	snprintf(path, sizeof(path), "%s/%s", (char *)folder, FIFO_NAME);
	unlink(path);
	if (rmdir(folder) && errno != ENOENT)
		return error_set(err, errno, "%s: %s", (char *)folder, strerror(errno));
	return 0;
}

/* The folder's name is known to the guard before there is one. */
static int make_folder(struct channels *channels, struct error *err)
{
	int ret;

	channels->folder = shared_new(FOLDER_BYTES, "the folder's name", err);
	if (!channels->folder)
		return -ENOMEM;
	snprintf(channels->folder, FOLDER_BYTES, "/tmp/schedproof-fifo-%d", (int)getpid());
	ret = guard_new(&channels->guard, remove_folder, channels->folder, err);
	if (ret)
		return ret;
	if (mkdir(channels->folder, 0700)) {
		ret = error_set(err, errno, "%s: %s", channels->folder, strerror(errno));
		*channels->folder = '\0'; /* it is another's */
	}
	return ret;
}

/* A reader that doesn't block is there first, so that neither open() waits for the other. */
static int open_fifo(struct channels *channels, int fds[2], struct error *err)
{
	char path[FOLDER_BYTES + sizeof(FIFO_NAME) + 1];
	int in, out, ret = 0;

	snprintf(path, sizeof(path), "%s/%s", channels->folder, FIFO_NAME);
	if (mkfifo(path, 0600))
		return failed(channels, path, err);
	in = open(path, O_RDONLY | O_NONBLOCK);
	out = in < 0 ? -1 : open(path, O_WRONLY);
	if (out < 0 || fcntl(in, F_SETFL, 0))
		ret = failed(channels, path, err);
	unlink(path);
	if (ret) {
		close(in);
		close(out);
		return ret;
	}
	fds[0] = in;
	fds[1] = out;
	return 0;
}

uint64_t channels_fds(int transport)
{
	/* what listens, or what talks with the guard */
	return transport == TRANSPORT_TCP || transport == TRANSPORT_FIFO;
}

int channels_init(struct channels *channels, int transport, struct error *err)
{
	channels->transport = transport;
	switch (transport) {
	case TRANSPORT_TCP:
		return start_listening(channels, err);
	case TRANSPORT_FIFO:
		return make_folder(channels, err);
	default:
		return 0;
	}
}

int channels_open(struct channels *channels, int fds[2], struct error *err)
{
	switch (channels->transport) {
	case TRANSPORT_TCP:
		return open_tcp(channels, fds, err);
	case TRANSPORT_FIFO:
		return open_fifo(channels, fds, err);
	case TRANSPORT_PIPE:
		return pipe(fds) ? failed(channels, "pipe", err) : 0;
	default:
		return socketpair(AF_UNIX, SOCK_STREAM, 0, fds) ? failed(channels, "open", err) : 0;
	}
}

int channels_finish(struct channels *channels, struct error *err)
{
	int ret = guard_free(channels->guard, err);

	channels->guard = NULL;
	shared_free(channels->folder, FOLDER_BYTES);
	channels->folder = NULL;
	if (channels->listener >= 0)
		close(channels->listener);
	channels->listener = -1;
	return ret;
}
