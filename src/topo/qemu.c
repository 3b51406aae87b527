// SPDX-License-Identifier: GPL-2.0-only
/* topo/qemu.c - QEMU's words, as in a shell or one an argument a line, and who reads which. */
#include "topo/qemu.h"

#include "topo/text.h"

#include "base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One key=value of a comma list, or a bare word with value NULL. Returns the rest. */
char *qemu_next_option(char *at, char **key, char **value)
{
	char *comma = strchr(at, ','), *eq;

	if (comma)
		*comma = '\0';
	eq = strchr(at, '=');
	if (eq)
		*eq++ = '\0';
	*key = at;
	*value = eq;
	return comma ? comma + 1 : NULL;
}

int qemu_number(const char *where, const char *key, const char *value, long min, long max, long *n,
		struct error *err)
{
	if (!value || text_long(value, min, max, n))
		return error_set(err, EINVAL, "%s: %.40s=%.40s: not a number from %ld to %ld",
				 where, key, value ? value : "", min, max);
	return 0;
}

uint64_t qemu_memory_kb(const char *value, double unit)
{
	char *end;
	double n = strtod(value, &end);

	switch (toupper((unsigned char)*end)) {
	case 'K':
		break;
	case 'M':
		n *= 1024;
		break;
	case 'G':
		n *= 1024 * 1024;
		break;
	case 'T':
		n *= 1024.0 * 1024 * 1024;
		break;
	default:
		n *= unit / 1024;
	}
	return n > 0 && n < 1e15 ? (uint64_t)n : 0;
}

static void read_program(struct qemu *q, const char *word)
{
	const char *arch = strstr(word, "qemu-system-");
	enum machine_arch found;

	if (arch && !machine_arch_parse(&found, arch + strlen("qemu-system-"), NULL)) {
		q->arch = found;
		q->arch_told = true;
	}
}

/* "# qemu 7.2.22 qemu-system-x86_64", "# guest cmdline extra: isolcpus=2-3" */
static void read_comment(struct qemu *q, const char *text)
{
	static const char extra[] = "guest cmdline extra:";
	unsigned int major, minor;

	while (*text == '#' || *text == ' ')
		text++;
	if (!strncmp(text, extra, strlen(extra)))
		strbuf_addf(&q->append, " %s", text + strlen(extra));
	/* NOLINTNEXTLINE(cert-err34-c): four digits can't overflow */
	if (sscanf(text, "qemu %4u.%4u", &major, &minor) == 2) {
		q->version = major * 100 + minor;
		read_program(q, text);
	}
}

/* @arg is "" where there is none. */
static int read_word(struct qemu *q, const char *option, char *arg, struct error *err)
{
	if (!strcmp(option, "smp"))
		return qemu_read_smp(q, arg, err);
	if (!strcmp(option, "numa"))
		return qemu_read_numa(q, arg, err);
	if (!strcmp(option, "M") || !strcmp(option, "machine"))
		return qemu_read_machine(q, arg, err);
	if (!strcmp(option, "device"))
		return qemu_read_device(q, arg, err);
	if (!strcmp(option, "object"))
		qemu_read_object(q, arg);
	else if (!strcmp(option, "cpu"))
		qemu_read_cpu(q, arg);
	else if (!strcmp(option, "accel"))
		qemu_read_accel(q, arg);
	else if (!strcmp(option, "enable-kvm"))
		qemu_read_accel(q, "kvm");
	else if (!strcmp(option, "append"))
		strbuf_addf(&q->append, " %s", arg);
	else if (!strcmp(option, "m"))
		q->mem_kb = qemu_memory_kb(!strncmp(arg, "size=", 5) ? arg + 5 : arg, 1 << 20);
	return 0;
}

/* One shell-like word: quotes group, a backslash before a line's end joins. Returns the rest. */
static const char *next_word(const char *at, struct strbuf *word)
{
	char quote = 0;

	strbuf_reset(word);
	for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
		if (quote ? *at == quote : *at == '"' || *at == '\'')
			quote = quote ? 0 : *at;
		else if (*at == '\\' && (at[1] == '\n' || !strncmp(at + 1, "\r\n", 2)))
			break;
		else
			strbuf_addch(word, *at);
	}
	return *at ? at + 1 : at;
}

int qemu_read(struct qemu *q, const char *text, struct error *err)
{
	struct strbuf word = { 0 }, arg = { 0 };
	int ret = 0;

	while (*text && !ret) {
		while (isspace((unsigned char)*text) || *text == '\\')
			text++;
		if (*text == '#') {
			size_t n = strcspn(text, "\n");
			char *line = xstrndup(text, n);

			read_comment(q, line);
			free(line);
			text += n;
			continue;
		}
		text = next_word(text, &word);
		read_program(q, strbuf_str(&word));
		if (strbuf_str(&word)[0] != '-')
			continue;
		while (isspace((unsigned char)*text) || *text == '\\')
			text++;
		strbuf_reset(&arg);
		if (*text != '-' && *text != '#' && *text)
			text = next_word(text, &arg);
		ret = read_word(q, strbuf_str(&word) + strspn(strbuf_str(&word), "-"),
				arg.s ? arg.s : (char[]){ "" }, err);
	}
	strbuf_release(&word);
	strbuf_release(&arg);
	return ret;
}

void qemu_release(struct qemu *q)
{
	for (unsigned int i = 0; i < q->nr_nodes; i++)
		cpumask_release(&q->node[i].cpus);
	free(q->node);
	free(q->dist);
	free(q->place);
	free(q->plug);
	free(q->memdev);
	free(q->index);
	strbuf_release(&q->append);
}
