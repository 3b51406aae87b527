#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Makes the results of this folder, which the golden tests of the report formats read.

Each figure is its centre times 1 + a step of STEPS, so that the verdicts follow from the centres:
a change of 5 % is far beyond the steps, one of 0.1 % far within them.
"""
import json
import pathlib

HERE = pathlib.Path(__file__).parent
STEPS = (0.001, -0.007, 0.005, -0.003, 0.009, -0.009, 0.003, -0.005, 0.007, -0.001)
BEGUN = 1796071020000000000  # 2026-11-30 20:37 UTC
SECOND = 10**9
FACTS = {"cpu.model": "Some CPU @ 2.00GHz", "cpu.topology": "8 CPUs: 1 socket x 4 cores x 2 threads", "mem.total": "16 GiB",
         "cpu.governor": "performance"}


def lines_of(name, variants, points, session, runs, seed="8123", blocks=10):
    yield {"schema": 1, "kind": "experiment", "name": name, "text": "", "fingerprint": name, "seed": seed, "blocks": blocks,
           "budget_ns": 0, "runs_per_boot": 0, "created_ns": session["started_ns"], "finished": True,
           "variants": [{"name": n, "settings": s, "asks": ""} for n, s in variants],
           "points": [{"label": label, "workload": label.split()[0], "params": params, "primary": primary}
                      for label, params, primary, *_ in points]}
    yield {"schema": 1, "kind": "session", "session": 0, **session}
    yield from runs


def run_line(position, block, variant, point, at, facts, metric=None, counters=(), reason=None):
    label, _, primary, unit, better = point
    result = {"schema": 1, "workload": label.split()[0], "status": "failed" if reason else "ok", "reason": reason,
              "metrics": [] if reason else [{"name": primary, "unit": unit, "better": better, "value": metric}],
              "counters": [{"name": n, "unit": u, "value": v, "counted": 1} for n, u, v in counters]}
    return {"schema": 1, "kind": "run", "session": 0, "block": block, "position": position, "variant": variant,
            "point": label, "warmup": False, "started_ns": at, "load": 0.1, "facts": facts, "result": result}


def write(path, lines):
    with open(HERE / path, "w", encoding="utf-8") as f:
        for line in lines:
            f.write(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n")


HACKBENCH = [(f"hackbench groups={g}", f"groups={g}\nloops=100\n", "time", "ns", "lower") for g in (1, 4, 16)]
PIPE = ("pipe", "loops=100000\n", "rate", "per_second", "higher")


def sweep():
    """Three variants over a sweep and a rate: improved, regressed, inconclusive, no conclusion, failed runs."""
    variants = [("6.12.0-rc3-vanilla", ""), ("6.12.0-rc3-sched-v2", "features = NO_TTWU_QUEUE"),
                ("6.12.0-rc3-sched-v2-slice", "features = NO_TTWU_QUEUE\nslice = 3ms")]
    points = HACKBENCH + [PIPE]
    # what B is of A, by point and variant
    ratios = {("hackbench groups=1", 1): 0.95, ("hackbench groups=1", 2): 1.04,
              ("hackbench groups=4", 1): 1.001, ("hackbench groups=4", 2): 0.999,
              ("hackbench groups=16", 1): 0.92, ("hackbench groups=16", 2): 1.0,
              ("pipe", 1): 1.06, ("pipe", 2): 0.90}
    centres = {"hackbench groups=1": 0.4 * SECOND, "hackbench groups=4": 1.5 * SECOND, "hackbench groups=16": 6.0 * SECOND,
               "pipe": 200000.0}

    def runs():
        position = 0
        for block in range(10):
            for p, point in enumerate(points):
                for v in ((block + p) % 3, (block + p + 1) % 3, (block + p + 2) % 3):
                    step = STEPS[(block + 3 * v + p) % 10]
                    value = centres[point[0]] * (ratios[point[0], v] if v else 1) * (1 + step)
                    counters = [("wall", "ns", 1.1 * value), ("context-switches", "count", 16000 - 4000 * (v == 1) + block)]
                    failed = point[0] == "hackbench groups=16" and v == 2 and block in (1, 4, 8)
                    yield run_line(position, block, variants[v][0], point, BEGUN + position * SECOND, FACTS, value,
                                   [] if failed or point is PIPE else counters,
                                   "killed after 60 s" if failed else None)
                    position += 1

    session = {"boot_id": "b1", "started_ns": BEGUN, "notes": "no hardware counters here: the hypervisor has no PMU",
               "facts": dict(FACTS, **{"kernel.release": "6.12.0-rc3"})}
    write("sweep.jsonl", lines_of("sweep", variants, points, session, runs()))


def alone(name, start, ratio, governor):
    """One variant by itself."""
    points = [HACKBENCH[0], PIPE]
    facts = dict(FACTS, **{"cpu.governor": governor})

    def runs():
        for block in range(10):
            for p, point in enumerate(points):
                position = 2 * block + p
                value = (0.4 * SECOND if p == 0 else 200000.0) * (ratio if p == 0 else 1) * (1 + STEPS[(block + p) % 10])
                yield run_line(position, block, name, point, start + position * SECOND, facts, value)

    session = {"boot_id": "b1", "started_ns": start, "notes": "", "facts": facts}
    write(name + ".jsonl", lines_of(name, [(name, "")], points, session, runs()))


sweep()
alone("old", BEGUN, 1, "performance")
alone("new", BEGUN + 3600 * SECOND, 1.05, "schedutil")
