// SPDX-License-Identifier: GPL-2.0-only
/* Property: a URL that is taken has all its parts; the words of an error stay in their room, whatever a server sends. */
#include "workload/pg.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be(int truth)
{
	if (!truth)
		abort();
}

static void check_url(const char *text)
{
	struct pg_url url;
	struct error err = { 0 };

	if (!pg_url_parse(&url, text, &err))
		must_be(*url.user && *url.host && *url.dbname && url.port);
	else
		must_be(err.code == 22 && *err.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size + 1);
	char *bytes = malloc(size ? size : 1);
	char words[64];

	must_be(copy && bytes);
	memcpy(copy, data, size);
	copy[size] = '\0';
	check_url(copy);
	memcpy(bytes, data, size);
	pg_error_fields(words, sizeof(words), bytes, size);
	must_be(strlen(words) < sizeof(words));
	free(copy);
	free(bytes);
	return 0;
}
