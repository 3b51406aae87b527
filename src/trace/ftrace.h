/* SPDX-License-Identifier: GPL-2.0-only */
/* trace/ftrace.h - words of ftrace's text that both its writer and its reader use. */
#ifndef TRACE_FTRACE_H
#define TRACE_FTRACE_H

#include "core/core.h"

#include <string.h>

#define FTRACE_IDLE	     "<idle>"
#define FTRACE_NO_COMM	     "<...>"
#define FTRACE_IDLE_PRIORITY 120
#define FTRACE_OURS	     "schedproof "
#define FTRACE_TICK	     "tick_nohz_handler"
#define FTRACE_TICK_BEFORE   "tick_sched_timer" /* its name up to 6.8 */
#define FTRACE_TIMER	     "hrtimer_wakeup"

/** ftrace_ipi_name() - what ipi_entry says of a kind of interrupt, NULL if @kind is none */
static inline const char *ftrace_ipi_name(int64_t kind)
{
	static const char *const names[NR_CORE_IPIS] = {
		[CORE_IPI_RESCHED] = "Rescheduling interrupts",
		[CORE_IPI_CALL] = "Function call interrupts",
		[CORE_IPI_WORK] = "IRQ work interrupts",
	};

	return kind >= 0 && kind < NR_CORE_IPIS ? names[kind] : NULL;
}

#endif
