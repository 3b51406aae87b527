// SPDX-License-Identifier: GPL-2.0-only
#include "kcore/names.h"

#include "kcore/object.h"

#include <inttypes.h>
#include <string.h>

int names_source(struct strbuf *sb, const char *object, struct error *err)
{
	struct object_function *functions = NULL;
	size_t n = 0, at = 0;
	int ret = object ? object_functions(&functions, &n, object, err) : 0;

	if (ret)
		return ret;
	/* two numbers a function: where it begins, and where its name does */
	strbuf_addf(sb,
		    "const unsigned int kit_nr_names = %zu;\nconst unsigned int kit_names[] = {\n",
		    n);
	for (size_t i = 0; i < n; i++) {
		strbuf_addf(sb, "%" PRIu64 ", %zu,\n", functions[i].at, at);
		at += strlen(functions[i].name) + 1;
	}
	strbuf_addstr(sb, "0, 0 };\nconst char kit_names_text[] =\n");
	for (size_t i = 0; i < n; i++)
		strbuf_addf(sb, "\"%s\\0\"\n", functions[i].name);
	strbuf_addstr(sb, "\"\";\n");
	object_functions_free(functions, n);
	return 0;
}
