#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""patch_test.py SCHEDPROOF - schedproof patch: the model's releases on a machine, and a bug seeded into a kernel's
select_idle_sibling() (seeded.py)."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import seeded

SCHEDPROOF = os.path.abspath(sys.argv[1])

top = pathlib.Path(tempfile.mkdtemp(prefix="schedproof-patch-"))
ENV = {"PATH": os.environ["PATH"], "HOME": str(top), "XDG_CACHE_HOME": str(seeded.CACHE),
       "XDG_DATA_HOME": str(top / "data"), "XDG_STATE_HOME": str(top / "state")}


def check(what, truth, *more):
    if not truth:
        print(f"FAILED: {what}", *more, sep="\n")
        sys.exit(1)
    print(f"ok: {what}")


def patch(*words, status=0):
    got = subprocess.run([SCHEDPROOF, "patch", *map(str, words)], env=ENV, cwd=top, capture_output=True,
                         text=True, timeout=900)
    check(f"patch {' '.join(map(str, words))}: status {status}", got.returncode == status, got.stdout,
          got.stderr)
    return got


MODELS = ("--before", "model:k6.1", "--after", "model:k6.12")


def rows_of(text):
    return [row for row in map(json.loads, text.splitlines()) if row["kind"] == "patch-row"]


def test_table():
    words = (*MODELS, "--machines", "2-cpus,8-smt", "--workloads", "hackbench,pipe", "--quiet", "--json")
    text = patch(*words).stdout
    rows = rows_of(text)
    check("a row for each machine and workload", [(r["machine"], r["point"]) for r in rows] ==
          [(m, w) for m in ("2-cpus", "8-smt") for w in ("hackbench", "pipe")], text)
    check("of all runs", all(r["n"] == 12 and r["median_before"] > 0 for r in rows), text)
    check("again, it is the same", patch(*words).stdout == text)
    ahead = patch(*MODELS, "--machines", "2-cpus", "--workloads", "pipe").stderr
    check("the time is told ahead", re.search(r"^24 simulated runs on 1 machine, about \d", ahead, re.M), ahead)


def test_fail_on():
    words = ("--machines", "8-smt", "--workloads", "hackbench", "--quiet", "--json")
    word = {}
    for before, after in (("model:k6.1", "model:k6.12"), ("model:k6.12", "model:k6.1")):
        got = subprocess.run([SCHEDPROOF, "patch", "--before", before, "--after", after, *words,
                              "--fail-on", "regressed"], env=ENV, capture_output=True, text=True)
        word[before] = rows_of(got.stdout)[0]["word"]
        check(f"{before}: exit 1 where it regressed, and only there",
              got.returncode == (word[before] == "regressed"), got)
    check("turned round, so is the verdict", sorted(word.values()) == ["improved", "regressed"], word)


def test_itself():
    text = patch("--before", "model", "--after", "model", "--machines", "8-smt", "--workloads", "hackbench",
                 "--runs", 6, "--quiet", "--first-difference").stdout
    check("a core and itself are the same", "the same" in text and
          "no difference: all decisions of all runs are the same" in text, text)


def test_first_difference():
    text = patch(*MODELS, "--first-difference", "--machine", "8-smt", "--workload", "hackbench", "--events",
                 "list").stdout
    check("it is named", re.search(r"^first difference: 8-smt, hackbench, seed \d+, at \d+ ns", text), text)
    check("what each chose is told", "\n  before: " in text and "\n  after: " in text, text)
    lines = (top / "list").read_text().splitlines()
    n = len(lines) - lines.index("events") - 1
    check("the list is written", f"{n} of them are enough, not one less" in text, text)
    again = patch("--replay", "list").stdout
    check("and played again", f"they differ in event {n} of {n}" in again, again)
    alike = patch("--replay", "list", "--before", "model:k6.12", "--after", "model:k6.12").stdout
    check("to one core twice it shows nothing", "the two decide alike" in alike, alike)


def test_stop():
    running = subprocess.Popen([SCHEDPROOF, "patch", *MODELS, "--machines", "big", "--runs", "200"], env=ENV,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while "(1 of" not in running.stderr.readline():
        pass
    time.sleep(1)
    start = time.time()
    running.send_signal(signal.SIGINT)
    out = running.communicate(timeout=300)
    check("Ctrl-C ends it soon", running.returncode == -signal.SIGINT and time.time() - start < 20, out)


# --- a kernel's own code ---

def faulty():
    """What the scan for an idle CPU has found is not taken."""
    source = seeded.fair()
    start = source.index("static int select_idle_sibling(struct task_struct *p, int prev, int target)\n{")
    end = source.index("\n}\n", start)
    at = source.rindex("\t\treturn i;\n", start, end)
    return source[:at] + source[at:].replace("return i;", "return target;", 1)


def test_seeded_bug():
    if seeded.lacks():
        print(f"seeded bug: skipped: {seeded.lacks()}")
        return
    with seeded.branch(faulty()) as name:
        check("one line differs", seeded.numstat(name) == ["1", "1"])
        text = patch(seeded.TREE, name, "--machines", "8-smt,16-2-nodes", "--workloads", "hackbench,pipe", "--runs", 8,
                     "--first-difference", "--events", "bug").stdout
        check("the commit is named", re.search(rf"^after:  [0-9a-f]{{12}} \({name}, Linux 6\.12", text, re.M), text)
        check("something regressed", re.search(r"regressed$", text, re.M), text)
        found = re.search(r"^  before: (.*)$\n(?:    .*\n)*  after: (.*)$", text, re.M)
        check("the first decision is where a task wakes up", found and found.group(1) != found.group(2) and
              "(wake)" in found.group(1) + found.group(2), text)
        lines = (top / "bug").read_text().splitlines()
        check("the last event of the list is a wake-up", " wake t" in lines[-1], lines)
        again = patch("--replay", "bug").stdout
        check("it can be played again", "they differ in event" in again, again)


def main():
    try:
        for test in (test_table, test_fail_on, test_itself, test_first_difference, test_stop, test_seeded_bug):
            test()
    finally:
        shutil.rmtree(top)


main()
