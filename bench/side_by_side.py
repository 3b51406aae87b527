#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Workloads on this machine beside the same simulated with what schedproof calibrate wrote of it.

side_by_side.py SCHEDPROOF measure FILE [-n RUNS] [-k PATTERN]      run them here, and note the figures in FILE
side_by_side.py SCHEDPROOF compare FILE MACHINE CORE ... [-n RUNS] [-k PATTERN] [--markdown]   simulate them, and print both

MACHINE has its costs beside it. A case that fails here or there is a line that says so. --markdown: the rows of the table in doc/SIMULATOR.md, with
two columns for each CORE. The parameters are the same; medians of RUNS (9) runs, half the range of their middle half in percent,
and simulated by real are printed. PATTERN: only cases with it in their name. On a busy machine what is measured is of no use: the share
of the CPUs' time that other programs had goes to FILE, and is printed as well.
"""
import argparse
import json
import os
import re
import resource
import statistics
import subprocess

GROUPS = (1, 2, 4, 8, 16)
SERIES = ["wakeup-p50", "wakeup-p99", "request-p50", "request-p99", "rps"]
LATE = ["time", "late-p50", "late-p99"]


def hackbench(name, options):
    return [("hackbench", [f"groups={n}", *options], ["time"], name, f"{n} groups" if n > 1 else "1 group") for n in GROUPS]


def tasks(n, what):
    return f"{n} {what}s" if n > 1 else f"1 {what}"


# workload, its options, metrics, and as a row of the table: what it is, and which of these
CASES = [
    *hackbench("hackbench, sockets, processes", []),
    *hackbench("hackbench, pipes, processes", ["transport=pipe", "mode=process"]),
    *hackbench("hackbench, pipes, threads", ["transport=pipe", "mode=thread"]),
    ("pipe", ["loops=20000", "cpus=0"], ["loop-p50"], "pipe, one CPU", "processes"),
    ("pipe", ["loops=20000", "cpus=0", "mode=thread"], ["loop-p50"], "pipe, one CPU", "threads"),
    ("pipe", ["loops=20000", "cpus=llc"], ["loop-p50"], "pipe", "two CPUs of an LLC"),
    ("pipe", ["loops=20000", "cpus=node"], ["loop-p50"], "pipe", "two CPUs of no common cache"),
    ("pipe", ["loops=20000"], ["loop-p50"], "pipe", "free"),
    *[("schbench", ["runtime=2s", f"threads={n}"], SERIES, "schbench", tasks(n, "thread")) for n in GROUPS],
    *[("cpuload", [f"tasks={n}", "ops=1000"], ["time"], "cpuload", tasks(n, "task")) for n in (1, 2, 3, 4, 8, 16)],
    *[
        ("cpuload", [f"tasks={n}", "ops=1000", "load=40"], LATE, "cpuload, load 40 %", tasks(n, "task"))
        for n in (1, 2, 4)
    ],
]


def runs(schedproof, workload, options, more, repeat):
    """Lists of the values of each metric and counter; a word why there are none."""
    command = [schedproof, "run", workload, *options, "--json", "--all", "--repeat", str(repeat), *more]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        words = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        return {}, re.sub(r"^schedproof: (run \d+: )?(failed: )?", "", words[0])
    values = {}
    for line in done.stdout.splitlines():
        run = json.loads(line)
        for value in run["metrics"] + run.get("counters", []):
            values.setdefault(value["name"], []).append(value["value"])
    return values, None


def machine_ticks():
    """Of all CPUs: busy, all."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(x) for x in file.readline().split()[1:9]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def own_ticks():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (usage.ru_utime + usage.ru_stime) * os.sysconf("SC_CLK_TCK")


