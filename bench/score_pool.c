// SPDX-License-Identifier: GPL-2.0-only
/* Rows shared out among processes: each takes the next one that nobody has. */
#include "score.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* struct pool - in memory that all processes share */
struct pool {
	atomic_size_t next;
	struct score scores[];
};

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void work(struct pool *pool, const struct score_row *rows, size_t n)
{
	for (size_t i = atomic_fetch_add(&pool->next, 1); i < n;
	     i = atomic_fetch_add(&pool->next, 1)) {
		double start = cpu_seconds();

		rows[i].run(&pool->scores[i], &rows[i]);
		pool->scores[i].reps = rows[i].reps;
		pool->scores[i].seconds = cpu_seconds() - start;
	}
}

static int wait_all(unsigned int workers)
{
	int status, ret = 0;

	while (workers--)
		if (wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
			ret = -ECHILD;
	return ret;
}

int score_rows(struct score *scores, const struct score_row *rows, size_t n, unsigned int workers)
{
	size_t size = sizeof(struct pool) + n * sizeof(*scores);
	struct pool *pool =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned int started = 0;
	int ret = 0;

	if (pool == MAP_FAILED)
		return -errno;
	while (started < workers && ret == 0) {
		pid_t pid = fork();

		if (pid == 0) {
			work(pool, rows, n);
			_exit(0);
		}
		if (pid < 0)
			ret = -errno;
		else
			started++;
	}
	if (wait_all(started))
		ret = -ECHILD;
	memcpy(scores, pool->scores, n * sizeof(*scores));
	munmap(pool, size);
	return ret;
}
