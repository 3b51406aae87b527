// SPDX-License-Identifier: GPL-2.0-only
/* fuzz/agree_fuzz.c - a script of events: what is printed is read back, and printed as the same. */
#include "agree/op.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(const struct agree_ops *ops)
{
	struct strbuf first = { 0 }, second = { 0 };
	struct agree_ops again = { 0 };

	agree_ops_print(ops, &first);
	if (agree_ops_parse(&again, strbuf_str(&first), NULL))
		abort();
	agree_ops_print(&again, &second);
	if (strcmp(strbuf_str(&first), strbuf_str(&second)))
		abort();
	strbuf_release(&first);
	strbuf_release(&second);
	agree_ops_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xcalloc(size + 1, 1);
	struct agree_ops ops = { 0 };
	struct error err = { 0 };

	memcpy(text, data, size);
	if (!agree_ops_parse(&ops, text, &err))
		check_again(&ops);
	else if (!err.code || !*err.text)
		abort();
	agree_ops_release(&ops);
	free(text);
	return 0;
}
