/* SPDX-License-Identifier: GPL-2.0-only */
/* stats/paired.h - all that is said of differences of pairs: test, effect, interval. */
#ifndef STATS_PAIRED_H
#define STATS_PAIRED_H

#include "stats/order.h"
#include "stats/signed_rank.h"
#include "stats/walsh.h"

#endif
