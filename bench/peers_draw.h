/* SPDX-License-Identifier: GPL-2.0-only */
/* bench/peers_draw.h - the peers' rules that draw at random, and what they share with the others. */
#ifndef BENCH_PEERS_DRAW_H
#define BENCH_PEERS_DRAW_H

#include "peers.h"

int peer_call_crit(const struct peer_data *data, struct rng *rng);
int peer_call_bci(const struct peer_data *data, struct rng *rng);
int peer_call_perm(const struct peer_data *data, struct rng *rng);
int peer_call_flip(const double *d, size_t n, struct rng *rng);

/** peer_moments() - of x[n], n >= 2; the variance is the sample's */
void peer_moments(double *mean, double *var, const double *x, size_t n);

#endif
