/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_PGALLOC_H
#define _ASM_SCHEDPROOF_PGALLOC_H
#include <linux/mm.h>
#endif
