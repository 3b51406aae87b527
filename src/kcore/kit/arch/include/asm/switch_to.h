/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _ASM_SCHEDPROOF_SWITCH_TO_H
#define _ASM_SCHEDPROOF_SWITCH_TO_H

/* Tasks have no stacks: who enters schedule() as one task leaves it as the next. What tasks do is the simulator's. */
#define switch_to(prev, next, last)                                                                \
	do {                                                                                       \
		kit_current = (next);                                                              \
		(last) = (prev);                                                                   \
	} while (0)

#endif
