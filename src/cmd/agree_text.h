/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/agree_text.h - what schedproof agree found, for a person, as JSON, and as the table of many machines. */
#ifndef CMD_AGREE_TEXT_H
#define CMD_AGREE_TEXT_H

#include "cmd/agree_pair.h"

#include "base/strbuf.h"

/**
 * struct agree_cell - runs of one script on one machine
 * @runs, @events: that were asked for; @seed: of the first run
 */
struct agree_cell {
	const char *machine;
	const struct agree_script *script;
	const struct agree_kernel *kernel;
	uint32_t nr_cpus;
	uint64_t seed, runs, events;
	struct agree_total total;
};

/** agree_rates_text() - a line a kind that was met with: compared, agreed, rate */
void agree_rates_text(const struct agree_counts *counts, struct strbuf *sb);

void agree_cell_text(const struct agree_cell *cell, struct strbuf *sb);

/** agree_cell_json() - one line; @text: of the first difference, NULL: none */
void agree_cell_json(const struct agree_cell *cell, const char *text, struct strbuf *sb);

/** agree_table_text() - Markdown: of each kernel the rate of each kind, and which runs of cell[n] came to their end */
void agree_table_text(const struct agree_cell *cell, size_t n, struct strbuf *sb);

#endif
