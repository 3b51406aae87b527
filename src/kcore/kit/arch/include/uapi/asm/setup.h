/* SPDX-License-Identifier: GPL-2.0-only */
#define COMMAND_LINE_SIZE 512
