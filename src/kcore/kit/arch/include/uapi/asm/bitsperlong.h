/* SPDX-License-Identifier: GPL-2.0-only */
#define __BITS_PER_LONG 64
#include <asm-generic/bitsperlong.h>
