// SPDX-License-Identifier: GPL-2.0-only
#include "workload/gate.h"

#include "workload/shared.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NS 1000000

/* struct gate - @open is apart, so that those who arrive don't take its line from those who read it */
struct gate {
	alignas(SHARED_ALIGN) atomic_uint arrived;
	alignas(SHARED_ALIGN) atomic_uint open;
};

struct gate *gate_new(struct error *err)
{
	return shared_new(sizeof(struct gate), "the start signal", err);
}

void gate_free(struct gate *gate)
{
	shared_free(gate, sizeof(*gate));
}

void gate_pass(struct gate *gate)
{
	atomic_fetch_add(&gate->arrived, 1);
	while (!atomic_load(&gate->open))
		syscall(SYS_futex, &gate->open, FUTEX_WAIT, 0, NULL, NULL, 0);
}

/* Looks every millisecond: to be woken by each arrival would make two switches a task. */
int gate_wait_full(struct gate *gate, struct team *team, uint32_t n, struct error *err)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };
	int ret = 0;

	while (!ret && atomic_load(&gate->arrived) < n) {
		nanosleep(&look, NULL);
		ret = team ? team_check(team, err) : 0;
	}
	return ret;
}

void gate_open(struct gate *gate)
{
	atomic_store(&gate->open, 1);
	syscall(SYS_futex, &gate->open, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
