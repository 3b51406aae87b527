// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/tools.h"

#include "base/mem.h"
#include "base/strbuf.h"
#include "kcore/process.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *program;
	const char *package;
	bool git;
} tools[] = {
	{ "make", "make", false },	  { "gcc", "gcc", false },     { "ld", "binutils", false },
	{ "objcopy", "binutils", false }, { "ar", "binutils", false }, { "flex", "flex", false },
	{ "bison", "bison", false },	  { "bc", "bc", false },       { "git", "git", true },
};

int tools_check(bool git, struct error *err)
{
	struct strbuf missing = { 0 }, packages = { 0 };
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
		if ((tools[i].git && !git) || process_found(tools[i].program))
			continue;
		strbuf_addf(&missing, "%s%s", missing.len ? ", " : "", tools[i].program);
		if (!strstr(strbuf_str(&packages), tools[i].package))
			strbuf_addf(&packages, " %s", tools[i].package);
	}
	if (missing.len)
		ret = error_set(err, ENOENT,
				"not in PATH: %s; they come with the Debian packages%s", missing.s,
				packages.s);
	strbuf_release(&missing);
	strbuf_release(&packages);
	return ret;
}
