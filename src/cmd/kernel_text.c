// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/kernel_text.h"

#include "base/json_out.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND_NS 1000000000u

static void add_time(struct strbuf *sb, uint64_t ns)
{
	time_t seconds = (time_t)(ns / SECOND_NS);
	struct tm tm;
	char text[32];

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm);
	strbuf_addstr(sb, text);
}

static void add_source(struct strbuf *sb, const struct kcore_facts *facts)
{
	strbuf_addstr(sb, facts->tree);
	if (*facts->rev)
		strbuf_addf(sb, " at %.12s", facts->rev);
}

/* The tree's own objects by folder: "kernel/sched: core build_policy". */
static void add_real(struct strbuf *sb, const char *real)
{
	char *copy = xstrdup(real), *save = NULL;
	const char *folder = "";

	for (char *o = strtok_r(copy, " ", &save); o; o = strtok_r(NULL, " ", &save)) {
		char *slash = strrchr(o, '/'), *dot = strrchr(o, '.');

		if (slash)
			*slash = '\0';
		if (dot)
			*dot = '\0';
		if (slash && strcmp(folder, o)) {
			strbuf_addf(sb, "%s    %s:", *folder ? "\n" : "", o);
			folder = o;
		}
		strbuf_addf(sb, " %s", slash ? slash + 1 : o);
	}
	strbuf_addch(sb, '\n');
	free(copy);
}

static void add_options(struct strbuf *sb, const struct kcore_built *built)
{
	const char *line = built->changed;

	if (!*built->facts.config) {
		strbuf_addstr(sb, "  scheduler options: schedproof's own, there is no .config\n");
		return;
	}
	strbuf_addf(sb, "  scheduler options: %" PRIu64 " as in %s%s\n", built->taken,
		    built->facts.config, *line ? "; not as there:" : "");
	while (*line) {
		size_t n = strcspn(line, "\n");

		strbuf_addf(sb, "    %.*s\n", (int)n, line);
		line += n + (line[n] ? 1 : 0);
	}
}

void kernel_built_text(const struct kcore_built *built, uint64_t took_ns, struct strbuf *sb)
{
	const struct kcore_facts *facts = &built->facts;

	strbuf_addf(sb, "kernel core %s: Linux %s of ", facts->name, facts->release);
	add_source(sb, facts);
	strbuf_addch(sb, '\n');
	if (built->unchanged) {
		strbuf_addstr(sb, "  nothing has changed since it was built on ");
		add_time(sb, facts->built_ns);
		strbuf_addf(sb, " UTC; of what it consists: %s\n", built->list);
		return;
	}
	strbuf_addf(sb, "  the tree's own code, unchanged, in %" PRIu64 " objects:\n", facts->real);
	add_real(sb, built->real);
	strbuf_addf(sb,
		    "  schedproof's, in place of the rest of the kernel: %" PRIu64
		    " objects, and %" PRIu64 " functions that are missing and say so\n",
		    facts->shim, facts->stubs);
	add_options(sb, built);
	strbuf_addf(sb, "  up to %" PRIu64 " CPUs%s; all of it: %s\n", facts->cpus,
		    facts->cost ? "; counts its own work" : "", built->list);
	strbuf_addf(sb, "  built in %.1f s\n", (double)took_ns / SECOND_NS);
}

static size_t wider(size_t width, const char *text)
{
	size_t n = strlen(text);

	return n > width ? n : width;
}

void kernel_list_text(const struct kcore_facts *facts, size_t n, struct strbuf *sb)
{
	size_t name = strlen("name"), release = strlen("release");

	for (size_t i = 0; i < n; i++) {
		name = wider(name, facts[i].name);
		release = wider(release, facts[i].release);
	}
	strbuf_addf(sb, "%-*s  %-*s  %-16s  %8s  %-17s  %s\n", (int)name, "name", (int)release,
		    "release", "built (UTC)", "KiB", "state", "from");
	for (size_t i = 0; i < n; i++) {
		const char *stale = kcore_stale(&facts[i]);

		strbuf_addf(sb, "%-*s  %-*s  ", (int)name, facts[i].name, (int)release,
			    facts[i].release);
		add_time(sb, facts[i].built_ns);
		strbuf_addf(sb, "  %8" PRIu64 "  %-17s  ", facts[i].size_bytes / 1024,
			    stale ? stale : "good");
		add_source(sb, &facts[i]);
		strbuf_addf(sb, "%s\n", facts[i].cost ? " (counts its work)" : "");
	}
}

void kernel_json(const struct kcore_facts *facts, struct strbuf *sb)
{
	struct json_out out = { .sb = sb };

	json_out_object(&out, NULL);
	json_out_str(&out, "kind", "kernel-core");
	json_out_str(&out, "name", facts->name);
	json_out_str(&out, "release", facts->release);
	json_out_str(&out, "tree", facts->tree);
	json_out_str(&out, "rev", *facts->rev ? facts->rev : NULL);
	json_out_str(&out, "config", *facts->config ? facts->config : NULL);
	json_out_int(&out, "built_ns", (int64_t)facts->built_ns);
	json_out_int(&out, "size_bytes", (int64_t)facts->size_bytes);
	json_out_int(&out, "cpus", (int64_t)facts->cpus);
	json_out_bool(&out, "cost", facts->cost);
	json_out_int(&out, "real", (int64_t)facts->real);
	json_out_int(&out, "shim", (int64_t)facts->shim);
	json_out_int(&out, "stubs", (int64_t)facts->stubs);
	json_out_str(&out, "stale", kcore_stale(facts));
	json_out_end_object(&out);
	strbuf_addch(sb, '\n');
}
