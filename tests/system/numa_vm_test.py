#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The workload numa on real kernels with several NUMA nodes, in QEMU: pages, placement and the kernel's counters come out right.
Usage: numa_vm_test.py WORKER
Needs qemu-system-x86_64, busybox (static), cpio and a kernel image (tests/vm_kernel.sh); else it is skipped with the reason.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
VM_KERNEL = os.path.join(HERE, "..", "vm_kernel.sh")
BOOT_TIMEOUT_S = 400
failed = False


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def check(ok, what):
    global failed
    if not ok:
        failed = True
    print(("ok: " if ok else "FAILED: ") + what)


# Does this ELF64 file have a program header of type PT_INTERP (3)?
def wants_loader(program):
    with open(program, "rb") as f:
        data = f.read()
    offset, = struct.unpack_from("<Q", data, 32)
    size, number = struct.unpack_from("<HH", data, 54)
    return any(struct.unpack_from("<I", data, offset + i * size)[0] == 3 for i in range(number))


def find_needs(worker):
    for program, package in (("qemu-system-x86_64", "qemu-system-x86"), ("busybox", "busybox-static"), ("cpio", "cpio")):
        if not shutil.which(program):
            skip("%s is missing (Debian package %s)" % (program, package))
    for program in (worker, shutil.which("busybox")):
        if wants_loader(program):
            skip("%s is no static program" % program)
    found = subprocess.run([VM_KERNEL, "find"], stdout=subprocess.PIPE, text=True)
    if found.returncode:
        skip("no kernel image; tests/vm_kernel.sh get fetches Debian's")
    return found.stdout.strip()


def make_initrd(folder, worker, script):
    root = os.path.join(folder, "root")
    shutil.rmtree(root, ignore_errors=True)
    for name in ("bin", "proc", "sys", "dev"):
        os.makedirs(os.path.join(root, name))
    shutil.copy(worker, os.path.join(root, "bin", "worker"))
    shutil.copy(shutil.which("busybox"), os.path.join(root, "bin", "busybox"))
    with open(os.path.join(root, "init"), "w") as f:
        f.write("#!/bin/busybox sh\n"
                "PATH=/bin; export PATH\n"
                "busybox mount -t proc proc /proc; busybox mount -t sysfs sysfs /sys; busybox mount -t devtmpfs dev /dev\n"
                "exec >/dev/ttyS1 2>&1\n" + script + "echo END\nbusybox poweroff -f\n")
    os.chmod(f.name, 0o755)
    image = os.path.join(folder, "initrd")
    names = subprocess.run(["find", "."], cwd=root, stdout=subprocess.PIPE, check=True).stdout
    with open(image, "wb") as f:
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], cwd=root, input=names, stdout=f, check=True)
    return image


# boot() - nodes: (CPUs, MiB) of each. Return: the lines of the script between "CASE name" and the next.
def boot(kernel, folder, initrd, nodes):
    out = os.path.join(folder, "out")
    command = ["qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=single", "-cpu", "Icelake-Server", "-nodefaults",
               "-no-user-config", "-display", "none", "-no-reboot", "-serial", "file:" + os.path.join(folder, "console"),
               "-serial", "file:" + out, "-kernel", kernel, "-initrd", initrd, "-append",
               subprocess.check_output([VM_KERNEL, "words"], text=True).strip(),
               "-smp", str(sum(cpus for cpus, _ in nodes)), "-m", str(sum(mib for _, mib in nodes))]
    cpu = 0
    for i, (cpus, mib) in enumerate(nodes):
        command += ["-object", "memory-backend-ram,id=m%d,size=%dM" % (i, mib)]
        node = "node,nodeid=%d,memdev=m%d" % (i, i)
        command += ["-numa", node + (",cpus=%d-%d" % (cpu, cpu + cpus - 1) if cpus else "")]
        cpu += cpus
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=BOOT_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        pass
    with open(out, errors="replace") as f:
        text = f.read().replace("\r", "")
    if "\nEND\n" not in text:
        with open(os.path.join(folder, "console"), errors="replace") as f:
            print("the VM did not end its script; its console:\n" + f.read()[-2000:] + "\nits output:\n" + text[-2000:])
    cases = {}
    for part in re.split(r"^CASE ", text, flags=re.M)[1:]:
        name, _, rest = part.partition("\n")
        cases[name] = rest
    return cases


