// SPDX-License-Identifier: GPL-2.0-only
/* workload/rtapp_global.c - "global", what holds for all tasks of a file. */
#include "base/mem.h"
#include "workload/rtapp_parsing.h"

#include <errno.h>
#include <string.h>

/* Keys of "global" that say where and how rt-app logs. */
static const char *const ignored[] = {
	"lock_pages", "logdir", "log_basename", "log_size", "ftrace", "gnuplot", "frag",
};

static int read_duration(struct rtapp_parsing *p, struct error *err)
{
	int64_t seconds;
	int ret = json_in_int(&p->in, &seconds, -1, 1000000, err);

	if (ret)
		return ret;
	if (!seconds)
		return error_set(err, EINVAL, "0 s is no time to run");
	p->program->ends_by_time = seconds > 0;
	p->program->duration_ns = seconds > 0 ? (uint64_t)seconds * 1000000000 : 0;
	return 0;
}

/* A number is how long rt-app's own loop takes, and says nothing of our work. */
static int read_calibration(struct rtapp_parsing *p, struct error *err)
{
	static const char prefix[] = "CPU";
	struct cpumask cpus = { 0 };
	char text[JSON_IN_TEXT];
	int64_t loop_ns;
	int ret;

	if (json_in_peek(&p->in) == JSON_NUMBER)
		return json_in_int(&p->in, &loop_ns, 0, RTAPP_MAX_US, err);
	ret = json_in_string(&p->in, text, err);
	if (ret)
		return ret;
	if (strncmp(text, prefix, strlen(prefix)) != 0 ||
	    cpumask_parse(&cpus, text + strlen(prefix), NULL) || cpumask_weight(&cpus) != 1)
		ret = error_set(err, EINVAL, "'%.80s' is not of the form CPU0", text);
	else
		p->program->calibration_cpu = cpumask_next(&cpus, 0);
	cpumask_release(&cpus);
	return ret;
}

static int read_memory_bytes(struct rtapp_parsing *p, struct error *err)
{
	int64_t bytes;
	int ret = json_in_int(&p->in, &bytes, 1, RTAPP_MAX_US, err);

	if (!ret)
		p->memory_bytes = (uint64_t)bytes;
	return ret;
}

static int read_io_device(struct rtapp_parsing *p, struct error *err)
{
	char path[JSON_IN_TEXT];
	int ret = json_in_string(&p->in, path, err);

	if (ret)
		return ret;
	if (p->program->io_path)
		return error_set(err, EINVAL, "there are two");
	p->program->io_path = xstrdup(path);
	return 0;
}

static int read_global_key(struct rtapp_parsing *p, const char *key, struct error *err)
{
	if (!strcmp(key, "duration"))
		return read_duration(p, err);
	if (!strcmp(key, "calibration"))
		return read_calibration(p, err);
	if (!strcmp(key, "pi_enabled"))
		return json_in_bool(&p->in, &p->program->inherit_priority, err);
	if (!strcmp(key, "mem_buffer_size"))
		return read_memory_bytes(p, err);
	if (!strcmp(key, "io_device"))
		return read_io_device(p, err);
	if (!strcmp(key, "cumulative_slack"))
		return json_in_bool(&p->in, &p->program->adds_slack, err);
	if (!strcmp(key, "default_policy")) {
		p->has_default_policy = true;
		return rtapp_read_policy(&p->in, &p->default_policy, err);
	}
	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		if (!strcmp(key, ignored[i]))
			return json_in_skip(&p->in, err);
	return error_set(err, EINVAL, "is not supported");
}

int rtapp_read_global(struct rtapp_parsing *p, struct error *err)
{
	char key[JSON_IN_TEXT];
	int ret = json_in_open(&p->in, '{', err);

	while (!ret && (ret = json_in_member(&p->in, key, err)) > 0) {
		ret = read_global_key(p, key, err);
		if (ret)
			error_prefix(err, "'%.80s'", key);
	}
	if (ret)
		error_prefix(err, "global");
	return ret;
}
