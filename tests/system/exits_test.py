#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What goes wrong at a command's edges: its status, one line that says what, where and what to do, nothing lost or half-written.

usage: exits_test.py SCHEDPROOF
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden")
TRACE = GOLDEN + "/trace/ftrace.txt"


class Exits(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="exits_test.")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.env = dict(os.environ, HOME=self.dir, XDG_DATA_HOME=self.dir + "/data", XDG_STATE_HOME=self.dir + "/state",
                        XDG_CACHE_HOME=self.dir + "/cache")

    def write(self, name, data):
        path = os.path.join(self.dir, name)
        with open(path, "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())
        return path

    def read(self, name):
        with open(os.path.join(self.dir, name), "rb") as f:
            return f.read()

    def run_it(self, *args, stdin=subprocess.DEVNULL, **kw):
        kw.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([PROGRAM, *args], cwd=self.dir, env=self.env, stderr=subprocess.PIPE, stdin=stdin, text=True,
                              timeout=120, **kw)

    def one_line(self, out, *words, status=2):
        self.assertEqual(out.returncode, status, out.stderr)
        self.assertEqual(out.stderr.count("\n"), 1, out.stderr)
        for word in words:
            self.assertIn(word, out.stderr)
        self.assertFalse(out.stdout)

    def test_a_signal_ends_the_waiting_for_input(self):
        self.write("e.ini", "")
        for words in ("verdict",), ("trace",), ("trace", "--to", "json", "--out", "t.json"), ("import", "-"), ("ab", "-"), ("topo", "-"):
            process = subprocess.Popen([PROGRAM, *words], cwd=self.dir, env=self.env, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            with self.subTest(words):
                _, err = process.communicate(timeout=20) if process.wait(timeout=20) else ("", "")
                self.assertEqual(process.returncode, -signal.SIGINT, err)
        self.assertEqual([name for name in os.listdir(self.dir) if name.startswith("t.json")], [])

    def test_a_signal_ends_long_reckoning(self):
        words = "topo", "pack:8 [numa] l3:8 core:64 pu:2", "--hotplug", "half-offline"
        process = subprocess.Popen([PROGRAM, *words], env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), -signal.SIGINT)

    def test_what_is_no_file_is_written_to(self):
        before = os.stat("/dev/null")
        out = self.run_it("trace", TRACE, "--to", "json", "--out", "/dev/null")
        self.assertEqual(out.returncode, 0, out.stderr)
        with open(self.dir + "/out", "w") as f:
            f.write("before\n")
            f.flush()
            out = self.run_it("trace", TRACE, "--to", "json", "--out", "/dev/stdout", stdout=f)
        self.assertEqual(out.returncode, 0, out.stderr)
        self.assertTrue(self.read("out").startswith(b"before\n{"))
        os.symlink("target", self.dir + "/link")
        self.write("target", "old")
        out = self.run_it("trace", TRACE, "--to", "json", "--out", "link")
        self.assertEqual(out.returncode, 0, out.stderr)
        self.assertTrue(os.path.islink(self.dir + "/link") and self.read("target").startswith(b"{"))
        self.assertEqual((before.st_ino, before.st_mode), (os.stat("/dev/null").st_ino, os.stat("/dev/null").st_mode))
        self.one_line(self.run_it("trace", TRACE, "--to", "json", "--out", "/dev/full"), "/dev/full: No space", status=3)

    def test_words_go_to_no_file_that_is_opened_in_the_place_of_a_closed_one(self):
        with open(TRACE, encoding="utf-8") as f:
            lines = f.readlines()
        self.write("twice.txt", "".join(lines + lines[-1:] + lines[20:24]))
        for out, closed in (("open", ""), ("closed", "2>&-"), ("both", ">&- 2>&- <&-")):
            subprocess.run(["sh", "-c", f'exec "$0" trace twice.txt --to json --out {out} {closed}', PROGRAM], cwd=self.dir, env=self.env,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=True)
        self.assertEqual(self.read("open"), self.read("closed"))
        self.assertEqual(self.read("open"), self.read("both"))

    def small_disk(self, size):
        place = self.dir + "/small"
        os.mkdir(place)
        if os.getuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=" + size, "none", place], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("no tmpfs can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", place])
        return place

    def test_nothing_is_half_written_on_a_full_disk(self):
        place = self.small_disk("16k")
        self.write("small/t.jsonl", "old")
        words = "run", "hackbench", "groups=2", "loops=100", "--machine", "x4600", "--trace", place + "/t.jsonl"
        out = self.run_it(*words)
        self.assertEqual(out.returncode, 3, out.stderr)
        self.assertRegex(" ".join(out.stdout.split()), r"t\.jsonl: .*No space")
        self.one_line(self.run_it("trace", TRACE, "--to", "json", "--out", place + "/t.jsonl"), place + "/t.jsonl: ", "No space", status=3)
        self.assertEqual(self.read("small/t.jsonl"), b"old")
        self.one_line(self.run_it("topo", "x86-8s-320", "--to", "sysfs", "--out", place + "/tree"), place + "/tree: ", "No space", status=3)
        self.assertEqual(os.listdir(place), ["t.jsonl"])

    def test_a_trace_that_is_stopped_leaves_what_was_there(self):
        self.write("t.jsonl", "old")
        process = subprocess.Popen([PROGRAM, "run", "hackbench", "groups=20", "loops=100000", "--machine", "x4600", "--trace", "t.jsonl"],
                                   cwd=self.dir, env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), -signal.SIGINT)
        self.assertEqual(self.read("t.jsonl"), b"old")
        self.assertEqual([name for name in os.listdir(self.dir) if "new" in name], [])

    def test_a_tree_is_mixed_with_no_other(self):
        os.mkdir(self.dir + "/tree")
        for machine, status in ("x4600", 0), ("pack:1 core:2 pu:1", 2):
            out = self.run_it("topo", machine, "--to", "sysfs", "--out", "tree")
            self.assertEqual(out.returncode, status, out.stderr)
        self.assertIn("tree: is not empty", out.stderr)
        self.assertEqual(os.listdir(self.dir), ["tree"])

    def test_text_with_a_nul(self):
        nul = self.write("nul", b"cpus 4\npossible 0-3\n\0node 0 0-3\n")
        self.one_line(self.run_it("topo", nul), "nul: line 3: a NUL byte")
        self.one_line(self.run_it("topo", "pack:1 core:2 pu:1", "--cost", "--cost-file", nul), "nul: line 3: a NUL byte")
        self.one_line(self.run_it("patch", "--replay", nul), "nul: line 3: a NUL byte")

    def test_places_are_looked_at_before_the_work(self):
        words = "patch", "--before", "model:k6.1", "--after", "model:k6.12", "--first-difference", "--events"
        self.one_line(self.run_it(*words, "nowhere/x"), "nowhere/x: its folder: No such file")
        self.one_line(self.run_it(*words, self.dir), "is no file")

    def test_another_user(self):
        if os.getuid() or not shutil.which("setpriv"):
            self.skipTest("not root")
        os.chmod(self.dir, 0o755)
        home = tempfile.mkdtemp(prefix="exits_test.")
        self.addCleanup(shutil.rmtree, home, ignore_errors=True)
        os.chmod(home, 0o777)
        secret = self.write("secret", "x")
        os.chmod(secret, 0o600)

        def as_nobody(*args, **kw):
            return subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=" + home, PROGRAM, *args],
                                  cwd=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, **kw)

        if as_nobody("--version").returncode:
            self.skipTest("another user can't run " + PROGRAM)
        # a pipe of root's, which may be read but not opened again
        out = as_nobody("verdict", input="name before after\nx 10 20\n")
        self.assertNotIn("denied", out.stderr)
        for words in ("verdict", secret), ("import", secret), ("topo", secret), ("trace", secret), ("ab", secret), ("patch", "--replay", secret):
            self.one_line(as_nobody(*words), secret + ": Permission denied")


unittest.main(argv=sys.argv[:1], verbosity=2)
