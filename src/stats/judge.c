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

void judge_word(struct verdict *verdict, enum better better, double alpha)
{
	bool found = verdict->p_adjusted <= alpha && judge_excludes_zero(&verdict->ci);

	if (better == BETTER_NONE || !found)
		verdict->word = VERDICT_INCONCLUSIVE;
	else if ((verdict->ci.lo > 0) == (better == BETTER_HIGHER))
		verdict->word = VERDICT_IMPROVED;
	else
		verdict->word = VERDICT_REGRESSED;
}
