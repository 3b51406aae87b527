#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""git bisect run over a small repository, each step a real experiment.

usage: bisect_test.py SCHEDPROOF WORKER

Each commit holds what the candidate does; the base is the same everywhere. The worker is the real one, started with
LOAD times the work, so that the change to be found is real too: five times as long, where 150 % are asked for.
"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, WORKER = (os.path.abspath(p) for p in sys.argv[1:3])

LOADED_WORKER = f"""#!/bin/sh
# the real worker with $LOAD times the loops; "die" is a build that does not run
[ "$LOAD" != die ] || exit 9
# a search for leaks in each task would take longer than its work, and stand in the time of both sides
export ASAN_OPTIONS=detect_leaks=0
loops=$((1000 * ${{LOAD:-1}}))
for arg; do
	case $arg in loops=*) arg=loops=$loops ;; esac
	set -- "$@" "$arg"
	shift
done
exec {WORKER} "$@"
"""

EXPERIMENT = """
[experiment]
name = step
blocks = 12
counters = none
[variant base]
[variant candidate]
env.LOAD = {load}
[workload hackbench]
groups = 1
fds = 2
loops = 1000
"""


class Bisect(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="bisect_test.")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.env = dict(os.environ, HOME=self.dir, XDG_DATA_HOME=self.dir + "/data", XDG_STATE_HOME=self.dir + "/state",
                        GIT_CONFIG_NOSYSTEM="1", GIT_AUTHOR_NAME="t", GIT_AUTHOR_EMAIL="t@t", GIT_COMMITTER_NAME="t",
                        GIT_COMMITTER_EMAIL="t@t")
        self.worker = self.write("loaded-worker", LOADED_WORKER)
        os.chmod(self.worker, 0o755)
        # a machine of our own: its lock is not that of an experiment which may be running on this one
        for name, value in (("proc/sys/kernel/random/boot_id", "boot"), ("proc/sys/kernel/osrelease", "6.1.0"),
                            ("sys/devices/system/cpu/online", "0-1")):
            self.write("root/" + name, value + "\n")
        self.repo = self.dir + "/repo"
        os.mkdir(self.repo)
        self.git("init", "-q")

    def write(self, name, text):
        path = os.path.join(self.dir, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)
        return path

    def git(self, *args):
        out = subprocess.run(("git", *args), cwd=self.repo, env=self.env, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=240)
        self.assertEqual(out.returncode, 0, out.stdout)
        return out.stdout

    def commit(self, n, load):
        self.write("repo/step.ini", EXPERIMENT.format(load=load))
        self.write("repo/n", str(n))
        self.git("add", ".")
        self.git("commit", "-q", "-m", f"commit {n}")

    def step(self, *more):
        return (PROGRAM, "bisect-step", "--root", self.dir + "/root", "--worker", self.worker, "--fail-on", "regressed:150%",
                *more, "step.ini")

    def test_finds_the_commit_and_skips_what_does_not_run(self):
        loads = (1, 1, 1, "die", 1, 5, 5, 5)
        for n, load in enumerate(loads):
            self.commit(n, load)
        self.git("bisect", "start", "HEAD", f"HEAD~{len(loads) - 1}")
        # on a loaded machine twelve blocks may be too few to tell; then more of them are
        patient = 'for i in 1 2 3; do "$@"; s=$?; [ $s = 125 ] || exit $s; done; exit 125'
        out = self.git("bisect", "run", "sh", "-c", patient, "sh", *self.step())
        self.assertIn("bisect-step: step.ini: bad", out)
        self.assertIn("bisect-step: step.ini: good", out)
        self.assertEqual(self.git("log", "-1", "--format=%s", "refs/bisect/bad").strip(), "commit 5", out)

    def test_a_step_that_fails_or_is_wrong(self):
        def status(load, *more, out=subprocess.DEVNULL):
            self.write("repo/step.ini", EXPERIMENT.format(load=load))
            return subprocess.run(self.step(*more), cwd=self.repo, env=self.env, stdout=out,
                                  stderr=subprocess.DEVNULL, timeout=240).returncode

        self.assertEqual(status("die"), 125)
        # wrong at each revision: to skip them all would say nothing
        self.assertEqual(status("5\nnosuchkey = 1"), 128)
        self.assertEqual(status("5\ncgroup.cpuset.cpus = 999"), 128)
        self.assertEqual(status(5, "--format", "nosuch"), 128)
        self.assertEqual(status(5, "--store", self.dir), 128)
        self.assertEqual(status(5, "nosuch.ini"), 128)
        self.assertEqual(status(5, "nosuch"), 128)
        with open("/dev/full", "w") as full:
            self.assertEqual(status(5, out=full), 128)

    def test_out_of_memory_is_no_verdict(self):
        """Somewhere between what the program needs to start and what it takes to read a megabyte, several times."""
        self.write("repo/step.ini", "".join(f"# {n:078}\n" for n in range(12900)) + EXPERIMENT.format(load=1))
        found = False
        for limit in range(1 << 20, 32 << 20, 1 << 19):
            out = subprocess.run((*self.step("--store", self.dir), "nosuch"), cwd=self.repo, env=self.env, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True, timeout=240,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
            if "schedproof: out of memory" in out.stderr:
                found = True
                self.assertEqual(out.returncode, 128)
        with open(PROGRAM, "rb") as f:
            sanitized = b"__asan_init" in f.read()
        self.assertTrue(found or sanitized)

    def test_a_wrong_experiment_ends_the_bisection(self):
        for n in range(4):
            self.commit(n, "5\nnosuchkey = 1")
        self.git("bisect", "start", "HEAD", "HEAD~3")
        out = subprocess.run(("git", "bisect", "run", *self.step()), cwd=self.repo, env=self.env, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=240)
        self.assertNotEqual(out.returncode, 0)
        self.assertIn("unknown key 'nosuchkey'", out.stdout)
        self.assertNotIn("skip", self.git("bisect", "log"))


if __name__ == "__main__":
    if not shutil.which("git"):
        print("skipped: git is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
