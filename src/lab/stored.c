// SPDX-License-Identifier: GPL-2.0-only
#include "lab/stored.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

int stored_add(struct store *store, const struct experiment *experiment, int64_t *id,
	       struct error *err)
{
	struct experiment_row row;
	int ret;

	experiment_row(experiment, &row);
	ret = store_add_experiment(store, &row, err);
	if (!ret)
		*id = row.id;
	experiment_row_release(&row);
	return ret;
}

/* Is the stored experiment the one that the file describes? */
static int check_same(const struct experiment *experiment, const struct experiment_row *stored,
		      struct error *err)
{
	struct experiment_row row;
	int ret = 0;

	experiment_row(experiment, &row);
	if (strcmp(row.fingerprint, stored->fingerprint) != 0)
		ret = error_set(
			err, EINVAL,
			"%s has changed since it was begun (experiment %" PRId64
			"), so the runs would not belong together: undo the change, or start "
			"anew without --resume",
			experiment->name, stored->id);
	experiment_row_release(&row);
	return ret;
}

static int take_up(const struct lab *lab, const struct experiment_row *stored,
		   struct lab_outcome *out, struct progress *progress, struct error *err)
{
	int ret;

	ret = check_same(lab->experiment, stored, err);
	if (!ret)
		ret = progress_load(progress, lab->store, stored->id, err);
	if (ret)
		return ret;
	out->experiment = stored->id;
	out->finished = stored->finished;
	return 0;
}

int stored_find(const struct lab *lab, struct lab_outcome *out, struct progress *progress,
		struct error *err)
{
	struct experiment_row stored = { 0 };
	struct error none = { 0 };
	int64_t id;
	int ret;

	ret = store_find_experiment(lab->store, lab->experiment->name, &id, &none);
	if (ret == -ENOENT)
		return lab->resume ? error_set(err, EINVAL, "nothing to resume: %s", none.text) : 0;
	if (ret)
		return error_set(err, none.code, "%s", none.text);
	ret = store_get_experiment(lab->store, id, &stored, err);
	if (ret)
		return ret;
	if (lab->resume)
		ret = take_up(lab, &stored, out, progress, err);
	else if (!stored.finished)
		out->unfinished = id;
	experiment_row_release(&stored);
	return ret;
}
