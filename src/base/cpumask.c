// SPDX-License-Identifier: GPL-2.0-only
#include "base/cpumask.h"

#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#define WORD_BITS 64u

static uint64_t word_at(const struct cpumask *mask, unsigned int i)
{
	return i < mask->nr_words ? mask->words[i] : 0;
}

void cpumask_release(struct cpumask *mask)
{
	free(mask->words);
	*mask = (struct cpumask){ 0 };
}

void cpumask_set(struct cpumask *mask, unsigned int cpu)
{
	unsigned int need = cpu / WORD_BITS + 1;

	assert(cpu < CPUMASK_MAX);
	if (need > mask->nr_words) {
		mask->words = xreallocarray(mask->words, need, sizeof(*mask->words));
		while (mask->nr_words < need)
			mask->words[mask->nr_words++] = 0;
	}
	mask->words[cpu / WORD_BITS] |= UINT64_C(1) << (cpu % WORD_BITS);
}

void cpumask_clear(struct cpumask *mask, unsigned int cpu)
{
	if (cpu / WORD_BITS < mask->nr_words)
		mask->words[cpu / WORD_BITS] &= ~(UINT64_C(1) << (cpu % WORD_BITS));
}

bool cpumask_test(const struct cpumask *mask, unsigned int cpu)
{
	return word_at(mask, cpu / WORD_BITS) >> (cpu % WORD_BITS) & 1;
}

unsigned int cpumask_weight(const struct cpumask *mask)
{
	unsigned int weight = 0;

	for (unsigned int i = 0; i < mask->nr_words; i++)
		weight += (unsigned int)__builtin_popcountll(mask->words[i]);
	return weight;
}

static unsigned int longer(const struct cpumask *a, const struct cpumask *b)
{
	return a->nr_words > b->nr_words ? a->nr_words : b->nr_words;
}

bool cpumask_equal(const struct cpumask *a, const struct cpumask *b)
{
	for (unsigned int i = 0; i < longer(a, b); i++)
		if (word_at(a, i) != word_at(b, i))
			return false;
	return true;
}

bool cpumask_subset(const struct cpumask *inner, const struct cpumask *outer)
{
	for (unsigned int i = 0; i < inner->nr_words; i++)
		if (inner->words[i] & ~word_at(outer, i))
			return false;
	return true;
}

unsigned int cpumask_next(const struct cpumask *mask, unsigned int from)
{
	unsigned int i = from / WORD_BITS;
	uint64_t word;

	if (i >= mask->nr_words)
		return CPUMASK_MAX;
	word = mask->words[i] & (~UINT64_C(0) << (from % WORD_BITS));
	while (!word) {
		if (++i >= mask->nr_words)
			return CPUMASK_MAX;
		word = mask->words[i];
	}
	return i * WORD_BITS + (unsigned int)__builtin_ctzll(word);
}

/* Return: 0, -EINVAL or -ERANGE; @text moves behind the number. */
static int parse_number(const char **text, unsigned int *number)
{
	unsigned int n = 0;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	for (; isdigit((unsigned char)**text); (*text)++) {
		n = n * 10 + (unsigned int)(**text - '0');
		if (n >= CPUMASK_MAX)
			return -ERANGE;
	}
	*number = n;
	return 0;
}

/* "first[-last[:used/stride]]" */
static int parse_range(const char **text, struct cpumask *mask)
{
	unsigned int first = 0, last, used = 1, stride = 1;
	int ret = parse_number(text, &first);

	last = first;
	if (!ret && **text == '-') {
		(*text)++;
		ret = parse_number(text, &last);
		if (!ret && **text == ':') {
			(*text)++;
			ret = parse_number(text, &used);
			if (!ret)
				ret = *(*text)++ == '/' ? parse_number(text, &stride) : -EINVAL;
		}
	}
	if (ret)
		return ret;
	if (last < first || !stride || !used || used > stride)
		return -EINVAL;
	for (unsigned int i = first; i <= last; i++)
		if ((i - first) % stride < used)
			cpumask_set(mask, i);
	return 0;
}

static const char *skip_space(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static int parse_list(const char *at, struct cpumask *mask)
{
	int ret;

	at = skip_space(at);
	while (*at) {
		ret = parse_range(&at, mask);
		if (ret)
			return ret;
		at = skip_space(at);
		if (*at == ',' && at[1])
			at = skip_space(at + 1);
		else if (*at)
			return -EINVAL;
	}
	return 0;
}

int cpumask_parse(struct cpumask *mask, const char *text, struct error *err)
{
	struct cpumask read = { 0 };
	int ret = parse_list(text, &read);

	if (ret) {
		cpumask_release(&read);
		if (ret == -ERANGE)
			return error_set(err, ERANGE, "'%.80s' has a number above %u", text,
					 CPUMASK_MAX - 1);
		return error_set(err, EINVAL, "'%.80s' is no list like 0-3,8", text);
	}
	cpumask_release(mask);
	*mask = read;
	return 0;
}

void cpumask_print(const struct cpumask *mask, struct strbuf *sb)
{
	const char *comma = "";
	unsigned int first, last;

	for (first = cpumask_next(mask, 0); first < CPUMASK_MAX; first = cpumask_next(mask, last)) {
		for (last = first; cpumask_test(mask, last); last++)
			;
		strbuf_addf(sb, "%s%u", comma, first);
		if (last - first > 1)
			strbuf_addf(sb, "-%u", last - 1);
		comma = ",";
	}
}
