// SPDX-License-Identifier: GPL-2.0-only
#include "report/format.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

static const struct report_format *const formats[] = {
#define REPORT_FORMAT(name) &report_##name,
#include "report/list.h"
#undef REPORT_FORMAT
};

const struct report_format *report_format_at(size_t i)
{
	return i < ARRAY_SIZE(formats) ? formats[i] : NULL;
}

const struct report_format *report_format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	}
	return NULL;
}

int report_format_parse(const struct report_format **format, const char *name, struct error *err)
{
	const struct report_format *found = report_format_find(name);
	struct strbuf names = { 0 };
	int ret;

	if (found) {
		*format = found;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", formats[i]->name);
	ret = error_set(err, EINVAL, "there is no format '%.40s', but: %s", name, names.s);
	strbuf_release(&names);
	return ret;
}
