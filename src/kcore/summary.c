// SPDX-License-Identifier: GPL-2.0-only
/* kcore/summary.c - what a core consists of, in words. */
#include "kcore/job.h"

#include "base/file.h"
#include "base/mem.h"
#include "kcore/config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_MAX (4 << 20)

char *argv_text(const struct argv *argv)
{
	struct strbuf sb = { 0 };

	for (size_t i = 0; i < argv->n; i++)
		strbuf_addf(&sb, "%s%s", i ? " " : "", argv->word[i]);
	return sb.s ? strbuf_take(&sb) : xstrdup("");
}

int job_compare(const struct job *job, struct kcore_built *built, struct error *err)
{
	char *path = xasprintf("%s/.config", job->build);
	struct strbuf made = { 0 }, changed = { 0 }, cpus = { 0 };
	int ret = file_read(&made, AT_FDCWD, path, CONFIG_MAX, err);

	if (!ret) {
		if (job->user_config)
			built->taken =
				config_compare(&changed, job->user_config, strbuf_str(&made));
		config_value(&cpus, strbuf_str(&made), "NR_CPUS", 7);
		built->facts.cpus = strtoull(strbuf_str(&cpus), NULL, 10);
		built->changed = xstrdup(strbuf_str(&changed));
	}
	free(path);
	strbuf_release(&made);
	strbuf_release(&changed);
	strbuf_release(&cpus);
	return ret;
}

static void put_list(struct strbuf *sb, const char *title, const struct argv *words)
{
	strbuf_addf(sb, "\n%s (%zu):\n", title, words->n);
	for (size_t i = 0; i < words->n; i++)
		strbuf_addf(sb, "  %s\n", words->word[i]);
}

void job_summary(const struct job *job, const struct kcore_built *built, struct strbuf *sb)
{
	const struct kcore_facts *facts = &built->facts;

	strbuf_addf(sb, "kernel core %s: %s of %s%s%s\n", facts->name, facts->release, facts->tree,
		    *facts->rev ? ", commit " : "", facts->rev);
	strbuf_addf(sb, "up to %" PRIu64 " CPUs%s\n", facts->cpus,
		    facts->cost ? ", counts its own work" : "");
	put_list(sb, "The tree's own code", &job->link.real);
	put_list(sb, "Shim, schedproof's", &job->link.shim);
	put_list(sb, "Functions that do nothing and return 0", &job->link.zero);
	put_list(sb, "Functions that say that they are missing and end the run",
		 &job->link.aborting);
	if (job->user_config)
		strbuf_addf(sb, "\nScheduler options: %" PRIu64 " as in %s; otherwise:\n%s",
			    built->taken, facts->config, built->changed);
}
