// SPDX-License-Identifier: GPL-2.0-only
#include "workload/numa_vmstat.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

#define VMSTAT_BYTES_MAX (1 << 16)

const char *const numa_vmstat_names[NUMA_VMSTAT_NR] = {
	"pte-updates",	  "huge-pte-updates", "hint-faults", "hint-faults-local",
	"pages-migrated", "migrate-fails",    "numa-hit",    "numa-miss",
	"numa-foreign",	  "numa-interleave",  "numa-local",  "numa-other",
};

static const char *const keys[NUMA_VMSTAT_NR] = {
	"numa_pte_updates",
	"numa_huge_pte_updates",
	"numa_hint_faults",
	"numa_hint_faults_local",
	"numa_pages_migrated",
	"pgmigrate_fail",
	"numa_hit",
	"numa_miss",
	"numa_foreign",
	"numa_interleave",
	"numa_local",
	"numa_other",
};

static void take_line(struct numa_vmstat *vmstat, const char *line)
{
	size_t n = strcspn(line, " \n");

	for (int i = 0; i < NUMA_VMSTAT_NR; i++) {
		if (strlen(keys[i]) != n || memcmp(line, keys[i], n) != 0 || line[n] != ' ')
			continue;
		vmstat->there[i] = true;
		vmstat->values[i] = strtoull(line + n, NULL, 10);
	}
}

void numa_vmstat_parse(struct numa_vmstat *vmstat, const char *text)
{
	*vmstat = (struct numa_vmstat){ 0 };
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		take_line(vmstat, line);
	}
}

void numa_vmstat_read(struct numa_vmstat *vmstat, int root_fd)
{
	struct strbuf text = { 0 };

	file_read(&text, root_fd, "proc/vmstat", VMSTAT_BYTES_MAX, NULL);
	numa_vmstat_parse(vmstat, strbuf_str(&text));
	strbuf_release(&text);
}

void numa_vmstat_report(const struct numa_vmstat *before, const struct numa_vmstat *after,
			struct run *run)
{
	for (int i = 0; i < NUMA_VMSTAT_NR; i++)
		if (before->there[i] && after->there[i])
			run_sample(run, numa_vmstat_names[i],
				   (double)(after->values[i] - before->values[i]));
}
