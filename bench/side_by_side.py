#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Workloads on this machine beside the same simulated with what schedproof calibrate wrote of it.

side_by_side.py SCHEDPROOF MACHINE CORE [REPEAT]

MACHINE has its costs beside it. Real and simulated runs are of the same parameters; the medians of REPEAT (5) runs and
simulated by real are printed. On a busy machine the real ones are of no use.
"""
import json
import statistics
import subprocess
import sys

CASES = (
    [("hackbench", [f"groups={n}", "loops=100"], ["time"]) for n in (1, 2, 4, 8, 16)]
    + [
        ("pipe", ["loops=20000", "cpus=0"], ["loop"]),
        ("pipe", ["loops=20000"], ["loop"]),
        ("schbench", ["runtime=5s"], ["wakeup-p50", "wakeup-p99", "request-p50", "rps"]),
        ("cpuload", ["tasks=2", "ops=100"], None),
    ]
)


def runs(schedproof, workload, options, more, repeat):
    """Lists of the values of each metric."""
    command = [schedproof, "run", workload, *options, "--json", "--repeat", str(repeat), *more]
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    values = {}
    for line in out.splitlines():
        for metric in json.loads(line)["metrics"]:
            values.setdefault(metric["name"], []).append(metric["value"])
    return values


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    schedproof, machine, core = sys.argv[1:4]
    repeat = int(sys.argv[4]) if len(sys.argv) == 5 else 5
    simulated = ["--machine", machine, "--core", core]
    print(f"{'':44}{'real':>14}{'simulated':>14}{'ratio':>8}")
    for workload, options, metrics in CASES:
        real = runs(schedproof, workload, options, [], repeat)
        sim = runs(schedproof, workload, options, simulated, repeat)
        for name in metrics or list(real)[:1]:
            a, b = statistics.median(real[name]), statistics.median(sim[name])
            label = " ".join([workload, *options, name])
            print(f"{label:44}{a:14.0f}{b:14.0f}{b / a if a else float('nan'):8.2f}", flush=True)


if __name__ == "__main__":
    main()
