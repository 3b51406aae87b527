#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""same_run_test.py SCHEDPROOF - a workload's run on the model is that on the kernel core it claims to follow: the same trace and figures."""
import json
import pathlib
import subprocess
import sys
import tempfile

import built_cores

SCHEDPROOF = sys.argv[1]
MACHINES = "core:2 pu:1", "pack:2 l3:2 core:8 pu:2", "pack:2 [numa] l3:1 core:8 pu:2"
# 6.12's fair servers fire for the first time after some 0.95 s (doc/AGREEMENT.md, 2.7)
WORKLOADS = "hackbench groups=1", "hackbench groups=3", "pipe loops=1000", "schbench runtime=200ms warmup=0s"
# what the cores compute takes no time: only the model says how much that is
COSTS = "[costs]\ncore_step_ns = 0\n"


def check(what, truth, *more):
    if not truth:
        print(f"FAILED: {what}", *more, sep="\n")
        sys.exit(1)
    print(f"ok: {what}")


def run(core, machine, workload, top, *knobs):
    """Figures, and what happened, without the model's reasons."""
    trace = top / "trace.txt"
    words = [SCHEDPROOF, "run", *workload.split(), "--machine", machine, "--core", core, "--costs", top / "costs",
             "--spread", "0%", "--json", "--trace", trace]
    for knob in ("NO_NI_RANDOM", *knobs):
        words += ["--knob", knob]
    got = subprocess.run(words, capture_output=True, text=True, timeout=120)
    check(f"{workload} on {machine} by {core} {' '.join(knobs)}", got.returncode == 0, got.stderr)
    lines = [line for line in trace.read_text().splitlines() if '"kind":"why"' not in line]
    return json.loads(got.stdout), lines


def first_difference(a, b):
    for i, (left, right) in enumerate(zip(a, b)):
        if left != right:
            return f"line {i + 1}:\n{left}\n{right}"
    return f"{len(a)} and {len(b)} lines"


def same(release, name, machine, workload, top):
    kernel, told = run(f"kernel:{name}", machine, workload, top, "sched_schedstats=1")
    model, said = run(f"model:k{release}", machine, workload, top, "hz=1000")
    check(f"{len(told)} lines are the same", len(told) > 1000 and told == said, first_difference(told, said))
    check("and so are the figures", kernel["metrics"] == model["metrics"], kernel["metrics"], model["metrics"])


def differs(release, name, top):
    """Not because anything would do."""
    machine = "core:2 pu:1"
    _, told = run(f"kernel:{name}", machine, WORKLOADS[0], top, "sched_schedstats=1")
    _, said = run(f"model:k{release}", machine, WORKLOADS[0], top, "hz=1000", "wake.affine_idle=off",
                  "wake.affine_weight=off")
    check("another way to choose CPUs gives another trace", told != said)


def main():
    found = built_cores.claimed(SCHEDPROOF)
    if not found:
        print("skipped: no kernel core is built here with this kit (schedproof kernel build)")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="schedproof-same-") as folder:
        top = pathlib.Path(folder)
        (top / "costs").write_text(COSTS)
        for release, name in found.items():
            for machine in MACHINES:
                for workload in WORKLOADS:
                    same(release, name, machine, workload, top)
            differs(release, name, top)


main()
