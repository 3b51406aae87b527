// SPDX-License-Identifier: GPL-2.0-only
#include "stats/student.h"

#include "stats/beta.h"

#include <math.h>

double student_two_sided_p(double t, double df)
{
	return beta_cdf(df / (df + t * t), df / 2, 0.5);
}

double student_critical(double alpha, double df)
{
	double x = beta_quantile(alpha, df / 2, 0.5);

	return sqrt(df * (1 - x) / x);
}
