// SPDX-License-Identifier: GPL-2.0-only
#include "host/facts_source.h"

#include "base/file.h"
#include "base/mem.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CONFIG_MAX_BYTES (4u << 20)

void fact_kernel_release(const struct host *host, struct strbuf *sb)
{
	strbuf_addstr(sb, host->release);
}

/* End of the group in parentheses that starts at @open, or NULL. */
static const char *group_end(const char *open)
{
	int depth = 0;

	for (; *open; open++) {
		if (*open == '(')
			depth++;
		else if (*open == ')' && --depth == 0)
			return open;
	}
	return NULL;
}

/*
 * /proc/version is "Linux version RELEASE (USER@HOST) (COMPILER[, LINKER]) #BUILD", the compiler itself with
 * parentheses inside.
 *
 * Return: the parenthesis that opens the compiler, or NULL.
 */
static const char *find_compiler(const char *version)
{
	const char *builder = strchr(version, '(');
	const char *end = builder ? group_end(builder) : NULL;

	if (!end)
		return NULL;
	end += strspn(end + 1, " ") + 1;
	return *end == '(' ? end : NULL;
}

void fact_kernel_build(const struct host *host, struct strbuf *sb)
{
	char *version = file_read_line(host->root_fd, "proc/version");
	const char *compiler = version ? find_compiler(version) : NULL;
	const char *end = compiler ? group_end(compiler) : NULL;
	const char *build = end ? strchr(end, '#') : NULL;

	if (build)
		strbuf_addstr(sb, build);
	else
		fact_add_line(sb, host->root_fd, "proc/sys/kernel/version");
	free(version);
}

void fact_kernel_compiler(const struct host *host, struct strbuf *sb)
{
	char *version = file_read_line(host->root_fd, "proc/version");
	const char *open = version ? find_compiler(version) : NULL;
	const char *end = open ? group_end(open) : NULL;

	for (const char *p = open; end && ++p < end;) {
		const char *inner = *p == '(' ? group_end(p) : p;

		if (*p == ',')
			break; /* behind it is the linker */
		strbuf_add(sb, p, (size_t)(inner - p) + 1);
		p = inner;
	}
	free(version);
}

/* Length of the word at @word; spaces within double quotes belong to it, as in the kernel's next_arg(). */
static size_t word_len(const char *word)
{
	bool quoted = false;
	size_t n;

	for (n = 0; word[n] && (quoted || word[n] != ' '); n++)
		if (word[n] == '"')
			quoted = !quoted;
	return n;
}

static bool has_prefix(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* Names of files, which differ between boots that are otherwise the same. */
static bool is_boot_file(const char *word)
{
	return has_prefix(word, "BOOT_IMAGE=") || has_prefix(word, "initrd=");
}

void fact_kernel_cmdline(const struct host *host, struct strbuf *sb)
{
	char *line = file_read_line(host->root_fd, "proc/cmdline");
	size_t n;

	for (const char *word = line; word && *word; word += n) {
		word += strspn(word, " ");
		n = word_len(word);
		if (!n || is_boot_file(word))
			continue;
		if (sb->len)
			strbuf_addch(sb, ' ');
		strbuf_add(sb, word, n);
	}
	free(line);
}

/* The value of CONFIG_@key where the distribution has put the configuration as plain text, or NULL. */
static char *read_config(const struct host *host, const char *key)
{
	static const char *const forms[][2] = { { "boot/config-", "" },
						{ "lib/modules/", "/config" } };
	char *wanted = xasprintf("\nCONFIG_%s=", key);
	char *value = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(forms) && !value; i++) {
		char *path = xasprintf("%s%s%s", forms[i][0], host->release, forms[i][1]);
		struct strbuf text = { 0 };
		const char *found;

		strbuf_addch(&text, '\n');
		file_read(&text, host->root_fd, path, CONFIG_MAX_BYTES, NULL);
		found = strstr(text.s, wanted);
		if (found) {
			found += strlen(wanted);
			value = xstrndup(found, strcspn(found, "\n"));
		}
		strbuf_release(&text);
		free(path);
	}
	free(wanted);
	return value;
}

static void add_preempt_of_config(const struct host *host, struct strbuf *sb)
{
	static const char *const models[][2] = {
		{ "PREEMPT_NONE", "none" },
		{ "PREEMPT_VOLUNTARY", "voluntary" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		char *value = read_config(host, models[i][0]);

		if (value && !strcmp(value, "y"))
			strbuf_addstr(sb, models[i][1]);
		free(value);
	}
}

/* The build text has one of PREEMPT, PREEMPT_RT, PREEMPT_DYNAMIC; nothing for both none and voluntary. */
static void add_preempt_of_build(const struct host *host, struct strbuf *sb)
{
	struct strbuf build = { 0 };
	const char *word;

	fact_kernel_build(host, &build);
	word = strstr(strbuf_str(&build), "PREEMPT");
	if (!word) {
		add_preempt_of_config(host, sb);
	} else if (!has_prefix(word, "PREEMPT_")) {
		strbuf_addstr(sb, "full");
	} else {
		word += strlen("PREEMPT_");
		for (; isalnum((unsigned char)*word) || *word == '_'; word++)
			strbuf_addch(sb, (char)tolower((unsigned char)*word));
	}
	strbuf_release(&build);
}

void fact_kernel_preempt(const struct host *host, struct strbuf *sb)
{
	char *line = NULL;

	if (host->debugfs_fd >= 0)
		line = file_read_line(host->debugfs_fd, "sched/preempt");
	if (line)
		fact_add_chosen(sb, line);
	else
		add_preempt_of_build(host, sb);
	free(line);
}

/* The coarse clocks advance at each tick, and say so: their resolution is the length of a tick. */
static void add_hz_of_clock(struct strbuf *sb)
{
	struct timespec tick;

	if (!clock_getres(CLOCK_MONOTONIC_COARSE, &tick) && !tick.tv_sec && tick.tv_nsec > 1000)
		strbuf_addf(sb, "%ld", (1000000000 + tick.tv_nsec / 2) / tick.tv_nsec);
}

void fact_kernel_hz(const struct host *host, struct strbuf *sb)
{
	char *hz;

	if (host->live) {
		add_hz_of_clock(sb);
		return;
	}
	hz = read_config(host, "HZ");
	if (hz)
		strbuf_addstr(sb, hz);
	free(hz);
}
