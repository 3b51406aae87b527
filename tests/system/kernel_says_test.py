#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""kernel_says_test.py SCHEDPROOF - a kernel core that complains fails the run, with the simulated time and, for WARN and BUG, the
functions' names: faults seeded into a kernel (seeded.py), one for each value of a knob."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import seeded

SCHEDPROOF = os.path.abspath(sys.argv[1])
MACHINE = "pack:1 l3:1 core:2 pu:2"

FAULTS = """
	switch (sysctl_sched_migration_cost) {
	case 1000001:
		WARN_ON(1);
		break;
	case 1000002:
		BUG();
	case 1000003:
		printk_deferred_once("sched: seeded\\n");
		break;
	case 1000004:
		pr_err("BUG: seeded\\n");
		break;
	case 1000005:
		printk_deferred_once("sched: RT throttling activated\\n");
	}
"""
HEAD = "static void task_tick_fair(struct rq *rq, struct task_struct *curr, int queued)\n{\n"
FRAMES = r".* < task_tick_fair[.+].* < kit_tick\+0x"
WORDS = {1000001: r"WARNING: kernel/sched/fair\.c:\d+:" + FRAMES, 1000002: r"panic: BUG!" + FRAMES, 1000003: r"sched: seeded",
         1000004: r"BUG: seeded"}

top = pathlib.Path(tempfile.mkdtemp(prefix="schedproof-says-"))
ENV = {"PATH": os.environ["PATH"], "HOME": str(top), "XDG_CACHE_HOME": str(seeded.CACHE)}


def check(what, truth, *more):
    if not truth:
        print(f"FAILED: {what}", *more, sep="\n")
        sys.exit(1)
    print(f"ok: {what}")


def schedproof(*words):
    got = subprocess.run([SCHEDPROOF, *map(str, words)], env=ENV, cwd=top, capture_output=True, text=True, timeout=800)
    return got.returncode, " ".join((got.stdout + got.stderr).split())


def faulty():
    """The file with the faults in task_tick_fair()."""
    source = seeded.fair()
    end = source.index("\n\n", source.index(HEAD))
    return source[:end] + "\n" + FAULTS + source[end:]


def build(name):
    status, said = schedproof("kernel", "build", seeded.TREE, "--rev", name, "--name", name)
    check("it is built", status == 0, said)


def run(core, value):
    return schedproof("run", "hackbench", "groups=1", "loops=50", "--machine", MACHINE, "--core", f"kernel:{core}", "--knob",
                      f"migration_cost_ns={value}")


def test_run(core):
    for value, words in WORDS.items():
        status, said = run(core, value)
        check(f"{words}: the run fails, and says when", status == 3 and re.search(r"at 0\.0\d+ s: " + words, said), said)
    for value in (1000000, 1000005):
        status, said = run(core, value)
        check(f"{value}: it is a good run", status == 0, said)


def test_ab(core):
    (top / "says.ini").write_text(f"""[experiment]
blocks = 2
[variant good]
machine = {MACHINE}
core = kernel:{core}
[variant bad]
machine = {MACHINE}
core = kernel:{core}
sched.migration_cost_ns = 1000001
[workload hackbench]
groups = 1
loops = 50
""")
    status, said = schedproof("ab", "says.ini")
    check("ab says so too", status == 3 and re.search(r"at 0\.0\d+ s: " + WORDS[1000001], said), status, said)


def main():
    if seeded.lacks():
        print(f"skipped: {seeded.lacks()}")
        sys.exit(77)
    try:
        with seeded.branch(faulty()) as name:
            build(name)
            test_run(name)
            test_ab(name)
    finally:
        shutil.rmtree(top)


main()
