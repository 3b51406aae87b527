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


def lines_of(name, variants, points, session, runs, seed="8123", blocks=10, **plan):
    design = {"runs_per_block": 1, "margin": 0, "until": 0, "purpose": "ab", "ended": "", **plan} if plan else {}
    yield {"schema": 2 if plan else 1, "kind": "experiment", "name": name, "text": "", "fingerprint": name, "seed": seed, "blocks": blocks,
           "budget_ns": 0, "runs_per_boot": 0, "created_ns": session["started_ns"], "finished": True,
           **design, "variants": [{"name": n, "settings": s, "asks": ""} for n, s in variants],
           "points": [{"label": label, "workload": label.split()[0], "params": params, "primary": primary}
                      for label, params, primary, *_ in points]}
    yield {"schema": 1, "kind": "session", "session": 0, **session}
    yield from runs


def run_line(position, block, variant, point, at, facts, metric=None, counters=(), reason=None, status=None, samples=None):
    label, _, primary, unit, better = point
    result = {"schema": 1, "workload": label.split()[0], "status": status or ("failed" if reason else "ok"), "reason": reason,
              "metrics": [] if reason else [{"name": primary, "unit": unit, "better": better, "value": metric}],
              "counters": [{"name": n, "unit": u, "value": v, "counted": 1} for n, u, v in counters]}
    if samples:
        result.update(schema=2, histograms=[{"name": "loop", "unit": "ns", "better": "lower", "samples": histogram(samples)}],
                      notes=[])
    return {"schema": 1, "kind": "run", "session": 0, "block": block, "position": position, "variant": variant,
            "point": label, "warmup": False, "started_ns": at, "load": 0.1, "facts": facts, "result": result}


def histogram(samples):
    """As src/base/histogram.h writes it; values below 1024, each of which has a bucket of its own."""
    low, high = min(samples), max(samples)
    counts = [0] * (high - low + 1)
    for value in samples:
        counts[value - low] += 1
    buckets, i = [], 0
    while i < len(counts):
        same = 1
        while i + same < len(counts) and counts[i + same] == counts[i]:
            same += 1
        if counts[i] == 0:
            buckets.append(f"+{same}")
        else:
            buckets.append(f"{counts[i]}*{same}" if same > 1 else f"{counts[i]}")
        i += same
    return f"9;{len(samples)};{low};{high};{sum(samples)};{','.join(buckets)}"


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


def experiment(name, variants, points, made, figure, each=1, facts=(FACTS, FACTS, FACTS), **plan):
    """@made blocks of @each runs of each variant in turns; @figure(block, run, variant, point) is what run_line() takes."""
    def runs():
        position = 0
        for block in range(made):
            for p, point in enumerate(points):
                for k in range(each * len(variants)):
                    v = (block + p + k) % len(variants)
                    yield run_line(position, block, variants[v][0], point, BEGUN + position * SECOND, facts[v],
                                   **figure(block, k // len(variants), v, p))
                    position += 1

    session = {"boot_id": "b1", "started_ns": BEGUN, "notes": "", "facts": FACTS}
    write(name + ".jsonl", lines_of(name, variants, points, session, runs(), blocks=plan.pop("blocks", made),
                                    runs_per_block=each, **plan))


def step(block, run, variant, point):
    return 1 + STEPS[(7 * block + 4 * run + 3 * variant + point) % 10]


def three_way():
    """What reverting a newidle commit gives and takes: better for one load, worse for the other."""
    points = [("schbench", "threads=16\n", "rps", "per_second", "higher"), ("specjbb", "groups=4\n", "ops", "per_second", "higher")]
    centres = ((2.22e6, 2.04e6, 2.18e6), (94000, 100000, 99000))
    experiment("threeway", [("base", ""), ("revert", ""), ("revert-random", "")], points, 12,
               lambda block, run, v, p: {"metric": centres[p][v] * step(block, run, v, p)})


def until():
    """A sequential experiment: one row is found to change, the other is known not to."""
    points = [HACKBENCH[1], PIPE]
    centres = ((1.5 * SECOND, 1.38 * SECOND), (200000.0, 200100.0))
    experiment("until", [("base", ""), ("slice", "slice = 3ms")], points, UNTIL_BLOCKS,
               lambda block, run, v, p: {"metric": centres[p][v] * step(block, run, v, p)}, each=2, blocks=25, until=0.02,
               ended="hackbench groups=4 time: a change of -7.9% is known; pipe rate: it is known to change by less than 2%")


def hang():
    """B hangs in a third of its runs: that is the verdict."""
    hung = {"status": "hang", "reason": "killed after 60 s: 37 tasks asleep"}
    experiment("hang", [("v6.16", ""), ("v6.17", "")], [HACKBENCH[2]], 10,
               lambda block, run, v, p: hung if v and (2 * block + run) % 3 == 1 else {"metric": 6e9 * step(block, run, v, p)},
               each=2)


def features():
    """The sides differ in scheduler features, which nobody asked for."""
    facts = [dict(FACTS, **{"sched.features": f}) for f in ("16347631", "32695263")]
    experiment("features", [("parent", ""), ("commit", "")], [PIPE], 10,
               lambda block, run, v, p: {"metric": (623219, 541887)[v] * step(block, run, v, p)}, facts=facts)


def tails():
    """Nine of ten round trips are as before, the tenth takes half as long again."""
    def samples(block, v):
        typical = [500 + (3 * block + 2 * v) % 7 + i % 50 for i in range(1800)]
        return typical + [(900 if v else 600) + 3 * block + i % 50 for i in range(200)]

    point = ("pipe", "loops=2000\n", "loop", "ns", "lower")
    experiment("tails", [("base", ""), ("batch", "policy = batch")], [point], 10,
               lambda block, run, v, p: {"metric": 530 * step(block, run, v, p), "samples": samples(block + run, v)})


UNTIL_BLOCKS = 5

sweep()
three_way()
until()
hang()
features()
tails()
alone("old", BEGUN, 1, "performance")
alone("new", BEGUN + 3600 * SECOND, 1.05, "schedutil")
