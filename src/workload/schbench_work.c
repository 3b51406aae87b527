// SPDX-License-Identifier: GPL-2.0-only
/* workload/schbench_work.c - what the workers of schbench do: watch the clock, count, or multiply matrices. */
#include "workload/schbench.h"

#include "base/clock.h"
#include "workload/work.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#define TRIALS 3
#define PIECE  1000 /* units of work */
#define SPINS  1000

/* struct cpu_lock - of one CPU; shares its line with nobody */
struct cpu_lock {
	alignas(SHARED_ALIGN) atomic_bool taken;
};

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

bool schbench_look(struct schbench_end *end, uint64_t now_ns)
{
	if (schbench_is_over(end))
		return true;
	if (now_ns < atomic_load_explicit(&end->until_ns, memory_order_relaxed))
		return false;
	atomic_store(&end->stop, 1);
	return true;
}

static bool is_over_now(struct schbench_end *end)
{
	return schbench_look(end, clock_ns(CLOCK_MONOTONIC));
}

bool schbench_spin(uint64_t ns, struct schbench_end *end)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	const uint64_t until_ns = now_ns + ns;

	for (; now_ns < until_ns; now_ns = clock_ns(CLOCK_MONOTONIC)) {
		if (schbench_look(end, now_ns))
			return false;
		relax();
	}
	return true;
}

int schbench_work_init(struct schbench_work *work, const struct schbench_plan *plan,
		       struct error *err)
{
	*work = (struct schbench_work){ .kind = plan->work,
					.think_ns = plan->think_ns,
					.operations = plan->operations,
					.side = plan->side };
	if (plan->work == WORK_UNITS) {
		work->unit_ns = work_calibrate();
		work->units = work_units(work->unit_ns, plan->think_ns);
	}
	if (!plan->lock)
		return 0;
	/* as many as there are CPU numbers: those that are online need not be the first */
	work->locks = shared_new(CPUMASK_MAX * sizeof(*work->locks), "locks", err);
	return work->locks ? 0 : -ENOMEM;
}

void schbench_work_release(struct schbench_work *work)
{
	shared_free(work->locks, CPUMASK_MAX * sizeof(*work->locks));
}

uint64_t schbench_work_matrices(uint64_t side)
{
	const uint64_t bytes = 3 * side * side * sizeof(uint64_t);

	return (bytes + SHARED_ALIGN - 1) / SHARED_ALIGN * SHARED_ALIGN;
}

/* All of them: pages that were never written are one and the same, and cost no cache. */
void schbench_work_fill(uint64_t *matrices, uint64_t side)
{
	for (uint64_t i = 0; i < 3 * side * side; i++)
		matrices[i] = i;
}

/*
 * The innermost step reads two numbers, adds their product and stores the sum; being volatile, the store keeps every
 * compiler from making something else of the loop: the original's time depends on what its compiler did.
 */
static void multiply(uint64_t *matrices, uint64_t side)
{
	const uint64_t *a = matrices, *b = a + side * side;
	volatile uint64_t *c = matrices + 2 * side * side;

	for (uint64_t i = 0; i < side; i++) {
		for (uint64_t j = 0; j < side; j++) {
			uint64_t sum = 0;

			for (uint64_t k = 0; k < side; k++) {
				sum += a[i * side + k] * b[k * side + j];
				c[i * side + j] = sum;
			}
		}
	}
}

/* In pieces of some 0.1 ms. */
static bool count_units(uint64_t units, struct schbench_end *end)
{
	for (uint64_t n; units && !is_over_now(end); units -= n) {
		n = units < PIECE ? units : PIECE;
		work_do(n);
	}
	return !units;
}

static bool multiply_all(const struct schbench_work *work, uint64_t *matrices,
			 struct schbench_end *end)
{
	for (uint64_t i = 0; i < work->operations; i++) {
		if (is_over_now(end))
			return false;
		multiply(matrices, work->side);
	}
	return true;
}

static bool do_work(const struct schbench_work *work, uint64_t *matrices, struct schbench_end *end)
{
	switch (work->kind) {
	case WORK_SPIN:
		return schbench_spin(work->think_ns, end);
	case WORK_UNITS:
		return count_units(work->units, end);
	case WORK_MATRIX:
		return multiply_all(work, matrices, end);
	default:
		return true;
	}
}

static void give_lock(struct cpu_lock *lock)
{
	atomic_store_explicit(&lock->taken, false, memory_order_release);
}

/* Looks at the clock now and then only: nothing but the lock is to be waited for. */
static bool spin_for(struct cpu_lock *lock, struct schbench_end *end)
{
	for (unsigned int n = 1; atomic_exchange_explicit(&lock->taken, true, memory_order_acquire);
	     n++) {
		if (schbench_is_over(end) || (n % SPINS == 0 && is_over_now(end)))
			return false;
		relax();
	}
	return true;
}

/* That of the CPU where the caller is, and still is when it has it. NULL if the run stops, or beyond all numbers. */
static struct cpu_lock *take_lock(struct cpu_lock *locks, struct schbench_end *end)
{
	for (;;) {
		const unsigned int cpu = (unsigned int)sched_getcpu();

		if (cpu >= CPUMASK_MAX || !spin_for(&locks[cpu], end))
			return NULL;
		if ((unsigned int)sched_getcpu() == cpu)
			return &locks[cpu];
		give_lock(&locks[cpu]);
	}
}

bool schbench_work_do(const struct schbench_work *work, uint64_t *matrices,
		      struct schbench_end *end)
{
	struct cpu_lock *lock;
	bool done;

	if (!work->locks)
		return do_work(work, matrices, end);
	lock = take_lock(work->locks, end);
	done = lock && do_work(work, matrices, end);
	if (lock)
		give_lock(lock);
	return done;
}

double schbench_work_measure(const struct schbench_work *work, uint64_t *matrices)
{
	struct schbench_end never = { .until_ns = UINT64_MAX };
	uint64_t best_ns = UINT64_MAX;

	for (int i = 0; i < TRIALS; i++) {
		const uint64_t start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		uint64_t ns;

		do_work(work, matrices, &never);
		ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
		if (ns < best_ns)
			best_ns = ns;
	}
	return (double)best_ns;
}
