// SPDX-License-Identifier: GPL-2.0-only
/* host/calibrate_transports.c - sending and receiving, by one task alone. */
#include "host/calibrate_bench.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROUNDS 500
#define KIB    4096

/* Many under way: no more in one than a local datagram socket takes. */
#define MANY	    256
#define MANY_EACH   10
#define MANY_ROUNDS 6

/* Writing @n bytes and reading them, one after the other. Return: false where that isn't possible. */
static bool time_transport(struct bench *bench, int out, int in, size_t n, double *send,
			   double *receive)
{
	static const char zeros[KIB];
	char bytes[KIB];

	for (size_t i = 0; i < ROUNDS; i++) {
		uint64_t then_ns = bench_now();

		if (write(out, zeros, n) != (ssize_t)n)
			return false;
		bench->times[i] = bench_since(bench, then_ns);
		then_ns = bench_now();
		if (read(in, bytes, n) != (ssize_t)n)
			return false;
		bench->others[i] = bench_since(bench, then_ns);
	}
	*send = calibrate_low(bench->times, ROUNDS);
	*receive = calibrate_low(bench->others, ROUNDS);
	return true;
}

static int make_pipe(int fd[2])
{
	return pipe2(fd, O_CLOEXEC);
}

/* In a folder that is gone when it is open. */
static int make_fifo(int fd[2])
{
	char folder[] = "/tmp/schedproof-XXXXXX", *path;

	if (!mkdtemp(folder))
		return -1;
	path = xasprintf("%s/fifo", folder);
	fd[0] = mkfifo(path, 0600) ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	fd[1] = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	unlink(path);
	rmdir(folder);
	free(path);
	return fd[0] < 0 || fd[1] < 0 ? -1 : 0;
}

static int make_unix_stream(int fd[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd);
}

static int make_unix_dgram(int fd[2])
{
	return socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, fd);
}

static const struct sockaddr *loopback(struct sockaddr_in *address)
{
	*address = (struct sockaddr_in){ .sin_family = AF_INET,
					 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	return (const struct sockaddr *)address;
}

/* fd[0] is bound to a port of its own choice, which goes to @address. */
static int bind_socket(int fd[2], int type, struct sockaddr_in *address)
{
	socklen_t size = sizeof(*address);

	fd[0] = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	fd[1] = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	if (fd[0] < 0 || fd[1] < 0 || bind(fd[0], loopback(address), sizeof(*address)))
		return -1;
	return getsockname(fd[0], (struct sockaddr *)address, &size);
}

static int make_udp(int fd[2])
{
	struct sockaddr_in address;

	if (bind_socket(fd, SOCK_DGRAM, &address))
		return -1;
	return connect(fd[1], (const struct sockaddr *)&address, sizeof(address));
}

static int make_tcp(int fd[2])
{
	struct sockaddr_in address;
	int listening;

	if (bind_socket(fd, SOCK_STREAM, &address) || listen(fd[0], 1) ||
	    connect(fd[1], (const struct sockaddr *)&address, sizeof(address)))
		return -1;
	listening = fd[0];
	fd[0] = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
	close(listening);
	return fd[0] < 0 ? -1 : 0;
}

void bench_close(int fd[2])
{
	for (int i = 0; i < 2; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

int bench_open(int fd[2], size_t transport)
{
	static int (*const make[NR_SIM_TRANSPORTS])(int fd[2]) = {
		[SIM_PIPE] = make_pipe,
		[SIM_UNIX_STREAM] = make_unix_stream,
		[SIM_UNIX_DGRAM] = make_unix_dgram,
		[SIM_TCP] = make_tcp,
		[SIM_UDP] = make_udp,
		[SIM_FIFO] = make_fifo,
	};

	fd[0] = fd[1] = -1;
	return make[transport](fd);
}

/* A byte to each, again and again, then all of them back. Return: false where that isn't possible. */
static bool time_many(struct bench *bench, int fd[MANY][2], size_t round)
{
	char byte = 0;
	uint64_t then_ns = bench_now();

	for (size_t i = 0; i < (size_t)MANY * MANY_EACH; i++)
		if (write(fd[i % MANY][1], &byte, 1) != 1)
			return false;
	bench->times[round] = bench_since(bench, then_ns);
	then_ns = bench_now();
	for (size_t i = 0; i < (size_t)MANY * MANY_EACH; i++)
		if (read(fd[i % MANY][0], &byte, 1) != 1)
			return false;
	bench->times[round] += bench_since(bench, then_ns);
	return true;
}

/* Of writing and reading a byte. The first round, when memory is new, doesn't count. */
static double measure_many(struct bench *bench, size_t transport)
{
	int fd[MANY][2];
	size_t n = 0, round = 0;

	for (; n < MANY; n++) {
		if (bench_open(fd[n], transport) || fcntl(fd[n][0], F_SETFL, O_NONBLOCK) ||
		    fcntl(fd[n][1], F_SETFL, O_NONBLOCK)) {
			bench_close(fd[n]);
			break;
		}
	}
	while (n == MANY && round < MANY_ROUNDS && time_many(bench, fd, round))
		round++;
	for (size_t i = 0; i < n; i++)
		bench_close(fd[i]);
	if (round < MANY_ROUNDS)
		return NAN;
	return calibrate_mid(bench->times + 1, MANY_ROUNDS - 1) / (MANY * MANY_EACH);
}

static void measure_one(struct bench *bench, size_t transport)
{
	double *ns = bench->raws->ns;
	int fd[2];

	if (!bench_open(fd, transport)) {
		time_transport(bench, fd[1], fd[0], 1, &ns[RAW_SEND + transport],
			       &ns[RAW_RECEIVE + transport]);
		if (transport == SIM_PIPE)
			time_transport(bench, fd[1], fd[0], KIB, &ns[RAW_SEND_KIB],
				       &ns[RAW_RECEIVE_KIB]);
	}
	bench_close(fd);
}

void bench_transports(struct bench *bench)
{
	if (bench_be(bench->cpu, BENCH_NORMAL))
		return;
	for (size_t i = 0; i < NR_SIM_TRANSPORTS; i++) {
		measure_one(bench, i);
		bench->raws->ns[RAW_MANY + i] = measure_many(bench, i);
	}
}
