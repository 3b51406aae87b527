// SPDX-License-Identifier: GPL-2.0-only
#include "host/settings_form.h"

#include "base/cpumask.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "topo/partition.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_LEN 128
#define UPPER	     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* a deadline task's times must be of some length for the kernel's arithmetic */
#define DEADLINE_MIN_NS 1024
#define DEADLINE_MAX_NS 3600e9

#define FORM_CHOICE(name_, choices_, help_)                                                        \
	{                                                                                          \
		.name = (name_), .help = (help_),                                                  \
		.opt = { .type = OPT_TYPE_CHOICE, .choices = (choices_) },                         \
	}
#define FORM_NUMBER(name_, type_, min_, max_, help_)                                               \
	{                                                                                          \
		.name = (name_), .help = (help_),                                                  \
		.opt = { .type = (type_), .min = (min_), .max = (max_) },                          \
	}
#define FORM_PREFIX(prefix_, word_, value_, help_)                                                 \
	{                                                                                          \
		.name = prefix_ "." word_, .prefix = (prefix_), .help = (help_),                   \
		.value = (value_),                                                                 \
	}
#define FORM(name_, value_, help_)                                                                 \
	{                                                                                          \
		.name = (name_), .help = (help_), .value = (value_),                               \
	}

static int nice_value(const char *text, struct strbuf *out, struct error *err)
{
	char *end;
	long nice;

	errno = 0;
	nice = strtol(text, &end, 10);
	if (end == text || *end)
		return error_set(err, EINVAL, "'%.80s' is not valid, expected -20 .. 19", text);
	if (errno || nice < -20 || nice > 19)
		return error_set(err, ERANGE, "'%.80s' is out of range, allowed is -20 .. 19",
				 text);
	strbuf_addf(out, "%ld", nice);
	return 0;
}

static int cpus_value(const char *text, struct strbuf *out, struct error *err)
{
	struct cpumask cpus = { 0 };
	int ret = cpumask_parse(&cpus, text, err);

	if (!ret && !cpumask_weight(&cpus))
		ret = error_set(err, EINVAL, "no CPU is named, expected a list such as 0-3,8");
	if (!ret)
		cpumask_print(&cpus, out);
	cpumask_release(&cpus);
	return ret;
}

static int any_value(const char *text, struct strbuf *out, struct error *err)
{
	(void)err;
	strbuf_addstr(out, text);
	return 0;
}

static int filled_value(const char *text, struct strbuf *out, struct error *err)
{
	if (!*text)
		return error_set(err, EINVAL, "a value is missing");
	return any_value(text, out, err);
}

/* One word, as the governors' names are: nothing that could be more than one value to the kernel. */
static int word_value(const char *text, struct strbuf *out, struct error *err)
{
	for (const char *s = text; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_' && *s != '-')
			return error_set(err, EINVAL, "'%.80s' is not one word", text);
	return filled_value(text, out, err);
}

static const char *feature_base(const char *feature)
{
	return strncmp(feature, "NO_", 3) ? feature : feature + 3;
}

/* Without NO_ and without "=value". */
static int by_feature_base(const void *a, const void *b)
{
	const char *x = feature_base(*(char *const *)a), *y = feature_base(*(char *const *)b);
	size_t nx = strcspn(x, "="), ny = strcspn(y, "=");
	int order = memcmp(x, y, nx < ny ? nx : ny);

	return order ? order : (nx > ny) - (nx < ny);
}

/* A kernel's feature, or "name=value" of a simulated core: "wake.cluster=off", "fair_server/cpu0/runtime=0". */
static bool good_feature(const char *name)
{
	const char *base = feature_base(name), *equals = strchr(name, '=');

	if (!equals)
		return *base && !name[strspn(name, UPPER "0123456789_")];
	return base != equals && equals[1] &&
	       name + strspn(name, UPPER "abcdefghijklmnopqrstuvwxyz0123456789_./") == equals;
}

static int check_features(char *const *names, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		if (!good_feature(names[i]))
			return error_set(err, EINVAL, "'%.80s' is no feature's name", names[i]);
		if (i && !by_feature_base(&names[i - 1], &names[i]))
			return error_set(err, EINVAL, "%.80s and %.80s are given", names[i - 1],
					 names[i]);
	}
	return n ? 0 : error_set(err, EINVAL, "no feature is named");
}

/* Sorted by name without NO_: the order in which they are written doesn't matter. */
static int features_value(const char *text, struct strbuf *out, struct error *err)
{
	char *copy = xstrdup(text), *rest = NULL;
	char **names = xcalloc(strlen(text) / 2 + 1, sizeof(*names));
	size_t n = 0;
	int ret;

	for (char *s = strtok_r(copy, ", \t", &rest); s; s = strtok_r(NULL, ", \t", &rest))
		names[n++] = s;
	qsort(names, n, sizeof(*names), by_feature_base);
	ret = check_features(names, n, err);
	for (size_t i = 0; !ret && i < n; i++)
		strbuf_addf(out, "%s%s", i ? "," : "", names[i]);
	free(names);
	free(copy);
	return ret;
}

