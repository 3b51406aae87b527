// SPDX-License-Identifier: GPL-2.0-only
/* fuzz/topo_json_fuzz.c - machines as JSON: no input harms, and what is read is a machine. */
#include "topo_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return check_reader(machine_json_parse, data, size);
}
