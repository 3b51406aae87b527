/* SPDX-License-Identifier: GPL-2.0-only */
/* sim/pipe.h - pipes, for who frees them and who tells of them. */
#ifndef SIM_PIPE_H
#define SIM_PIPE_H

#include "sim/task.h"

uint32_t sim_pipe_nr(const struct sim_pipe *pipe);
void sim_pipes_release(struct sim *sim);

#endif
