/* SPDX-License-Identifier: GPL-2.0-only */
/* Included before anything else: all of the kernel lies in one shared object and is reached without its tables. */
#ifndef __ASSEMBLY__
#pragma GCC visibility push(hidden)
#endif
