// SPDX-License-Identifier: GPL-2.0-only
#include "workload/shared.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

void *shared_new(size_t bytes, const char *what, struct error *err)
{
	void *p = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);

	if (p != MAP_FAILED)
		return p;
	error_set(err, ENOMEM, "%zu bytes of memory for %s: %s", bytes, what, strerror(errno));
	return NULL;
}

void shared_free(void *p, size_t bytes)
{
	if (p)
		munmap(p, bytes ? bytes : 1);
}

struct histogram *shared_histograms(size_t n, uint64_t max, struct error *err)
{
	struct histogram *histograms = shared_new(n * sizeof(*histograms), "samples", err);

	for (size_t i = 0; histograms && i < n; i++)
		histogram_touch(&histograms[i], max);
	return histograms;
}

struct histogram *shared_histograms_sum(struct histogram *histograms, size_t n)
{
	for (size_t i = 1; i < n; i++)
		histogram_merge(&histograms[0], &histograms[i]);
	return histograms;
}
