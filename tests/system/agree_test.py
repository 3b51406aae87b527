#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""agree_test.py SCHEDPROOF - schedproof agree: the model against kernel cores that are built here, and its complaints."""
import json
import pathlib
import subprocess
import sys
import tempfile

import built_cores

SCHEDPROOF = sys.argv[1]
MACHINE = "l3:1 core:4 pu:2"
SCRIPTS = "hackbench", "schbench", "hogs", "nice", "affinity", "fork", "waves", "random"


def check(what, truth, *more):
    if not truth:
        print(f"FAILED: {what}", *more, sep="\n")
        sys.exit(1)
    print(f"ok: {what}")


def agree(*words, status=0):
    got = subprocess.run([SCHEDPROOF, "agree", *map(str, words)], capture_output=True, text=True,
                         timeout=120)
    check(f"agree {' '.join(map(str, words))}: status {status}", got.returncode == status,
          got.stdout, got.stderr)
    return got


def complains(what, word, *words):
    said = agree(*words, status=2).stderr
    check(what, word in said and said.count("\n") == 1, said)


def test_complaints():
    complains("no machine", "--machine", "--kernel", "x")
    complains("no kernel", "--kernel", "--machine", MACHINE)
    complains("no such workload", "hackbench, schbench", "--machine", MACHINE, "--kernel", "x",
              "--workload", "jump")
    complains("no such core", "no-such-core", "--machine", MACHINE, "--kernel", "no-such-core")
    complains("a table of no kernel", "--kernel", "--table")


def test_agreement(core):
    for script in SCRIPTS:
        row = json.loads(agree("--machine", MACHINE, "--kernel", core, "--workload", script,
                               "--runs", 3, "--length", 800, "--json").stdout)
        check(f"{core}: {script}: all decisions agree",
              row["clean"] == row["runs"] == 3 and row["first_difference"] is None and
              all(kind["compared"] == kind["agreed"] for kind in row["decisions"].values()) and
              row["decisions"]["pelt"]["compared"] > 1000, row)


def test_difference(core, top):
    """Another way to choose a CPU is found, told, written down, and found again from the file."""
    events = top / "events"
    words = "--machine", MACHINE, "--kernel", core, "--set", "wake.affine_idle=off", "--workload", "waves"
    text = agree(*words, "--runs", 3, "--events", events).stdout
    check("the first difference is shown", "\nwake: t" in text and "what model looked at:" in text, text)
    lines = [line for line in events.read_text().splitlines() if not line.startswith("#")]
    check("by few events", 2 <= len(lines) <= 60, lines)
    again = agree(*words, "--replay", events).stdout
    check("and again by its events", "\nwake: t" in again, again)
    events.write_text("1 jump t0\n")
    complains("no events", "line 1", "--machine", MACHINE, "--kernel", core, "--replay", events)


def test_table(core):
    text = agree("--table", "--machine", "core:2 pu:1", "--kernel", core, "--runs", 1, "--length",
                 200).stdout
    check("a table", "| core:2 pu:1 | 2 | 1/1 | 1/1 |" in text and text.count("100 %") >= 6, text)


def main():
    test_complaints()
    found = built_cores.claimed(SCHEDPROOF)
    if not found:
        print("skipped: no kernel core is built here with this kit (schedproof kernel build)")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="schedproof-agree-") as top:
        for core in found.values():
            test_agreement(core)
        core = next(iter(found.values()))
        test_difference(core, pathlib.Path(top))
        test_table(core)


main()
