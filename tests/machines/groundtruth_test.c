// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds every recorded boot in a folder against what topo/ builds, and prints "N of N" for each kind of
 * comparison. Usage: groundtruth_test FOLDER [NAME]; with NAME the first difference is shown.
 */
#include "boot.h"

#include "topo/print.h"
#include "topo/source.h"

#include "base/file.h"
#include "base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind {
	FACTS_DUMP,
	FACTS_LINES,
	FACTS_DEBUGFS,
	FACTS_SCHEDSTAT,
	QEMU_DUMP,
	QEMU_LINES,
	QEMU_DEBUGFS,
	QEMU_SCHEDSTAT,
	QEMU_SEQUENCE,
	FACTS_SEQUENCE,
	FACTS_COMPLAINTS,
	QEMU_COMPLAINTS,
	READ_BACK,
	NR_KINDS,
};

static const char *const kind_names[NR_KINDS] = {
	[FACTS_DUMP] = "sched_verbose text from topology facts",
	[FACTS_LINES] = "  and its lines broken where the log breaks them",
	[FACTS_DEBUGFS] = "debugfs values from topology facts",
	[FACTS_SCHEDSTAT] = "schedstat domain lines from topology facts",
	[QEMU_DUMP] = "sched_verbose text from QEMU arguments",
	[QEMU_LINES] = "  and its lines broken where the log breaks them",
	[QEMU_DEBUGFS] = "debugfs values from QEMU arguments",
	[QEMU_SCHEDSTAT] = "schedstat domain lines from QEMU arguments",
	[QEMU_SEQUENCE] = "hotplug sequences from QEMU arguments",
	[FACTS_SEQUENCE] = "hotplug sequences from topology facts",
	[FACTS_COMPLAINTS] = "complaints from topology facts",
	[QEMU_COMPLAINTS] = "complaints from QEMU arguments",
	[READ_BACK] = "sched_verbose text read back and printed again",
};

struct score {
	unsigned int good[NR_KINDS], all[NR_KINDS];
	const char *verbose; /* show differences of this case */
};

static void first_difference(const char *name, const char *kind, const char *a, const char *b)
{
	size_t i = 0, line = 0;

	for (; a[i] && a[i] == b[i]; i++)
		if (a[i] == '\n')
			line = i + 1;
	printf("%s: %s differ\n  kernel: %.*s\n  topo:   %.*s\n", name, kind,
	       (int)strcspn(a + line, "\n"), a + line, (int)strcspn(b + line, "\n"), b + line);
}

static bool count(struct score *s, const char *name, enum kind kind, const char *theirs,
		  const char *ours)
{
	bool same = !strcmp(theirs, ours);

	s->all[kind]++;
	s->good[kind] += same ? 1 : 0;
	if (!same && (!s->verbose || !strcmp(s->verbose, name)))
		first_difference(name, kind_names[kind], theirs, ours);
	return same;
}

static void compare_dump(struct score *s, const char *name, enum kind kind, const char *theirs,
			 const char *ours)
{
	char *a = boot_normal(theirs, true), *b = boot_normal(ours, true);

	if (count(s, name, kind, a, b) && !boot_capacities_fit(theirs, ours)) {
		printf("%s: capacities differ\n", name);
		s->good[kind]--;
	}
	free(a);
	free(b);
}

/* Only the lines that show a domain: their first word or two and the mask. */
static char *domain_lines(const char *text, bool named)
{
	struct strbuf sb = { 0 };
	const char *line, *end;

	for (line = text; line && *line; line = end ? end + 1 : NULL) {
		unsigned int words = !strncmp(line, "domain", 6) ? (named ? 3 : 2) : 1;
		const char *at = line;

		end = strchr(line, '\n');
		if (strncmp(line, "domain", 6) && strncmp(line, "cpu", 3) &&
		    strncmp(line, "version", 7))
			continue;
		if (!strncmp(line, "version", 7))
			words = 2;
		for (; words && *at && *at != '\n'; words--) {
			at += strcspn(at, " \n");
			if (words > 1 && *at == ' ')
				at++;
		}
		strbuf_addf(&sb, "%.*s\n", (int)(at - line), line);
	}
	return sb.s ? strbuf_take(&sb) : xstrdup("");
}

