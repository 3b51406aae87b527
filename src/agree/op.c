// SPDX-License-Identifier: GPL-2.0-only
#include "agree/op.h"

#include "base/cpumask.h"
#include "base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[NR_AGREE_OPS] = { "fork", "wake", "block", "yield",
						 "exec", "exit", "sched", "affinity" };

const char *agree_op_name(enum agree_op_kind kind)
{
	return names[kind];
}

void agree_ops_add(struct agree_ops *ops, const struct agree_op *op)
{
	if (ops->nr == ops->room) {
		ops->room = ops->room ? 2 * ops->room : 64;
		ops->op = xreallocarray(ops->op, ops->room, sizeof(*ops->op));
	}
	ops->op[ops->nr++] = *op;
}

void agree_ops_release(struct agree_ops *ops)
{
	free(ops->op);
	*ops = (struct agree_ops){ 0 };
}

static bool has_cpu(enum agree_op_kind kind)
{
	return kind == AGREE_OP_FORK || kind == AGREE_OP_WAKE || kind == AGREE_OP_SCHED ||
	       kind == AGREE_OP_AFFINITY;
}

static void print_cpus(const uint64_t *words, struct strbuf *sb)
{
	/* cpumask_print() only reads it */
	const struct cpumask mask = { .words = (uint64_t *)words, .nr_words = AGREE_WORDS };

	strbuf_addstr(sb, " cpus ");
	cpumask_print(&mask, sb);
}

static void print_op(const struct agree_op *op, struct strbuf *sb)
{
	strbuf_addf(sb, "%" PRIu64 " %s t%u", op->time_ns, names[op->kind], op->task);
	if (has_cpu(op->kind))
		strbuf_addf(sb, " on %u", op->cpu);
	if (op->sync)
		strbuf_addstr(sb, " sync");
	if (op->kind == AGREE_OP_SCHED)
		strbuf_addf(sb, " policy %d nice %d slice %" PRIu64, op->sched.policy,
			    op->sched.nice, op->sched.runtime_ns);
	if (op->bound)
		print_cpus(op->affinity, sb);
	strbuf_addch(sb, '\n');
}

void agree_ops_print(const struct agree_ops *ops, struct strbuf *sb)
{
	for (size_t i = 0; i < ops->nr; i++)
		print_op(&ops->op[i], sb);
	strbuf_addf(sb, "%" PRIu64 " end\n", ops->end_ns);
}

static int parse_kind(enum agree_op_kind *kind, const char *word)
{
	for (int i = 0; i < NR_AGREE_OPS; i++)
		if (!strcmp(names[i], word)) {
			*kind = (enum agree_op_kind)i;
			return 0;
		}
	return -EINVAL;
}

static int parse_number(int64_t *out, const char *word, int64_t min, int64_t max)
{
	char *end;
	long long value;

	if (!word || !*word)
		return -EINVAL;
	errno = 0;
	value = strtoll(word, &end, 10);
	if (errno || *end || value < min || value > max)
		return -EINVAL;
	*out = value;
	return 0;
}

static int parse_cpus(struct agree_op *op, const char *word)
{
	struct cpumask mask = { 0 };
	int ret = word ? cpumask_parse(&mask, word, NULL) : -EINVAL;

	if (!ret && (!cpumask_weight(&mask) || cpumask_next(&mask, AGREE_CPUS) != CPUMASK_MAX))
		ret = -EINVAL;
	for (unsigned int i = 0; !ret && i < mask.nr_words && i < AGREE_WORDS; i++)
		op->affinity[i] = mask.words[i];
	op->bound = true;
	cpumask_release(&mask);
	return ret;
}

/* A word with its value; @save is strtok_r()'s. */
static int parse_pair(struct agree_op *op, const char *word, char **save)
{
	int64_t value = 0;
	const char *next;
	int ret;

	if (!strcmp(word, "sync")) {
		op->sync = true;
		return 0;
	}
	next = strtok_r(NULL, " \t", save);
	if (!strcmp(word, "cpus"))
		return parse_cpus(op, next);
	if (!strcmp(word, "on")) {
		ret = parse_number(&value, next, 0, AGREE_CPUS - 1);
		op->cpu = (uint32_t)value;
	} else if (!strcmp(word, "policy")) {
		ret = parse_number(&value, next, CORE_NORMAL, CORE_IDLE);
		op->sched.policy = (int)value;
	} else if (!strcmp(word, "nice")) {
		ret = parse_number(&value, next, -20, 19);
		op->sched.nice = (int)value;
	} else if (!strcmp(word, "slice")) {
		ret = parse_number(&value, next, 0, INT64_MAX);
		op->sched.runtime_ns = (uint64_t)value;
	} else {
		ret = -EINVAL;
	}
	return ret;
}

/* What stands behind the time and the kind. */
static int parse_rest(struct agree_op *op, char **save)
{
	char *word = strtok_r(NULL, " \t", save);
	int64_t value;

	if (!word || *word != 't' || parse_number(&value, word + 1, 0, AGREE_TASKS - 1))
		return -EINVAL;
	op->task = (uint32_t)value;
	while ((word = strtok_r(NULL, " \t", save)))
		if (parse_pair(op, word, save))
			return -EINVAL;
	return op->kind == AGREE_OP_AFFINITY && !op->bound ? -EINVAL : 0;
}

/* "99000 end" closes a script: nothing may follow. */
static int parse_words(struct agree_ops *ops, char *line)
{
	char *save = NULL, *word = strtok_r(line, " \t", &save);
	struct agree_op op = { 0 };
	int64_t value;

	if (ops->end_ns || parse_number(&value, word, 0, INT64_MAX / 2) ||
	    (ops->nr && (uint64_t)value < ops->op[ops->nr - 1].time_ns))
		return -EINVAL;
	op.time_ns = (uint64_t)value;
	word = strtok_r(NULL, " \t", &save);
	if (word && !strcmp(word, "end")) {
		ops->end_ns = op.time_ns;
		return strtok_r(NULL, " \t", &save) ? -EINVAL : 0;
	}
	if (!word || parse_kind(&op.kind, word) || parse_rest(&op, &save))
		return -EINVAL;
	agree_ops_add(ops, &op);
	return 0;
}

static int parse_line(struct agree_ops *ops, char *line)
{
	line[strcspn(line, "#\r")] = '\0';
	return line[strspn(line, " \t")] ? parse_words(ops, line) : 0;
}

int agree_ops_parse(struct agree_ops *ops, const char *text, struct error *err)
{
	for (unsigned int nr = 1; *text; nr++) {
		size_t len = strcspn(text, "\n");
		char *line = xstrndup(text, len);
		int ret = parse_line(ops, line);

		free(line);
		if (ret)
			return error_set(err, EINVAL,
					 "line %u: no event of a script, as \"1250 wake t3 on 5\", "
					 "or earlier than the one before",
					 nr);
		text += len + (text[len] == '\n');
	}
	if (!ops->end_ns)
		return error_set(err, EINVAL, "no \"99000 end\" at its end: the script was cut");
	return 0;
}
