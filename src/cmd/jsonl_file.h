/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/jsonl_file.h - a file of JSON lines into a store. */
#ifndef CMD_JSONL_FILE_H
#define CMD_JSONL_FILE_H

#include "base/error.h"
#include "base/strbuf.h"
#include "store/store.h"

/**
 * jsonl_file_read() - append the file's text to @sb
 * @path: "-" is standard input
 *
 * Return: 0, -errno, or -EFBIG above 256 MiB.
 */
int jsonl_file_read(struct strbuf *sb, const char *path, struct error *err);

#endif
