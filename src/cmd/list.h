/* SPDX-License-Identifier: GPL-2.0-only */
/* cmd/list.h - every command, in the order in which they are shown; no include guard on purpose. */
COMMAND(ab)
COMMAND(aa)
COMMAND(run)
COMMAND(report)
COMMAND(compare)
COMMAND(bisect_step)
COMMAND(verdict)
COMMAND(topo)
COMMAND(list)
COMMAND(import)
COMMAND(restore)
COMMAND(help)
