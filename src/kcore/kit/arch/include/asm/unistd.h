/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_UNISTD_H
#define _ASM_SCHEDPROOF_UNISTD_H
#include <uapi/asm/unistd.h>
#endif
