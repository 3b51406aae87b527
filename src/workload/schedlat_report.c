// SPDX-License-Identifier: GPL-2.0-only
/* workload/schedlat_report.c - the figures of a run of schedlat, real or simulated. */
#include "workload/schedlat.h"

#include "workload/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static void note_tasks(struct run *run, const struct schedlat_figures *f)
{
	struct strbuf text = { 0 };
	char name[32];

	for (uint64_t i = 0; i < f->cfg->tasks && i < SCHEDLAT_TOLD; i++) {
		schedlat_tell(&text, &f->told[i]);
		if (i % SCHEDLAT_PER_NOTE < SCHEDLAT_PER_NOTE - 1 && i + 1 < f->cfg->tasks)
			continue;
		snprintf(name, sizeof(name), "tasks-%" PRIu64, i / SCHEDLAT_PER_NOTE);
		run_note(run, name, "%s", text.s);
		strbuf_reset(&text);
	}
	strbuf_release(&text);
}

int schedlat_report(struct run *run, const struct schedlat_figures *f, struct error *err)
{
	const struct schedlat_cfg *cfg = f->cfg;

	note_tasks(run, f);
	if (!f->late->count)
		return error_set(err, ERANGE, "runtime: shorter than the interval");
	run_histogram(run, "late", f->late);
	run_histogram(run, "wakeup", f->wakeup);
	run_sample(run, "wakeup-mean", histogram_mean(f->wakeup));
	run_sample(run, "missed", (double)f->missed);
	if (cfg->load)
		run_sample(run, "load-cpu",
			   100 * (double)f->load_cpu_ns / (double)cfg->load /
				   (double)cfg->runtime_ns);
	return 0;
}
