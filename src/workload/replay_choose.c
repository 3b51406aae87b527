// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay_walk.h"

#include "base/mem.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of a list joined by commas; empty where there are two of them. Return: behind it, NULL at the end of the list */
static const char *next_word(char *word, size_t size, const char *list)
{
	size_t n = strcspn(list, ",");

	if (!*list)
		return NULL;
	memcpy(word, list, n < size ? n : size - 1);
	word[n < size ? n : size - 1] = '\0';
	return list[n] ? list + n + 1 : list + n;
}

static bool matches(const char *patterns, const char *name)
{
	char word[64];

	while ((patterns = next_word(word, sizeof(word), patterns)))
		if (!fnmatch(word, name, 0))
			return true;
	return false;
}

/* Of "12" or "12-15". Return: whether it is one */
static bool parse_range(const char *word, uint64_t *low, uint64_t *high)
{
	char *end;

	if (*word < '0' || *word > '9')
		return false;
	*low = *high = strtoull(word, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		*high = strtoull(end + 1, &end, 10);
	return !*end && *low <= *high && *high <= REPLAY_MAX_TASK;
}

static bool is_among(const char *pids, uint32_t task)
{
	uint64_t low, high;
	char word[64];

	if (!*pids)
		return true;
	while ((pids = next_word(word, sizeof(word), pids)))
		if (parse_range(word, &low, &high) && low <= task && task <= high)
			return true;
	return false;
}

static int check_words(const char *what, const char *list, bool numbers, struct error *err)
{
	uint64_t low, high;
	char word[64];
	const char *at = list;

	while ((at = next_word(word, sizeof(word), at)))
		if (!*word || (numbers && !parse_range(word, &low, &high)))
			return error_set(err, EINVAL, "%s: '%.80s' is no list of %s", what, list,
					 numbers ? "task numbers" : "patterns");
	return 0;
}

int replay_choice_check(const struct replay_choice *choice, struct error *err)
{
	int ret = check_words("comm", choice->comm, false, err);

	if (!ret)
		ret = check_words("skip", choice->skip, false, err);
	if (!ret)
		ret = check_words("pids", choice->pids, true, err);
	if (!ret && choice->to_ns && choice->to_ns <= choice->from_ns)
		ret = error_set(err, EINVAL, "to: is not behind from");
	return ret;
}

static bool is_wanted(const struct replay_actor *actor, const char *name,
		      const struct replay_choice *choice)
{
	return matches(choice->comm, name) && !matches(choice->skip, name) &&
	       is_among(choice->pids, actor->task);
}

static int by_cpu_time(const void *a, const void *b)
{
	const struct replay_actor *x = *(const struct replay_actor *const *)a;
	const struct replay_actor *y = *(const struct replay_actor *const *)b;

	if (x->cpu_ns != y->cpu_ns)
		return x->cpu_ns > y->cpu_ns ? -1 : 1;
	return (x > y) - (x < y);
}

static int nothing_left(const struct replay_facts *facts, struct error *err)
{
	if (!facts->tasks)
		return error_set(err, EINVAL, "no task ran in that part of the trace");
	return error_set(err, EINVAL,
			 "none of the %" PRIu64 " tasks that ran is left by comm, skip and pids",
			 facts->tasks);
}

int replay_choose(struct replay_facts *facts, struct replay_actor *actors, size_t n,
		  const struct replay_log *log, const struct replay_choice *choice,
		  struct error *err)
{
	struct replay_actor **wanted = xcalloc(n, sizeof(*wanted));
	size_t nr = 0, nr_wanted;

	for (size_t i = 0; i < n; i++) {
		if (!actors[i].cpu_ns)
			continue;
		facts->tasks++;
		facts->cpu_ns += actors[i].cpu_ns;
		if (is_wanted(&actors[i], log->names[actors[i].name], choice))
			wanted[nr++] = &actors[i];
	}
	nr_wanted = nr;
	facts->skipped = facts->tasks - nr;
	qsort(wanted, nr, sizeof(struct replay_actor *), by_cpu_time);
	if (nr > choice->most)
		nr = (size_t)choice->most;
	facts->beyond = nr_wanted - nr;
	facts->replayed = nr;
	for (size_t i = 0; i < nr; i++) {
		wanted[i]->chosen = true;
		facts->replayed_cpu_ns += wanted[i]->cpu_ns;
	}
	free(wanted);
	nr = 0;
	for (size_t i = 0; i < n; i++)
		if (actors[i].chosen)
			actors[i].index = nr++;
	return nr ? 0 : nothing_left(facts, err);
}
