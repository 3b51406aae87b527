// SPDX-License-Identifier: GPL-2.0-only
#include "image.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static int copy(int from, int to)
{
	struct stat st;
	ssize_t n;

	if (fstat(from, &st))
		return -errno;
	for (off_t left = st.st_size; left > 0; left -= n) {
		n = sendfile(to, from, NULL, (size_t)left);
		if (n <= 0)
			return n ? -errno : -EIO;
	}
	return 0;
}

static int copy_of(const char *path)
{
	int from = open(path, O_RDONLY | O_CLOEXEC), fd, ret;

	if (from < 0)
		return -errno;
	fd = memfd_create("core", MFD_CLOEXEC);
	ret = fd < 0 ? -errno : copy(from, fd);
	close(from);
	return ret ? ret : fd;
}

int image_load(struct image *image, const char *path)
{
	char name[32];

	image->fd = copy_of(path);
	if (image->fd < 0) {
		fprintf(stderr, "%s: %s\n", path, strerror(-image->fd));
		return image->fd;
	}
	snprintf(name, sizeof(name), "/proc/self/fd/%d", image->fd);
	image->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!image->handle) {
		fprintf(stderr, "%s: %s\n", path, dlerror());
		close(image->fd);
		return -ENOEXEC;
	}
	image->ops = dlsym(image->handle, "schedproof_core");
	return 0;
}

void image_unload(struct image *image)
{
	dlclose(image->handle);
	close(image->fd);
}
