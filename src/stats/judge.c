// SPDX-License-Identifier: GPL-2.0-only
#include "stats/judge.h"

#include "stats/normal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define Z_POWER_80 0.8416 /* a normal variable lies below it four times of five */

void judge_reason(struct verdict *verdict, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(verdict->reason, sizeof(verdict->reason), fmt, args);
	va_end(args);
}

void judge_remark(struct verdict *verdict, const char *fmt, ...)
{
	va_list args;

	if (*verdict->reason)
		return;
	va_start(args, fmt);
	vsnprintf(verdict->reason, sizeof(verdict->reason), fmt, args);
	va_end(args);
}

double judge_shown(const struct verdict *verdict, double difference)
{
	return verdict->relative ? expm1(difference) : difference;
}

double judge_unshown(const struct verdict *verdict, double effect)
{
	return verdict->relative ? log1p(effect) : effect;
}

bool judge_excludes_zero(const struct interval *ci)
{
	return ci->lo > 0 || ci->hi < 0;
}

void judge_mde(struct verdict *verdict, double alpha, double alpha_test)
{
	double half =
		(judge_unshown(verdict, verdict->ci.hi) - judge_unshown(verdict, verdict->ci.lo)) /
		2;

	verdict->mde = judge_shown(verdict, half * (normal_critical(alpha_test) + Z_POWER_80) /
						    normal_critical(alpha));
}

bool judge_found(const struct verdict *verdict, double alpha)
{
	return verdict->has_ci && verdict->p_adjusted <= alpha && judge_excludes_zero(&verdict->ci);
}

/* What a part of A's level is on the scale of effect and interval. */
static double size_of(const struct verdict *verdict, double part)
{
	return verdict->relative ? part : part * fabs(verdict->a.median);
}

/* The figures' own step on that scale. */
static double step_of(const struct verdict *verdict)
{
	return verdict->relative ? verdict->step / verdict->a.median : verdict->step;
}

static bool is_hidden(const struct verdict *verdict)
{
	double step = step_of(verdict) * (1 + 1e-9);

	return verdict->has_ci && verdict->step > 0 && fabs(verdict->effect) <= step &&
	       (verdict->ci.hi - verdict->ci.lo) / 2 <= step;
}

/* With room for what the steps hide. */
static bool is_equivalent(const struct verdict *verdict)
{
	double margin = size_of(verdict, verdict->margin);
	double room = is_hidden(verdict) ? step_of(verdict) : 0;

	return verdict->has_ci && margin > 0 && verdict->ci.lo - room >= -margin &&
	       verdict->ci.hi + room <= margin;
}

static bool is_beyond_margin(const struct verdict *verdict)
{
	double margin = size_of(verdict, verdict->margin);

	return verdict->ci.lo > margin || verdict->ci.hi < -margin;
}

static enum verdict_word direction(const struct verdict *verdict, enum better better)
{
	return (verdict->ci.lo > 0) == (better == BETTER_HIGHER) ? VERDICT_IMPROVED
								 : VERDICT_REGRESSED;
}

void judge_word(struct verdict *verdict, enum better better, double alpha)
{
	bool found = judge_found(verdict, alpha);

	verdict->word = VERDICT_INCONCLUSIVE;
	if (verdict->order == TRIAL_SEQUENCE) {
		verdict->word = VERDICT_ORDER_CONFOUNDED;
	} else if (is_equivalent(verdict)) {
		verdict->word = VERDICT_EQUIVALENT;
		if (found)
			judge_remark(verdict, "differs, but by less than %.3g %%",
				     100 * verdict->margin);
	} else if (is_hidden(verdict)) {
		verdict->word = VERDICT_BELOW_RESOLUTION;
		judge_remark(verdict,
			     "values come in steps of %.4g, which is as much as they differ",
			     verdict->step);
	} else if (found && !is_beyond_margin(verdict)) {
		judge_remark(verdict, "differs, but perhaps by less than %.3g %%",
			     100 * verdict->margin);
	} else if (found && better != BETTER_NONE) {
		verdict->word = direction(verdict, better);
		if (verdict->order == TRIAL_UNKNOWN)
			judge_remark(verdict, "order unknown: holds only if the sides took turns");
	}
}
