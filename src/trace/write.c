// SPDX-License-Identifier: GPL-2.0-only
#include "trace/write.h"

#include <errno.h>
#include <string.h>

#define TRACE_FORMAT(name) extern const struct trace_format trace_format_##name;
#include "trace/list.h"
#undef TRACE_FORMAT

static const struct trace_format *const formats[] = {
#define TRACE_FORMAT(name) &trace_format_##name,
#include "trace/list.h"
#undef TRACE_FORMAT
	NULL,
};

const struct trace_format *trace_format_at(size_t i)
{
	return i < sizeof(formats) / sizeof(*formats) ? formats[i] : NULL;
}

const struct trace_format *trace_format_find(const char *name)
{
	for (size_t i = 0; formats[i]; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

struct trace_writer *trace_writer_new(const struct trace_format *format, FILE *out)
{
	return format->writer_new(out);
}

int trace_writer_finish(struct trace_writer *writer, struct error *err)
{
	const char *refused;
	FILE *out = writer->out;

	if (writer->finish)
		writer->finish(writer);
	refused = writer->refused;
	writer->release(writer);
	if (refused)
		return error_set(err, ERANGE, "%s", refused);
	if (fflush(out) || ferror(out))
		return error_set(err, errno ? errno : EIO, "the trace could not be written: %s",
				 strerror(errno ? errno : EIO));
	return 0;
}

void trace_writer_free(struct trace_writer *writer)
{
	if (writer)
		writer->release(writer);
}
