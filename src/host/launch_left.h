/* SPDX-License-Identifier: GPL-2.0-only */
/* host/launch_left.h - processes of a run that have left its process group. */
#ifndef HOST_LAUNCH_LEFT_H
#define HOST_LAUNCH_LEFT_H

#include <stdbool.h>

/**
 * left_kill() - kill all who write to a pipe that only a run's processes have
 * @read_fd: its reading end; those are found whose standard output or standard error is its other end
 *
 * A workload's guard (workload/guard.h) is left alone, for it puts the machine back and ends by itself.
 *
 * Return: is there a guard?
 */
bool left_kill(int read_fd);

#endif