static void compare_schedstat(struct score *s, const char *name, enum kind kind, const char *theirs,
			      const char *ours)
{
	bool named = strstr(theirs, "version 17") != NULL;
	char *a = domain_lines(theirs, named), *b = domain_lines(ours, named), *next;

	/* recorded above 16 CPUs: the first CPU only */
	if (strstr(theirs, "# truncated")) {
		next = strstr(b, "\ncpu1\n");
		if (next)
			next[1] = '\0';
	}
	count(s, name, kind, a, b);
	free(a);
	free(b);
}

static unsigned int occurrences(const char *text, const char *what)
{
	unsigned int n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

/* The messages that are about the topology, in one line: how many of each, and the sibling line whole. */
static char *complaint_facts(const char *text)
{
	struct strbuf sb = { 0 };
	const char *sibling = strstr(text, "sched: CPU");

	strbuf_addf(&sb, "borken %u span %u package %u ", occurrences(text, "arch topology borken"),
		    occurrences(text, "build_sched_domains"),
		    occurrences(text, "at set_cpu_sibling_map"));
	if (sibling)
		strbuf_addf(&sb, "%.*s", (int)strcspn(sibling, "\n"), sibling);
	return strbuf_take(&sb);
}

/* The lines that count once: "WARNING" of a trace, not its addresses. */
static char *only_warnings(const char *text)
{
	struct strbuf sb = { 0 };
	const char *line, *end;

	for (line = text; line && *line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (!strncmp(line, "WARNING", 7) || !strncmp(line, "BUG:", 4) ||
		    !strncmp(line, "sched:", 6))
			strbuf_addf(&sb, "%.*s\n", (int)strcspn(line, "\n"), line);
	}
	return sb.s ? strbuf_take(&sb) : xstrdup("");
}

static char *our_complaints(const struct hotplug *h)
{
	struct strbuf sb = { 0 };

	for (unsigned int i = 0; i < h->nr_trees; i++)
		print_complaints(h->tree[i], &sb);
	return sb.s ? strbuf_take(&sb) : xstrdup("");
}

static void compare_complaints(struct score *s, const char *name, enum kind kind, int dir,
			       const struct hotplug *h)
{
	char *theirs = boot_file(dir, "dmesg_topology.txt"), *ours = our_complaints(h);
	char *lines = only_warnings(theirs ? theirs : ""), *a = complaint_facts(lines);
	char *b = complaint_facts(ours);

	count(s, name, kind, a, b);
	free(theirs);
	free(ours);
	free(lines);
	free(a);
	free(b);
}

static void compare_final(struct score *s, const char *name, int dir, const struct machine *m,
			  const struct release *r, enum kind base)
{
	struct hotplug *h = hotplug_boot(m, r);
	struct strbuf log = { 0 }, text = { 0 };
	char *theirs;

	/* an AMD kernel has cut its caches at the nodes before it shows them */
	if (base == QEMU_DUMP)
		compare_complaints(s, name, QEMU_COMPLAINTS, dir, h);
	else if (m->vendor != VENDOR_AMD)
		compare_complaints(s, name, FACTS_COMPLAINTS, dir, h);
	h->log = &log;
	hotplug_settle(h);
	h->log = NULL;
	print_dump_state(h, &text);
	theirs = boot_file(dir, "sched_verbose.txt");
	compare_dump(s, name, base, theirs, strbuf_str(&text));
	{
		char *a = boot_normal(theirs, false), *b = boot_normal(strbuf_str(&text), false);

		count(s, name, base + 1, a, b);
		free(a);
		free(b);
	}
	free(theirs);
	strbuf_reset(&text);
	print_debugfs(h, &text);
	theirs = boot_file(dir, "domains.txt");
	count(s, name, base + 2, theirs, strbuf_str(&text));
	free(theirs);
	strbuf_reset(&text);
	print_schedstat(h, &text);
	theirs = boot_file(dir, "schedstat.txt");
	compare_schedstat(s, name, base + 3, theirs, strbuf_str(&text));
	free(theirs);
	theirs = boot_file(dir, "sched_verbose_sequence.txt");
	/* the facts are of the final state, and one CPU that is left tells nothing of the others */
	if (theirs && (base == QEMU_DUMP || m->online->weight > 1))
		compare_dump(s, name, base == QEMU_DUMP ? QEMU_SEQUENCE : FACTS_SEQUENCE, theirs,
			     strbuf_str(&log));
	free(theirs);
	strbuf_release(&text);
	strbuf_release(&log);
	hotplug_free(h);
}

/*
 * The spans of a log are a machine again; a failed build has none. A log doesn't number its levels: where
 * nodes see different numbers of them, which is which can't be told, and two machines are left out for that.
 */
static void read_back(struct score *s, const char *name, int dir, const struct source_opts *opts)
{
	char *theirs = boot_file(dir, "sched_verbose.txt");
	struct strbuf text = { 0 };
	struct machine *m = NULL;
	struct hotplug *h;

	if (strstr(theirs, "attaching sched-domain") && !strstr(theirs, "NULL") &&
	    !strstr(name, "asymdist") && !strstr(name, "snc3-gnr") &&
	    !dump_parse(&m, theirs, opts, NULL)) {
		h = hotplug_boot(m, opts->release);
		print_dump_state(h, &text);
		{
			char *a = boot_normal(theirs, true),
			     *b = boot_normal(strbuf_str(&text), true);

			count(s, name, READ_BACK, a, b);
			free(a);
			free(b);
		}
		hotplug_free(h);
		machine_free(m);
	}
	strbuf_release(&text);
	free(theirs);
}

static void run_case(struct score *s, int root, const char *name)
{
	int dir = openat(root, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char *kernel = boot_file(dir, "kernel.txt"), *args = boot_file(dir, "qemu-args.txt");
	struct release release;
	struct source_opts opts = { .release = &release };
	struct machine *m = NULL;
	struct error err = { 0 };
	char *boot;

	if (!kernel || !args) {
		printf("%s: no kernel.txt or qemu-args.txt\n", name);
		exit(1);
	}
	boot = boot_words(args);
	if (release_parse(&release, kernel, ARCH_GENERIC, &err)) {
		printf("%s: %s\n", name, err.text);
		exit(1);
	}
	m = boot_machine(dir, &opts, boot);
	if (!m)
		exit(1);
	compare_final(s, name, dir, m, &release, FACTS_DUMP);
	machine_free(m);
	read_back(s, name, dir, &opts);
	/* an edited device tree is not among the arguments */
	if (!strstr(args, "-dtb")) {
		if (qemu_parse(&m, args, &opts, &err)) {
			printf("%s: %s\n", name, err.text);
			exit(1);
		}
		compare_final(s, name, dir, m, &release, QEMU_DUMP);
		machine_free(m);
	}
	free(kernel);
	free(args);
	free(boot);
	close(dir);
}

int main(int argc, char **argv)
{
	struct score s = { .verbose = argc > 2 ? argv[2] : NULL };
	struct dirent **names;
	int root, n, ret = 0;

	if (argc < 2)
		return 2;
	root = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	n = scandir(argv[1], &names, NULL, alphasort);
	if (root < 0 || n < 0) {
		perror(argv[1]);
		return 1;
	}
	for (int i = 0; i < n; i++) {
		if (strstr(names[i]->d_name, "__k") &&
		    (argc < 3 || !strcmp(argv[2], names[i]->d_name)))
			run_case(&s, root, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	close(root);
	for (unsigned int i = 0; i < NR_KINDS; i++) {
		printf("%s: %u of %u\n", kind_names[i], s.good[i], s.all[i]);
		ret |= s.good[i] != s.all[i] || !s.all[i];
	}
	return ret;
}
