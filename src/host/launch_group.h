/* SPDX-License-Identifier: GPL-2.0-only */
/* host/launch_group.h - who is in a process group and what each task waits for, from /proc. */
#ifndef HOST_LAUNCH_GROUP_H
#define HOST_LAUNCH_GROUP_H

#include "base/strbuf.h"

#include <stdint.h>
#include <sys/types.h>

/**
 * group_describe() - append what the group's tasks do
 *
 * "40 tasks left: 20 receiver in unix_stream_read_generic, 20 sender running": tasks by their name, most frequent
 * first, at most five kinds. Where a sleeper sleeps is the kernel's function where /proc/PID/wchan tells it, else the
 * system call where /proc/PID/syscall does, else "sleep" or "uninterruptible sleep".
 * Zombies are no longer tasks; "no task left" if there are none.
 */
void group_describe(pid_t pgid, struct strbuf *sb);

/**
 * group_wait_gone() - wait until no task of a killed group runs any more
 * @pgid: its leader may have been reaped already, so nothing is sent to the group
 *
 * Not our children, so that nobody tells us: looks again and again, at growing distances up to 13 ms.
 * Zombies that their new parent has not reaped yet count as gone.
 *
 * Return: 0, or -ETIMEDOUT.
 */
int group_wait_gone(pid_t pgid, uint64_t timeout_ns);

#endif
