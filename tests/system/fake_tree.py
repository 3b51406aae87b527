# SPDX-License-Identifier: GPL-2.0-only
"""fake_tree.py - a kernel tree of a few files that obeys as a kernel's does, for tests of `schedproof kernel build`."""

# What the driver asks of a kernel's makefiles, and no more. Each compilation leaves a line in $O/compiled.
MAKEFILE = r"""
VERSION = 6
PATCHLEVEL = 99
SUBLEVEL = 3
EXTRAVERSION = -fake

ifneq ($(wildcard .config include/config include/generated vmlinux*),)
$(error The source tree is not clean)
endif
FLAGS := -O1 -fPIC -fvisibility=hidden -ffreestanding -fno-stack-protector -Iinclude -I$(KIT_INCLUDE)
SCHED := core.o fair.o build_policy.o
.PHONY: olddefconfig kernel/sched/ arch/schedproof/kernel/
olddefconfig:
	mkdir -p $(O)/include/config
	sed -i '/^CONFIG_PSI=/d' $(O)/.config
	printf 'deps_config := \\\n\tKconfig \\\n' >$(O)/include/config/auto.conf.cmd
kernel/sched/: $(addprefix $(O)/kernel/sched/,$(SCHED))
	cd $(O)/kernel/sched && rm -f built-in.a && ar rcsT built-in.a $(SCHED)
$(O)/kernel/sched/%.o: kernel/sched/%.c include/linux/sched.h
	mkdir -p $(@D)
	if [ -e slow ]; then sleep 20; fi
	gcc $(FLAGS) $(KCFLAGS) -c -o $@ $<
	echo $* >>$(O)/compiled
	printf 'source_x := %s\n\ndeps_x := \\\n  %s/include/linux/sched.h \\\n' \
		$(CURDIR)/$< $(CURDIR) >$(@D)/.$(@F).cmd
arch/schedproof/kernel/:
	mkdir -p $(O)/$@
	gcc $(FLAGS) -c -o $(O)/$@shim.o shim.c
	cd $(O)/$@ && rm -f built-in.a && ar rcsT built-in.a shim.o
"""

SHIM = r"""
#include "core/core.h"
_Noreturn void kit_missing(const char *name) { (void)name; __builtin_trap(); }
int sched_answer(void);
static struct core *boot(const struct core_config *config, const struct core_host *host)
{
	(void)config;
	host->print(host->ctx, sched_answer() == 42 ? "answer 42" : "another answer");
	return (struct core *)host;
}
static void release(struct core *core) { (void)core; }
const struct core_ops schedproof_core __attribute__((visibility("default"))) = {
	.abi = CORE_ABI, .name = "kernel", .version = "6.99.3-fake", .boot = boot, .release = release,
};
"""

FILES = {
    "Makefile": MAKEFILE,
    "Kbuild": "",
    "Kconfig": "",
    "shim.c": SHIM,
    "arch/Kconfig": "",
    "include/linux/const.h": "",
    "include/linux/kconfig.h": "",
    "include/linux/sched.h": "void missing_call(int);\n",
    "include/linux/version.h": "#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))\n"
                               "#define LINUX_VERSION_CODE KERNEL_VERSION(6, 9, 3)\n",
    "include/asm-generic/vmlinux.lds.h": "#define SCHED_DATA *(.sched)\n"
                                         "#define PERCPU_INPUT(x) *(.percpu)\n",
    "include/vdso/.keep": "",
    "kernel/sched/core.c": "#include <linux/sched.h>\nint answer(void);\n"
                           "int sched_answer(void) { if (answer() == 1) missing_call(7); "
                           "return answer(); }\n",
    "kernel/sched/fair.c": "int answer(void) { return 42; }\n",
    "kernel/sched/build_policy.c": "int policy = 1;\n",
}


def make_tree(folder):
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
