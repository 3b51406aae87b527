// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/place.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "kcore/inputs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define INPUTS_MAX (4 << 20)
#define CONFIG_MAX (4 << 20)

char *kcore_folder(struct error *err)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/')
		return xasprintf("%s/schedproof/cores", cache);
	if (home && *home == '/')
		return xasprintf("%s/.cache/schedproof/cores", home);
	error_set(err, ENOENT, "no place for kernel cores: neither XDG_CACHE_HOME nor HOME is set");
	return NULL;
}

int place_check_name(const char *name, struct error *err)
{
	size_t n = strlen(name);
	bool good = n && n <= PLACE_NAME_MAX && *name != '.' && *name != '-';

	for (size_t i = 0; i < n && good; i++)
		good = isalnum((unsigned char)name[i]) || strchr("._+-", name[i]);
	if (!good)
		return error_set(err, EINVAL,
				 "'%.80s' can't be a core's name: 1 to %d letters, digits, . _ + -",
				 name, PLACE_NAME_MAX);
	return 0;
}

char *place_of(const char *name, const char *file, struct error *err)
{
	char *folder = kcore_folder(err), *path = NULL;

	if (folder)
		path = xasprintf("%s/%s/%s", folder, name, file);
	free(folder);
	return path;
}

void place_say(const struct kcore_build *how, const char *fmt, ...)
{
	struct strbuf line = { 0 };
	va_list ap;

	if (!how->say)
		return;
	va_start(ap, fmt);
	strbuf_vaddf(&line, fmt, ap);
	va_end(ap);
	how->say(how->ctx, strbuf_str(&line));
	strbuf_release(&line);
}

static int wait_lock(int fd, const char *folder, const struct kcore_build *how, struct error *err)
{
	bool said = false;

	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK)
			return error_set(err, errno, "%s: lock: %s", folder, strerror(errno));
		if (how->stop && *how->stop)
			return error_set(err, EINTR, "stopped");
		if (!said)
			place_say(how, "waiting for another build in %s", folder);
		said = true;
		poll(NULL, 0, 100);
	}
	return 0;
}

int place_lock(int *fd, const char *folder, const struct kcore_build *how, struct error *err)
{
	char *path = xasprintf("%s/lock", folder);
	int ret = make_folders(AT_FDCWD, folder, 0755, err);

	if (!ret) {
		*fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
		if (*fd < 0)
			ret = error_set(err, errno, "%s: %s", path, strerror(errno));
	}
	if (!ret) {
		ret = wait_lock(*fd, folder, how, err);
		if (ret)
			close(*fd);
	}
	free(path);
	return ret;
}

uint64_t place_inputs(const struct kcore_facts *facts)
{
	struct strbuf list = { 0 }, config = { 0 };
	char *path = place_of(facts->name, "inputs", NULL);
	uint64_t hash = 0;

	if (path && !file_read(&list, AT_FDCWD, path, INPUTS_MAX, NULL)) {
		if (*facts->config)
			file_read(&config, AT_FDCWD, facts->config, CONFIG_MAX, NULL);
		hash = inputs_hash(strbuf_str(&list), facts->tree, NULL);
		hash = hash64(hash, strbuf_str(&config), config.len);
	}
	free(path);
	strbuf_release(&list);
	strbuf_release(&config);
	return hash;
}
