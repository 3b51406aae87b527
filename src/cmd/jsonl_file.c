// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/jsonl_file.h"

#include "base/file.h"

#include <fcntl.h>
#include <string.h>

#define MAX_BYTES ((size_t)256 << 20)

int jsonl_file_read(struct strbuf *sb, const char *path, struct error *err)
{
	return file_read(sb, AT_FDCWD, strcmp(path, "-") == 0 ? "/dev/stdin" : path, MAX_BYTES,
			 err);
}
