#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""kernel_hard_test.py SCHEDPROOF - schedproof kernel build that is killed at any moment, has a full disk, a tree or a cache that it may
not read or write, an ordinary user: what went wrong is told in one line, and the next build works."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from fake_tree import make_tree

SCHEDPROOF = os.path.abspath(sys.argv[1])
NOBODY = 65534

top = pathlib.Path(tempfile.mkdtemp(prefix="schedproof-kernel-hard-"))
tree = top / "tree"


def check(what, truth, *more):
    if not truth:
        print(f"FAILED: {what}", *more, sep="\n")
        sys.exit(1)
    print(f"ok: {what}")


def start(cache, *words, user=None):
    env = {"PATH": os.environ["PATH"], "HOME": str(top), "XDG_CACHE_HOME": str(cache)}
    who = {} if user is None else {"user": user, "group": user, "extra_groups": []}
    return subprocess.Popen([SCHEDPROOF, "kernel", *map(str, words)], env=env, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **who)


def kernel(cache, *words, status=0, user=None):
    running = start(cache, *words, user=user)
    out, err = running.communicate(timeout=120)
    check(f"kernel {' '.join(map(str, words))}: status {status}", running.returncode == status, out, err)
    return out, err


def reason(cache, *words, status, user=None):
    """The one line that says why not; lines of progress are before it."""
    said = [line for line in kernel(cache, *words, status=status, user=user)[1].splitlines()
            if line.startswith("schedproof: ")]
    check("the reason is one line", len(said) == 1, said)
    return said[0]


def names(cache):
    return [json.loads(row)["name"] for row in kernel(cache, "list", "--json")[0].splitlines()]


def test_killed():
    """At moments all over a build, by each signal; nothing of it is listed unless it is whole, and the next build works."""
    cache = top / "killed"
    began = time.time()
    kernel(top / "first", "build", tree)
    took = time.time() - began
    for i in range(12):
        number = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[i % 3]
        running = start(cache, "build", tree, "--name", f"n{i}", "--force")
        time.sleep(took * (i + 0.5) / 12)
        running.send_signal(number)
        out, err = running.communicate(timeout=300)
        check(f"killed at {(i + 0.5) / 12:.2f} by {number}", running.returncode in (0, -number), out, err)
        listed = f"n{i}" in names(cache)
        check("it is listed if it is whole", listed == (cache / f"schedproof/cores/n{i}/core.so").exists())
    for i in range(12):
        kernel(cache, "build", tree, "--name", f"n{i}")
    check("all are there", names(cache) == sorted(f"n{i}" for i in range(12)))
    same = {(cache / f"schedproof/cores/n{i}/core.txt").read_text().split("\n", 1)[1] for i in range(12)}
    check("and have the same in them", len(same) == 1, same)


def fill(path):
    """With zeros until there is no more room."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        while True:
            os.write(fd, bytes(4096))
    except OSError:
        os.close(fd)


def test_full_disk():
    disk = top / "disk"
    disk.mkdir()
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", disk],
                                      capture_output=True).returncode:
        print("full disk: skipped: no file system can be mounted")
        return
    try:
        for size in (16, 64, 256, 400):
            subprocess.run(["mount", "-o", f"remount,size={size}k", disk], check=True)
            said = reason(disk, "build", tree, status=3)
            check(f"{size} KiB: it is told", "No space left on device" in said, said)
            check("there is no core", names(disk) == [])
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        kernel(disk, "build", tree)
        old = (disk / "schedproof/cores/6.99.3-fake/core.so").read_bytes()
        fill(disk / "filled")
        said = reason(disk, "build", tree, "--force", status=3)
        check("full when there is a core: it is told", "No space left on device" in said, said)
        check("and stays", (disk / "schedproof/cores/6.99.3-fake/core.so").read_bytes() == old)
        (disk / "filled").unlink()
        kernel(disk, "build", tree, "--force")
    finally:
        subprocess.run(["umount", disk], check=True)


def test_trees():
    cache = top / "trees"
    old = top / "old"
    make_tree(old)
    (old / "kernel/sched/build_policy.c").unlink()
    said = reason(cache, "build", old, status=2)
    check("a tree that is too old", str(old) in said and "before 5.18" in said, said)
    (old / "kernel/sched/core.c").unlink()
    said = reason(cache, "build", old, status=2)
    check("half a tree", "kernel/sched/core.c" in said, said)
    said = reason(cache, "build", old / "Makefile", status=2)
    check("a file", "Makefile" in said, said)
    for what, path in (("no .config", "nowhere"), ("a folder as .config", top)):
        said = reason(cache, "build", tree, "--config", path, status=2)
        check(what, str(path) in said, said)


def test_ordinary_user():
    if os.geteuid():
        print("ordinary user: skipped: needs root to become one")
        return
    top.chmod(0o755)
    home = top / "home"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    closed = top / "closed"
    make_tree(closed)
    kernel(home, "build", closed, user=NOBODY)
    (closed / "kernel/sched/fair.c").touch()
    (closed / "kernel/sched/fair.c").chmod(0o600)
    said = reason(home, "build", closed, "--name", "x", status=3, user=NOBODY)
    check("a file that may not be read", "fair.c" in said and "Permission denied" in said, said)
    (closed / "kernel/sched/fair.c").chmod(0o644)
    closed.chmod(0o700)
    said = reason(home, "build", closed, "--name", "x", status=2, user=NOBODY)
    check("a tree that may not", str(closed) in said and "Permission denied" in said, said)
    said = reason(top / "roots", "build", tree, status=2, user=NOBODY)
    check("a cache that may not be made", "roots" in said and "Permission denied" in said, said)
    kernel(top / "roots", "build", tree)
    said = reason(top / "roots", "build", tree, "--force", status=2, user=NOBODY)
    check("another one's cache", "Permission denied" in said, said)
    check("whose cores may be used", names(top / "roots") == ["6.99.3-fake"] and
          "nothing has changed" in kernel(top / "roots", "build", tree, user=NOBODY)[0])


def main():
    for tool in ("make", "gcc", "ld", "flex", "bison", "bc"):
        if not shutil.which(tool):
            print(f"skipped: there is no {tool}")
            sys.exit(77)
    try:
        make_tree(tree)
        for test in (test_trees, test_killed, test_full_disk, test_ordinary_user):
            test()
    finally:
        shutil.rmtree(top)


main()
