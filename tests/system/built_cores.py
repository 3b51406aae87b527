# SPDX-License-Identifier: GPL-2.0-only
"""Kernel cores that are built here and whose agreement with the model doc/AGREEMENT.md claims."""
import json
import subprocess

CLAIMED = ("6.1.", "6.12.")


def claimed(schedproof):
    """Names by release of those that can be loaded, one a release; those that tests build are preferred."""
    got = subprocess.run([schedproof, "kernel", "list", "--json"], capture_output=True, text=True,
                         timeout=300)
    rows = [json.loads(line) for line in got.stdout.splitlines()]
    # made with this kit: what an older one did wrong is no matter of the model's
    rows = [row for row in rows if row["stale"] in (None, "tree changed", "tree is gone")]
    for row in rows:
        if not row["release"].startswith(CLAIMED):
            print(f"{row['name']}: skipped: agreement with {row['release']} isn't claimed")
    rows = [row for row in rows if row["release"].startswith(CLAIMED)]
    return {row["release"]: row["name"]
            for row in sorted(rows, key=lambda row: row["name"].startswith("debian-"))}
