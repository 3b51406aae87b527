#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""groups_test.py SCHEDPROOF - with the kernel cores that are built: a run in a group of its own with a quota, a core's knobs by their paths,
and /proc/schedstat."""
import json
import os
import subprocess
import sys
import tempfile

import built_cores

SCHEDPROOF = os.path.abspath(sys.argv[1])
HOGS = '{"tasks": {"a": {"loop": -1, "run": 1000}, "b": {"loop": -1, "run": 1000}}, "global": {"duration": 2}}'
FIFO = ('{"tasks": {"rt": {"loop": -1, "cpus": [0], "policy": "SCHED_FIFO", "priority": 50, "run": 1000},'
        ' "fair": {"loop": -1, "cpus": [0], "run": 1000}}, "global": {"duration": 2}}')


def check(what, truth, *more):
    if not truth:
        print(f"FAILED: {what}", *more, sep="\n")
        sys.exit(1)
    print(f"ok: {what}")


def ran_ms(core, program, *words):
    """Of each task, in 2 s of two CPUs."""
    with tempfile.TemporaryDirectory() as top:
        with open(f"{top}/tasks.json", "w", encoding="ascii") as file:
            file.write(program)
        run = subprocess.run([SCHEDPROOF, "run", "rtapp", "file=tasks.json", "--machine", "pack:1 l3:1 core:2 pu:1", "--core", core, "--check",
                              "--trace", "t.jsonl", *words], cwd=top, capture_output=True, text=True, timeout=120)
        check(f"{core} {' '.join(words)}: a good run", run.returncode == 0, run.stdout, run.stderr)
        got = subprocess.run([SCHEDPROOF, "trace", "t.jsonl", "--json"], cwd=top, capture_output=True, text=True, timeout=120, check=True)
    return {task["comm"]: task["ran_ns"] / 1e6 for task in json.loads(got.stdout)["tasks"]}


def test_quota(core):
    """A fifth of a CPU, of two: 20 ms in each of 20 periods, and what a slice of either CPU is beyond."""
    ran = ran_ms(core, HOGS, "--set", "cgroup.cpu.max=20000 100000")
    check("the group gets its quota", 400 <= ran["a"] + ran["b"] <= 460, ran)
    ran = ran_ms(core, HOGS, "--set", "cgroup.cpu.weight=50")
    check("without one it gets the machine", ran["a"] + ran["b"] > 3990, ran)


IN_VAIN = "cgroup.cpu.weight gives no more CPU time and no less"


def test_weight(core):
    """Whom it could weigh against isn't there: said before the runs, with each, and in the report."""
    text = f"[experiment]\nmachine = x4600\ncore = {core}\nblocks = 1\n[variant a]\n[variant b]\ncgroup.cpu.weight = 1\n[workload pipe]\nloops = 10\n"
    with tempfile.TemporaryDirectory() as top:
        with open(f"{top}/e.ini", "w", encoding="ascii") as file:
            file.write(text)
        ab = ("ab", "e.ini", "--store", "r.sqlite", "--report", "r.txt")
        for words in (*ab, "--dry-run"), ab, ("run", "pipe", "loops=10", "--machine", "x4600", "--core", core, "--set", "cgroup.cpu.weight=1"):
            out = subprocess.run([SCHEDPROOF, *words], cwd=top, capture_output=True, text=True, timeout=120)
            check("it is told", " ".join(out.stdout.split()).count(IN_VAIN) == 1, words, out.stdout, out.stderr)


def test_paths(core):
    """Without its fair server CPU 0 is the FIFO task's; a path may be written with dots, as a host's is."""
    ran = ran_ms(core, FIFO)
    check("5 % for the fair one", 95 < ran["fair"] < 105, ran)
    for words in ("--knob", "fair_server/cpu0/runtime=0"), ("--set", "sched.fair_server.cpu0.runtime=0"):
        ran = ran_ms(core, FIFO, *words)
        check("nothing for the fair one", ran["fair"] < 1, ran)


def test_trace(core):
    """CPUs that the group hasn't do not idle while its tasks wait: a trace tells where they may be."""
    with tempfile.TemporaryDirectory() as top:
        subprocess.run([SCHEDPROOF, "run", "cpuload", "tasks=4", "ops=200", "--machine", "pack:1 l3:1 core:4 pu:1", "--core", core,
                        "--set", "cgroup.cpuset.cpus=0-1", "--trace", "t.jsonl"], cwd=top, capture_output=True, timeout=120, check=True)
        got = subprocess.run([SCHEDPROOF, "trace", "t.jsonl", "--json"], cwd=top, capture_output=True, text=True, timeout=120, check=True)
    cpus = {cpu["cpu"]: cpu for cpu in json.loads(got.stdout)["cpus"]}
    check("they idle all the time", cpus[2]["idle_ns"] > 0 and cpus[2]["busy_ns"] == 0, cpus)
    check("and nobody could have had them", cpus[2]["idle_while_others_waited_ns"] == cpus[3]["idle_while_others_waited_ns"] == 0, cpus)


def test_schedstat(core):
    """With a core that has to be told to count: idle balancing was called, on some CPU at least."""
    for knob, counts in ("sched_schedstats=1", True), ("sched_schedstats=0", False), (None, True):
        with tempfile.TemporaryDirectory() as top:
            words = ("--knob", knob) if knob else ()
            run = subprocess.run([SCHEDPROOF, "run", "hackbench", "groups=1", "loops=5", "--machine", "pack:1 l3:2 core:4 pu:1", "--core", core,
                                  "--schedstat", "stat", *words], cwd=top, capture_output=True, text=True, timeout=120)
            check(f"{core} {knob}: a good run", run.returncode == 0, run.stdout, run.stderr)
            with open(f"{top}/stat", encoding="ascii") as file:
                lines = [line.split() for line in file if line.startswith("domain")]
            check("it counts" if counts else "it doesn't", any(set(line[2:]) != {"0"} for line in lines) == counts, lines)


def test_names(core):
    """What can be set has names, which are told, and one that there isn't says where they are."""
    got = subprocess.run([SCHEDPROOF, "list", "features", core], capture_output=True, text=True, timeout=120, check=True)
    check("names of all kinds", {"TTWU_QUEUE", "sched_rt_runtime_us", "migration_cost_ns"} <= set(got.stdout.split()), got.stdout)
    got = subprocess.run([SCHEDPROOF, "run", "pipe", "loops=1", "--machine", "pack:1 l3:1 core:2 pu:1", "--core", core, "--knob", "NO_SUCH"],
                         capture_output=True, text=True, timeout=120)
    check("an unknown one", got.returncode == 2 and "NO_SUCH: no such knob; schedproof list features CORE" in got.stderr, got.stderr)


cores = built_cores.claimed(SCHEDPROOF)
if not cores:
    print("skipped: no kernel core is built: tests/kernel_cores.sh builds some")
    sys.exit(77)
for release, name in cores.items():
    test_quota(f"kernel:{name}")
    test_weight(f"kernel:{name}")
    test_trace(f"kernel:{name}")
    test_schedstat(f"kernel:{name}")
    test_names(f"kernel:{name}")
    if not release.startswith("6.1."):
        test_paths(f"kernel:{name}")
