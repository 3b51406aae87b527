#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""kernel_test.py SCHEDPROOF - schedproof kernel build and list, on a tree of a few files that obeys as a kernel's does."""
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

top = pathlib.Path(tempfile.mkdtemp(prefix="schedproof-kernel-"))
cache = top / "cache"
tree = top / "a tree"
ENV = {"PATH": os.environ["PATH"], "HOME": str(top), "XDG_CACHE_HOME": str(cache),
       # none of these may get through to make or git
       "ARCH": "um", "MAKEFLAGS": "-n", "KCFLAGS": "-Dbroken=(", "GIT_DIR": "/nowhere"}


def check(what, truth, *more):
    if not truth:
        print(f"FAILED: {what}", *more, sep="\n")
        sys.exit(1)
    print(f"ok: {what}")


def edit(path, old, new):
    text = path.read_text()
    assert old in text, path
    path.write_text(text.replace(old, new))


def kernel(*words, status=0, env=None):
    got = subprocess.run([SCHEDPROOF, "kernel", *map(str, words)], env=env or ENV,
                         capture_output=True, text=True, timeout=120)
    check(f"kernel {' '.join(map(str, words))}: status {status}", got.returncode == status,
          got.stdout, got.stderr)
    return got


def listed():
    return {row["name"]: row for row in map(json.loads, kernel("list", "--json").stdout.splitlines())}


def core(name, file="core.so"):
    return cache / "schedproof/cores" / name / file


def compiled(clear=True):
    """Names of what was compiled since it was last asked."""
    names = []
    for log in cache.glob("schedproof/cores/.work/*/build/compiled"):
        names += log.read_text().split()
        if clear:
            log.unlink()
    return sorted(names)


def state_of(folder):
    return {p: p.lstat().st_mtime_ns for p in folder.rglob("*")} | {folder: folder.stat().st_mtime_ns}


def test_build_and_again():
    before = state_of(tree)
    text = kernel("build", tree).stdout
    check("release is the name", "kernel core 6.99.3-fake: Linux 6.99.3-fake of" in text, text)
    check("all is compiled", compiled() == ["build_policy", "core", "fair"])
    check("counts real, shim and stubs", "in 3 objects:" in text and "1 objects, and 1 functions" in text,
          text)
    check("lists them by name", "  missing_call" in core("6.99.3-fake", "core.txt").read_text())
    names = subprocess.run(["nm", "-D", "--defined-only", core("6.99.3-fake")], capture_output=True,
                           text=True).stdout.split()
    check("exports one name", names[2::3] == ["schedproof_core"], names)
    text = kernel("build", tree).stdout
    check("nothing to do is said", "nothing has changed" in text, text)
    check("nothing is compiled", compiled() == [])
    check("the tree is only read", state_of(tree) == before)
    row = listed()["6.99.3-fake"]
    check("list tells of it", row["stale"] is None and row["real"] == 3 and row["shim"] == 1 and
          row["rev"] is None and row["tree"] == str(tree), row)


def test_edit():
    edit(tree / "kernel/sched/fair.c", "42", "43")
    check("an edit makes it stale", listed()["6.99.3-fake"]["stale"] == "tree changed")
    kernel("build", tree)
    check("only that is compiled", compiled() == ["fair"])
    edit(tree / "kernel/sched/fair.c", "43", "42")
    kernel("build", tree)
    edit(tree / "include/linux/sched.h", "int", "long")
    check("a header's edit too", listed()["6.99.3-fake"]["stale"] == "tree changed")
    kernel("build", tree)
    compiled()


def test_data():
    old = core("6.99.3-fake").read_bytes()
    edit(tree / "kernel/sched/fair.c", "int answer", "extern int no_such_table[];\n"
         "int *table(void) { return no_such_table; }\nint answer")
    said = kernel("build", tree, status=3).stderr
    check("data that is missing is named", "no_such_table" in said and "data" in said, said)
    check("the old object stays", core("6.99.3-fake").read_bytes() == old)
    edit(tree / "kernel/sched/fair.c", "extern int no_such_table[];", "static int no_such_table[1];")
    edit(tree / "kernel/sched/fair.c", "int answer(void)", "int answer(void")
    said = kernel("build", tree, status=3).stderr
    check("the compiler's words are told", "error: " in said and "fair.c" in said, said)
    edit(tree / "kernel/sched/fair.c", "int answer(void", "int answer(void)")
    kernel("build", tree)
    compiled()


def test_broken_trees():
    check("no tree", "no kernel tree" in kernel("build", top, status=2).stderr)
    check("no folder", "nowhere" in kernel("build", top / "nowhere", status=2).stderr)
    check("no such name", "can't be a core's name" in
          kernel("build", tree, "--name", "../x", status=2).stderr)
    blank = dict(ENV, XDG_CACHE_HOME=str(top / "a cache"))
    check("a cache that make can't take", "XDG_CACHE_HOME" in
          kernel("build", tree, status=2, env=blank).stderr)


def test_missing_tool():
    tools = top / "tools"
    tools.mkdir()
    for name in ("make", "gcc", "ld", "objcopy", "ar", "bison", "sh"):
        (tools / name).symlink_to(shutil.which(name))
    said = kernel("build", tree, "--name", "toolless", status=2, env=dict(ENV, PATH=str(tools))).stderr
    check("missing tools are named", "flex, bc" in said and "packages flex bc" in said, said)


