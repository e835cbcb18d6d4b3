# SPDX-License-Identifier: BSD-2-Clause
"""Compares this build with an earlier one, in turns within one run: BASELINE=DIR make bench,
where DIR is the build folder of another checkout. Prints the ratio of this build to the
earlier one; at most 1 means not worse. See run.sh."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from bench import must  # noqa: E402

ROUNDS = 4  # even, so that each build is first in half of the rounds
REPLAYS = 30
COMMANDS = ("summary", "folded", "html -o /dev/null", "flamegraph", "timeline", "verify")


def row(what, ours, theirs, unit):
    print("%-36s %10.3f %10.3f %-8s ratio %.3f" % (what, ours, theirs, unit, ours / theirs))


def record(builds, tmp, seconds, order):
    """Returns CPU seconds and bytes of each build. They record one after the other, because each
    would pay for the probes of the other."""
    got = {}
    for name in order:
        trace = "%s/%s.nct" % (tmp, name)
        used = must([builds[name] + "/netcost-record", "-q", "-o", trace, "--", "sleep", str(seconds)])
        got[name] = (used[0], os.path.getsize(trace))
    return got


def replay(builds, command, trace):
    """Returns the shortest CPU time and the largest resident size of each build, measured in turns."""
    used = {name: [] for name in builds}
    for _ in range(REPLAYS):
        for name in builds:
            used[name].append(must([builds[name] + "/netcost-report", *command.split(), trace], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    return {name: (min(u[0] for u in used[name]), max(u[2] for u in used[name])) for name in used}


def main():
    tmp, seconds = sys.argv[1], int(sys.argv[2])
    builds = {"ours": sys.argv[3], "base": sys.argv[4]}
    print("this build against %s" % builds["base"])
    orders = (list(builds), list(reversed(builds)))
    runs = [record(builds, tmp, seconds, orders[i % 2]) for i in range(ROUNDS)]
    for i, what, unit, scale in ((0, "recorder's CPU time", "ms", 1e3), (1, "trace size", "kB", 1e-3)):
        row("%s, %d times %d s" % (what, ROUNDS, seconds), scale * sum(r["ours"][i] for r in runs),
            scale * sum(r["base"][i] for r in runs), unit)
    for command in COMMANDS:
        got = replay(builds, command, tmp + "/ours.nct")
        row("%s: CPU time" % command, 1e3 * got["ours"][0], 1e3 * got["base"][0], "ms")
        row("%s: resident" % command, got["ours"][1] / 1024, got["base"][1] / 1024, "MiB")


if __name__ == "__main__":
    main()