def cases(pattern):
    for case in CASES:
        label = " ".join([case[0], *case[1]])
        if pattern in label:
            yield label, case


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def measure(args):
    for label, (workload, options, metrics, *_) in cases(args.pattern):
        busy, total = machine_ticks()
        own = own_ticks()
        values, failed = runs(args.schedproof, workload, options, ["--counters", "none"], args.runs)
        busy, total = machine_ticks()[0] - busy, machine_ticks()[1] - total
        others = max(0, busy - (own_ticks() - own)) / total if total else 0
        figures = load(args.file)
        if failed:
            figures[label] = {"failed": failed}
        else:
            figures[label] = {"others": others, **{name: values[name] for name in metrics}}
        with open(args.file, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)
        print(f"{label}: {failed or f'others {100 * others:.0f} %'}", flush=True)


def middle(values):
    """Median, and half the range of the middle half in percent of it."""
    mid = statistics.median(values)
    low, high = statistics.quantiles(values, n=4)[::2] if len(values) > 1 else (mid, mid)
    return mid, 50 * (high - low) / mid if mid else 0


def human(name, value):
    """As the table has it: three digits, and a unit."""
    if name == "rps":
        return f"{value:.0f}"
    for unit, ns in (("s", 1e10), ("ms", 1e6), ("us", 1e3)):
        if value >= ns:
            value /= 1e9 if unit == "s" else ns
            return f"{value:.{max(0, 3 - len(str(int(value))))}f} {unit}"
    return f"{value:.0f} ns"


def ratio(real, sim):
    return f"{sim / real:.2f}" if real else "-"


def plain_rows(label, metrics, real, sims):
    """A line a metric and core; one for what failed."""
    for core, (sim, failed) in sims.items():
        if failed or "failed" in real:
            print(f"{label:58}{'real: ' + real.get('failed', 'done')}; {core}: {failed or 'done'}", flush=True)
            continue
        for name in metrics:
            (a, da), (b, db) = middle(real[name]), middle(sim[name])
            others = 100 * real["others"]
            print(f"{label + ' ' + name:58}{a:12.0f}{da:6.1f}{b:14.0f}{db:6.1f}{ratio(a, b):>8}{others:6.0f} %  {core}", flush=True)


def markdown_rows(first, which, metrics, real, sims):
    """A row a metric; none for what is neither here nor there."""
    if "failed" in real and all(failed for _, failed in sims.values()):
        return
    for name in metrics:
        a, da = middle(real[name]) if name in real else (0, 0)
        cells = [f"{human(name, a)} (+-{da:.0f} %)" if name in real else "failed"]
        for sim, failed in sims.values():
            b = 0 if failed else middle(sim[name])[0]
            cells += ["failed", "-"] if failed else [human(name, b), ratio(a, b)]
        print("| " + " | ".join([f"{first}, {which}" + ("" if name == "time" else f", {name}"), *cells]) + " |", flush=True)


def compare(args):
    measured = load(args.file)
    if args.markdown:
        heads = ["", "measured", *[word for core in args.cores for word in (core, "ratio")]]
        print("| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
    else:
        print(f"{'':58}{'real':>12}   +-%{'simulated':>14}   +-%   ratio  others  core")
    for label, (workload, options, metrics, first, which) in cases(args.pattern):
        if label not in measured:
            continue
        sims = {
            core: runs(args.schedproof, workload, options, ["--machine", args.machine, "--core", core], args.runs)
            for core in args.cores
        }
        if args.markdown:
            markdown_rows(first, which, metrics, measured[label], sims)
        else:
            plain_rows(label, metrics, measured[label], sims)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("schedproof")
    what = parser.add_subparsers(required=True)
    one = what.add_parser("measure", usage=__doc__)
    one.set_defaults(do=measure)
    two = what.add_parser("compare", usage=__doc__)
    two.set_defaults(do=compare)
    for sub in (one, two):
        sub.add_argument("file")
        if sub is two:
            sub.add_argument("machine")
            sub.add_argument("cores", nargs="+", metavar="core")
            sub.add_argument("--markdown", action="store_true")
        sub.add_argument("-n", dest="runs", type=int, default=9)
        sub.add_argument("-k", dest="pattern", default="")
    args = parser.parse_args()
    args.do(args)


if __name__ == "__main__":
    main()
