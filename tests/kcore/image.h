/* SPDX-License-Identifier: GPL-2.0-only */
/* kcore/image.h - a built kernel core, loaded as often as one likes: an image is one instance */
#ifndef KCORE_IMAGE_H
#define KCORE_IMAGE_H

#include "core/core.h"

struct image {
	void *handle;
	int fd;
	const struct core_ops *ops;
};

/** image_load() - a copy of its own of the object at @path; 0, or -errno after a line on standard error */
int image_load(struct image *image, const char *path);
void image_unload(struct image *image);

#endif
