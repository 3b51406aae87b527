// SPDX-License-Identifier: GPL-2.0-only
/* kcore/open.c - a core's object is loaded. */
#include "base/file.h"
#include "base/mem.h"
#include "kcore/facts.h"
#include "kcore/place.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OBJECT_MAX (256 << 20)

/* @fd stays open as long as the object is loaded: the loader knows objects by their path, and the number is in it. */
struct kcore {
	int fd;
	void *handle;
	const struct core_ops *ops;
};

/* A copy in memory: an object that was loaded before would be the same one again, with its variables. */
static int copy_object(int *fd, const char *path, struct error *err)
{
	struct strbuf object = { 0 };
	int ret = file_read(&object, AT_FDCWD, path, OBJECT_MAX, err);

	if (ret)
		return ret;
	*fd = memfd_create("schedproof-core", MFD_CLOEXEC);
	if (*fd < 0) {
		ret = error_set(err, errno, "%s: a copy in memory: %s", path, strerror(errno));
	} else {
		ret = fd_write(*fd, object.s, object.len);
		if (ret) {
			error_set(err, -ret, "%s: a copy in memory: %s", path, strerror(-ret));
			close(*fd);
		}
	}
	strbuf_release(&object);
	return ret;
}

static int load(struct kcore *kcore, const char *path, struct error *err)
{
	char *copy = xasprintf("/proc/self/fd/%d", kcore->fd);
	int ret = 0;

	kcore->handle = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
	free(copy);
	if (!kcore->handle)
		return error_set(err, ENOEXEC, "%s: %s", path, dlerror());
	kcore->ops = dlsym(kcore->handle, "schedproof_core");
	if (!kcore->ops)
		ret = error_set(err, ENOEXEC, "%s: no kernel core: it has no schedproof_core",
				path);
	else if (kcore->ops->abi != CORE_ABI)
		ret = error_set(err, ESTALE, "%s: built for another schedproof: build it again",
				path);
	if (ret)
		dlclose(kcore->handle);
	return ret;
}

static int open_object(struct kcore **out, const char *path, struct error *err)
{
	struct kcore kcore = { 0 };
	int ret = copy_object(&kcore.fd, path, err);

	if (ret)
		return ret;
	ret = load(&kcore, path, err);
	if (ret) {
		close(kcore.fd);
		return ret;
	}
	*out = xcalloc(1, sizeof(**out));
	**out = kcore;
	return 0;
}

int kcore_open(struct kcore **out, const char *name, struct error *err)
{
	struct kcore_facts facts = { 0 };
	char *path;
	int ret;

	if (strchr(name, '/'))
		return open_object(out, name, err);
	ret = kcore_find(&facts, name, err);
	if (ret)
		return ret;
	if (facts.abi != CORE_ABI)
		ret = error_set(
			err, ESTALE,
			"kernel core %s was built for another schedproof: schedproof kernel build "
			"%s --name %s",
			name, facts.tree, name);
	path = place_of(name, "core.so", ret ? NULL : err);
	if (!ret)
		ret = open_object(out, path, err);
	free(path);
	kcore_facts_release(&facts);
	return ret;
}

const struct core_ops *kcore_ops(const struct kcore *kcore)
{
	return kcore->ops;
}

void kcore_close(struct kcore *kcore)
{
	if (!kcore)
		return;
	dlclose(kcore->handle);
	close(kcore->fd);
	free(kcore);
}
