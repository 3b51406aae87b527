// SPDX-License-Identifier: GPL-2.0-only
/* workload/rr_sockets.c - connected pairs of sockets; TCP and UDP on 127.0.0.1. */
#include "workload/rr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static const char *const names[] = {
	[RR_TCP] = "TCP on 127.0.0.1",
	[RR_UDP] = "UDP on 127.0.0.1",
	[RR_UNIX] = "AF_UNIX",
};

static int failed(const struct rr_listener *listener, const char *call, struct error *err)
{
	return error_set(err, errno, "%s: %s: %s", names[listener->transport], call,
			 strerror(errno));
}

static struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_port = port,
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static int connect_to(int fd, uint16_t port)
{
	struct sockaddr_in address = loopback(port);

	return connect(fd, (struct sockaddr *)&address, sizeof(address));
}

/* A port of its own. */
static int bind_port(int fd, uint16_t *port)
{
	struct sockaddr_in address = loopback(0);
	socklen_t len = sizeof(address);

	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    getsockname(fd, (struct sockaddr *)&address, &len))
		return -1;
	*port = address.sin_port;
	return 0;
}

static uint64_t buffer_bytes(int fd, int which)
{
	socklen_t len = sizeof(int);
	int bytes = 0;

	getsockopt(fd, SOL_SOCKET, which, &bytes, &len);
	return (uint64_t)bytes;
}

/* TCP's socket stays open to listen; the others' is only asked for its buffers. */
int rr_listener_init(struct rr_listener *listener, const struct rr_cfg *cfg, struct error *err)
{
	int fd = socket(cfg->transport == RR_UNIX ? AF_UNIX : AF_INET,
			cfg->transport == RR_UDP ? SOCK_DGRAM : SOCK_STREAM, 0);

	listener->transport = cfg->transport;
	listener->nodelay = cfg->flavor == RR_TBENCH && cfg->transport == RR_TCP;
	listener->patience_ns = cfg->patience_ns;
	if (fd < 0)
		return failed(listener, "socket", err);
	listener->send_bytes = buffer_bytes(fd, SO_SNDBUF);
	listener->receive_bytes = buffer_bytes(fd, SO_RCVBUF);
	if (cfg->transport != RR_TCP)
		return close(fd);
	listener->fd = fd;
	if (bind_port(fd, &listener->port) || listen(fd, 10))
		return failed(listener, "listen", err);
	return 0;
}

/* Anyone may connect to a port: only ours is taken. */
static int accept_from(int listener, const struct sockaddr_in *client)
{
	for (;;) {
		struct sockaddr_in peer = { 0 };
		socklen_t len = sizeof(peer);
		int fd = accept(listener, (struct sockaddr *)&peer, &len);

		if (fd < 0 || peer.sin_port == client->sin_port)
			return fd;
		close(fd);
	}
}

static int connect_tcp(const struct rr_listener *listener, int fds[2])
{
	struct sockaddr_in address = loopback(0);
	socklen_t len = sizeof(address);

	fds[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (fds[0] < 0 || connect_to(fds[0], listener->port) ||
	    getsockname(fds[0], (struct sockaddr *)&address, &len))
		return -1;
	fds[1] = accept_from(listener->fd, &address);
	return fds[1] < 0 ? -1 : 0;
}

/* Connected to each other, so that neither takes what is another's, and the end of one is told to the other. */
static int connect_udp(int fds[2])
{
	uint16_t ports[2];

	for (int i = 0; i < 2; i++) {
		fds[i] = socket(AF_INET, SOCK_DGRAM, 0);
		if (fds[i] < 0 || bind_port(fds[i], &ports[i]))
			return -1;
	}
	return connect_to(fds[0], ports[1]) || connect_to(fds[1], ports[0]) ? -1 : 0;
}

static int set_options(const struct rr_listener *listener, int fd)
{
	const struct timeval timeout = { .tv_sec = (time_t)(listener->patience_ns / 1000000000),
					 .tv_usec = (suseconds_t)(listener->patience_ns %
								  1000000000 / 1000) };
	const int yes = 1;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout)))
		return -1;
	return listener->nodelay ? setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) : 0;
}

static int connect_pair(const struct rr_listener *listener, int fds[2])
{
	switch (listener->transport) {
	case RR_TCP:
		return connect_tcp(listener, fds);
	case RR_UDP:
		return connect_udp(fds);
	default:
		return socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	}
}

/* After a failure open files are left: the run has failed. */
int rr_listener_connect(const struct rr_listener *listener, int fds[2], struct error *err)
{
	if (connect_pair(listener, fds) || set_options(listener, fds[0]) ||
	    set_options(listener, fds[1]))
		return failed(listener, "connect", err);
	return 0;
}
