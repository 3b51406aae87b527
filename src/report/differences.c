// SPDX-License-Identifier: GPL-2.0-only
#include "report/differences.h"

#include "base/mem.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char absent[] = "(absent)";

/* A run that has facts. Sets of words are JSON objects whose values are null: they keep their order. */
struct seen {
	const struct run_row *run;
	json_t *facts;
};

static json_t *parse_facts(const char *text)
{
	json_t *facts = text ? json_loads(text, 0, NULL) : NULL;

	if (json_is_object(facts))
		return facts;
	json_decref(facts);
	return NULL;
}

/* Most runs of a variant have the facts of the one before: those are parsed once. */
static size_t read_facts(struct seen *seen, const struct report *report, const struct run_row *runs,
			 size_t nr_runs)
{
	const struct seen **last = xcalloc(report->experiment.nr_variants, sizeof(const void *));
	size_t n = 0;

	for (size_t i = 0; i < nr_runs; i++) {
		const struct run_row *run = &runs[i];
		const struct seen *before = last[run->variant];
		struct seen *now = &seen[n];

		if (run->warmup)
			continue;
		if (before && run->facts && !strcmp(before->run->facts, run->facts))
			now->facts = json_incref(before->facts);
		else
			now->facts = parse_facts(run->facts);
		if (!now->facts)
			continue;
		now->run = run;
		last[run->variant] = now;
		n++;
	}
	free(last);
	return n;
}

/* The words of a fact, the caller's to free. */
static char *words_of(const json_t *value)
{
	char *text, *copy;

	if (!value)
		return xstrdup(absent);
	if (json_is_string(value))
		return xstrdup(json_string_value(value));
	text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
	copy = xstrdup(text ? text : "?");
	free(text);
	return copy;
}

static json_t *values_of(const struct seen *seen, size_t n, size_t variant, const char *fact)
{
	json_t *set = json_object();

	for (size_t i = 0; i < n; i++) {
		char *words;

		if (seen[i].run->variant != variant)
			continue;
		words = words_of(json_object_get(seen[i].facts, fact));
		json_object_set_new_nocheck(set, words, json_null());
		free(words);
	}
	return set;
}

static char *join(json_t *set)
{
	struct strbuf sb = { 0 };
	const char *key;
	json_t *value;

	json_object_foreach(set, key, value) strbuf_addf(&sb, "%s%s", sb.len ? " | " : "", key);
	return strbuf_take(&sb);
}

static bool has_line(const char *lines, const char *line)
{
	size_t len = strlen(line);

	while (lines && *lines) {
		size_t n = strcspn(lines, "\n");

		if (n == len && !memcmp(lines, line, len))
			return true;
		lines += n + (lines[n] == '\n');
	}
	return false;
}

static bool asks(const struct report *report, size_t variant, const char *fact)
{
	return has_line(report->experiment.variants[variant].asks, fact);
}

static void compare_sides(struct report *report, const struct seen *seen, size_t n, size_t variant,
			  const char *fact)
{
	json_t *base = values_of(seen, n, 0, fact), *other = values_of(seen, n, variant, fact);

	if (json_object_size(base) && json_object_size(other) && !json_equal(base, other)) {
		report->differences = xreallocarray(report->differences, report->nr_differences + 1,
						    sizeof(*report->differences));
		report->differences[report->nr_differences++] = (struct report_difference){
			.fact = xstrdup(fact),
			.variant = variant,
			.asked = asks(report, 0, fact) || asks(report, variant, fact),
			.base = join(base),
			.other = join(other),
		};
	}
	json_decref(base);
	json_decref(other);
}

