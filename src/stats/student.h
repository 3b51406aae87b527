/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/student.h - Student's t distribution. */
#ifndef STATS_STUDENT_H
#define STATS_STUDENT_H

/** student_two_sided_p() - P(|T| >= |t|) for @df > 0 degrees of freedom, also broken ones */
double student_two_sided_p(double t, double df);

/** student_critical() - the t >= 0 with P(|T| >= t) = @alpha, 0 < alpha < 1: 2.571 for 0.05 and 5 */
double student_critical(double alpha, double df);

#endif