class Run:
    def __init__(self, cases, name):
        self.name = name
        lines = [line for line in cases.get(name, "").split("\n") if line.startswith("{")]
        self.result = json.loads(lines[0]) if lines else {"status": "no result", "metrics": [], "counters": [], "notes": []}
        self.figures = {f["name"]: f["value"] for f in self.result["metrics"] + self.result["counters"]}
        self.notes = {n["name"]: n["text"] for n in self.result["notes"]}

    def ok(self):
        check(self.result["status"] == "ok", "%s: %s %s" % (self.name, self.result["status"], self.result.get("reason")))
        return self

    def figure(self, name, low, high=None):
        value = self.figures.get(name)
        high = low if high is None else high
        check(value is not None and low <= value <= high, "%s: %s = %s in %s .. %s" % (self.name, name, value, low, high))
        return self

    def note(self, name, pattern):
        text = self.notes.get(name, "")
        check(re.search(pattern, text), "%s: note %s: '%s' has '%s'" % (self.name, name, text, pattern))
        return self


def case(name, args, before=""):
    return "echo CASE %s\n%sworker numa %s\n" % (name, before, args)


VMSTAT = "busybox grep -E '^numa_(pte_updates|hint_faults|pages_migrated) ' /proc/vmstat\n"
FAR = "test=numa01 processes=1 threads=1 first=1 size=8MiB rounds=100000 sample=500ms thp=never "


def of_node(counts):
    return ", ".join("%s %% node %d" % (share, node) for node, share in counts)


def everywhere(*processes):
    return "^" + "; ".join("process %d: tasks %s, pages %s" % (i, of_node(tasks), of_node(pages))
                           for i, (tasks, pages) in enumerate(processes)) + "$"


ALL0, ALL1, HALVES = [(0, "100.0")], [(1, "100.0")], [(0, "50.0"), (1, "50.0")]


# Two nodes of two CPUs, and one that has memory only, as CXL memory is.
def test_two_nodes(kernel, folder, worker):
    small = "size=4MiB rounds=2 sample=0 "
    script = ("echo 0 >/proc/sys/kernel/numa_balancing\n" + case("hard", small + "bind=hard") + case("inverse", small + "bind=inverse") +
              case("local-hard", small + "test=numa01-thread-local threads=2 bind=hard") +
              case("numa02-hard", small + "test=numa02 bind=hard") +
              case("numa02-inverse", small + "test=numa02 bind=inverse") +
              case("perf03-hard", small + "test=perf-numa03 bind=hard") +
              case("perf02-inverse", "test=perf-numa02 thread-size=2MiB rounds=2 bind=inverse") +
              case("same", small + "first=1") + case("memory-only", small + "first=2") + case("none", small + "first=3") +
              case("global", "test=perf global-size=4MiB threads=2 rounds=2 first=1") +
              case("huge", small + "bind=hard thp=always") +
              case("no-huge", small + "bind=hard thp=never") + case("unbalanced", FAR + "limit=3s", "busybox taskset 1 ") +
              "echo 1 >/proc/sys/kernel/numa_balancing\necho CASE before\n" + VMSTAT + case("balanced", FAR + "limit=7s", "busybox taskset 1 ") +
              "echo CASE after\n" + VMSTAT)
    cases = boot(kernel, folder, make_initrd(folder, worker, script), [(2, 256), (2, 256), (0, 128)])
    hard = Run(cases, "hard").ok().figure("local", 100).figure("local-end", 100).figure("nodes", 3).figure("cpus", 4)
    hard.note("placement", everywhere((ALL0, ALL0), (ALL1, ALL1))).figure("processes", 2).figure("threads", 2)
    hard.note("nodes", "^3 nodes: 0 with CPUs 0-1, 1 with CPUs 2-3, 2 without CPUs$")
    Run(cases, "inverse").ok().figure("local-end", 0).note("placement", everywhere((ALL0, ALL1), (ALL1, ALL0)))
    Run(cases, "local-hard").ok().figure("local-end", 100).note("placement", everywhere((ALL0, ALL0), (ALL1, ALL1)))
    Run(cases, "numa02-hard").ok().figure("local-end", 100).note("placement", everywhere((HALVES, HALVES)))
    Run(cases, "numa02-inverse").ok().figure("local-end", 0).note("placement", everywhere((HALVES, HALVES)))
    Run(cases, "perf03-hard").ok().figure("local-end", 50).note("placement", everywhere((HALVES, HALVES)))
    Run(cases, "perf02-inverse").ok().figure("local-end", 0).note("placement", everywhere((HALVES, HALVES)))
    Run(cases, "same").ok().note("placement", "pages 100.0 % node 1; .*pages 100.0 % node 1$")
    Run(cases, "memory-only").ok().figure("local-end", 0).note("placement", "pages 100.0 % node 2; .*pages 100.0 % node 2$")
    # two processes of 4 MiB are 2048 pages: all of them were wanted there and taken there
    Run(cases, "no-huge").ok().figure("numa-hit", 2048, 4096).figure("numa-miss", 0)
    Run(cases, "global").ok().note("placement", "pages 100.0 % node 1$")
    Run(cases, "huge").ok().figure("local-end", 100).note("placement", everywhere((ALL0, ALL0), (ALL1, ALL1)))
    none = Run(cases, "none")
    check("there is no node 3" in str(none.result.get("reason")), "none: " + str(none.result.get("reason")))
    balanced = Run(cases, "balanced").ok().figure("local-end", 90, 100).figure("local", 5, 99).figure("converged", 0, 1e9)
    balanced.figure("pages-migrated", 0.9 * 2048, 1.5 * 2048).figure("pte-updates", 2048, 1e9)
    balanced.note("placement", r"pages (100|9\d)\.\d % node 0").note("pages-over-time", r"^[\d.]+ s: local 0 %, nodes 0/100/0 %; ")
    balanced.note("balancing", "= 1$").note("nodes", "^3 nodes: 0 with CPUs 0, 1 without CPUs, 2 without CPUs$")
    # its one task is on node 0: what is local is what numa_maps says of that node
    points = re.findall(r"local (\d+) %, nodes (\d+)/", balanced.notes.get("pages-over-time", ""))
    check(points and all(local == share for local, share in points), "balanced: local and the pages of node 0: %s" % points)
    compare_vmstat(cases, balanced)
    unbalanced = Run(cases, "unbalanced").ok().figure("local", 0).figure("local-end", 0).figure("pages-migrated", 0)
    unbalanced.figure("pte-updates", 0).figure("hint-faults", 0).note("placement", "pages 100.0 % node 1$")
    unbalanced.note("balancing", "= 0$")


