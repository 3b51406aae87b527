// SPDX-License-Identifier: GPL-2.0-only
#include "workload/numa_memory.h"

#include "base/rng.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ALIGN_BYTES (UINT64_C(2) << 20)

static int no_memory(uint64_t bytes, const char *what, struct error *err)
{
	return error_set(err, ENOMEM, "%" PRIu64 " bytes for %s: %s", bytes, what, strerror(errno));
}

/* Before and behind the range at least a page stays that nobody may touch: the kernel merges it with no neighbour. */
int numa_map(struct numa_range *range, uint64_t bytes, bool shared, int thp, const char *what,
	     struct error *err)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t whole = bytes + ALIGN_BYTES + 2 * page;
	unsigned char *p;

	if (!bytes)
		return 0;
	p = mmap(NULL, whole, PROT_NONE, MAP_ANONYMOUS | (shared ? MAP_SHARED : MAP_PRIVATE), -1,
		 0);
	if (p == MAP_FAILED)
		return no_memory(bytes, what, err);
	p += page;
	p += -(uintptr_t)p % ALIGN_BYTES;
	if (mprotect(p, bytes, PROT_READ | PROT_WRITE))
		return no_memory(bytes, what, err);
	if (!shared && thp != THP_SYSTEM &&
	    madvise(p, bytes, thp == THP_ALWAYS ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) &&
	    thp == THP_ALWAYS)
		return error_set(err, errno, "thp=always: %s: the kernel has no huge pages",
				 strerror(errno));
	*range = (struct numa_range){ p, bytes };
	return 0;
}

void numa_fill(struct numa_range range, uint64_t seed, uint64_t stream)
{
	uint64_t *words = (uint64_t *)(void *)range.start;
	struct rng rng;
	uint64_t first;

	rng_seed(&rng, seed, "numa-fill", stream);
	first = rng_next(&rng);
	for (uint64_t i = 0; i < range.bytes / sizeof(*words); i++)
		words[i] = first + i;
}
