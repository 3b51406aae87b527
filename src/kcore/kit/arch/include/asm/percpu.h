/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_PERCPU_H
#define _ASM_SCHEDPROOF_PERCPU_H

#include <linux/threads.h>

extern unsigned long kit_percpu_offset; /* of the CPU that the event is on */

#define __my_cpu_offset kit_percpu_offset
#include <asm-generic/percpu.h>

#endif