# What the worker says is at most what grew between two looks from outside, and nearly all of it.
def compare_vmstat(cases, run):
    before, after = ({words[0]: int(words[1]) for words in (line.split() for line in cases.get(name, "").split("\n"))
                      if len(words) == 2 and words[1].isdigit()} for name in ("before", "after"))
    for key, name in (("numa_pte_updates", "pte-updates"), ("numa_hint_faults", "hint-faults"),
                      ("numa_pages_migrated", "pages-migrated")):
        grown = after.get(key, 0) - before.get(key, 0)
        run.figure(name, 0.8 * grown, grown)
        check(grown > 0, "%s grew by %d" % (key, grown))


# Four nodes of a CPU each: tests that go by nodes, and parts of more than one node.
def test_four_nodes(kernel, folder, worker):
    small = "size=2MiB rounds=2 sample=0 "
    script = (case("perf04-hard", small + "test=perf-numa04 bind=hard") +
              case("perf04-inverse", small + "test=perf-numa04 bind=inverse") +
              case("perf05-hard", small + "test=perf-numa05 bind=hard") +
              case("numa01-hard", small + "bind=hard") + case("numa01-inverse", small + "bind=inverse"))
    cases = boot(kernel, folder, make_initrd(folder, worker, script), [(1, 128)] * 4)
    nodes = [[(i, "100.0")] for i in range(4)]
    Run(cases, "perf04-hard").ok().figure("local-end", 100).figure("processes", 4).figure("threads", 1).note(
        "placement", everywhere(*((node, node) for node in nodes)))
    Run(cases, "perf04-inverse").ok().figure("local-end", 0).note(
        "placement", everywhere(*((nodes[i], nodes[(i + 2) % 4]) for i in range(4))))
    Run(cases, "perf05-hard").ok().figure("local-end", 100).figure("processes", 8).note(
        "placement", everywhere(*((nodes[i // 2], nodes[i // 2]) for i in range(8))))
    half = Run(cases, "numa01-hard").ok()
    half.note("placement", "^process 0: tasks [^;]* node [01], pages [^;]* node [01]; process 1: [^;]* node [23], pages [^;]* node [23]$")
    check(not re.search(r"process 0:[^;]* node [23]", half.notes.get("placement", "")), "numa01-hard: process 0 keeps to its half")
    Run(cases, "numa01-inverse").ok().figure("local-end", 0)


def main():
    worker = sys.argv[1]
    kernel = find_needs(worker)
    with tempfile.TemporaryDirectory() as folder:
        test_two_nodes(kernel, folder, worker)
        test_four_nodes(kernel, folder, worker)
    sys.exit(1 if failed else 0)


main()
