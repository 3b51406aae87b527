/* SPDX-License-Identifier: GPL-2.0-only */
/* What the order of sections means something for: by the tree's own macros, for each release has its own. */
#include <asm/page.h>
#include <asm/cache.h>
#include <asm-generic/vmlinux.lds.h>

SECTIONS
{
	.data.schedproof_classes : { SCHED_DATA }
	.data.schedproof_percpu : { . = ALIGN(4096); PERCPU_INPUT(64) }
	.data.schedproof_initcalls : {
		. = ALIGN(8);
		kit_initcalls = .;
		*kernel?sched?*.o(.initcallearly.init)
		*kernel?sched?*.o(.initcall0.init .initcall0s.init .initcall1.init .initcall1s.init)
		*kernel?sched?*.o(.initcall2.init .initcall2s.init .initcall3.init .initcall3s.init)
		*kernel?sched?*.o(.initcall4.init .initcall4s.init .initcall5.init .initcall5s.init)
		*kernel?sched?*.o(.initcall6.init .initcall6s.init .initcall7.init .initcall7s.init)
		kit_initcalls_end = .;
	}
	/* for modules, which there are none of */
	/DISCARD/ : { *(.export_symbol) *(___ksymtab*) *(__ksymtab_strings) *(.modinfo) *(.discard*) }
}