/* The first change between neighbouring runs of variants that leave the fact alone. */
static void note_change(const struct report *report, const struct seen *seen, size_t n,
			const char *fact, struct strbuf *notes)
{
	const struct seen *before = NULL;
	size_t changes = 0;

	for (size_t i = 0; i < n; i++) {
		json_t *was, *is;

		if (asks(report, seen[i].run->variant, fact))
			continue;
		was = before ? json_object_get(before->facts, fact) : NULL;
		is = json_object_get(seen[i].facts, fact);
		if (before && was != is && !json_equal(was, is) && !changes++) {
			char *from = words_of(was), *to = words_of(is);

			strbuf_addf(notes,
				    "%s changed between runs %" PRId64 " and %" PRId64 ": %s -> %s",
				    fact, before->run->position + 1, seen[i].run->position + 1,
				    from, to);
			free(from);
			free(to);
		}
		before = &seen[i];
	}
	if (changes > 1)
		strbuf_addf(notes, " (and %zu more time%s)", changes - 1, changes > 2 ? "s" : "");
	if (changes)
		strbuf_addch(notes, '\n');
}

static json_t *fact_names(const struct seen *seen, size_t n)
{
	json_t *names = json_object();

	for (size_t i = 0; i < n; i++) {
		const char *key;
		json_t *value;

		if (i && seen[i].facts == seen[i - 1].facts)
			continue;
		json_object_foreach(seen[i].facts, key, value)
			json_object_set_new_nocheck(names, key, json_null());
	}
	return names;
}

/* Features that are on: set bits of a number, or words of a list that don't begin with NO_. */
static size_t count_features(const char *value)
{
	char *end;
	unsigned long long bits = strtoull(value, &end, 10);
	size_t n = 0;

	if (*value && !*end)
		return (size_t)__builtin_popcountll(bits);
	for (value += strspn(value, " "); *value; value += strspn(value, " ")) {
		n += strncmp(value, "NO_", 3) != 0;
		value += strcspn(value, " ");
	}
	return n;
}

/*
 * Bits or names may have shifted between two kernels, so that many differ where one was added: their numbers tell.
 */
static void note_features(const struct report *report, struct strbuf *notes)
{
	for (size_t i = 0; i < report->nr_differences; i++) {
		const struct report_difference *difference = &report->differences[i];

		if (difference->asked || !strstr(difference->fact, "sched") ||
		    !strstr(difference->fact, "features") || strchr(difference->base, '|') ||
		    strchr(difference->other, '|') || !strcmp(difference->base, absent) ||
		    !strcmp(difference->other, absent))
			continue;
		strbuf_addf(notes,
			    "A and B differ in scheduler features: %zu are on in A, %zu in %s\n",
			    count_features(difference->base), count_features(difference->other),
			    report->experiment.variants[difference->variant].name);
	}
}

static bool is_listed(const struct report *report, const char *fact)
{
	for (size_t i = 0; i < report->nr_differences; i++) {
		if (!strcmp(report->differences[i].fact, fact))
			return true;
	}
	return false;
}

void differences_find(struct report *report, const struct run_row *runs, size_t n,
		      struct strbuf *notes)
{
	struct seen *seen = xcalloc(n, sizeof(*seen));
	size_t nr_seen = read_facts(seen, report, runs, n);
	json_t *names = fact_names(seen, nr_seen), *value;
	const char *fact;

	for (size_t v = 1; v < report->experiment.nr_variants; v++) {
		json_object_foreach(names, fact, value)
			compare_sides(report, seen, nr_seen, v, fact);
	}
	json_object_foreach(names, fact, value)
	{
		if (!is_listed(report, fact))
			note_change(report, seen, nr_seen, fact, notes);
	}
	note_features(report, notes);
	json_decref(names);
	for (size_t i = 0; i < nr_seen; i++)
		json_decref(seen[i].facts);
	free(seen);
}

void facts_list(struct report *report)
{
	json_t *facts = report->nr_sessions ? parse_facts(report->sessions[0].facts) : NULL;
	const char *key;
	json_t *value;

	report->facts = xcalloc(json_object_size(facts), sizeof(*report->facts));
	json_object_foreach(facts, key, value)
	{
		report->facts[report->nr_facts++] = (struct report_fact){
			.name = xstrdup(key),
			.value = words_of(value),
		};
	}
	json_decref(facts);
}