static int spread_value(const char *text, struct strbuf *out, struct error *err)
{
	char *end = (char *)text;
	double percent = strspn(text, "0123456789.") ? strtod(text, &end) : -1;

	if (end == text || end > text + strspn(text, "0123456789.") || strcmp(end, "%") != 0 ||
	    percent > 10)
		return error_set(err, EINVAL, "'%.80s' is not valid, expected 0%% .. 10%%", text);
	strbuf_addf(out, "%g%%", percent);
	return 0;
}

/* Lists in the words of topo --partition; whether the machine has those CPUs is known later. */
static int partition_value(const char *text, struct strbuf *out, struct error *err)
{
	char *copy = xstrdup(text), *rest = copy, *list;
	int ret = *text ? 0 : error_set(err, EINVAL, "no list of CPUs");
	bool isolated;

	while (!ret && (list = partition_next(&rest, &isolated))) {
		if (out->len)
			strbuf_addch(out, '/');
		ret = cpus_value(list, out, err);
		if (isolated)
			strbuf_addstr(out, ":isolated");
	}
	free(copy);
	return ret;
}

/* As cpu.max has it: "20000 100000" or "20000", of us; what isn't given is a period of 100 ms. The bounds are the kernel's. */
static int cpu_max_value(const char *text, struct strbuf *out, struct error *err)
{
	const char *rest = text + strspn(text, "0123456789");
	unsigned long quota = rest - text < 15 ? strtoul(text, NULL, 10) : 0, period = 100000;

	if (rest == text || (*rest && (*rest != ' ' || !isdigit((unsigned char)rest[1]) ||
				       rest[1 + strspn(rest + 1, "0123456789")])))
		return error_set(err, EINVAL,
				 "'%.80s' is not valid, expected us of CPU time and of a period, "
				 "as in 20000 100000",
				 text);
	if (*rest)
		period = strlen(rest) < 15 ? strtoul(rest, NULL, 10) : 0;
	if (quota < 1000 || quota > 1000000000 || period < 1000 || period > 1000000)
		return error_set(err, ERANGE,
				 "'%.80s' is out of range, allowed is 1000 .. 1000000000 in "
				 "1000 .. 1000000",
				 text);
	strbuf_addf(out, "%lu %lu", quota, period);
	return 0;
}

const struct settings_form settings_forms[] = {
	FORM_CHOICE("policy", "other|batch|idle|fifo|rr|deadline",
		    "scheduling policy of the worker and all its tasks"),
	FORM("nice", nice_value, "-20 .. 19, for other and batch"),
	FORM_NUMBER("priority", OPT_TYPE_U64, 1, 99, "1 .. 99, for fifo and rr; 1 if not given"),
	FORM_NUMBER("slice", OPT_TYPE_NS, 1e5, 1e8,
		    "EEVDF slice, 100us .. 100ms, for other and batch; Linux 6.12 and later"),
	FORM_NUMBER("runtime", OPT_TYPE_NS, DEADLINE_MIN_NS, DEADLINE_MAX_NS,
		    "time in each period, for deadline"),
	FORM_NUMBER("deadline", OPT_TYPE_NS, DEADLINE_MIN_NS, DEADLINE_MAX_NS,
		    "relative deadline, for deadline; the period if not given"),
	FORM_NUMBER("period", OPT_TYPE_NS, DEADLINE_MIN_NS, DEADLINE_MAX_NS,
		    "for deadline; the deadline if not given"),
	FORM("cpus", cpus_value, "affinity of the worker and all its tasks, such as 0-3,8"),
	FORM_PREFIX("env", "NAME", any_value, "environment variable of the worker"),
	FORM_PREFIX("sysctl", "NAME", filled_value,
		    "a file of /proc/sys, as in sysctl.kernel.sched_rt_period_us"),
	FORM("features", features_value,
	     "scheduler features to switch, such as NO_TTWU_QUEUE,WA_BIAS; of simulated cores "
	     "also name=value (schedproof list features)"),
	FORM_PREFIX("sched", "FILE", filled_value,
		    "a file of debugfs sched/, as in sched.base_slice_ns"),
	FORM("governor", word_value, "of every CPU frequency policy, such as performance"),
	FORM_CHOICE("thp", "always|madvise|never", "transparent huge pages"),
	FORM_NUMBER("cgroup.cpu.weight", OPT_TYPE_U64, 1, 10000,
		    "each run in a cgroup (v2) of its own with this weight"),
	FORM("cgroup.cpu.max", cpu_max_value,
	     "each run in a cgroup (v2) of its own with this quota: us of CPU time in a period of "
	     "us, as in 20000 100000"),
	FORM("cgroup.cpuset.cpus", cpus_value,
	     "each run in a cgroup (v2) of its own on these CPUs"),
	FORM_CHOICE("cgroup.cpuset.cpus.partition", "member|root|isolated",
		    "what those CPUs are to the others: root, no others run there and they are "
		    "balanced by themselves; isolated, not at all"),
	FORM("partition", partition_value,
	     "of sim: LIST[:isolated][/LIST...], CPUs that balance among each other only, or not "
	     "at all"),
	FORM("kernel", filled_value,
	     "runs are made only while a kernel release that matches is booted, such as 6.12.*"),
	FORM_CHOICE(
		"backend", "host|sim",
		"runs are made on this machine or on a simulated one; all variants on the same"),
	FORM("machine", filled_value,
	     "of sim: as schedproof topo takes it, or a name of schedproof list machines; this "
	     "machine's shape if not given"),
	FORM("core", filled_value,
	     "of sim: who schedules, a name of schedproof list cores; model if not given"),
	FORM("costs", filled_value,
	     "of sim: file of what things take there; the machine's own if not given"),
	FORM("spread", spread_value,
	     "of sim: 0% .. 10%, costs of a run are drawn within that of those of the file; 1% if "
	     "not given"),
	FORM_NUMBER("seed", OPT_TYPE_U64, 0, 1000000,
		    "of sim: added to the seed that all variants of a block have; 0 if not given"),
	FORM_CHOICE("check", "no|yes",
		    "of sim: look after the simulator's invariants all the time"),
	{ NULL },
};

