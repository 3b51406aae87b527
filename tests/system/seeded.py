# SPDX-License-Identifier: GPL-2.0-only
"""seeded.py - faults seeded into the kernel tree that tests/kernel_cores.sh keeps as a repository and has built a core of.

A fault is a commit on top of that one, and cores go where that core is: only the file that differs is compiled. No file of the tree is
touched, and what a test has made bears its process's number and is taken away when it ends."""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
TREE = CACHE / "schedproof/trees/linux-source-6.12"
FAIR = "kernel/sched/fair.c"


def lacks():
    """Why no fault can be seeded here; None if it can."""
    for tool in ("make", "gcc", "ld", "flex", "bison", "bc", "git"):
        if not shutil.which(tool):
            return f"there is no {tool}"
    if not (TREE / ".git").exists():
        return f"there is no repository {TREE}; tests/kernel_cores.sh makes it"
    return None


def git(*words, text=None, **env):
    who = {f"GIT_{one}_{what}": "t@example.org" for one in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return subprocess.run(["git", "-C", str(TREE), *words], env={"PATH": os.environ["PATH"], "HOME": "/", **who, **env}, check=True,
                          input=text, capture_output=True, text=True).stdout.strip()


def fair():
    """Text of the file that faults are seeded into."""
    return git("show", f"HEAD:{FAIR}") + "\n"


@contextlib.contextmanager
def branch(changed):
    """The name of a branch of two commits: the tree as it is, and with @changed as its FAIR. Cores of the name, and of the two commits, are
    removed with it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # too late: what is made here is taken away all the same
    name = f"seeded-{os.getpid()}"
    with tempfile.TemporaryDirectory(prefix="schedproof-index-") as folder:
        index = {"GIT_INDEX_FILE": f"{folder}/index"}
        git("read-tree", "HEAD", **index)
        blob = git("hash-object", "-w", "--stdin", text=changed)
        git("update-index", "--cacheinfo", f"100644,{blob},{FAIR}", **index)
        tree = git("write-tree", **index)
    base = git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", f"as it is, for {name}")
    fault = git("commit-tree", tree, "-p", base, "-m", f"a fault, for {name}")
    git("update-ref", f"refs/heads/{name}", fault)
    try:
        yield name
    finally:
        git("update-ref", "-d", f"refs/heads/{name}")
        for core in (name, base[:12], fault[:12]):
            shutil.rmtree(CACHE / "schedproof/cores" / core, ignore_errors=True)


def numstat(name):
    """Lines that the fault adds and takes away."""
    return git("diff", "--numstat", f"{name}^", name).split()[:2]
