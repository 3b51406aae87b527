// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/output.h"

#include "cmd/cmd.h"
#include "store/jsonl.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

int output_report(const struct report *report, struct store *store,
		  const struct output_style *style, struct error *err)
{
	const struct report_style text_style = { .colour = isatty(STDOUT_FILENO) == 1,
						 .all = style->all,
						 .tails = style->tails };
	const struct report_format *format = style->format;
	struct strbuf text = { 0 };
	int ret = 0;

	if (style->json || !format)
		format = report_format_find(style->json ? "json" : "text");
	if (style->json)
		ret = jsonl_export(store, report->experiment.id, &text, err);
	if (!ret) {
		format->render(report, &text_style, &text);
		fwrite(text.s, 1, text.len, stdout);
		/* what is said next on standard error belongs behind it; finish_stdout() looks at errors */
		(void)fflush(stdout);
	}
	strbuf_release(&text);
	return ret;
}

int fail_on_status(const struct fail_on *fail_on, const struct report *report)
{
	double worst;

	if (fail_on->set && report_worst(report, &worst) && worst >= fail_on->fraction)
		return EXIT_REGRESSED;
	return EXIT_DONE;
}

void output_duration(struct strbuf *sb, uint64_t ns)
{
	uint64_t s = (ns + 500000000) / 1000000000;

	if (s < 60)
		strbuf_addf(sb, "%" PRIu64 " s", s);
	else if (s < 3600)
		strbuf_addf(sb, "%" PRIu64 " min %" PRIu64 " s", s / 60, s % 60);
	else
		strbuf_addf(sb, "%" PRIu64 " h %" PRIu64 " min", s / 3600, s % 3600 / 60);
}