def test_interrupted():
    old = core("6.99.3-fake").read_bytes()
    edit(tree / "kernel/sched/fair.c", "42", "44")
    (tree / "slow").touch()
    running = subprocess.Popen([SCHEDPROOF, "kernel", "build", tree], env=ENV,
                               stderr=subprocess.PIPE, text=True)
    while "compiling" not in running.stderr.readline():
        pass
    time.sleep(0.5)
    start = time.time()
    running.send_signal(signal.SIGINT)
    running.wait(timeout=15)
    check("ends by the signal and soon", running.returncode == -signal.SIGINT and time.time() - start < 8,
          running.returncode)
    left = subprocess.run(["pgrep", "-f", str(cache)], capture_output=True, text=True).stdout
    check("leaves no process", not left, left)
    check("the old object is as it was", core("6.99.3-fake").read_bytes() == old)
    check("and can be found", listed()["6.99.3-fake"]["stale"] == "tree changed")
    (tree / "slow").unlink()
    edit(tree / "kernel/sched/fair.c", "44", "42")
    kernel("build", tree)
    compiled()


def test_at_once():
    edit(tree / "kernel/sched/fair.c", "42", "042 + 8")
    both = [subprocess.Popen([SCHEDPROOF, "kernel", "build", tree], env=ENV,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [p.communicate(timeout=300) for p in both]
    check("two at once", [p.returncode for p in both] == [0, 0], said)
    check("one does it, one sees that it is done", compiled() == ["fair"] and
          sum("nothing has changed" in out for out, _ in said) == 1, said)


def test_dirty():
    for name in (".config", "vmlinux", "include/generated/x.h", "include/config/auto.conf"):
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("CONFIG_PSI=y\nCONFIG_HZ_250=y\nCONFIG_EXT4_FS=y\n")
    text = kernel("build", tree, "--name", "dirty").stdout
    check("options of the tree's .config are taken", f"1 as in {tree}/.config" in text, text)
    check("what came out otherwise is told", "PSI: y there, n here" in text and "EXT4" not in text, text)
    for name in (".config", "vmlinux", "include/generated", "include/config"):
        path = tree / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def git(*words):
    env = dict(ENV, GIT_CONFIG_GLOBAL="/dev/null", GIT_AUTHOR_DATE="2026-01-01T00:00:00Z",
               GIT_COMMITTER_DATE="2026-01-01T00:00:00Z")
    for name in ("GIT_DIR", "MAKEFLAGS"):
        env.pop(name, None)
    return subprocess.run(["git", "-C", str(tree), "-c", "user.name=t", "-c", "user.email=t@example.org",
                           *words], env=env, check=True, capture_output=True, text=True).stdout.strip()


def test_revisions():
    (tree / "drivers/net").mkdir(parents=True)
    (tree / "drivers/net/card.c").write_text("int card;\n")
    (tree / "drivers/net/Kconfig").write_text("")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    edit(tree / "kernel/sched/fair.c", "answer(void)", "answer(void) /* two */")
    git("commit", "--quiet", "-a", "-m", "two")
    # what is in the folder but not committed isn't in a revision
    (tree / "kernel/sched/fair.c").write_text("#error not committed\n")
    before = state_of(tree)
    compiled()
    kernel("build", tree, "--rev", "HEAD~1", "--name", "before")
    check("a revision is built", compiled() == ["build_policy", "core", "fair"])
    text = kernel("build", tree, "--rev", "HEAD", "--name", "after").stdout
    check("of the next one only what differs", compiled() == ["fair"])
    check("the repository is only read", state_of(tree) == before)
    rows = listed()
    check("both are listed with their commits", rows["before"]["rev"] == git("rev-parse", "HEAD~1") and
          rows["after"]["rev"] == git("rev-parse", "HEAD") and rows["after"]["stale"] is None, rows)
    work = list(cache.glob("schedproof/cores/.work/*/src"))
    check("drivers aren't checked out, their Kconfig is", len(work) == 1 and
          not (work[0] / "drivers/net/card.c").exists() and (work[0] / "drivers/net/Kconfig").exists())
    check("unchanged is seen", "nothing has changed" in
          kernel("build", tree, "--rev", "HEAD", "--name", "after").stdout)
    name = git("rev-parse", "--short=12", "HEAD")
    kernel("build", tree, "--rev", "HEAD")
    check("the short hash is the name", name in listed())
    check("no such revision", "nonesuch" in
          kernel("build", tree, "--rev", "nonesuch", status=2).stderr)
    check("it is named as its user does", "no commit 'nonesuch'\n" in
          kernel("build", tree, "--rev", "nonesuch^", status=2).stderr)
    check("the first commit has no parent", "has no parent here" in
          kernel("build", tree, "--rev", "HEAD~1^", status=2).stderr)
    check("no repository", "no git repository" in
          kernel("build", top, "--rev", "HEAD", status=2).stderr)


def test_core_is_loaded():
    """Through topo: what its boot logs."""
    got = subprocess.run([SCHEDPROOF, "topo", "pack:1 core:2 pu:1", "--kernel-tree", "after"], env=ENV,
                         capture_output=True, text=True, timeout=300)
    check("topo --kernel-tree", got.returncode == 0 and got.stdout == "answer 42\n", got)
    got = subprocess.run([SCHEDPROOF, "topo", "pack:1 core:2 pu:1", "--kernel-tree", "aftr"], env=ENV,
                         capture_output=True, text=True, timeout=300)
    check("a name that is nearly right", got.returncode == 2 and "did you mean 'after'?" in got.stderr, got)


def main():
    for tool in ("make", "gcc", "ld", "flex", "bison", "bc", "git"):
        if not shutil.which(tool):
            print(f"skipped: there is no {tool}")
            sys.exit(77)
    try:
        make_tree(tree)
        check("none at first", "no kernel cores yet" in kernel("list").stdout)
        for test in (test_build_and_again, test_edit, test_data, test_broken_trees, test_missing_tool,
                     test_interrupted, test_at_once, test_dirty, test_revisions, test_core_is_loaded):
            test()
    finally:
        shutil.rmtree(top)


main()