static bool good_env_name(const char *name)
{
	return !isdigit((unsigned char)*name) &&
	       !name[strspn(name, UPPER "abcdefghijklmnopqrstuvwxyz0123456789_")];
}

/* Words joined by dots, each of which is a folder or a file: none is empty, so ".." isn't in it. */
static bool good_file_name(const char *name)
{
	if (*name == '.' || name[strlen(name) - 1] == '.' || strstr(name, ".."))
		return false;
	return !name[strspn(name, UPPER "abcdefghijklmnopqrstuvwxyz0123456789_.-")];
}

static int check_name(const struct settings_form *form, const char *name, struct error *err)
{
	bool env = !strcmp(form->prefix, "env");

	if (!*name || strlen(name) > NAME_MAX_LEN ||
	    !(env ? good_env_name(name) : good_file_name(name)))
		return error_set(err, EINVAL, "'%.80s' can't be the name in %s", name, form->name);
	if (!strcmp(form->prefix, "sched") && !strcmp(name, "features"))
		return error_set(err, EINVAL, "'sched.features' is written as 'features'");
	return 0;
}

static const char *nearest_form(const char *key, const char *head)
{
	const struct settings_form *form;
	struct nearest whole, prefix;

	nearest_init(&whole, key);
	nearest_init(&prefix, head);
	for (form = settings_forms; form->name; form++)
		if (form->prefix)
			nearest_offer(&prefix, form->prefix);
		else
			nearest_offer(&whole, form->name);
	if (whole.best || !prefix.best)
		return whole.best;
	for (form = settings_forms; form->prefix != prefix.best; form++)
		;
	return form->name;
}

static int unknown_key(const char *key, struct error *err)
{
	char *head = xstrndup(key, strcspn(key, "."));
	const char *near = nearest_form(key, head);

	free(head);
	if (near)
		return error_set(err, ENOENT, "unknown key '%.80s', did you mean '%s'?", key, near);
	return error_set(err, ENOENT, "unknown key '%.80s'", key);
}

int settings_form_find(const struct settings_form **out, const char *key, struct error *err)
{
	const struct settings_form *form;
	int ret = 0;

	for (form = settings_forms; form->name; form++) {
		size_t n = form->prefix ? strlen(form->prefix) : 0;

		if (!form->prefix && !strcmp(key, form->name))
			break;
		if (form->prefix && !strncmp(key, form->prefix, n) && key[n] == '.') {
			ret = check_name(form, key + n + 1, err);
			break;
		}
	}
	if (!form->name)
		return unknown_key(key, err);
	if (!ret)
		*out = form;
	return ret;
}

static int plain_value(const struct settings_form *form, const char *key, const char *text,
		       struct strbuf *out, struct error *err)
{
	struct opt opt = form->opt;
	union {
		uint64_t number;
		int choice;
	} cfg = { 0 };
	int ret;

	opt.name = key;
	ret = opt_parse(&opt, &cfg, text, err);
	if (!ret)
		opt_print(&opt, &cfg, out);
	return ret;
}

int settings_form_value(const struct settings_form *form, const char *key, const char *text,
			struct strbuf *out, struct error *err)
{
	int ret;

	if (!form->value)
		return plain_value(form, key, text, out, err);
	ret = form->value(text, out, err);
	if (ret)
		error_prefix(err, "%.80s", key);
	return ret;
}
