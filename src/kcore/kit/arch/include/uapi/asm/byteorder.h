/* SPDX-License-Identifier: GPL-2.0-only */
#include <linux/byteorder/little_endian.h>
