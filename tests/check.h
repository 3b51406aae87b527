/* SPDX-License-Identifier: GPL-2.0-only */
/* tests/check.h - cmocka and what it lacks. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* cmocka's assert_float_equal() rounds to float. */
#define assert_near(a, b, tolerance)                                                               \
	do {                                                                                       \
		double a_ = (a), b_ = (b);                                                         \
		if (!(fabs(a_ - b_) <= (tolerance)))                                               \
			fail_msg("%s is %.17g, not within %g of %.17g", #a, a_,                    \
				 (double)(tolerance), b_);                                         \
	} while (0)

#endif
