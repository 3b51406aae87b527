#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Workloads on this machine beside the same simulated with what schedproof calibrate wrote of it.

side_by_side.py SCHEDPROOF measure FILE [-n RUNS] [-k PATTERN]      run them here, and note the figures in FILE
side_by_side.py SCHEDPROOF compare FILE MACHINE CORE [-n RUNS] [-k PATTERN]   simulate them, and print both

MACHINE has its costs beside it. The parameters are the same; medians of RUNS (9) runs, half the range of their middle half in percent,
and simulated by real are printed. PATTERN: only cases with it in their name. On a busy machine what is measured is of no use: the share
of the CPUs' time that other programs had goes to FILE, and is printed as well.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess

GROUPS = (1, 2, 4, 8, 16)
CASES = [
    *[("hackbench", [f"groups={n}"], ["time"]) for n in GROUPS],
    *[
        ("hackbench", [f"groups={n}", "transport=pipe", f"mode={mode}"], ["time"])
        for mode in ("process", "thread")
        for n in GROUPS
    ],
    ("pipe", ["loops=20000", "cpus=0"], ["loop-p50"]),
    ("pipe", ["loops=20000", "cpus=0", "mode=thread"], ["loop-p50"]),
    ("pipe", ["loops=20000", "cpus=llc"], ["loop-p50"]),
    ("pipe", ["loops=20000"], ["loop-p50"]),
    *[
        ("schbench", ["runtime=2s", f"threads={n}"], ["wakeup-p50", "wakeup-p99", "request-p50", "request-p99", "rps"])
        for n in (1, 2, 4, 8, 16)
    ],
    *[("cpuload", [f"tasks={n}", "ops=1000"], ["time"]) for n in (1, 2, 3, 4, 8, 16)],
    *[("cpuload", [f"tasks={n}", "ops=1000", "load=40"], ["time", "late-p50", "late-p99"]) for n in (1, 2, 4)],
]


def runs(schedproof, workload, options, more, repeat):
    """Lists of the values of each metric and counter."""
    command = [schedproof, "run", workload, *options, "--json", "--all", "--repeat", str(repeat), *more]
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    values = {}
    for line in out.splitlines():
        run = json.loads(line)
        for value in run["metrics"] + run.get("counters", []):
            values.setdefault(value["name"], []).append(value["value"])
    return values


def machine_ticks():
    """Of all CPUs: busy, all."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(x) for x in file.readline().split()[1:9]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def own_ticks():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (usage.ru_utime + usage.ru_stime) * os.sysconf("SC_CLK_TCK")


def cases(pattern):
    for workload, options, metrics in CASES:
        label = " ".join([workload, *options])
        if pattern in label:
            yield label, workload, options, metrics


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def measure(args):
    for label, workload, options, metrics in cases(args.pattern):
        busy, total = machine_ticks()
        own = own_ticks()
        values = runs(args.schedproof, workload, options, ["--counters", "none"], args.runs)
        busy, total = machine_ticks()[0] - busy, machine_ticks()[1] - total
        others = max(0, busy - (own_ticks() - own)) / total if total else 0
        figures = load(args.file)
        figures[label] = {"others": others, **{name: values[name] for name in metrics}}
        with open(args.file, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)
        print(f"{label}: others {100 * others:.0f} %", flush=True)


def middle(values):
    """Median, and half the range of the middle half in percent of it."""
    mid = statistics.median(values)
    low, high = statistics.quantiles(values, n=4)[::2] if len(values) > 1 else (mid, mid)
    return mid, 50 * (high - low) / mid if mid else 0


def compare(args):
    measured = load(args.file)
    print(f"{'':58}{'real':>12}   +-%{'simulated':>14}   +-%   ratio  others")
    for label, workload, options, metrics in cases(args.pattern):
        if label not in measured:
            continue
        real = measured[label]
        more = ["--machine", args.machine, "--core", args.core]
        sim = runs(args.schedproof, workload, options, more, args.runs)
        for name in metrics:
            (a, da), (b, db) = middle(real[name]), middle(sim[name])
            ratio = f"{b / a:7.2f}" if a else "      -"
            print(
                f"{label + ' ' + name:58}{a:12.0f}{da:6.1f}{b:14.0f}{db:6.1f}{ratio:>8}{100 * real['others']:6.0f} %",
                flush=True,
            )


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
            sub.add_argument("core")
        sub.add_argument("-n", dest="runs", type=int, default=9)
        sub.add_argument("-k", dest="pattern", default="")
    args = parser.parse_args()
    args.do(args)


if __name__ == "__main__":
    main()
