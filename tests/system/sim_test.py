#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Simulated experiments as a whole: the same results each time, also if they were stopped, killed and resumed.

usage: sim_test.py SCHEDPROOF
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv[1])

EXPERIMENT = """
[experiment]
name = t
backend = sim
machine = kunpeng-920-node
blocks = {blocks}
seed = 3
[variant base]
[variant other]
{other}
[workload hackbench]
groups = 1, 2
fds = 4
loops = {loops}
timeout = {timeout}
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="sim_test.")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.env = dict(os.environ, XDG_DATA_HOME=self.dir + "/data", XDG_STATE_HOME=self.dir + "/state")

    def experiment(self, blocks=4, other="features = NO_TTWU_QUEUE", loops=20, timeout="60s"):
        with open(self.dir + "/t.ini", "w") as f:
            f.write(EXPERIMENT.format(blocks=blocks, other=other, loops=loops, timeout=timeout))

    def run_it(self, *args):
        return subprocess.run([PROGRAM, *args], cwd=self.dir, env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, timeout=300)

    def start(self, *args):
        return subprocess.Popen([PROGRAM, *args], cwd=self.dir, env=self.env, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)

    def runs(self, store):
        """All runs of the only result in a store, as stored but for times of day."""
        out = self.run_it("report", "1", "--json", "--store", store)
        lines = [json.loads(line) for line in out.stdout.splitlines()] if not out.returncode else []
        runs = [line for line in lines if line["kind"] == "run"]
        for run in runs:
            del run["started_ns"]
            run.pop("session", None)
        return runs

    def wait_for_runs(self, n, store, process):
        for _ in range(600):
            if len(self.runs(store)) >= n:
                return
            self.assertIsNone(process.poll(), "ended before it was to be stopped")
            time.sleep(0.02)
        self.fail("no runs")

    def assert_nobody_left(self):
        for _ in range(50):
            left = []
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/environ", "rb") as f:
                        if int(pid) != os.getpid() and self.dir.encode() in f.read():
                            left.append(pid)
                except OSError:
                    pass
            if not left:
                return
            time.sleep(0.1)
        self.fail(f"processes left: {left}")


class Same(Case):
    def test_two_experiments_are_equal_but_for_times_of_day(self):
        self.experiment()
        dumps = []
        for store in ("a.sqlite", "b.sqlite"):
            out = self.run_it("ab", "t.ini", "--store", store, "--json")
            self.assertEqual(out.returncode, 0, out.stderr)
            dumps.append(re.sub(r'"(created|started)_ns":\d+', "", out.stdout))
        self.assertEqual(dumps[0], dumps[1])
        self.assertEqual(len(self.runs("a.sqlite")), 4 * 2 * 2)

    def test_variants_of_a_block_share_the_seed_and_blocks_do_not(self):
        self.experiment()
        self.run_it("ab", "t.ini", "--store", "a.sqlite")
        seeds = {}
        for run in self.runs("a.sqlite"):
            note = [n["text"] for n in run["result"]["notes"] if n["name"] == "seed"][0]
            seeds.setdefault((run["block"], run["point"]), set()).add(note)
        self.assertEqual([len(s) for s in seeds.values()], [1] * 8)
        self.assertEqual(len(set.union(*seeds.values())), 8)

    def test_a_seed_of_its_own_is_added_to_the_block_s(self):
        values = {}
        for other in ("", "seed = 0", "seed = 1"):
            self.experiment(blocks=1, other=other)
            out = self.run_it("ab", "t.ini", "--store", other + ".sqlite")
            self.assertEqual(out.returncode, 0)
            self.assertIn("draw other random numbers" if other == "seed = 1" else "with the same random numbers",
                          " ".join(out.stdout.split()))
            runs = sorted(self.runs(other + ".sqlite"), key=lambda run: (run["point"], run["variant"]))
            notes = [{n["name"]: n["text"] for n in run["result"]["notes"]}["seed"] for run in runs]
            values[other] = (int(notes[1]) - int(notes[0]), runs[0]["result"]["metrics"] == runs[1]["result"]["metrics"])
        self.assertEqual(values, {"": (0, True), "seed = 0": (0, True), "seed = 1": (1, False)})

    def test_beside_each_other_or_one_after_the_other(self):
        args = ("run", "hackbench", "groups=2", "fds=4", "loops=20", "--machine", "kunpeng-920-node", "--repeat", "6",
                "--json")
        many = self.run_it(*args)
        self.assertEqual(many.returncode, 0, many.stderr)
        one_cpu = str(min(os.sched_getaffinity(0)))
        alone = subprocess.run(["taskset", "-c", one_cpu, PROGRAM, *args], cwd=self.dir, env=self.env,
                               stdout=subprocess.PIPE, text=True, timeout=300)
        self.assertEqual(many.stdout, alone.stdout)
        self.assertEqual(len(set(many.stdout.splitlines())), 6)


class Cut(Case):
    def stopped_and_resumed(self, how):
        self.experiment(blocks=6, loops=300)
        process = self.start("ab", "t.ini", "--store", "a.sqlite", "--quiet")
        self.wait_for_runs(3, "a.sqlite", process)
        process.send_signal(how)
        _, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, -how)
        self.assert_nobody_left()
        before = len(self.runs("a.sqlite"))
        self.assertLess(before, 6 * 2 * 2)
        again = self.run_it("ab", "t.ini", "--store", "a.sqlite", "--resume")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.run_it("ab", "t.ini", "--store", "b.sqlite")
        self.assertEqual(self.runs("a.sqlite"), self.runs("b.sqlite"))
        return err

    def test_interrupted_and_resumed_gives_the_same_runs(self):
        err = self.stopped_and_resumed(signal.SIGINT)
        self.assertIn("stopped early. Continue with: schedproof ab t.ini --resume", err)

    def test_killed_and_resumed_gives_the_same_runs(self):
        self.stopped_and_resumed(signal.SIGKILL)

    def test_time_limit_of_a_run(self):
        # 16 thousand million messages: hours on any computer
        self.experiment(blocks=3, loops=1000000000, timeout="1s")
        out = self.run_it("ab", "t.ini", "--store", "a.sqlite")
        self.assertEqual(out.returncode, 3, out.stderr)
        runs = self.runs("a.sqlite")
        self.assertEqual({r["result"]["status"] for r in runs}, {"hang"})
        self.assertRegex(runs[0]["result"]["reason"], r"not done after 1 s of this computer's time, \d+\.\d{6} s simulated")
        # three of the first variant at each point say enough
        self.assertIn("given up", out.stderr)
        self.assert_nobody_left()

    def test_no_privileges_no_worker_no_lock(self):
        self.experiment(blocks=1)
        out = self.run_it("ab", "t.ini", "--store", "a.sqlite", "--worker", "/nosuch/worker", "--root", "/nosuch")
        self.assertEqual(out.returncode, 0, out.stderr)
        self.assertFalse(os.path.exists(self.dir + "/state"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
