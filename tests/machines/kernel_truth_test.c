// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds recorded boots against what the same releases' own code builds as a kernel core, and prints "N of N". Only boots of
 * which the facts are those that the domains were built from: no CPU taken offline later, none isolated, and masks that
 * numbers can say. Where the kernel complained, the core does as well. Usage: kernel_truth_test CORE SUFFIX FOLDER ..., SUFFIX as
 * "__k6.12".
 *
 * Exit status 77 where there is no such core: tests/kernel_cores.sh makes it.
 */
#include "boot.h"

#include "base/mem.h"
#include "kcore/domains.h"
#include "kcore/kcore.h"
#include "sim/machine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SKIPPED 77

struct score {
	const char *core;
	unsigned int good, all, left_out;
};

/*
 * The lines of the log that are of the dump, with what continues them; but a table of distances goes on behind its error, and 7.3
 * says behind the dump what it makes of caches.
 */
static char *dump_lines(const char *log)
{
	static const char *const begins[] = { "CPU", "domain-", "groups:", "ERROR", "root domain" };
	static const char cache[] = "_sched_cache_active_set:";
	struct strbuf sb = { 0 };
	bool table = false;

	while (*log) {
		const char *word = log + strspn(log, " ");
		size_t n = strcspn(log, "\n");
		bool begin = false;

		for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
			begin |= !strncmp(word, begins[i], strlen(begins[i]));
		if (begin)
			table = !strncmp(word, "ERROR: Node-distance", 20);
		if (begin || (sb.len && !table && strncmp(word, cache, strlen(cache)) != 0))
			strbuf_addf(&sb, "%.*s\n", (int)n, log);
		log += n + (log[n] ? 1 : 0);
	}
	return sb.s ? strbuf_take(&sb) : xstrdup("");
}

static void show_difference(const char *name, const char *theirs, const char *ours)
{
	size_t line = 0;

	for (size_t i = 0; theirs[i] && theirs[i] == ours[i]; i++)
		if (theirs[i] == '\n')
			line = i + 1;
	printf("%s\n  recorded: %.*s\n  core:     %.*s\n", name, (int)strcspn(theirs + line, "\n"),
	       theirs + line, (int)strcspn(ours + line, "\n"), ours + line);
}

static void leave_out(struct score *s, const char *name, const char *why)
{
	printf("%s: left out: %s\n", name, why);
	s->left_out++;
}

static void compare(struct score *s, const char *name, int dir, const struct sim_machine *machine)
{
	struct strbuf log = { 0 };
	struct error err = { 0 };
	struct kcore *kcore = NULL;
	char *recorded = boot_file(dir, "sched_verbose.txt");
	int ret = kcore_open(&kcore, s->core, &err);

	if (!ret)
		ret = kcore_domains(kcore_ops(kcore), &machine->of, &log, &err);
	if (ret && ret != -EPROTO) {
		printf("%s: %s\n", name, err.text);
	} else {
		char *lines = dump_lines(strbuf_str(&log));
		char *theirs = boot_normal(recorded, true), *ours = boot_normal(lines, true);

		if (strcmp(theirs, ours))
			show_difference(name, theirs, ours);
		else if (!boot_capacities_fit(recorded, lines))
			printf("%s: capacities differ\n", name);
		else
			s->good++;
		free(lines);
		free(theirs);
		free(ours);
	}
	s->all++;
	kcore_close(kcore);
	strbuf_release(&log);
	free(recorded);
}

static bool has_file(int dir, const char *path)
{
	return !faccessat(dir, path, F_OK, 0);
}

static void run_case(struct score *s, int root, const char *name)
{
	int dir = openat(root, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char *kernel = boot_file(dir, "kernel.txt"), *args = boot_file(dir, "qemu-args.txt");
	char *words = boot_words(args);
	struct release release;
	struct source_opts opts = { .release = &release };
	struct sim_machine machine = { 0 };
	struct machine *m = NULL;
	struct error err = { 0 };

	if (release_parse(&release, kernel, ARCH_GENERIC, &err) ||
	    !(m = boot_machine(dir, &opts, words))) {
		printf("%s: %s\n", name, err.text);
		exit(1);
	}
	if (has_file(dir, "sched_verbose_sequence.txt"))
		leave_out(s, name, "CPUs were taken offline after the boot");
	else if (strstr(words, "isolcpus=") || strstr(words, "relax_domain_level="))
		leave_out(s, name, "the command line asks for other domains");
	else if (sim_machine_make(&machine, m, &release, &err))
		leave_out(s, name, err.text);
	else
		compare(s, name, dir, &machine);
	sim_machine_release(&machine);
	machine_free(m);
	free(kernel);
	free(args);
	free(words);
	close(dir);
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

static void run_folder(struct score *s, const char *folder, const char *suffix)
{
	int root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent **names;
	int n = scandir(folder, &names, NULL, alphasort);

	if (root < 0 || n < 0) {
		perror(folder);
		exit(1);
	}
	for (int i = 0; i < n; i++) {
		if (ends_with(names[i]->d_name, suffix))
			run_case(s, root, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	close(root);
}

int main(int argc, char **argv)
{
	struct kcore_facts facts = { 0 };
	struct score s = { 0 };
	struct error err = { 0 };

	if (argc < 4)
		return 2;
	s.core = argv[1];
	if (kcore_find(&facts, s.core, &err)) {
		printf("skipped: %s\n", err.text);
		return SKIPPED;
	}
	if (facts.abi != CORE_ABI) {
		printf("skipped: kernel core %s is another schedproof's; tests/kernel_cores.sh "
		       "builds it again\n",
		       s.core);
		kcore_facts_release(&facts);
		return SKIPPED;
	}
	for (int i = 3; i < argc; i++)
		run_folder(&s, argv[i], argv[2]);
	printf("Linux %s builds the recorded domains itself: %u of %u (%u left out)\n",
	       facts.release, s.good, s.all, s.left_out);
	kcore_facts_release(&facts);
	return s.good != s.all || !s.all;
}
